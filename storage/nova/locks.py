"""One at a time, over all processes: a lock that lasts as long as the transaction."""

import hashlib

from sqlalchemy import text
from sqlmodel.ext.asyncio.session import AsyncSession


async def take_lock(session: AsyncSession, name: str) -> None:
    """Wait until no other transaction holds `name`; released when this transaction ends.

    SQLite needs none: `Database.transaction` already is the only writer.
    """
    if session.get_bind().dialect.name != "postgresql":
        return
    number = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], signed=True)
    connection = await session.connection()
    await connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": number})
