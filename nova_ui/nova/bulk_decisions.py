"""Several decisions at once, each checked and carried out alone."""

from collections.abc import Sequence
from typing import Final, Literal

from nova_ui.errors import NovaInvalid, NovaProblem
from nova_ui.nova.audit_trail import Target
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core
from nova_ui.nova.deciding import approve, deny
from nova_ui.nova.effects import Planned, effects_of, weigh
from nova_ui.nova.request_items import names_of_items
from nova_ui.nova.views import (
    Decision,
    DecisionAnswer,
    DecisionImpactQuery,
    Decisions,
    DecisionsView,
    Impact,
    ObjectRef,
)
from nova_ui.nova.views.requests import MAX_DECISIONS
from nova_ui.nova.writing import Write
from storage.nova.names import identity_names
from storage.nova.tables import AccessRequestRow

_ENDED: Final = frozenset({"completed", "failed", "denied"})
_ACTIONS: Final = {"approve": "approval.approved", "deny": "approval.denied"}
_UNSAID: Final = "."  # the reason of a denial that is only weighed


class BulkDecisions:
    """Decides on many approvals for one approver."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def impact(self, context: RequestContext, query: DecisionImpactQuery) -> Impact:
        """Return what these decisions would do: they are taken one after the other, and all is undone."""
        decisions = [*_named("approve", query.approve), *_named("deny", query.deny)]
        if not 1 <= len(decisions) <= MAX_DECISIONS:
            raise NovaInvalid(f"Name 1 to {MAX_DECISIONS} approvals.", field="approve")
        _check_once(decisions)
        subject = ObjectRef(type="approval", id="", display="")
        return await weigh(subject, self._rehearse(context, decisions))

    async def decide(self, context: RequestContext, body: Decisions) -> DecisionsView:
        """Take each decision in a write of its own; one that is refused stops no other.

        Raises:
            NovaInvalid: an approval stands there twice.

        """
        _check_once(body.decisions)
        answers: list[DecisionAnswer] = []
        done: list[Planned] = []
        for one in body.decisions:
            target = Target("approval", one.approval_id)
            try:
                async with self._core.writer.writing(context, _ACTIONS[one.decision], target) as write:
                    planned, answer = await _take(write, one)
            except NovaProblem as problem:
                planned, answer = _refused(one), _answer(one, problem)
            done += planned
            answers.append(answer)
        return DecisionsView(answers=answers, effects=effects_of(done))

    async def _rehearse(self, context: RequestContext, decisions: Sequence[Decision]) -> list[Planned]:
        planned: list[Planned] = []
        async with self._core.writer.rehearsing(context) as write:
            for one in decisions:
                try:
                    async with write.session.begin_nested():
                        done, _ = await _take(write, one)
                except NovaProblem:
                    done = _refused(one)
                planned += done
        return planned


async def _take(write: Write, one: Decision) -> tuple[list[Planned], DecisionAnswer]:
    decide = approve if one.decision == "approve" else deny
    row, request = await decide(write, one.approval_id, one.comment, None)
    display = await _display(write, request)
    verdict = "approved" if one.decision == "approve" else "denied"
    planned = [Planned(type="approval", id=row.id, display=display, result=verdict)]
    if request.status in _ENDED:
        planned.append(Planned(type="access_request", id=request.id, display=display, result=request.status))
    return planned, DecisionAnswer(approval_id=row.id, result=verdict, request_status=request.status)


async def _display(write: Write, request: AccessRequestRow) -> str:
    names = await identity_names(write.session, [request.beneficiary_id])
    return f"{names.get(request.beneficiary_id, '')} · {await names_of_items(write.session, request)}"


def _refused(one: Decision) -> list[Planned]:
    return [Planned(type="approval", id=one.approval_id, display="", result="refused")]


def _answer(one: Decision, problem: NovaProblem) -> DecisionAnswer:
    return DecisionAnswer(approval_id=one.approval_id, result="refused", code=problem.code, detail=problem.detail)


def _named(word: Literal["approve", "deny"], ids: str) -> list[Decision]:
    named = [one for one in ids.split(",") if one]
    return [Decision.model_construct(approval_id=one, decision=word, comment=_UNSAID) for one in named]


def _check_once(decisions: Sequence[Decision]) -> None:
    if len({one.approval_id for one in decisions}) != len(decisions):
        raise NovaInvalid("An approval stands there twice.", field="decisions")
