"""The events of turns in the database: written many at once, read in their order."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import delete, insert
from sqlmodel import SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.chat import TurnId
from nova_ui.domain.json_value import JsonObject
from storage.chat.tables import TurnEventRow, TurnRow
from storage.locks import share_lock, take_lock

_LAST_NAMES: Final = ("done", "error")
_WRITING: Final = "nova.turn_events."
_ADD: Final = insert(SQLModel.metadata.tables["turn_events"])


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredEvent:
    """One event of one turn, as its row holds it."""

    turn_id: TurnId
    id: int
    name: str
    data: JsonObject


class TurnEventTable:
    """The events, within the caller's transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def write_as(self, worker: str) -> None:
        """Keep others from taking over what `worker` runs until this transaction ends."""
        await share_lock(self._session, _WRITING + worker)

    async def take_over(self, worker: str) -> None:
        """Wait until nothing is being written for `worker`, and let nothing be before this transaction ends.

        A process that was killed, or is only slow, may have sent PostgreSQL what is still being carried out: what is
        read before that has ended is not all, and the next number is taken.
        """
        await take_lock(self._session, _WRITING + worker)

    async def add_all(self, events: Sequence[StoredEvent]) -> None:
        """Store events in one statement.

        Raises:
            IntegrityError: an event of this turn and id is there already.

        """
        rows = [{"turn_id": one.turn_id, "id": one.id, "name": one.name, "data": one.data} for one in events]
        if rows:
            connection = await self._session.connection()
            await connection.execute(_ADD, rows)

    async def list_after(self, turn_id: TurnId, after: int, limit: int) -> tuple[StoredEvent, ...]:
        """Return at most `limit` events after the id `after`, in order."""
        found = select(TurnEventRow).where(col(TurnEventRow.turn_id) == turn_id, col(TurnEventRow.id) > after)
        rows = (await self._session.exec(found.order_by(col(TurnEventRow.id)).limit(limit))).all()
        return tuple(StoredEvent(turn_id=TurnId(row.turn_id), id=row.id, name=row.name, data=row.data) for row in rows)

    async def prune(self, finished_before: datetime) -> None:
        """Forget what is part of the chat by now: all but the last event of turns that ended before this moment.

        Also what a process wrote for a turn that was deleted under its hands.
        """
        ended = select(TurnRow.id).where(col(TurnRow.finished_at) < finished_before)
        old = delete(TurnEventRow).where(
            col(TurnEventRow.turn_id).in_(ended), col(TurnEventRow.name).not_in(_LAST_NAMES)
        )
        await self._session.exec(old.execution_options(synchronize_session=False))
        orphaned = delete(TurnEventRow).where(col(TurnEventRow.turn_id).not_in(select(TurnRow.id)))
        await self._session.exec(orphaned.execution_options(synchronize_session=False))
