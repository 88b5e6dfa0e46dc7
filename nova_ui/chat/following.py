"""Following a turn through the database: one that another process runs, or that has ended."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final

from nova_ui.chat.events import EventName, TurnEvent
from nova_ui.domain.chat import TurnId, TurnState
from nova_ui.domain.identity import IdentityId
from storage.chat.turn_events import TurnEventTable
from storage.chat.turns import TurnTable
from storage.database import Database

_PAGE: Final = 500


async def follow_stored(
    database: Database, owner: IdentityId, turn_id: TurnId, after: int, *, pause_s: float
) -> AsyncIterator[TurnEvent]:
    """Yield the stored events after the id `after`, looking for new ones every `pause_s` seconds.

    Ends with the last event, or when the turn is gone or has ended before `after`.
    """
    while True:
        async with database.reading() as session:
            row = await TurnTable(session).find(owner, turn_id)  # first: what ends a turn also stores its last event
            stored = await TurnEventTable(session).list_after(turn_id, after, _PAGE)
        for one in stored:
            after = one.id
            event = TurnEvent(id=one.id, name=EventName(one.name), data=one.data)
            yield event
            if event.is_last:
                return
        if row is None or (row.state != TurnState.RUNNING.value and not stored):
            return
        if not stored:
            await asyncio.sleep(pause_s)
