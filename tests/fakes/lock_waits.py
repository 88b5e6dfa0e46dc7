"""Who waits for a lock in PostgreSQL: what lets two connections meet at one point without a pause."""

import asyncio
from typing import Final

from sqlalchemy import text

from storage.database import Database

_PATIENCE_S: Final = 8.0
_WAITING: Final = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
)


async def until_somebody_waits(database: Database) -> None:
    """Ask until one transaction of this database waits for another.

    Raises:
        TimeoutError: none did within 8 s.

    """
    async with asyncio.timeout(_PATIENCE_S):
        while True:
            async with database.asking() as connection:
                if (await connection.execute(_WAITING)).scalar_one():
                    return
