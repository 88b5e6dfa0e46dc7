"""Trying to show who one is: counted before it is tried, noted when it failed, the lock shown on the identity."""

import logging
from dataclasses import dataclass

from sqlalchemy import update
from sqlmodel import col

from nova_ui.auth.session import Whence
from nova_ui.auth.throttle import Reservation, Throttle
from nova_ui.domain.clock import Clock
from nova_ui.domain.sign_in_policy import LockoutRule
from nova_ui.errors import SignInThrottled
from storage.database import Database
from storage.nova.audit import NewEntry, append
from storage.nova.tables import IdentityRow

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One try, which counts as failed until it is settled."""

    reservation: Reservation
    lockout: LockoutRule


class Attempts:
    """Counts tries by name and address: with a password, with a code, at sign-in or when asked again."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._throttle = Throttle(database)

    async def begin(self, name_key: str, ip: str | None, lockout: LockoutRule) -> Attempt:
        """Count a try.

        Raises:
            SignInThrottled: too many failures before.

        """
        try:
            reservation = await self._throttle.reserve(name_key, ip, self._clock.now(), lockout)
        except SignInThrottled:
            log.warning("sign_in.throttled", extra={"ip": ip})  # no name: people type passwords into that field
            raise
        return Attempt(reservation=reservation, lockout=lockout)

    async def succeeded(self, attempt: Attempt) -> None:
        """Forget the failures of the name."""
        await self._throttle.succeeded(attempt.reservation)

    async def take_back(self, attempt: Attempt) -> None:
        """Forget this try alone, since more is to be shown before the name is believed."""
        await self._throttle.take_back(attempt.reservation)

    async def failed(self, attempt: Attempt, identity: IdentityRow | None, reason: str, whence: Whence) -> None:
        """Note a failure for administrators, and lock the name when it was one too many."""
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
            reservation = attempt.reservation
            if identity is not None and reservation.failures_before + 1 >= attempt.lockout.attempts:
                # For administrators to see and to undo; what holds the next attempt off is the count itself.
                locked = update(IdentityRow).where(col(IdentityRow.id) == identity.id)
                await session.exec(locked.values(locked_until=reservation.counts_from + attempt.lockout.window))
        log.info("sign_in.failed", extra={"identity": identity.id if identity else None, "reason": reason})
