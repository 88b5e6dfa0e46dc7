"""The only way from a model, a person or a confirmation to a tool; nothing else calls one."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from nova_ui.domain.canonical import validated_arguments
from nova_ui.domain.chat import PreviewId
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.preview import Preview
from nova_ui.domain.tool import AnyTool, Nova, RawCall, Shown, ToolCall, ToolKind
from nova_ui.errors import InnerCallRefused
from nova_ui.guardrails.admission import admit, prepare
from nova_ui.guardrails.destructive import is_milder
from nova_ui.guardrails.envelope import without_citations
from nova_ui.guardrails.failing import Broke, guarded
from nova_ui.guardrails.known_secrets import (
    KnownSource,
    hide_known,
    hide_known_in_card,
    hide_known_in_text,
    holds_known,
    nothing_known,
)
from nova_ui.guardrails.limits import MAX_INNER_CALLS, TurnLedger
from nova_ui.guardrails.marks import EndpointMarks, Marks, secret_fields_of
from nova_ui.guardrails.outcome import Outcome, clean_result
from nova_ui.guardrails.passage import Done, Passage
from nova_ui.guardrails.preview import look
from nova_ui.guardrails.refusal import Code, Refusal
from nova_ui.guardrails.secrets_in import refuse_live_secret
from nova_ui.guardrails.situation import PreviewStore, Situation, SituationSource, ToolDoor
from nova_ui.guardrails.tool_list import check_declared, find_inner_tools

__all__ = ["Gate", "PreviewStore", "Situation", "SituationSource", "ToolDoor"]

_NO_MARKS: Final[Mapping[str, EndpointMarks]] = MappingProxyType({})


class Gate:
    """The gate to all tools; one for the process, and it keeps nothing between calls."""

    def __init__(
        self,
        tools: Mapping[str, AnyTool],
        *,
        new_preview_id: Callable[[], PreviewId],
        marks: Marks = _NO_MARKS,
        known_secrets: KnownSource = nothing_known,
    ) -> None:
        self.known_secrets = known_secrets
        self._tools = tools
        self._new_preview_id = new_preview_id
        self._marks = marks

    async def pass_call(
        self,
        raw: RawCall,
        situation: SituationSource,
        ledger: TurnLedger,
        door: ToolDoor,
        previews: PreviewStore,
        *,
        by_person: bool,
    ) -> Outcome:
        """Pass one call of a model, or of a person from the `/` menu, and say what became of it.

        Calls of one turn are passed one after the other. `situation` is asked afresh for this call and for each of
        its inner calls.
        """
        passage = self._passage(situation, ledger, door, previews)
        return await passage.ask(raw, by_person=by_person)

    async def run_confirmed(
        self,
        preview: Preview,
        situation: SituationSource,
        ledger: TurnLedger,
        door: ToolDoor,
        previews: PreviewStore,
    ) -> Outcome:
        """Run exactly the call of a preview whose button was pressed (rule C8).

        The preview was consumed in the transaction that accepted the message. Rights, list, limits and secrets are
        tested again (C11); if the object is not as it was shown, a new preview is stored instead (C14).
        """
        passage = self._passage(situation, ledger, door, previews)
        return await passage.press(preview)

    def _passage(
        self, situation: SituationSource, ledger: TurnLedger, door: ToolDoor, previews: PreviewStore
    ) -> Passage:
        runner = _Runner(
            tools=self._tools, marks=self._marks, door=door, situation=situation, known_secrets=self.known_secrets
        )
        return Passage(
            tools=self._tools,
            runner=runner,
            situation=situation,
            ledger=ledger,
            previews=previews,
            new_preview_id=self._new_preview_id,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Runner:
    """Runs the calls of one passage; the only place that calls `tool.run` and `tool.show`."""

    tools: Mapping[str, AnyTool]
    marks: Marks
    door: ToolDoor
    situation: SituationSource
    known_secrets: KnownSource

    def secret_fields(self, tool: AnyTool) -> frozenset[str]:
        """Return the fields that Nova marks as secret in what `tool` calls."""
        return secret_fields_of(tool, self.marks)

    async def run(self, tool: AnyTool, call: ToolCall, *, if_match: str | None = None) -> Done | Broke | Refusal:
        """Run a call that passed the gate; one that needs a confirmation has it."""
        nova = self._open(tool, call, if_match=if_match, ceiling=tool.kind)

        async def run_once() -> Done:
            return Done(result=await tool.run(validated_arguments(tool, call), nova))

        known = await self.known_secrets()
        if holds_known(dict(call.arguments), known):
            return _LIVE_SECRET
        outcome = await guarded(run_once, tool.name, changes_something=tool.kind is not ToolKind.READ)
        match outcome:
            case Done(result=result):  # a marker that is taken out could put together a secret that it parted
                return Done(result=hide_known(without_citations(result), known))
            case Broke():
                return replace(outcome, detail=hide_known_in_text(outcome.detail, known))
            case _:
                return outcome

    async def show(self, tool: AnyTool, call: ToolCall) -> Shown | Broke | Refusal:
        """Read what the card of a call shows, without secrets; nothing may be changed meanwhile."""
        nova = self._open(tool, call, if_match=None, ceiling=ToolKind.READ)
        show = tool.show
        if show is None:
            return Broke(code="internal")  # the start-up check lets no such tool through

        async def show_once() -> Shown:
            return await look(lambda: show(validated_arguments(tool, call), nova), call, self.secret_fields(tool))

        known = await self.known_secrets()
        if holds_known(dict(call.arguments), known):
            return _LIVE_SECRET
        shown = await guarded(show_once, tool.name, changes_something=False)
        return hide_known_in_card(shown, known) if isinstance(shown, Shown) else shown

    def _open(self, tool: AnyTool, call: ToolCall, *, if_match: str | None, ceiling: ToolKind) -> Nova:
        declared = find_inner_tools(tool, validated_arguments(tool, call))
        inner = _InnerCalls(runner=self, declared=declared, ceiling=ceiling)
        return self.door.for_tool(tool, if_match=if_match, run_tool=inner.run)

    async def run_inner(
        self, name: str, arguments: JsonObject, declared: tuple[str, ...], ceiling: ToolKind
    ) -> JsonValue:
        """Pass one step of a flow through the gate and run it.

        Raises:
            InnerCallRefused: the gate refused it.
            NovaProblem: the endpoint refused or failed.

        """
        refusal = check_declared(name, declared)
        if refusal is not None:
            raise _inner_refused(name, refusal)
        admitted = admit(name, self.tools, await self.situation(), read_only=False)
        if isinstance(admitted, Refusal):
            raise _inner_refused(name, admitted)
        tool = admitted.tool
        if is_milder(ceiling, tool.kind) or tool.inner_tools:
            raise _inner_refused(name, _TOO_MUCH)
        prepared = prepare(admitted, json.dumps(arguments), self.tools, self.secret_fields(tool))
        if isinstance(prepared, Refusal):
            raise _inner_refused(name, prepared)
        nova = self._open(tool, prepared.call, if_match=None, ceiling=ToolKind.READ)
        result = await tool.run(validated_arguments(tool, prepared.call), nova)
        result = hide_known(without_citations(result), await self.known_secrets())
        return clean_result(result, self.secret_fields(tool))


@dataclass(slots=True, kw_only=True)
class _InnerCalls:
    """The inner calls of one call, counted."""

    runner: _Runner
    declared: tuple[str, ...]
    ceiling: ToolKind
    made: int = field(default=0)

    async def run(self, name: str, arguments: JsonObject) -> JsonValue:
        self.made += 1
        if self.made > MAX_INNER_CALLS:
            raise _inner_refused(name, _TOO_MANY)
        return await self.runner.run_inner(name, arguments, self.declared, self.ceiling)


_LIVE_SECRET: Final = refuse_live_secret()
_TOO_MUCH: Final = Refusal(
    code=Code.CONFIRMATION_REQUIRED, reason="inner_kind", advice="A step may not do more than the tool it belongs to."
)
_TOO_MANY: Final = Refusal(
    code=Code.LIMIT_TOOL_RESULTS, reason="inner_calls", advice=f"A flow makes at most {MAX_INNER_CALLS} inner calls."
)


def _inner_refused(name: str, refusal: Refusal) -> InnerCallRefused:
    return InnerCallRefused(tool_name=name, code=refusal.code, reason=refusal.reason)
