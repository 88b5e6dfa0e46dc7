"""A turn as a task: prepared, run, and ended in one transaction, whatever happens in between."""

import asyncio
import logging
from typing import Final

from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.chat.accept import Accepted
from nova_ui.chat.asking import Pause
from nova_ui.chat.confirm import StoredPreviews, closed_event
from nova_ui.chat.engine import Engine
from nova_ui.chat.events import EventName, TurnEvent, TurnTotals, done_data
from nova_ui.chat.failures import log_failure
from nova_ui.chat.live_turn import Interruption, LiveTurn
from nova_ui.chat.metering import TurnMeter
from nova_ui.chat.model_steps import ModelParts
from nova_ui.chat.notices import OUTCOME_UNKNOWN
from nova_ui.chat.prompt import Earlier, earlier_messages, history_budget, user_message
from nova_ui.chat.recorder import TurnRecorder
from nova_ui.chat.sent_log import SentLog
from nova_ui.chat.situation import FreshSituations
from nova_ui.chat.turn import TurnParts, TurnRunner
from nova_ui.domain.chat import ToolMessage, TurnState
from nova_ui.domain.identity import Caller
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.preview import CloseReason, PreviewOutcome
from nova_ui.errors import NovaUnavailable
from nova_ui.guardrails.known_secrets import KnownSecrets
from nova_ui.llm.fallback import ModelChain
from nova_ui.nova_client.origin import Origin
from storage.chat.previews import PreviewTable
from storage.chat.turn_events import StoredEvent, TurnEventTable
from storage.chat.turns import TurnTable

_log = logging.getLogger(__name__)

MAX_TURN_S: Final = 300.0
_PAUSES_S: Final = (0.1, 0.5, 2.0)


class TurnTask:
    """One accepted message on its way to its end."""

    def __init__(self, engine: Engine, live: LiveTurn, accepted: Accepted, worker_id: str, pause: Pause) -> None:
        self._engine = engine
        self._live = live
        self._accepted = accepted
        self._turn = accepted.turn
        self._worker_id = worker_id
        self._pause = pause
        translate = engine.translators.for_language(self._turn.identity.language)
        self._recorder = TurnRecorder(live, engine.tools, translate)
        self._previews = StoredPreviews(engine.database, self._turn, live.emit)
        self._chain: ModelChain | None = None
        self._sent = SentLog(engine.database, engine.clock, self._turn, worker_id, is_new_chat=accepted.is_new)
        self._meter = TurnMeter(
            database=engine.database,
            clock=engine.clock,
            groups_among=engine.groups_among,
            identity=self._turn.identity,
            key=self._turn.assistant_key,
        )
        self._runner: TurnRunner | None = None
        self._failure: Exception | None = None

    async def run(self) -> None:
        """Run the turn and end it; raises nothing, since nobody waits for it."""
        deadline = asyncio.get_running_loop().call_later(MAX_TURN_S, self._live.interrupt, Interruption.TURN_TIME)
        try:
            state = await self._run()
            await self._meter.finish()
            await self._end(state)
        except Exception as error:  # noqa: BLE001 - the turn stays marked as running, and the sweeper closes it
            log_failure(_log, "turn.not_ended", error, turn=self._turn.id)
            self._live.lose(error if isinstance(error, NovaUnavailable) else None)
        finally:
            deadline.cancel()
            self._live.close()
        _log.info("turn.finished", extra={"turn": self._turn.id, "model_calls": self._totals.model_calls})

    async def _run(self) -> TurnState:
        try:
            self._runner = TurnRunner(await self._parts())
            await self._runner.run()
        except asyncio.CancelledError:  # the server's patience with a running call is over
            self._recorder.lose_call()
            self._recorder.notice(Interruption.SHUT_DOWN.value)
            return TurnState.STOPPED
        except Exception as error:  # noqa: BLE001 - whatever broke, the turn ends and says so
            log_failure(_log, "turn.failed", error, turn=self._turn.id)
            self._failure = error
            self._recorder.lose_call()
            return TurnState.FAILED
        return TurnState.STOPPED if self._live.is_interrupted() else TurnState.DONE

    async def _parts(self) -> TurnParts:
        turn, engine = self._turn, self._engine
        caller = Caller(session_id=turn.session_id, identity=turn.identity)
        situations = FreshSituations(
            database=engine.database,
            clock=engine.clock,
            identity_of=engine.identity_of,
            groups_among=engine.groups_among,
            live=self._live,
            accepted=self._accepted,
            worker_id=self._worker_id,
        )
        known = await engine.gate.known_secrets()
        await engine.look_at_models()  # another process may have said a moment ago where data goes
        return TurnParts(
            live=self._live,
            accepted=self._accepted,
            recorder=self._recorder,
            situations=situations,
            gate=engine.gate,
            door=engine.nova.open(caller, Origin(assistant_key=turn.assistant_key)),
            previews=self._previews,
            for_model=ModelParts(
                tools=engine.tools,
                offers=engine.offers,
                chain=self._find_chain,
                earlier=await self._earlier(known),
                asked=user_message(turn.message, self._accepted.consumed),
                pause=self._pause,
                sent=self._sent,
                meter=self._meter,
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

    async def _earlier(self, known: KnownSecrets) -> Earlier:
        if self._accepted.is_new or isinstance(self._turn.message, ToolMessage):
            return Earlier()  # nothing was said before, or no model is asked
        owner_id, chat_id = self._turn.identity.id, self._turn.chat_id
        async with self._engine.database.reading() as session:
            records = await TurnTable(session).list_of_chat(owner_id, chat_id)
            previews = await PreviewTable(session).list_of_chat(owner_id, chat_id)
        before = [record for record in records if record.id != self._turn.id]
        budget = history_budget(self._find_chain().current.context_tokens)
        return earlier_messages(before, {preview.id: preview for preview in previews}, budget, known)

    @property
    def _totals(self) -> TurnTotals:
        return TurnTotals() if self._runner is None else self._runner.totals

    async def _end(self, state: TurnState) -> None:
        """Write the record and the last events in the transaction that ends the turn."""
        if state is not TurnState.DONE:
            await self._tell_unknown_outcomes()
        await self._live.settle()
        await self._sent.settle()
        sent: SentLog | None = self._sent
        for pause_s in (*_PAUSES_S, None):
            if self._live.is_lost:
                return
            try:
                events = await self._end_once(state, sent)
            except (NovaUnavailable, SQLAlchemyError, OSError) as error:
                if pause_s is None:
                    raise
                log_failure(_log, "turn.end_not_stored", error, turn=self._turn.id)
                if isinstance(error, IntegrityError):
                    sent = None  # should this be what is there already, the turn ends without it
                await asyncio.sleep(pause_s)
            else:
                self._live.publish(events)
                return

    async def _end_once(self, state: TurnState, sent: SentLog | None) -> tuple[TurnEvent, ...]:
        model = self._model_name
        used: JsonObject = {**self._totals.usage, "model_calls": self._totals.model_calls}
        end = self._recorder.ending(state, self._engine.clock.now(), model, used)
        async with self._engine.database.transaction() as session:
            if not await TurnTable(session).finish(self._turn.id, self._worker_id, end):
                self._live.lose()  # somebody else has ended it, or it was deleted: what they wrote holds
                return ()
            if sent is not None:
                await sent.add_to(session)
            closed = await self._close_agreed(session)
            last = (EventName.ERROR, failed_problem(self._failure)) if state is TurnState.FAILED else self._done(model)
            events = self._live.last_events([*closed, last])
            await TurnEventTable(session).add_all(
                [StoredEvent(turn_id=self._turn.id, id=one.id, name=one.name.value, data=one.data) for one in events]
            )
        return events

    async def _close_agreed(self, session: AsyncSession) -> list[tuple[EventName, JsonObject]]:
        """Close a preview that was agreed to and yet not run: no later message can confirm it (rule C4)."""
        agreed, reason = self._accepted.agreed, CloseReason.MESSAGE_BETWEEN
        if agreed is None or not await PreviewTable(session).close(agreed.identity_id, agreed.id, reason):
            return []
        return [(EventName.PREVIEW_CLOSED, closed_event(agreed.id, reason))]

    async def _tell_unknown_outcomes(self) -> None:
        """Say of a preview that was used up, and whose call broke off, that nobody knows what became of it."""
        async with self._engine.database.reading() as session:
            used_up = await PreviewTable(session).list_of_turns([self._turn.id])
        for preview in used_up:
            if preview.outcome is PreviewOutcome.UNKNOWN and not self._previews.has_outcome_of(preview.id):
                data = closed_event(preview.id, CloseReason.EXECUTED)
                self._live.emit(EventName.PREVIEW_CLOSED, data)
                self._recorder.notice(OUTCOME_UNKNOWN)

    def _done(self, model: str | None) -> tuple[EventName, JsonObject]:
        return EventName.DONE, done_data(self._totals, model)


def failed_problem(failure: Exception | None = None) -> JsonObject:
    """Return the problem object with which the stream of a turn ends that broke on our side."""
    if isinstance(failure, NovaUnavailable):
        return {
            "type": f"urn:nova:problem:{failure.code}",
            "title": "Service Unavailable",
            "status": failure.status,
            "code": failure.code,
            "detail": "The database failed during this answer. What was told until now is kept.",
        }
    return {
        "type": "urn:nova:problem:internal",
        "title": "Internal Server Error",
        "status": 500,
        "code": "internal",
        "detail": "The answer could not be finished.",
    }
