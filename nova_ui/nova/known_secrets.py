"""Fingerprints of the secrets that are kept sealed: to know them again without having them at hand.

HMAC-SHA-256 under a key derived from the key file, held in memory only. Made anew when a row that may hold a secret
has changed, in whatever process; the question whether one has is one statement over two small tables.
"""

import hmac
import json
import logging
from collections.abc import Iterator, Sequence
from typing import Final

from sqlalchemy import func, select, union_all
from sqlmodel import SQLModel
from sqlmodel import select as select_rows
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.guardrails.known_secrets import NOTHING_KNOWN, KnownSecrets, is_worth_knowing, lengths_by_beginning
from storage.database import Database
from storage.encryption import Encryption, Place, UnsealFailed
from storage.nova import ai_tables
from storage.nova.ai_tables import AiProfileRow
from storage.nova.application_tables import ConnectionRow, secret_place

log = logging.getLogger(__name__)

_TABLES: Final = tuple(SQLModel.metadata.tables[name].c for name in ("connections", "ai_profiles"))
_STATE: Final = union_all(*(select(func.count(), func.sum(one.version), func.max(one.updated_at)) for one in _TABLES))
_COLUMNS: Final = ("client_secret", "bearer_token", "bind_password")
_SEALED_AS_JSON: Final = "headers"


class StoredSecrets:
    """Knows what connections and AI profiles keep, and what the server was started with (`also`)."""

    def __init__(self, database: Database, encryption: Encryption, *, also: Sequence[str] = ()) -> None:
        self._database = database
        self._encryption = encryption
        self._also = tuple(also)
        self._key = encryption.derive("secret fingerprints")
        self._state: object = None
        self._known = NOTHING_KNOWN

    async def __call__(self) -> KnownSecrets:
        """Return what is known now."""
        async with self._database.asking() as connection:
            state = [tuple(row) for row in await connection.execute(_STATE)]
        if state != self._state:
            async with self._database.reading() as session:
                secrets = [*self._also, *await self._opened(session)]
            self._known, self._state = self._fingerprints(secrets), state
        return self._known

    def _fingerprints(self, secrets: Sequence[str]) -> KnownSecrets:
        worth = {one.strip() for one in secrets if is_worth_knowing(one.strip())}
        if not worth:
            return NOTHING_KNOWN
        key, fingerprints = self._key, frozenset(_fingerprint(self._key, one) for one in worth)
        return KnownSecrets(
            recognises=lambda text: _fingerprint(key, text) in fingerprints,
            lengths=lengths_by_beginning(worth),
        )

    async def _opened(self, session: AsyncSession) -> list[str]:
        connections = (await session.exec(select_rows(ConnectionRow))).all()
        profiles = (await session.exec(select_rows(AiProfileRow))).all()
        found: list[str] = []
        for row in connections:
            for column in _COLUMNS:
                found += self._open(getattr(row, column), secret_place(column, row.id))
        for profile in profiles:
            for column in ai_tables.SECRET_COLUMNS:
                opened = self._open(getattr(profile, column), ai_tables.secret_place(profile, column))
                found += [*_values(opened)] if column == _SEALED_AS_JSON else opened
        return found

    def _open(self, sealed: str | None, place: Place) -> list[str]:
        if sealed is None:
            return []
        try:
            return [self._encryption.open(sealed, place)]
        except UnsealFailed:
            log.warning("known_secrets.not_opened", extra={"table": place.table, "row": place.row_id.split()[0]})
            return []


def _values(opened: Sequence[str]) -> Iterator[str]:
    """Yield the values of headers, which are sealed together; behind a scheme such as `Bearer` the secret alone."""
    for text in opened:
        headers = json.loads(text)
        for value in headers.values() if isinstance(headers, dict) else ():
            yield str(value)
            yield str(value).rpartition(" ")[2]


def _fingerprint(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(errors="surrogatepass"), "sha256")
