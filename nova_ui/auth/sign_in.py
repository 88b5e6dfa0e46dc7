"""Signing in by name and password: counted before it is tried, and a no never says why."""

import logging
from datetime import datetime
from typing import Final

from sqlalchemy import update
from sqlmodel import col, select

from nova_ui.auth.password import Passwords
from nova_ui.auth.session import Sessions, SignedIn, Whence
from nova_ui.auth.throttle import MAX_PER_NAME, WINDOW, Reservation, Throttle
from nova_ui.domain.clock import Clock
from nova_ui.domain.folding import fold
from nova_ui.domain.identity import IdentityId
from nova_ui.errors import SignInFailed
from storage.database import Database
from storage.nova.audit import NewEntry, append
from storage.nova.sessions import ACTIVE
from storage.nova.tables import IdentityRow

log = logging.getLogger(__name__)

MAX_NAME_CHARS: Final = 256


class PasswordSignIn:
    """Signs identities in whom Nova itself knows by password."""

    def __init__(self, database: Database, clock: Clock, passwords: Passwords, sessions: Sessions) -> None:
        self._database = database
        self._clock = clock
        self._passwords = passwords
        self._sessions = sessions
        self._throttle = Throttle(database)

    async def sign_in(self, login: str, password: str, whence: Whence) -> tuple[str, SignedIn]:
        """Check name and password; return a new token and its session.

        Raises:
            SignInFailed: they don't belong together, or the identity is not active; never says which.
            SignInThrottled: too many failures before.

        """
        name_key = fold(login[:MAX_NAME_CHARS])
        reservation = await self._throttle.reserve(name_key, whence.ip, self._clock.now())
        identity = await self._find_identity(name_key)
        verdict = await self._passwords.verify(password, identity.password_hash if identity else None)
        reason = _why_refused(identity, matches=verdict.matches, now=self._clock.now())
        if identity is None or reason is not None:
            await self._note_failure(identity, reason or "unknown_name", reservation, whence)
            raise SignInFailed
        await self._throttle.succeeded(reservation)
        new_hash = await self._passwords.hash(password) if verdict.is_outdated else None
        started = await self._sessions.start(IdentityId(identity.id), whence)
        await self._note_success(identity, new_hash)
        return started

    async def _find_identity(self, name_key: str) -> IdentityRow | None:
        async with self._database.reading() as session:
            named = select(IdentityRow).where(col(IdentityRow.user_name_key) == name_key)
            return (await session.exec(named)).one_or_none()

    async def _note_success(self, identity: IdentityRow, new_hash: str | None) -> None:
        same = update(IdentityRow).where(col(IdentityRow.id) == identity.id)
        async with self._database.transaction() as session:
            await session.exec(same.values(last_sign_in_at=self._clock.now(), locked_until=None))
            if new_hash is not None:  # unless the password was changed meanwhile
                unchanged = same.where(col(IdentityRow.password_hash) == identity.password_hash)
                await session.exec(unchanged.values(password_hash=new_hash))

    async def _note_failure(
        self, identity: IdentityRow | None, reason: str, reservation: Reservation, whence: Whence
    ) -> None:
        now = self._clock.now()
        # A name that nobody has is not kept: people type passwords into the wrong field.
        entry = NewEntry(
            time=now,
            action="sign_in.failed",
            outcome="refused",
            actor_type="system",
            target_type="identity" if identity else None,
            target_id=identity.id if identity else None,
            target_display=identity.display_name if identity else "",
            details={"reason": reason},
            ip=whence.ip,
            request_id=whence.request_id,
        )
        async with self._database.transaction() as session:
            await append(session, entry)
            if identity is not None and reservation.failures_before + 1 >= MAX_PER_NAME:
                # For administrators to see and to undo; what holds the next attempt off is the count itself.
                locked = update(IdentityRow).where(col(IdentityRow.id) == identity.id)
                await session.exec(locked.values(locked_until=reservation.counts_from + WINDOW))
        log.info("sign_in.failed", extra={"identity": identity.id if identity else None, "reason": reason})


def _why_refused(identity: IdentityRow | None, *, matches: bool, now: datetime) -> str | None:
    if identity is None:
        return "unknown_name"
    if identity.password_hash is None:
        return "no_password"
    if not matches:
        return "wrong_password"
    if identity.status != ACTIVE:
        return "not_active"
    if identity.locked_until is not None and identity.locked_until > now:
        return "locked"
    return None
