"""Who is signed in: sessions on the server, found by the hash of a token that only the browser holds."""

import hashlib
import logging
import re
import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.clock import Clock
from nova_ui.domain.identity import Caller, Identity, IdentityId, SessionId
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.sign_in_policy import allows_network
from nova_ui.errors import NovaUnavailable, SignInFailed
from nova_ui.reactive import Event
from storage.database import Database
from storage.ids import new_id
from storage.nova import sessions as stored
from storage.nova.audit import NewEntry, append
from storage.nova.sign_in_policy import find_policy
from storage.nova.tables import AuditEntryRow, IdentityRow, SessionRow

log = logging.getLogger(__name__)

TOUCH_INTERVAL: Final = timedelta(minutes=1)
_TOKEN_PREFIX: Final = "nvs_"  # noqa: S105 - lets scanners find a leaked token
_TOKEN: Final = re.compile(r"nvs_[A-Za-z0-9_-]{43}")
_MAX_USER_AGENT_CHARS: Final = 256


SessionLimits = stored.Limits


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedIn:
    """A live session as of one moment: ask again for the next one."""

    session_id: SessionId
    identity: Identity
    csrf_token: str
    expires_at: datetime
    theme: str = "system"
    confirmed_at: datetime | None = None

    @property
    def caller(self) -> Caller:
        """Identity and session, as services want them."""
        return Caller(session_id=self.session_id, identity=self.identity)


@dataclass(frozen=True, slots=True, kw_only=True)
class Whence:
    """Where a request came from, for the session and the audit log."""

    ip: str | None = None
    user_agent: str | None = None
    request_id: str | None = None


class Sessions:
    """All sessions. Nothing is remembered between two questions: an ended session is refused at the very next one."""

    def __init__(self, database: Database, clock: Clock, limits: SessionLimits) -> None:
        self._database = database
        self._clock = clock
        self._limits = limits
        self.ended: Event[frozenset[SessionId]] = Event()
        self._touch_from = datetime.min.replace(tzinfo=UTC)

    async def start(
        self, identity_id: IdentityId, whence: Whence, methods: Sequence[str] = ("pwd",)
    ) -> tuple[str, SignedIn]:
        """Start a session with a new token, after whoever calls this has made sure who is there.

        Raises:
            SignInFailed: there is no such active identity.

        """
        now = self._clock.now()
        token = new_token()
        row = SessionRow(
            id=new_id("ses"),
            token_hash=hash_token(token),
            csrf_token=secrets.token_urlsafe(32),
            identity_id=identity_id,
            ip=whence.ip,
            user_agent=(whence.user_agent or "")[:_MAX_USER_AGENT_CHARS] or None,
            methods=list(methods),
            created_at=now,
            last_seen_at=now,
            expires_at=now,
        )
        async with self._database.transaction() as session:
            policy = await find_policy(session)
            row.expires_at = now + (self._limits.lifetime if policy is None else timedelta(hours=policy.max_hours))
            if await session.get(IdentityRow, identity_id) is None:
                raise SignInFailed
            await stored.add(session, row)
            # Read back in the same transaction: who was disabled meanwhile is not signed in.
            found = await stored.find_by_id(await session.connection(), SessionId(row.id), now=now, limits=self._limits)
            signed_in = _signed_in(found)
            if signed_in is None:
                raise SignInFailed
            details: JsonObject = {"methods": list(methods)}
            await append(session, _entry("session.started", signed_in, whence, now, details=details))
        log.info("session.started", extra={"session": row.id, "identity": identity_id})
        return token, signed_in

    async def by_token(self, token: str, *, ip: str | None = None) -> SignedIn | None:
        """Return the live session of a token, and note that it was used.

        From an address outside the policy's networks there is none: a session that is carried away, or whose token
        was, does not count there. It lives on where it may.
        """
        if not _TOKEN.fullmatch(token):
            return None
        now = self._clock.now()
        async with self._database.asking() as connection:
            found = await stored.find_by_token_hash(connection, hash_token(token), now=now, limits=self._limits)
        if found is not None and not allows_network(found.networks, ip):
            log.info("session.outside_networks", extra={"session": found.id})
            return None
        return await self._used(found, now)

    async def by_id(self, session_id: SessionId, *, is_use: bool = False) -> SignedIn | None:
        """Return the live session of an id, as of now; with `is_use` the question counts as use of the session."""
        now = self._clock.now()
        async with self._database.asking() as connection:
            found = await stored.find_by_id(connection, session_id, now=now, limits=self._limits)
        return await self._used(found, now) if is_use else _signed_in(found)

    async def identity_of(self, session_id: SessionId) -> Identity | None:
        """Return who acts in a session, as of now; None once it has ended."""
        found = await self.by_id(session_id)
        return None if found is None else found.identity

    async def alive(self, session_ids: Collection[SessionId]) -> frozenset[SessionId]:
        """Return those of `session_ids` that are live."""
        if not session_ids:
            return frozenset()
        now = self._clock.now()
        async with self._database.asking() as connection:
            return await stored.alive(connection, session_ids, now=now, limits=self._limits)

    async def end(
        self, signed_in: SignedIn, whence: Whence, *, reason: str = "signed_out", followed_by: SessionId | None = None
    ) -> None:
        """End a session at the wish of its identity; its pages and turns in every process end too.

        `followed_by` is the session whose start has ended it.
        """
        now = self._clock.now()
        async with self._database.transaction() as session:
            if await stored.end(session, signed_in.session_id, now):
                entry = _entry("session.ended", signed_in, whence, now, details={"reason": reason})
                cause = None if followed_by is None else await _entry_of_start(session, followed_by)
                await append(session, replace(entry, caused_by=cause))
        self.announce_ended(frozenset({signed_in.session_id}))

    def announce_ended(self, session_ids: frozenset[SessionId]) -> None:
        """Tell this process's pages and turns that sessions have ended; call it after the commit."""
        if session_ids:
            log.info("sessions.ended", extra={"sessions": sorted(session_ids)})
            self.ended.emit(session_ids)

    async def purge(self) -> None:
        """Delete sessions that were over a lifetime ago."""
        async with self._database.transaction() as session:
            await stored.purge(session, self._clock.now() - self._limits.lifetime)

    async def _used(self, found: stored.LiveSession | None, now: datetime) -> SignedIn | None:
        if found is not None and now - found.last_seen_at >= TOUCH_INTERVAL and now >= self._touch_from:
            try:
                async with self._database.transaction() as session:
                    await stored.touch(session, found.id, now)
            except NovaUnavailable:  # no reason to keep anybody from reading, nor to have the next request wait as well
                self._touch_from = now + TOUCH_INTERVAL
        return _signed_in(found)


def new_token() -> str:
    """Return a token that nobody has yet: 256 random bits."""
    return _TOKEN_PREFIX + secrets.token_urlsafe(32)


def hash_token(token: str) -> bytes:
    """Return what is stored of a token; it has 256 random bits, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).digest()


def _signed_in(found: stored.LiveSession | None) -> SignedIn | None:
    if found is None:
        return None
    return SignedIn(
        session_id=found.id,
        identity=found.identity,
        csrf_token=found.csrf_token,
        expires_at=found.expires_at,
        theme=found.theme,
        confirmed_at=found.confirmed_at,
    )


async def _entry_of_start(session: AsyncSession, session_id: SessionId) -> str | None:
    started = col(AuditEntryRow.action) == "session.started"
    found = select(AuditEntryRow.id).where(col(AuditEntryRow.target_id) == session_id, started)
    return (await session.exec(found)).first()


def _entry(
    action: str, signed_in: SignedIn, whence: Whence, now: datetime, *, details: JsonObject | None = None
) -> NewEntry:
    return NewEntry(
        time=now,
        action=action,
        actor_id=signed_in.identity.id,
        actor_display=signed_in.identity.display_name,
        target_type="session",
        target_id=signed_in.session_id,
        target_display=signed_in.identity.display_name,
        details=details or {},
        ip=whence.ip,
        request_id=whence.request_id,
        session_id=signed_in.session_id,
    )
