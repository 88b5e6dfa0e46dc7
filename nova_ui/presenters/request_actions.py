"""What one does with requests: decide on them, alone or together, look at their steps, comment, withdraw."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from nova_ui.domain.identity import Identity
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.presenters.access_parts import OPEN_REQUEST
from nova_ui.presenters.actions import Action, Listing, Weighing, no_path, path_of
from nova_ui.presenters.fields import Field, Shown, rows_in, text_at
from nova_ui.presenters.object_form import Control, FormField

MAX_DECISIONS: Final = 50
_DECISION_STATE: Final = "GET /approvals/{approval_id}"
_BY_APPROVAL: Final = path_of("approval_id")
_BY_REQUEST: Final = path_of("request_id")
_ASKED: Final = (
    Field(name="beneficiary", label=mark("For"), shown=Shown.OBJECT),
    Field(name="requester", label=mark("Requested by"), shown=Shown.OBJECT),
    Field(name="roles", label=mark("Access"), shown=Shown.OBJECTS),
    Field(name="justification"),
    Field(name="due_at", label=mark("Due on"), shown=Shown.DAY),
)


def _waits(_: Identity, row: JsonObject) -> bool:
    return text_at(row, "status") == "open"


def _is_mine_and_open(person: Identity, row: JsonObject) -> bool:
    return text_at(row, "status") in OPEN_REQUEST and text_at(row, "requester.id") == person.id


APPROVE: Final = Action(
    key="approve",
    label=mark("Approve"),
    sentence=mark("Approve the request of {subject}"),
    done=mark("You have approved it."),
    endpoint="POST /approvals/{approval_id}/approve",
    path=_BY_APPROVAL,
    reads=_DECISION_STATE,
    reads_path=_BY_APPROVAL,
    name="beneficiary.display_name",
    state=_ASKED,
    fields=(FormField(name="comment", control=Control.LONG_TEXT),),
    is_offered=_waits,
)
DENY: Final = Action(
    key="deny",
    label=mark("Deny"),
    sentence=mark("Deny the request of {subject}"),
    done=mark("You have denied it."),
    endpoint="POST /approvals/{approval_id}/deny",
    path=_BY_APPROVAL,
    reads=_DECISION_STATE,
    reads_path=_BY_APPROVAL,
    name="beneficiary.display_name",
    state=_ASKED,
    fields=(
        FormField(
            name="comment", label=mark("Why? The person will read it."), control=Control.LONG_TEXT, required=True
        ),
    ),
    is_offered=_waits,
)
DELEGATE: Final = Action(
    key="delegate",
    label=mark("Pass on"),
    sentence=mark("Let somebody else decide on the request of {subject}"),
    done=mark("The decision is passed on."),
    endpoint="POST /approvals/{approval_id}/delegate",
    path=_BY_APPROVAL,
    reads=_DECISION_STATE,
    reads_path=_BY_APPROVAL,
    name="beneficiary.display_name",
    state=_ASKED,
    fields=(
        FormField(name="to", label=mark("Who decides instead?"), control=Control.ONE, of="person", required=True),
        FormField(name="comment", control=Control.LONG_TEXT),
    ),
    is_offered=_waits,
)
WITHDRAW: Final = Action(
    key="withdraw",
    label=mark("Withdraw"),
    sentence=mark("Withdraw this request"),
    done=mark("The request is withdrawn."),
    endpoint="POST /access-requests/{request_id}/cancel",
    path=_BY_REQUEST,
    reads="GET /access-requests/{request_id}",
    reads_path=_BY_REQUEST,
    fields=(FormField(name="reason", control=Control.LONG_TEXT),),
    is_offered=_is_mine_and_open,
)
_STEPS: Final = Listing(
    heading=mark("Decisions"),
    path="approvals",
    fields=(
        Field(name="approver", shown=Shown.OBJECT),
        Field(name="status", shown=Shown.STATE),
        Field(name="step", label=mark("Step"), shown=Shown.NUMBER),
        Field(name="role", label=mark("As owner of"), shown=Shown.OBJECT),
        Field(name="entitlement", label=mark("As owner of"), shown=Shown.OBJECT),
        Field(name="escalated_from", label=mark("Passed on by"), shown=Shown.OBJECT),
        Field(name="due_at", label=mark("Due on"), shown=Shown.DAY),
        Field(name="decided_by", label=mark("Decided by"), shown=Shown.OBJECT),
        Field(name="decided_at", label=mark("Decided on"), shown=Shown.MOMENT),
        Field(name="comment"),
    ),
)
_COMMENTS: Final = Listing(
    heading=mark("Comments"),
    path="comments",
    fields=(
        Field(name="author", shown=Shown.OBJECT),
        Field(name="at", label=mark("Written on"), shown=Shown.MOMENT),
        Field(name="text"),
    ),
)
DETAILS: Final = Action(
    key="details",
    label=mark("Details"),
    sentence=mark("The request for {subject}"),
    done=mark("The comment is stored."),
    endpoint="POST /access-requests/{request_id}/comments",
    path=_BY_REQUEST,
    reads="GET /access-requests/{request_id}",
    reads_path=_BY_REQUEST,
    name="beneficiary.display_name",
    state=(
        Field(name="roles", label=mark("Access"), shown=Shown.OBJECTS),
        Field(name="requester", label=mark("Requested by"), shown=Shown.OBJECT),
        Field(name="justification"),
        Field(name="until", label=mark("Until"), shown=Shown.DAY),
        Field(name="created_at", label=mark("Requested on"), shown=Shown.MOMENT),
    ),
    listed=(_STEPS, _COMMENTS),
    fields=(FormField(name="text", label=mark("Comment or answer"), control=Control.LONG_TEXT, required=True),),
    run_label=mark("Add the comment"),
    is_offered=lambda _, __: True,
)
# A decision that waits stands for its request.
DETAILS_OF_DECISION: Final = replace(
    DETAILS, path=path_of("request_id", "request_id"), reads_path=path_of("request_id", "request_id")
)


def chosen(rows: Sequence[JsonObject]) -> JsonObject:
    """Return several decisions as one object to act on: their ids, and whom they are about."""
    return {
        "ids": [text_at(row, "id") for row in rows],
        "display_name": ", ".join(dict.fromkeys(text_at(row, "beneficiary.display_name") for row in rows)),
    }


def _ids(one: JsonObject) -> list[str]:
    found = one.get("ids")
    return [str(each) for each in found] if isinstance(found, list) else []


def _decisions(verdict: str, body: JsonObject, one: JsonObject) -> JsonObject:
    decisions: list[JsonValue] = [{"approval_id": each, "decision": verdict, **body} for each in _ids(one)]
    return {"decisions": decisions}


def _refused(answer: JsonObject) -> bool:
    return any(text_at(one, "result") == "refused" for one in rows_in(answer, "answers"))


def _as_it_went(answer: JsonObject) -> str:
    return mark("Some of it was not possible any more; all else is decided.") if _refused(answer) else ""


def _together(verdict: str, like: Action, label: str, sentence: str, icon: str) -> Action:
    return Action(
        key=f"{verdict}-several",
        label=label,
        sentence=sentence,
        done=mark("All of them are decided."),
        icon=icon,
        endpoint="POST /approvals/decisions",
        weighing=Weighing(
            endpoint="GET /approvals/decisions/impact",
            path=no_path,
            query=lambda one: {verdict: ",".join(_ids(one))},
        ),
        fields=like.fields,
        shape=lambda body, one: _decisions(verdict, body, one),
        done_as=_as_it_went,
        went_wrong=_refused,
        is_offered=lambda _, __: True,
    )


APPROVE_SEVERAL: Final = _together(
    "approve", APPROVE, mark("Approve the chosen"), mark("Approve the chosen requests of {subject}"), "done_all"
)
DENY_SEVERAL: Final = _together(
    "deny", DENY, mark("Deny the chosen"), mark("Deny the chosen requests of {subject}"), "block"
)
