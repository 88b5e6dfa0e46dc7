"""The first start: somebody becomes administrator, or the sample organisation is loaded."""

import asyncio
import base64
import logging
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol

from sqlalchemy import String, cast, exists
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession
from starlette.requests import HTTPConnection

from nova_ui.auth.password import Passwords
from nova_ui.domain.clock import Clock
from nova_ui.domain.folding import fold, searchable
from nova_ui.domain.identity import IdentityId, Language, Role
from nova_ui.errors import NovaUiError
from storage.database import Database
from storage.encryption import Encryption
from storage.ids import new_id
from storage.nova.audit import NewEntry, append
from storage.nova.locks import take_lock
from storage.nova.tables import IdentityRow

log = logging.getLogger(__name__)

Check = Callable[[AsyncSession], Awaitable[None]]

USER_NAME: Final = re.compile(r"[^\W_][\w.@+-]{1,63}")
MAX_DISPLAY_NAME_CHARS: Final = 120
_LOCK: Final = "setup"
_CODE_BYTES: Final = 10
_LOCAL_HOSTS: Final = frozenset({"localhost", "127.0.0.1", "[::1]"})
_LOCAL_ADDRESSES: Final = frozenset({"127.0.0.1", "::1"})
_FORWARDED: Final = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")


class LoadSample(Protocol):
    """Fills an empty database with the sample organisation."""

    async def __call__(  # noqa: D102 - the class says it
        self,
        database: Database,
        clock: Clock,
        encryption: Encryption,
        password_hash_of: Callable[[str], Awaitable[str]],
        password: str,
        /,
        *,
        check_first: Check,
    ) -> None: ...


class SetupClosed(NovaUiError):
    """There is an administrator already."""

    key = "Nova AI is set up already. Please sign in."


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAdministrator:
    """Who becomes the first administrator; the values are checked already."""

    user_name: str
    display_name: str
    password: str
    language: Language


class Setup:
    """Open only while Nova has no administrator.

    Whoever comes first becomes administrator, so somebody at another machine needs the code that the server shows
    where it was started.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        encryption: Encryption,
        passwords: Passwords,
        load_sample: LoadSample,
    ) -> None:
        self._database = database
        self._clock = clock
        self._encryption = encryption
        self._passwords = passwords
        self._load_sample = load_sample
        self._one_at_a_time = asyncio.Lock()
        self._is_closed = False

    @property
    def code(self) -> str:
        """The setup code; the same on every server with these keys."""
        text = base64.b32encode(self._encryption.derive("setup code")[:_CODE_BYTES]).decode()
        return "-".join(text[start : start + 4] for start in range(0, len(text), 4))

    def now(self) -> datetime:
        """Return the moment, by the clock that everything here goes by."""
        return self._clock.now()

    async def is_open(self) -> bool:
        """Whether there is no administrator yet; once closed it stays closed, since the last one can't be removed."""
        if not self._is_closed:
            async with self._database.reading() as session:
                self._is_closed = await _has_administrator(session)
        return not self._is_closed

    async def create_administrator(self, new: NewAdministrator) -> IdentityId:
        """Create the first administrator, who can sign in with the password.

        Raises:
            SetupClosed: somebody was quicker.

        """
        password_hash = await self._passwords.hash(new.password)
        now = self._clock.now()
        row = IdentityRow(
            id=new_id("idn"),
            user_name=new.user_name,
            user_name_key=fold(new.user_name),
            display_name=new.display_name,
            search_text=searchable(new.display_name, new.user_name),
            preferred_language=new.language.value,
            nova_roles=[Role.ADMINISTRATOR.value],
            password_hash=password_hash,
            password_changed_at=now,
            created_at=now,
            updated_at=now,
        )
        async with self._one_at_a_time, self._database.transaction() as session:
            await _check_open(session)
            session.add(row)
            entry = NewEntry(
                time=now,
                action="identity.created",
                actor_type="system",
                target_type="identity",
                target_id=row.id,
                target_display=new.display_name,
                details={"reason": "setup", "nova_roles": list(row.nova_roles)},
            )
            await append(session, entry)
        log.info("setup.administrator_created", extra={"identity": row.id})
        return IdentityId(row.id)

    async def load_sample(self, password: str) -> None:
        """Load the sample organisation, whose four sign-ins get `password`.

        Raises:
            SetupClosed: there is an administrator already.

        """
        async with self._one_at_a_time:
            if not await self.is_open():
                raise SetupClosed
            await self._load_sample(
                self._database,
                self._clock,
                self._encryption,
                self._passwords.hash,
                password,
                check_first=_check_open,
            )
        log.info("setup.sample_loaded")


def is_local(connection: HTTPConnection) -> bool:
    """Whether somebody sits at this very machine: no proxy in between, and no other name for us (DNS rebinding)."""
    client = connection.client
    host = connection.headers.get("host", "").lower()
    name = host if host.endswith("]") else host.rpartition(":")[0] or host
    if client is None or client.host not in _LOCAL_ADDRESSES or name not in _LOCAL_HOSTS:
        return False
    return not any(header in connection.headers for header in _FORWARDED)


async def _check_open(session: AsyncSession) -> None:
    """Hold off every other server's setup until this transaction ends, and stop if one of them was quicker."""
    await take_lock(session, _LOCK)
    if await _has_administrator(session):
        raise SetupClosed


async def _has_administrator(session: AsyncSession) -> bool:
    # The list is short JSON that we wrote; both databases can compare it as text.
    is_one = cast(col(IdentityRow.nova_roles), String).like(f'%"{Role.ADMINISTRATOR.value}"%')
    return bool((await session.exec(select(exists().where(is_one)))).one())
