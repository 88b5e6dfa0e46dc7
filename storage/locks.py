"""One at a time, over all processes: a lock that lasts as long as the transaction."""

import hashlib

from sqlalchemy import text
from sqlmodel.ext.asyncio.session import AsyncSession


async def take_lock(session: AsyncSession, name: str) -> None:
    """Wait until no other transaction holds `name`; released when this transaction ends.

    SQLite needs none: `Database.transaction` already is the only writer.
    """
    await _lock(session, name, "pg_advisory_xact_lock")


async def share_lock(session: AsyncSession, name: str) -> None:
    """Wait until nobody has taken `name` with `take_lock`, and keep it from being taken; many may share it."""
    await _lock(session, name, "pg_advisory_xact_lock_shared")


async def _lock(session: AsyncSession, name: str, function: str) -> None:
    if session.get_bind().dialect.name != "postgresql":
        return
    number = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], signed=True)
    connection = await session.connection()
    await connection.execute(text(f"SELECT {function}(:number)"), {"number": number})
