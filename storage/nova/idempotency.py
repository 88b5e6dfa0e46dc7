"""Answers kept under an `Idempotency-Key`: the key is taken before the work, the answer kept after it."""

import hashlib
import hmac
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.json_value import JsonValue
from storage.database import Database
from storage.nova.tables import IdempotencyRow

KEPT: Final = timedelta(days=1)
IN_WORK: Final = 0


async def purge(session: AsyncSession, now: datetime) -> None:
    """Forget keys that no longer stand for their request."""
    await session.exec(delete(IdempotencyRow).where(col(IdempotencyRow.created_at) < now - KEPT))


class IdempotencyKeys:
    """Keys of each identity; one key stands for one request."""

    def __init__(self, database: Database, digest_key: bytes) -> None:
        self._database = database
        self._digest_key = digest_key

    def digest(self, request: bytes) -> str:
        """Return what tells requests apart; keyed, since a body may hold a secret that could be guessed from a hash."""
        return hmac.new(self._digest_key, request, hashlib.sha256).hexdigest()

    async def take(self, identity_id: str, key: str, digest: str, now: datetime) -> IdempotencyRow | None:
        """Take a key; None if it was free, else what is kept under it."""
        try:
            async with self._database.transaction() as session:
                await purge(session, now)
                session.add(
                    IdempotencyRow(
                        identity_id=identity_id, key=key, request_digest=digest, status=IN_WORK, created_at=now
                    )
                )
        except IntegrityError:
            async with self._database.reading() as session:
                kept = select(IdempotencyRow).where(
                    col(IdempotencyRow.identity_id) == identity_id, col(IdempotencyRow.key) == key
                )
                return (await session.exec(kept)).one_or_none()
        return None

    async def keep(self, identity_id: str, key: str, status: int, body: JsonValue) -> None:
        """Keep the answer under a key that was taken."""
        mine = update(IdempotencyRow).where(
            col(IdempotencyRow.identity_id) == identity_id, col(IdempotencyRow.key) == key
        )
        async with self._database.transaction() as session:
            await session.exec(mine.values(status=status, body=body))

    async def release(self, identity_id: str, key: str) -> None:
        """Free a key whose request was refused and changed nothing."""
        mine = delete(IdempotencyRow).where(
            col(IdempotencyRow.identity_id) == identity_id,
            col(IdempotencyRow.key) == key,
            col(IdempotencyRow.status) == IN_WORK,
        )
        async with self._database.transaction() as session:
            await session.exec(mine)
