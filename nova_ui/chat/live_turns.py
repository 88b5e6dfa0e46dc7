"""Running turns: they belong to the server, not to a tab."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from typing import Final

from nova_ui.chat.accept import Acceptance, Accepted, Sending, TurnStarted
from nova_ui.chat.asking import Pause
from nova_ui.chat.confirm import closed_event
from nova_ui.chat.engine import Engine
from nova_ui.chat.event_writer import EventWriter
from nova_ui.chat.events import EventName, TurnEvent
from nova_ui.chat.following import follow_stored
from nova_ui.chat.live_turn import Interruption, LiveTurn
from nova_ui.chat.message import stored_message
from nova_ui.chat.news import News, NewsByOwner, PreviewClosed, TurnBegun
from nova_ui.chat.recovery import Recovery
from nova_ui.chat.turn_task import TurnTask
from nova_ui.chat.usable import find_usable
from nova_ui.chat.watch import Watch
from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.chat import ChatId, Message, PreviewId, TextMessage, TurnId
from nova_ui.domain.identity import Caller, Identity, IdentityId, SessionId
from nova_ui.domain.preview import CloseReason
from nova_ui.errors import NovaConflict, NovaNotFound, NovaTooMany, NovaUnauthenticated, NovaUnavailable
from nova_ui.guardrails.agreement import Reply, classify_reply
from storage.chat.message_rates import MessageRate
from storage.chat.previews import PreviewTable
from storage.chat.turns import TurnTable
from storage.ids import new_id
from storage.workers import Worker, is_process_alive

__all__ = ["LiveTurns", "TurnStarted"]

_log = logging.getLogger(__name__)

SHUT_DOWN_S: Final = 10.0
_LAST_WORDS_S: Final = 5.0
END_TURNS_S: Final = 10.0
_POLL_S: Final = 0.25


class LiveTurns:
    """Accepts messages, runs their turns as tasks of the process, and lets anybody entitled follow them."""

    def __init__(
        self,
        engine: Engine,
        *,
        worker: Worker | None = None,
        pause: Pause = asyncio.sleep,
        is_alive: Callable[[int], bool] = is_process_alive,
        rate: MessageRate | None = None,
    ) -> None:
        self._engine = engine
        self._database = engine.database
        self._worker = worker or Worker.of_this_process()
        self._pause = pause
        self._acceptance = Acceptance(
            engine.database,
            engine.clock,
            engine.tools,
            self._worker.id,
            engine.groups_among,
            rate=rate,
            known_secrets=engine.gate.known_secrets,
        )
        self._writer = EventWriter(engine.database, self._worker.id)
        self._live: dict[TurnId, LiveTurn] = {}
        self._tasks: dict[TurnId, asyncio.Task[None]] = {}
        self._arriving: dict[TurnId, asyncio.Task[TurnStarted]] = {}
        self._is_closing = False
        self._news = NewsByOwner()
        recovery = Recovery(
            database=engine.database,
            clock=engine.clock,
            worker=self._worker,
            is_alive=is_alive,
            languages=engine.translators,
        )
        self._watch = Watch(engine, self._worker.id, recovery, live=self._live, arriving=self._arriving)

    async def send(
        self,
        caller: Caller,
        assistant_key: AssistantKey,
        message: Message,
        *,
        chat_id: ChatId | None = None,
        idempotency_key: str | None = None,
    ) -> TurnStarted:
        """Accept a message in one transaction and start its turn; whoever stops waiting changes nothing.

        Raises:
            NovaUnauthenticated: the session has ended, or is somebody else's.
            NovaNotFound: no such assistant, chat or preview for this identity.
            NovaConflict: `turn_running`, `confirmation_invalid` (`extra["reason"]`) or `idempotency_key_reused`.
            NovaInvalid: the message itself is not acceptable.
            NovaTooMany: `too_many_messages`; `extra["retry_after"]` in seconds.
            NovaUnavailable: the server is being stopped.

        """
        if self._is_closing:
            raise NovaUnavailable("The server is being stopped.")
        sending = Sending(
            caller=caller,
            assistant_key=assistant_key,
            message=message,
            chat_id=chat_id,
            idempotency_key=idempotency_key,
            turn_id=TurnId(new_id("trn")),
        )
        arriving = asyncio.create_task(self._accept(sending))
        self._arriving[sending.turn_id] = arriving
        arriving.add_done_callback(lambda task: self._has_arrived(sending.turn_id, task))
        return await asyncio.shield(arriving)

    def follow(self, owner: IdentityId, turn_id: TurnId, *, after: int = 0) -> AsyncIterator[TurnEvent]:
        """Yield the turn's events after the id `after`, then new ones; ends after `done` or `error`.

        An hour after its end only the last event of a turn is left; the rest is part of the chat.

        Raises:
            NovaNotFound: at the first step, if the turn is not the owner's.
            NovaUnavailable: the answer can't be stored any more; what was told until then is kept.

        """
        return self._follow(owner, turn_id, after)

    async def _check_own(self, owner: IdentityId, turn_id: TurnId) -> None:
        async with self._database.reading() as session:
            if await TurnTable(session).find(owner, turn_id) is None:
                raise NovaNotFound("There is no such turn.")

    async def check_usable(self, owner: Identity, turn_id: TurnId) -> None:
        """Let pass whoever may read the turn again: its own identity, as long as the assistant exists for it (rule G4).

        Raises:
            NovaNotFound: as if there were no such turn.

        """
        async with self._database.reading() as session:
            row = await TurnTable(session).find(owner.id, turn_id)
            key = None if row is None else AssistantKey(row.assistant_key)
            usable = None if key is None else await find_usable(session, owner, key, self._engine.groups_among)
        if usable is None:
            raise NovaNotFound("There is no such turn.")

    async def stop(self, owner: IdentityId, turn_id: TurnId) -> None:
        """Stop a turn: no tool starts afterwards, what was written stays. One that has ended stays as it is.

        Raises:
            NovaNotFound: the turn is not the owner's.

        """
        live = self._live.get(turn_id)
        if live is not None and live.turn.identity.id == owner:
            live.interrupt(Interruption.STOPPED)
        async with self._database.transaction() as session:
            is_running = await TurnTable(session).request_stop(owner, turn_id)
        if not is_running:
            await self._check_own(owner, turn_id)

    async def cancel_preview(self, owner: IdentityId, preview_id: PreviewId) -> None:
        """Make a preview void (rule C12). One that is closed already stays as it is.

        Raises:
            NovaNotFound: the preview is not the owner's.

        """
        async with self._database.transaction() as session:
            previews = PreviewTable(session)
            preview = await previews.find(owner, preview_id)
            if preview is None:
                raise NovaNotFound("There is no such preview.")
            is_closed_now = await previews.close(owner, preview_id, CloseReason.CANCELLED)
        if not is_closed_now:
            return
        live = self._live.get(preview.turn_id)
        if live is not None:
            live.emit(EventName.PREVIEW_CLOSED, closed_event(preview_id, CloseReason.CANCELLED))
        self._news.tell(owner, PreviewClosed(preview_id=preview_id, reason=CloseReason.CANCELLED))

    async def running(self, owner: IdentityId, assistant_key: AssistantKey) -> TurnStarted | None:
        """Return the running turn of this identity and assistant, in whatever process, or None."""
        async with self._database.reading() as session:
            row = await TurnTable(session).find_running(owner, assistant_key)
        return None if row is None else TurnStarted(turn_id=TurnId(row.id), chat_id=ChatId(row.chat_id))

    def subscribe(self, owner: IdentityId, listener: Callable[[News], None]) -> Callable[[], None]:
        """Tell `listener` of every turn of `owner` that this process begins, and of its cards that are cancelled.

        Returns what ends that. What other processes do is seen at the next look at the chat.
        """
        return self._news.subscribe(owner, listener)

    async def end_turns(self, owner: IdentityId, turn_ids: Sequence[TurnId]) -> None:
        """Stop these turns and wait for their ends, at most 10 s: a call that runs is not broken off."""
        for turn_id in turn_ids:
            await self.stop(owner, turn_id)
        try:
            async with asyncio.timeout(END_TURNS_S):
                for turn_id in turn_ids:
                    async for _event in self._follow(owner, turn_id, 0):
                        pass
        except (TimeoutError, NovaNotFound):
            _log.warning("turn.did_not_end", extra={"turns": len(turn_ids)})

    def session_ended(self, session_ids: frozenset[SessionId]) -> None:
        """Stop the running turns of these sessions at once (rule A2)."""
        for live in tuple(self._live.values()):
            if live.turn.session_id in session_ids:
                live.interrupt(Interruption.SESSION_ENDED)

    async def start(self) -> None:
        """Close what dead processes left running, and keep doing so."""
        await self._watch.start()

    async def shut_down(self) -> None:
        """End the running turns with a notice and write everything down."""
        self._is_closing = True
        if self._arriving:
            await asyncio.wait(self._arriving.values())
        for live in tuple(self._live.values()):
            live.interrupt(Interruption.SHUT_DOWN)
        tasks = set(self._tasks.values())
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=SHUT_DOWN_S)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late, timeout=_LAST_WORDS_S)
        await self._watch.stop()
        await self._writer.close()

    async def _accept(self, sending: Sending) -> TurnStarted:
        caller = sending.caller
        identity = await self._engine.identity_of(caller.session_id)
        if identity is None or identity.id != caller.identity.id:
            raise NovaUnauthenticated("The session has ended. Sign in again.")
        fresh = Caller(session_id=caller.session_id, identity=identity)
        try:
            accepted = await self._acceptance.accept(replace(sending, caller=fresh))
        except (NovaConflict, NovaTooMany):
            await self._take_no(identity.id, sending)
            raise
        if isinstance(accepted, TurnStarted):
            return accepted
        self._begin(accepted)
        return TurnStarted(turn_id=accepted.turn.id, chat_id=accepted.turn.chat_id)

    async def _take_no(self, owner: IdentityId, sending: Sending) -> None:
        """Let a typed no count although its message comes too early to be answered (rule C12)."""
        message = sending.message
        if not isinstance(message, TextMessage) or classify_reply(message.text) is not Reply.REFUSES:
            return
        async with self._database.reading() as session:
            waiting = await PreviewTable(session).list_open(owner, sending.assistant_key)
        for preview in waiting:
            await self.cancel_preview(owner, preview.id)

    def _begin(self, accepted: Accepted) -> None:
        turn_id = accepted.turn.id
        live = LiveTurn(accepted.turn, self._writer, accepted.events)
        turn = TurnTask(self._engine, live, accepted, self._worker.id, self._pause)
        self._live[turn_id] = live
        task = asyncio.create_task(turn.run())
        self._tasks[turn_id] = task
        task.add_done_callback(lambda _task: self._has_ended(turn_id))
        begun = TurnBegun(
            turn_id=turn_id,
            chat_id=accepted.turn.chat_id,
            assistant_key=accepted.turn.assistant_key,
            message=stored_message(accepted.turn.message),
        )
        self._news.tell(accepted.turn.identity.id, begun)

    def _has_arrived(self, turn_id: TurnId, task: asyncio.Task[TurnStarted]) -> None:
        self._arriving.pop(turn_id, None)
        if not task.cancelled():
            task.exception()  # seen, even if whoever sent the message has stopped waiting

    def _has_ended(self, turn_id: TurnId) -> None:
        live = self._live.pop(turn_id, None)
        self._tasks.pop(turn_id, None)
        if live is not None and live.is_lost:
            self._watch.sweep_soon()

    async def _follow(self, owner: IdentityId, turn_id: TurnId, after: int) -> AsyncIterator[TurnEvent]:
        live = self._live.get(turn_id)
        if live is None or live.turn.identity.id != owner:
            await self._check_own(owner, turn_id)
        else:
            async for event in live.follow(after):
                after = event.id
                yield event
                if event.is_last:
                    return
            if live.failure is not None:
                raise live.failure
        async for event in follow_stored(self._database, owner, turn_id, after, pause_s=_POLL_S):
            yield event
