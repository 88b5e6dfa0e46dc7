"""Runs of AI routine assistants: a turn without a chat and without a person, through the same runner and gate."""

import asyncio
import logging
from typing import Final

from nova_ui.chat.accept import Accepted
from nova_ui.chat.asking import Pause
from nova_ui.chat.engine import Engine
from nova_ui.chat.event_writer import NothingKept
from nova_ui.chat.events import TurnTotals
from nova_ui.chat.failures import log_failure
from nova_ui.chat.live_turn import Interruption, LiveTurn
from nova_ui.chat.metering import TurnMeter
from nova_ui.chat.model_steps import ModelParts
from nova_ui.chat.prompt import Earlier, routine_message, user_message
from nova_ui.chat.recorder import TurnRecorder
from nova_ui.chat.routine_situation import FindRoutine, NoPreviews, RoutineSituations
from nova_ui.chat.turn import TurnParts, TurnRunner
from nova_ui.domain.ai_routine import RunOrder, RunResult, RunState
from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.chat import ChatId, Step, TextMessage, Turn, TurnId, TurnState
from nova_ui.domain.identity import SessionId
from nova_ui.guardrails.known_secrets import KnownSecrets, hide_known_in_text
from nova_ui.guardrails.redaction import redact_text
from nova_ui.guardrails.secrets_in import mask_live_secrets
from nova_ui.llm.fallback import ModelChain
from nova_ui.nova_client.origin import Origin

_log = logging.getLogger(__name__)

MAX_RUN_S: Final = 300.0
MAX_ANSWER_CHARS: Final = 20_000
_STATES: Final = {
    TurnState.DONE: RunState.DONE,
    TurnState.STOPPED: RunState.STOPPED,
    TurnState.FAILED: RunState.FAILED,
}


class RoutineRuns:
    """Carries out the runs of this process; the same limits as for a message hold for each of them (E1 to E5)."""

    def __init__(self, engine: Engine, find: FindRoutine, *, pause: Pause = asyncio.sleep) -> None:
        self._engine = engine
        self._find = find
        self._pause = pause
        self._live: dict[SessionId, LiveTurn] = {}

    async def run(self, order: RunOrder) -> RunResult:
        """Carry out one run and return what it came to; whatever breaks, it ends."""
        return await _Run(self._engine, self._find, order, self._pause).carry_out(self._live)

    def session_ended(self, session_ids: frozenset[SessionId]) -> None:
        """Stop the runs of these sessions at once (rule A2)."""
        for session_id in session_ids:
            live = self._live.get(session_id)
            if live is not None:
                live.interrupt(Interruption.SESSION_ENDED)

    def shut_down(self) -> None:
        """Let every run end with a plain sentence."""
        for live in tuple(self._live.values()):
            live.interrupt(Interruption.SHUT_DOWN)


class _Run:
    def __init__(self, engine: Engine, find: FindRoutine, order: RunOrder, pause: Pause) -> None:
        self._engine = engine
        self._find = find
        self._order = order
        self._pause = pause
        routine, caller = order.routine, order.caller
        turn = Turn(
            id=TurnId(order.run_id),
            chat_id=ChatId(order.run_id),
            identity=caller.identity,
            session_id=caller.session_id,
            assistant_key=AssistantKey(routine.key),
            number=1,
            message=TextMessage(text=routine.prompt),
            started_at=engine.clock.now(),
        )
        self._accepted = Accepted(
            turn=turn, assistant=routine.as_assistant(), released_at_start=routine.tool_names, events=(), is_new=True
        )
        self._live = LiveTurn(turn, NothingKept(), ())
        translate = engine.translators.for_language(caller.identity.language)
        self._recorder = TurnRecorder(self._live, engine.tools, translate)
        self._chain: ModelChain | None = None
        self._runner: TurnRunner | None = None
        self._meter = TurnMeter(
            database=engine.database,
            clock=engine.clock,
            groups_among=engine.groups_among,
            identity=caller.identity,
            key=routine.key,
            is_routine=True,
        )

    async def carry_out(self, lives: dict[SessionId, LiveTurn]) -> RunResult:
        session_id = self._order.caller.session_id
        lives[session_id] = self._live
        deadline = asyncio.get_running_loop().call_later(MAX_RUN_S, self._live.interrupt, Interruption.TURN_TIME)
        try:
            state = await self._go()
            await self._meter.finish()
        finally:
            deadline.cancel()
            del lives[session_id]
        return self._result(state, TurnTotals() if self._runner is None else self._runner.totals)

    async def _go(self) -> TurnState:
        try:
            await self._engine.look_at_models()
            self._runner = TurnRunner(self._parts(await self._engine.gate.known_secrets()))
            await self._runner.run()
        except Exception as error:  # noqa: BLE001 - whatever broke, the run ends and says so
            log_failure(_log, "routine.failed", error, turn=self._live.turn.id)
            return TurnState.FAILED
        if self._live.is_interrupted():
            return TurnState.STOPPED
        has_answer = self._recorder.has_text
        return TurnState.DONE if has_answer else TurnState.FAILED

    def _parts(self, known: KnownSecrets) -> TurnParts:
        engine, order = self._engine, self._order
        return TurnParts(
            live=self._live,
            accepted=self._accepted,
            recorder=self._recorder,
            situations=RoutineSituations(
                clock=engine.clock,
                identity_of=engine.identity_of,
                find=self._find,
                live=self._live,
                routine=order.routine,
            ),
            gate=engine.gate,
            door=engine.nova.open(order.caller, Origin(routine_key=order.routine.key)),
            previews=NoPreviews(),
            for_model=ModelParts(
                tools=engine.tools,
                offers=engine.offers,
                chain=self._find_chain,
                earlier=Earlier(),
                asked=user_message(
                    TextMessage(text=hide_known_in_text(mask_live_secrets(order.routine.prompt), known))
                ),
                pause=self._pause,
                meter=self._meter,
                system=routine_message(order.routine),
                known=known,
            ),
        )

    def _find_chain(self) -> ModelChain:
        if self._chain is None:
            self._chain = self._engine.models.chain_for(self._accepted.assistant)
        return self._chain

    @property
    def _model_name(self) -> str | None:
        """The model that was asked last; None if none was needed."""
        return None if self._chain is None else self._chain.current.name

    def _result(self, state: TurnState, totals: TurnTotals) -> RunResult:
        model = self._model_name
        end = self._recorder.ending(state, self._engine.clock.now(), model, {})
        return RunResult(
            state=_STATES[state],
            answer=_answer_of(end.steps),
            steps=tuple(end.steps),
            notices=tuple(end.notices),
            model=model,
            usage={
                **totals.usage,
                "model_calls": totals.model_calls,
                "tool_calls": totals.tool_calls,
                "tool_result_characters": totals.tool_result_characters,
            },
        )


def _answer_of(steps: tuple[Step, ...]) -> str:
    """Return the last words of the model, without anything that looks like a secret (rule D3)."""
    said = [step.text.strip() for step in steps if step.text.strip()]
    return redact_text(said[-1])[:MAX_ANSWER_CHARS] if said else ""
