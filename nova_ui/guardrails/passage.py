"""How one call goes through the gate: every rule is asked before anything runs."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from nova_ui.domain.chat import PreviewId
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.preview import Preview, PreviewOutcome
from nova_ui.domain.tool import AnyTool, CallId, RawCall, Shown, ToolCall
from nova_ui.guardrails.admission import Admitted, admit, checked_call, prepare
from nova_ui.guardrails.confirmation import (
    CHANGED,
    TURN_OVER,
    check_confirmation,
    demands_more,
    must_be_confirmed,
    refuse_confirmation,
)
from nova_ui.guardrails.failing import Broke
from nova_ui.guardrails.limits import TurnLedger
from nova_ui.guardrails.outcome import (
    ARGUMENTS_CHANGED,
    DEMANDS_CHANGED,
    OBJECT_CHANGED,
    OUTCOME_UNKNOWN,
    Outcome,
    failed,
    previewed,
    ran,
    refused,
)
from nova_ui.guardrails.preview import Asked, build_preview, still_holds
from nova_ui.guardrails.refusal import Refusal
from nova_ui.guardrails.situation import PreviewStore, Situation, SituationSource


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A call's own answer, before anything is taken out of it."""

    result: JsonValue


class Runner(Protocol):
    """Runs what passed the gate."""

    def secret_fields(self, tool: AnyTool) -> frozenset[str]:
        """Return the fields that Nova marks as secret in what `tool` calls."""

    async def run(self, tool: AnyTool, call: ToolCall, *, if_match: str | None = None) -> Done | Broke | Refusal:
        """Run a call; one that needs a confirmation has it."""

    async def show(self, tool: AnyTool, call: ToolCall) -> Shown | Broke | Refusal:
        """Read what the card of a call shows, without secrets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A call that waits on a card and passed all that is asked of any call."""

    tool: AnyTool
    call: ToolCall
    call_id: CallId
    by_person: bool
    situation: Situation


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """The way of one call through the gate, with all that it needs."""

    tools: Mapping[str, AnyTool]
    runner: Runner
    situation: SituationSource
    ledger: TurnLedger
    previews: PreviewStore
    new_preview_id: Callable[[], PreviewId]

    async def ask(self, raw: RawCall, *, by_person: bool) -> Outcome:
        """Pass a call of a model or of the `/` menu."""
        admitted = admit(raw.name, self.tools, await self.situation())
        if isinstance(admitted, Refusal):
            return refused(admitted, self.tools.get(raw.name), self.ledger)
        tool = admitted.tool
        no = self.ledger.check_any_call()
        if no is not None:
            return refused(no, tool, self.ledger)
        prepared = prepare(admitted, raw.arguments_text, self.tools, self.runner.secret_fields(tool))
        if isinstance(prepared, Refusal):
            return refused(prepared, tool, self.ledger)
        no = self.ledger.check_same_call(prepared.call.digest)
        if no is not None:
            return refused(no, tool, self.ledger)
        if not must_be_confirmed(tool, admitted.situation):
            return await self._run(tool, prepared.call)
        wish = _wish(admitted, prepared.call, raw.call_id, by_person=by_person)
        return await (self._claim(wish) if prepared.confirmed else self._show_first(wish))

    async def press(self, preview: Preview) -> Outcome:
        """Run the call of a preview that the person's button consumed (rules C8, C11, C14)."""
        wish = await self._check_pressed(preview)
        if isinstance(wish, Refusal):
            await self.previews.record_outcome(preview, PreviewOutcome.REFUSED)
            return refused(wish, self.tools.get(preview.call.tool_name), self.ledger)
        shown = await self.runner.show(wish.tool, wish.call)
        why_again = _why_again(preview, wish, shown)
        if why_again is None:
            return await self._execute(preview, wish)
        await self.previews.record_outcome(preview, PreviewOutcome.REFUSED)
        return await self._preview(wish, shown, why_again)

    async def _check_pressed(self, preview: Preview) -> Wish | Refusal:
        situation = await self.situation()
        admitted = admit(preview.call.tool_name, self.tools, situation, read_only=False)
        if isinstance(admitted, Refusal):
            return admitted
        secret_fields = self.runner.secret_fields(admitted.tool)
        call = checked_call(admitted, preview.call.arguments, self.tools, secret_fields)
        if isinstance(call, Refusal):
            return call
        turn = situation.turn
        no = (
            check_confirmation(preview, call, turn, turn.started_at)  # the button counts when it was pressed
            or self.ledger.check_any_call()
            or self.ledger.check_destructive()
        )
        return no or _wish(admitted, call, preview.call_id, by_person=preview.by_person)

    async def _claim(self, wish: Wish) -> Outcome:
        """Decide on a call that says it is confirmed; whether it is, the person's own message tells (rule C7)."""
        situation = wish.situation
        if self.ledger.was_previewed(wish.call.digest):
            return self._no(wish, refuse_confirmation("same_message"))
        if situation.agreed is None:
            voided = situation.voided
            if voided is not None and voided.call.digest == wish.call.digest:
                why = check_confirmation(voided, wish.call, situation.turn, situation.now)
                return self._no(wish, why or refuse_confirmation("not_agreed"))
            return await self._show_first(wish)
        no = check_confirmation(situation.agreed, wish.call, situation.turn, situation.now)
        if no is None:
            return await self._confirmed(situation.agreed, wish)
        if no.reason == CHANGED:
            return await self._show_first(wish, ARGUMENTS_CHANGED)
        return self._no(wish, no)

    async def _confirmed(self, preview: Preview, wish: Wish) -> Outcome:
        """Run a call that the person agreed to in words, if the object still is what was shown."""
        no = self.ledger.check_destructive()
        if no is not None:
            return self._no(wish, no)
        shown = await self.runner.show(wish.tool, wish.call)
        why_again = _why_again(preview, wish, shown)
        if why_again is not None:
            return await self._preview(wish, shown, why_again)
        if not await self.previews.consume(preview, wish.situation.now):
            return self._no(wish, refuse_confirmation("used"))
        return await self._execute(preview, wish)

    async def _show_first(self, wish: Wish, because: str | None = None) -> Outcome:
        """Show a call instead of running it (rule C2)."""
        no = self.ledger.check_destructive()
        if no is not None:
            return self._no(wish, no)
        return await self._preview(wish, await self.runner.show(wish.tool, wish.call), because)

    async def _preview(self, wish: Wish, shown: Shown | Broke | Refusal, because: str | None) -> Outcome:
        """Store the preview of a call; what the action would be refused for is told instead."""
        if isinstance(shown, Refusal):
            return self._no(wish, shown)
        if isinstance(shown, Broke):
            return failed(wish.tool, wish.call, shown.code, shown.detail, self.ledger)
        assistant = wish.situation.assistant
        asked = Asked(
            turn=wish.situation.turn,
            call_id=wish.call_id,
            by_person=wish.by_person,
            button_only=assistant is None or assistant.button_only,
            type_name_for=frozenset() if assistant is None else assistant.type_name_for,
        )
        preview = build_preview(self.new_preview_id(), asked, wish.call, shown, wish.situation.now)
        if not await self.previews.store(preview):
            return self._no(wish, refuse_confirmation(TURN_OVER))
        self.ledger.count_preview(wish.call.digest)
        return previewed(wish.tool, preview, because, self.ledger)

    async def _execute(self, preview: Preview, wish: Wish) -> Outcome:
        """Run a consumed preview's call, once, and note what became of it."""
        self.ledger.count_destructive()
        self.ledger.count_run(wish.call.digest)
        answer = await self.runner.run(wish.tool, wish.call, if_match=preview.shown.etag)
        await self.previews.record_outcome(preview, _outcome_of(answer))
        if isinstance(answer, Broke) and answer.is_stale and not wish.tool.is_flow:
            return await self._preview(wish, await self.runner.show(wish.tool, wish.call), OBJECT_CHANGED)
        return self._answer(wish.tool, wish.call, answer)

    async def _run(self, tool: AnyTool, call: ToolCall) -> Outcome:
        self.ledger.count_run(call.digest)
        return self._answer(tool, call, await self.runner.run(tool, call))

    def _answer(self, tool: AnyTool, call: ToolCall, answer: Done | Broke | Refusal) -> Outcome:
        if isinstance(answer, Done):
            return ran(tool, call, answer.result, self.runner.secret_fields(tool), self.ledger)
        if isinstance(answer, Refusal):
            return refused(answer, tool, self.ledger)
        if answer.code == OUTCOME_UNKNOWN:
            self.ledger.note_unknown(call.digest)
        return failed(tool, call, answer.code, answer.detail, self.ledger)

    def _no(self, wish: Wish, refusal: Refusal) -> Outcome:
        return refused(refusal, wish.tool, self.ledger)


def _wish(admitted: Admitted, call: ToolCall, call_id: CallId, *, by_person: bool) -> Wish:
    return Wish(tool=admitted.tool, call=call, call_id=call_id, by_person=by_person, situation=admitted.situation)


def _why_again(preview: Preview, wish: Wish, shown: Shown | Broke | Refusal) -> str | None:
    """Say why a confirmed call is shown once more instead of run (rules C14, C15), or None if it runs."""
    if not isinstance(shown, Shown) or not still_holds(preview, shown):
        return OBJECT_CHANGED
    situation = wish.situation
    if situation.assistant is None or demands_more(preview, situation.assistant, situation.turn.message):
        return DEMANDS_CHANGED
    return None


def _outcome_of(answer: Done | Broke | Refusal) -> PreviewOutcome:
    if isinstance(answer, Done):
        return PreviewOutcome.DONE
    if isinstance(answer, Refusal) or answer.is_stale:
        return PreviewOutcome.REFUSED
    return PreviewOutcome.UNKNOWN if answer.code == OUTCOME_UNKNOWN else PreviewOutcome.FAILED
