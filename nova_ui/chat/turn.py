"""One turn: the model and the gate, in a loop of our own that always ends."""

import json
import logging
from dataclasses import dataclass, replace
from typing import Final

from nova_ui.chat.accept import Accepted
from nova_ui.chat.asking import Answer
from nova_ui.chat.call_ids import CallIds, find_doubled
from nova_ui.chat.events import TurnTotals
from nova_ui.chat.live_turn import Interruption, LiveTurn
from nova_ui.chat.model_steps import ModelParts, ModelSteps
from nova_ui.chat.notices import (
    ANSWER_CUT_OFF,
    ANSWER_FILTERED,
    LIMIT_MODEL_CALLS,
    LIMIT_TOOL_RESULTS,
    NO_ANSWER,
    ROLES_CHANGED,
)
from nova_ui.chat.recorder import TurnRecorder, shown_arguments, shown_name
from nova_ui.chat.situation import Situations
from nova_ui.domain.chat import ConfirmMessage, TextMessage, ToolMessage
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.preview import Preview, PreviewOutcome
from nova_ui.domain.tool import RawCall
from nova_ui.guardrails.gate import Gate, PreviewStore, Situation, ToolDoor
from nova_ui.guardrails.limits import MAX_MODEL_CALLS, MAX_TURN_RESULT_CHARS, TurnLedger
from nova_ui.guardrails.outcome import Outcome, Refused, refused
from nova_ui.guardrails.refusal import Code, Refusal
from nova_ui.llm.port import AssistantMessage, ChatMessage, ResultMessage
from nova_ui.llm.special_tokens import without_special_tokens

_log = logging.getLogger(__name__)

# After these no call is even put to the gate; after the others the gate itself says no, and the record shows it.
_NOTHING_STARTS: Final = frozenset(Interruption) - {Interruption.SESSION_ENDED, Interruption.ASSISTANT_GONE}
_RIGHTS_CODES: Final = frozenset({Code.NOT_PERMITTED, Code.NOT_RELEASED})
_SESSION_ENDED: Final = "session_ended"  # the reason of `guardrails.roles.session_ended`


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnParts:
    """What one turn works with: who asks, what guards the calls, and what its model is asked with."""

    live: LiveTurn
    accepted: Accepted
    recorder: TurnRecorder
    situations: Situations
    gate: Gate
    door: ToolDoor
    previews: PreviewStore
    for_model: ModelParts


class TurnRunner:
    """Runs one turn to its end; ending it in the database is the caller's work."""

    def __init__(self, parts: TurnParts) -> None:
        self._parts = parts
        self._live = parts.live
        self._recorder = parts.recorder
        self._turn = parts.accepted.turn
        self._ids = CallIds()
        self._has_lost_roles = False
        self._has_noticed_results = False
        self._ledger = TurnLedger()
        self._model = ModelSteps(parts.for_model, parts.live, parts.recorder, self._ledger)

    @property
    def totals(self) -> TurnTotals:
        """What the turn has used so far."""
        return TurnTotals(
            model_calls=self._ledger.model_calls,
            tool_calls=self._recorder.tool_calls,
            destructive_actions=self._ledger.destructive,
            tool_result_characters=self._ledger.result_chars,
            input_tokens=self._model.input_tokens,
            output_tokens=self._model.output_tokens,
            has_estimates=self._model.has_estimates,
        )

    async def run(self) -> None:
        """Do all that this message asks for, within the limits."""
        match self._turn.message:
            case TextMessage():
                await self._converse()
            case ToolMessage(tool_name=name, arguments=arguments):
                text = json.dumps(dict(arguments), ensure_ascii=False)
                await self._run_call(RawCall(call_id=self._ids.new(), name=name, arguments_text=text), by_person=True)
            case ConfirmMessage():
                await self._confirm(self._parts.accepted.consumed)
        self._recorder.end_step()
        self._say_why_it_ends()

    async def _confirm(self, preview: Preview | None) -> None:
        """Run the stored call first; its result is what the model is asked about (rule C8)."""
        if preview is None:
            return
        await self._run_confirmed(preview)
        self._recorder.end_step()
        if not preview.by_person:
            await self._converse()

    async def _run_confirmed(self, preview: Preview) -> None:
        situation = await self._parts.situations.load()
        if self._live.interruption in _NOTHING_STARTS:
            await self._parts.previews.record_outcome(preview, PreviewOutcome.REFUSED)
            return
        call = preview.call
        raw = RawCall(call_id=self._ids.new(), name=call.tool_name, arguments_text=call.canonical)
        if not await self._begin_call(raw):
            return
        outcome = await self._parts.gate.run_confirmed(
            preview,
            self._parts.situations.beginning_with(situation),
            self._ledger,
            self._parts.door,
            self._parts.previews,
        )
        self._end_call(outcome, situation)
        self._model.add(AssistantMessage(text="", calls=(_as_replayed(raw),)), _result(raw, outcome))

    async def _converse(self) -> None:
        self._model.say_what_is_left_out()
        while not self._live.is_interrupted() and self._ledger.check_model_call() is None:
            situation = await self._parts.situations.for_offer()
            answer = Answer()
            if self._live.is_interrupted() or not await self._model.ask(situation, answer):
                return
            if not answer.calls:
                if answer.is_cut_off or answer.is_filtered:
                    self._recorder.notice(ANSWER_FILTERED if answer.is_filtered else ANSWER_CUT_OFF)
                return
            await self._run_calls(answer)
            self._recorder.end_step()

    async def _run_calls(self, answer: Answer) -> None:
        """Put the calls of one answer to the gate, one by one, in their order."""
        doubled = find_doubled(answer.calls)
        calls = [self._ids.with_own_id(call) for call in answer.calls]
        results: list[ChatMessage] = []
        text = self._recorder.step_text
        for place, raw in enumerate(calls):
            if self._live.is_interrupted() and place > 0:
                break
            outcome = await self._run_call(raw, refusal=_unusable(answer, is_doubled=place in doubled))
            if outcome is None:
                break
            results.append(_result(raw, outcome))
        shown = tuple(_as_replayed(raw) for raw in calls[: len(results)])
        self._model.add(AssistantMessage(text=without_special_tokens(text), calls=shown), *results)

    async def _run_call(
        self, raw: RawCall, *, refusal: Refusal | None = None, by_person: bool = False
    ) -> Outcome | None:
        """Put a call to the gate; None if nothing may start any more."""
        situation = await self._parts.situations.load()
        if self._live.interruption in _NOTHING_STARTS:
            return None
        if not await self._begin_call(raw):
            return None
        if refusal is not None:
            outcome: Outcome = refused(refusal, self._parts.for_model.tools.get(raw.name), self._ledger)
        else:
            outcome = await self._parts.gate.pass_call(
                raw,
                self._parts.situations.beginning_with(situation),
                self._ledger,
                self._parts.door,
                self._parts.previews,
                by_person=by_person,
            )
        self._end_call(outcome, situation)
        return outcome

    async def _begin_call(self, raw: RawCall) -> bool:
        """Show a call; one that may change something only starts once that is stored, and its turn still ours.

        Whatever becomes of the server then, the chat tells of it.
        """
        self._recorder.begin_call(raw)
        if self._recorder.has_begun_to_write:
            await self._live.store_now()
        return not self._live.is_lost

    def _end_call(self, outcome: Outcome, situation: Situation) -> None:
        self._recorder.end_call(outcome)
        self._notice_withdrawal(outcome, situation)
        limit = self._ledger.check_any_call()
        if limit is not None and limit.code is Code.LIMIT_TOOL_RESULTS and not self._has_noticed_results:
            self._has_noticed_results = True
            self._recorder.notice(LIMIT_TOOL_RESULTS, limit=MAX_TURN_RESULT_CHARS)

    def _notice_withdrawal(self, outcome: Outcome, situation: Situation) -> None:
        """End the turn after a call that was refused because rights are no longer what they were (rule A2)."""
        if not isinstance(outcome, Refused):
            return
        if outcome.refusal.reason == _SESSION_ENDED:
            self._live.interrupt(Interruption.SESSION_ENDED)
        if situation.identity is None or outcome.refusal.code not in _RIGHTS_CODES:
            return
        if self._turn.identity.roles - situation.identity.roles:
            self._has_lost_roles = True
            self._live.interrupt(Interruption.SESSION_ENDED)

    def _say_why_it_ends(self) -> None:
        interruption = self._live.interruption
        if interruption is Interruption.LOST:
            return
        if interruption is not None:
            params: JsonObject = {"reason": ROLES_CHANGED} if self._has_lost_roles else {}
            self._recorder.notice(interruption.value, **params)
        elif self._ledger.check_model_call() is not None:
            self._recorder.notice(LIMIT_MODEL_CALLS, limit=MAX_MODEL_CALLS)
        elif self._ledger.model_calls and not self._recorder.has_text and not self._recorder.has_notices:
            self._recorder.notice(NO_ANSWER)


def _unusable(answer: Answer, *, is_doubled: bool) -> Refusal | None:
    """Say why a call of this answer can't even be looked at, or None."""
    if answer.is_cut_off:
        return Refusal(
            code=Code.INVALID_ARGUMENTS,
            reason="cut_off",
            advice="Your answer was cut off at its length limit, so none of its calls ran. Make fewer calls at once.",
        )
    if answer.is_filtered:
        return Refusal(
            code=Code.INVALID_ARGUMENTS,
            reason="filtered",
            advice="Your answer was withheld in part by a filter, so none of its calls ran. Say what you can instead.",
        )
    if is_doubled:
        return Refusal(
            code=Code.INVALID_ARGUMENTS,
            reason="doubled_id",
            advice="Two calls of your answer had the same id, so neither ran. Make them again.",
        )
    return None


def _as_replayed(raw: RawCall) -> RawCall:
    """Return a call as its model reads it again: without what was not fit to be kept."""
    text = json.dumps(shown_arguments(raw), ensure_ascii=False)
    return replace(raw, name=shown_name(raw), arguments_text=without_special_tokens(text))


def _result(raw: RawCall, outcome: Outcome) -> ResultMessage:
    return ResultMessage(
        call_id=raw.call_id, tool_name=shown_name(raw), content=without_special_tokens(outcome.content)
    )
