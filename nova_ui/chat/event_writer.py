"""One writer for the events of all turns of the process: many in one commit, published once they are stored."""

import asyncio
import logging
from collections.abc import Sequence
from typing import Final, Protocol

from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from nova_ui.chat.events import TurnEvent
from nova_ui.chat.failures import log_failure
from nova_ui.domain.chat import TurnId
from nova_ui.errors import NovaUnavailable
from storage.chat.turn_events import StoredEvent, TurnEventTable
from storage.database import Database

_log = logging.getLogger(__name__)

_PAUSES_S: Final = (0.05, 0.2, 0.8, 2.0)


class EventSink(Protocol):
    """Whose events are written, and who is told when they are."""

    @property
    def turn_id(self) -> TurnId:
        """The turn to which the events belong."""

    def publish(self, events: Sequence[TurnEvent]) -> None:
        """Show events that are stored now, in order."""

    def lose(self, failure: NovaUnavailable | None = None) -> None:
        """Give up: the events can't be stored, so nobody may see them. `failure` says why, if it is the database's."""


class Writes(Protocol):
    """Stores events, or keeps none."""

    def put(self, sink: EventSink, events: Sequence[TurnEvent]) -> None:
        """Have `events` stored, after those put before them, and then published by `sink`."""


class NothingKept:
    """Publishes events without storing them: for what leaves a record only when it has ended."""

    def put(self, sink: EventSink, events: Sequence[TurnEvent]) -> None:
        """Publish at once."""
        sink.publish(events)


class EventWriter:
    """Group commit: while one batch is being stored, the next one gathers."""

    def __init__(self, database: Database, worker_id: str) -> None:
        self._database = database
        self._worker_id = worker_id
        self._pending: list[tuple[EventSink, Sequence[TurnEvent]]] = []
        self._writing: asyncio.Task[None] | None = None

    def put(self, sink: EventSink, events: Sequence[TurnEvent]) -> None:
        """Have `events` stored soon, after those put before them."""
        self._pending.append((sink, events))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write_pending())

    async def close(self) -> None:
        """Wait until everything that was put is stored."""
        while self._writing is not None and not self._writing.done():
            await asyncio.shield(self._writing)

    async def _write_pending(self) -> None:
        while self._pending:
            batch, self._pending = self._pending, []
            by_sink: dict[TurnId, tuple[EventSink, list[TurnEvent]]] = {}
            for sink, events in batch:
                by_sink.setdefault(sink.turn_id, (sink, []))[1].extend(events)
            await self._write(list(by_sink.values()))

    async def _write(self, parts: list[tuple[EventSink, list[TurnEvent]]]) -> None:
        failure = await self._store([_stored(sink, event) for sink, events in parts for event in events])
        if failure is None:
            for sink, events in parts:
                sink.publish(events)
        elif len(parts) == 1:
            _log.error("turn.events_lost", extra={"turn": parts[0][0].turn_id})
            parts[0][0].lose(failure if isinstance(failure, NovaUnavailable) else None)
        else:
            for part in parts:  # one turn's bad event must not cost the others theirs
                await self._write([part])

    async def _store(self, rows: Sequence[StoredEvent]) -> Exception | None:
        """Store events; return why that is not possible, after several attempts."""
        for pause_s in (*_PAUSES_S, None):
            try:
                async with self._database.transaction() as session:
                    events = TurnEventTable(session)
                    await events.write_as(self._worker_id)
                    await events.add_all(rows)
            except IntegrityError as error:
                return error  # somebody else has ended this turn: waiting would not help
            except (NovaUnavailable, SQLAlchemyError, ValueError, OSError) as error:
                log_failure(_log, "turn.events_not_stored", error)
                if pause_s is None:
                    return error
                await asyncio.sleep(pause_s)
            else:
                return None
        return None


def _stored(sink: EventSink, event: TurnEvent) -> StoredEvent:
    return StoredEvent(turn_id=sink.turn_id, id=event.id, name=event.name.value, data=event.data)
