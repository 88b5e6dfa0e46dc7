"""One running turn: its events, its followers, and what has interrupted it."""

import asyncio
from collections.abc import AsyncIterator, Coroutine, Sequence
from enum import StrEnum
from typing import Final, TypeVar

from nova_ui.chat.event_writer import Writes
from nova_ui.chat.events import EventName, TurnEvent
from nova_ui.domain.chat import Turn, TurnId
from nova_ui.domain.json_value import JsonObject
from nova_ui.errors import NovaUnavailable
from nova_ui.llm.special_tokens import without_unusable_characters

GATHER_FOR_S: Final = 0.04
MAX_TURN_TEXT_CHARS: Final = 100_000

T = TypeVar("T")


class Interruption(StrEnum):
    """Why a turn ends before its model is done; each but `LOST` is also a notice's code."""

    STOPPED = "stopped"
    SESSION_ENDED = "session_ended"
    ASSISTANT_GONE = "assistant_gone"
    SHUT_DOWN = "shut_down"
    TURN_TIME = "turn_time"
    TURN_TEXT = "turn_text"
    LOST = "lost"


class LiveTurn:
    """The turn as its process has it; every event a follower sees has been stored before."""

    def __init__(self, turn: Turn, writer: Writes, first_events: Sequence[TurnEvent]) -> None:
        self.turn = turn
        self.interruption: Interruption | None = None
        self.failure: NovaUnavailable | None = None
        self._writer = writer
        self._published = list(first_events)
        self._next_id = len(first_events) + 1
        self._changed = asyncio.Event()
        self._is_ending = False
        self._is_closed = False
        self._text: list[str] = []
        self._text_chars = 0
        self._gathered: list[TurnEvent] = []
        self._sending: asyncio.TimerHandle | None = None
        self._is_settled = False
        self._interruptible: asyncio.Task[object] | None = None

    @property
    def turn_id(self) -> TurnId:
        """The turn's id."""
        return self.turn.id

    @property
    def is_lost(self) -> bool:
        """Whether another process has ended the turn, or its events can't be stored."""
        return self.interruption is Interruption.LOST

    def is_interrupted(self) -> bool:
        """Whether the turn is to end before its model is done."""
        return self.interruption is not None

    def say(self, delta: str) -> None:
        """Add to the answer; what happens within 40 ms is stored together. Too much text interrupts the turn."""
        self._text.append(without_unusable_characters(delta))
        self._text_chars += len(delta)
        if self._text_chars > MAX_TURN_TEXT_CHARS:
            self.interrupt(Interruption.TURN_TEXT)
        self._send_soon()

    def emit(self, name: EventName, data: JsonObject) -> None:
        """Let something happen, after the text said so far; once the turn has its last events, nothing does."""
        if self._is_ending:
            return
        self._join_text()
        self._gather(name, data)
        self._send_soon()

    def send_now(self) -> None:
        """Have what has happened so far stored without waiting for more."""
        if self._sending is not None:
            self._sending.cancel()
            self._sending = None
        self._join_text()
        if self._gathered and not self._is_settled:
            self._writer.put(self, tuple(self._gathered))
            self._gathered.clear()

    async def store_now(self) -> None:
        """Wait until all that has happened so far is stored, or the turn is lost."""
        self.send_now()
        happened = self._next_id - 1
        while len(self._published) < happened and not self.is_lost:
            await self._changed.wait()

    async def settle(self) -> None:
        """Wait until every event that is being stored is stored, or the turn is lost.

        What has been gathered beyond that is kept for the transaction that ends the turn.
        """
        self._is_settled = True
        while len(self._published) + len(self._gathered) < self._next_id - 1 and not self.is_lost:
            await self._changed.wait()

    def last_events(self, events: Sequence[tuple[EventName, JsonObject]]) -> tuple[TurnEvent, ...]:
        """Return all that is left to be stored by the transaction which ends the turn; nothing is emitted any more."""
        self._join_text()
        self._is_ending = True
        last = (TurnEvent(id=number, name=name, data=data) for number, (name, data) in enumerate(events, self._next_id))
        return (*self._gathered, *last)

    def publish(self, events: Sequence[TurnEvent]) -> None:
        """Show stored events to the followers."""
        if self.is_lost:
            return
        self._published.extend(events)
        self._wake()

    def lose(self, failure: NovaUnavailable | None = None) -> None:
        """End here without a word: what the database says about this turn holds, once it can be asked again."""
        self.failure = self.failure or failure
        self.interrupt(Interruption.LOST)
        self._wake()

    def close(self) -> None:
        """Let the followers go who have seen everything."""
        self._is_closed = True
        self._wake()

    async def follow(self, after: int) -> AsyncIterator[TurnEvent]:
        """Yield the events after the id `after`, and each new one; ends with the last or when the turn is lost."""
        seen = max(after, 0)
        while True:
            changed = self._changed
            while seen < len(self._published):
                event = self._published[seen]
                seen += 1
                yield event
                if event.is_last:
                    return
            if self._is_closed or self.is_lost:
                return
            await changed.wait()

    def interrupt(self, reason: Interruption) -> None:
        """End the turn soon: the model is cut off at once, a call that runs is awaited, none starts any more."""
        if self.interruption is None or reason is Interruption.LOST:
            self.interruption = reason
        if self._interruptible is not None:
            self._interruptible.cancel()

    async def interruptibly(self, work: Coroutine[object, object, T]) -> T | None:
        """Do `work`; None if the turn was interrupted before or meanwhile."""
        if self.interruption is not None:
            work.close()
            return None
        task = asyncio.create_task(work)
        self._interruptible = task
        try:
            await asyncio.wait({task})
        finally:
            self._interruptible = None
            if not task.done():
                task.cancel()
        if task.cancelled():
            return None
        return task.result()

    def _send_soon(self) -> None:
        if self._sending is None:
            self._sending = asyncio.get_running_loop().call_later(GATHER_FOR_S, self.send_now)

    def _join_text(self) -> None:
        if self._text:
            delta = "".join(self._text)
            self._text.clear()
            self._gather(EventName.TEXT, {"delta": delta})

    def _gather(self, name: EventName, data: JsonObject) -> None:
        self._gathered.append(TurnEvent(id=self._next_id, name=name, data=data))
        self._next_id += 1

    def _wake(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()
