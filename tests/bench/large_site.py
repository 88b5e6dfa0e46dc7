"""The product's API over a large organisation, with its administrator signed in."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final

import httpx
from sqlmodel import col, select

from nova_ui.bootstrap import Parts, build_parts
from nova_ui.domain.clock import SystemClock
from nova_ui.domain.identity import SessionId
from nova_ui.nova.large_organisation import Size, fill
from nova_ui.nova_client.origin import INTERFACE, Delegation, marked
from nova_ui.settings import Settings
from storage.database import Database
from storage.nova.tables import IdentityRow, SessionRow

IDENTITIES: Final = 10_000
ENTRIES: Final = 1_000_000
_SESSION: Final = "ses_0000000000000bench0"


@dataclass(slots=True)
class LargeSite:
    """An API to ask, and the database behind it."""

    parts: Parts
    client: httpx.AsyncClient

    @property
    def database(self) -> Database:
        """The database behind the API."""
        return self.parts.database

    async def ask(self, endpoint: str, *, query: Mapping[str, str] | None = None) -> httpx.Response:
        """Ask as the administrator, as a page does."""
        method, _, path = endpoint.partition(" ")
        answer = await self.client.request(method, f"http://nova{path}", params=query)
        assert answer.is_success, f"{endpoint}: {answer.text[:300]}"
        return answer

    async def close(self) -> None:
        """Close everything."""
        await self.client.aclose()
        await self.parts.database.close()


async def fill_once(address: str, *, identities: int = IDENTITIES, entries: int = ENTRIES) -> None:
    """Fill a database that is empty; one that holds an organisation already is used as it is."""
    database = Database(address)
    await database.migrate()
    async with database.reading() as session:
        is_filled = (await session.exec(select(IdentityRow.id).limit(1))).first() is not None
    if not is_filled:
        await fill(database, Size(identities=identities, entries=entries), SystemClock().now())
    await database.close()


async def open_site(settings: Settings) -> LargeSite:
    """Open the API over a filled database."""
    parts = build_parts(settings, clock=SystemClock())
    now = SystemClock().now()
    async with parts.database.transaction() as session:
        first = (await session.exec(select(IdentityRow).where(col(IdentityRow.manager_id).is_(None)))).one()
        if await session.get(SessionRow, _SESSION) is None:
            row = SessionRow(
                id=_SESSION,
                token_hash=b"\0" * 32,
                csrf_token="bench",
                identity_id=first.id,
                created_at=now,
                last_seen_at=now,
                expires_at=now + timedelta(days=1),
            )
            session.add(row)
        else:
            row = await session.get_one(SessionRow, _SESSION)
            row.last_seen_at, row.expires_at = now, now + timedelta(days=1)
    app = marked(parts.api, Delegation(session_id=SessionId(_SESSION), origin=INTERFACE))
    return LargeSite(parts=parts, client=httpx.AsyncClient(transport=httpx.ASGITransport(app)))


def copy_of(settings: Settings, folder: Path) -> Settings:
    """Return settings of a copy of a closed SQLite file."""
    folder.mkdir(parents=True, exist_ok=True)
    source = Path(settings.database_address.partition("///")[2])
    shutil.copyfile(source, folder / source.name)
    shutil.copyfile(settings.key_path, folder / settings.key_path.name)
    return Settings(data_dir=folder)
