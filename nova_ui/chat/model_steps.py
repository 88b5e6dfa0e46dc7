"""One model call after the other: what a turn's model is asked, and how much of an answer counts."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from nova_ui.chat.asking import MAX_RETRIES, MAX_RETRIES_WITH_ANOTHER, Answer, Pause, ask
from nova_ui.chat.live_turn import LiveTurn
from nova_ui.chat.metering import Meter
from nova_ui.chat.notices import BUDGET_USED_UP, EARLIER_LEFT_OUT, MODEL_FAILED, MODEL_FELL_BACK
from nova_ui.chat.prompt import Earlier, SystemWords, history_budget, system_message
from nova_ui.chat.recorder import TurnRecorder
from nova_ui.chat.sent_log import Watches
from nova_ui.domain.tool import AnyTool, ToolOffer
from nova_ui.errors import BudgetUsedUp, FailureKind, ModelError
from nova_ui.guardrails.confirmation import must_be_confirmed
from nova_ui.guardrails.known_secrets import NOTHING_KNOWN, KnownSecrets, hide_known_in_text
from nova_ui.guardrails.limits import TurnLedger
from nova_ui.guardrails.offer import offered_tools
from nova_ui.guardrails.situation import Situation
from nova_ui.llm.fallback import Fall, ModelChain
from nova_ui.llm.port import ChatMessage, ModelRequest, SystemMessage

_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelParts:
    """What a turn's model is asked with; `earlier` is what was said before, `asked` the person's message.

    `chain` is looked up only where a model is needed, each asked through `meter`; `system` gives what the server tells
    it, of which `known` secrets are hidden, and `sent` takes note of each request.
    """

    tools: Mapping[str, AnyTool]
    offers: Mapping[tuple[str, bool], ToolOffer]
    chain: Callable[[], ModelChain]
    earlier: Earlier
    asked: ChatMessage
    pause: Pause
    meter: Meter
    system: SystemWords = system_message
    sent: Watches | None = None
    known: KnownSecrets = NOTHING_KNOWN


class ModelSteps:
    """The model's side of one turn: what was said so far, each request counted, each answer whole or worth nothing."""

    def __init__(self, parts: ModelParts, live: LiveTurn, recorder: TurnRecorder, ledger: TurnLedger) -> None:
        self._parts = parts
        self._live = live
        self._recorder = recorder
        self._ledger = ledger
        self._said: list[ChatMessage] = []
        self._has_begun = False
        self._step = 0
        self.input_tokens = 0
        self.output_tokens = 0
        self.has_estimates = False

    def add(self, *messages: ChatMessage) -> None:
        """Note what the model reads from its next call on."""
        self._said += messages

    async def ask(self, situation: Situation, answer: Answer) -> bool:
        """Ask the model once more; return whether its answer is complete."""
        try:
            return await self._ask(situation, answer)
        except BudgetUsedUp as used_up:
            self._ledger.take_back_model_call()
            self._recorder.notice(BUDGET_USED_UP, **used_up.params)
            return False

    async def _ask(self, situation: Situation, answer: Answer) -> bool:
        self._step += 1
        self._begin()
        failure = await self._try(situation, answer)
        while failure is not None and (self._has_made_room(failure) or self._has_fallen(failure)):
            failure = await self._try(situation, answer)
        if failure is not None:
            _log.warning("turn.model_failed", extra={"turn": self._live.turn_id, "kind": failure.kind.value})
            self._recorder.notice(MODEL_FAILED, kind=failure.kind.value)
            return False
        if not self._live.is_interrupted() and not answer.is_complete:
            self._recorder.notice(MODEL_FAILED, kind=FailureKind.CUT_OFF.value)
        if answer.is_complete:
            self._parts.chain().answered()
        return not self._live.is_interrupted() and answer.is_complete

    def say_what_is_left_out(self) -> None:
        """Tell the person how many earlier messages the model does not read."""
        if self._parts.earlier.left_out:
            self._recorder.notice(EARLIER_LEFT_OUT, count=self._parts.earlier.left_out)

    async def _try(self, situation: Situation, answer: Answer) -> ModelError | None:
        chain = self._parts.chain()
        model, identity = chain.current, situation.identity
        asking = ask(
            model if identity is None else self._parts.meter.over(model, identity),
            lambda: self._next_request(situation),
            self._recorder.say,
            answer,
            pause=self._parts.pause,
            max_retries=MAX_RETRIES_WITH_ANOTHER if chain.has_another else MAX_RETRIES,
        )
        try:
            await self._live.interruptibly(asking)
        except ModelError as error:
            return error
        finally:
            self.input_tokens += answer.input_tokens
            self.output_tokens += answer.output_tokens
            self.has_estimates |= answer.has_estimates
        return None

    def _begin(self) -> None:
        """Go past models that failed in an earlier turn, a moment ago."""
        if self._has_begun:
            return
        self._has_begun = True
        self._follow(self._parts.chain().skip_resting())

    def _has_fallen(self, failure: ModelError) -> bool:
        """Go to the next model, where one can stand in and the turn may still ask; each request counts (rule E1)."""
        fall = self._parts.chain().fall(failure)
        if fall is None or self._ledger.check_model_call() is not None:
            return False
        self._follow(fall)
        return True

    def _follow(self, fall: Fall | None) -> None:
        """Tell the person who answers now and why, and leave out what this model can't read."""
        if fall is None:
            return
        _log.warning("turn.model_fell_back", extra={"turn": self._live.turn_id, "kind": fall.kind.value})
        self._recorder.notice(MODEL_FELL_BACK, before=fall.before, after=fall.after, kind=fall.kind.value)
        if self._parts.earlier.keep_within(history_budget(self._parts.chain().current.context_tokens)):
            self.say_what_is_left_out()

    def _has_made_room(self, failure: ModelError) -> bool:
        """Leave out more of what was said before, where the model can't read it all and has said nothing yet."""
        if failure.kind is not FailureKind.TOO_LONG or failure.arrived or not self._parts.earlier.leave_out_more():
            return False
        self.say_what_is_left_out()
        return True

    def _next_request(self, situation: Situation) -> ModelRequest | None:
        """Count and build the next request; the last one is asked for words only (rule E1)."""
        if self._ledger.check_model_call() is not None:
            return None
        words_only = self._ledger.is_last_model_call or self._ledger.check_any_call() is not None
        self._ledger.count_model_call()
        identity, assistant = situation.identity, situation.assistant
        if identity is None or assistant is None:
            return None
        tools = offered_tools(
            self._parts.tools,
            assistant,
            identity,
            read_only=situation.read_only,
            released_at_start=situation.released_at_start,
            kinds=situation.kinds,
        )
        told = self._parts.system(assistant, identity, situation.now.date()).text
        system = SystemMessage(text=hide_known_in_text(told, self._parts.known))
        sent, left_out = self._parts.sent, self._parts.earlier.left_out
        return ModelRequest(
            messages=[system, *self._parts.earlier.messages, self._parts.asked, *self._said],
            tools=[self._parts.offers[tool.name, must_be_confirmed(tool, situation)] for tool in tools],
            language=identity.language,
            words_only=words_only,
            watch=None if sent is None else sent.watch(step=self._step, left_out=left_out, words_only=words_only),
        )
