"""When a sign-in has to wait: too many failures for one name, or from one address, over all processes."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import IPv6Network
from typing import Final

from nova_ui.domain.sign_in_policy import LockoutRule, network_of
from nova_ui.errors import SignInThrottled
from storage.database import Database
from storage.nova import sign_in_attempts
from storage.nova.locks import take_lock

WINDOW: Final = timedelta(minutes=15)  # of an address; how long a name waits is for the policy to say
MAX_PER_ADDRESS: Final = 30  # an office may share one address
LONGEST_WINDOW: Final = timedelta(days=1)  # that a policy may say
UNKNOWN_ADDRESS: Final = "unknown"
_CUSTOMER_BITS: Final = 64


def wait_until(attempts: Sequence[datetime], limit: int, window: timedelta) -> datetime | None:
    """Return when the next attempt counts again, or None if it does now; `attempts` lie in the window, newest first."""
    if len(attempts) < limit:
        return None
    return attempts[limit - 1] + window


def counted_address(ip: str | None) -> str:
    """Return what an address is counted as: of IPv6 the network of 64 bits, all of which one customer has."""
    found = network_of(ip)
    if isinstance(found, IPv6Network):
        return str(found.supernet(new_prefix=_CUSTOMER_BITS))
    return UNKNOWN_ADDRESS if found is None else str(found.network_address)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reservation:
    """An attempt that counts as failed until it is taken back; `counts_from` is the oldest one of the name."""

    name_subject: str
    name_attempt: int
    address_attempt: int
    failures_before: int
    counts_from: datetime


class Throttle:
    """Counts attempts before they are made, so that a hundred at once are still counted."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def reserve(
        self, user_name_key: str, ip: str | None, now: datetime, lockout: LockoutRule | None = None
    ) -> Reservation:
        """Count an attempt.

        Raises:
            SignInThrottled: it comes too soon; it then does not count, so nobody is kept out by knocking on.

        """
        lockout = lockout or LockoutRule()
        name = sign_in_attempts.name_subject(user_name_key)
        address = sign_in_attempts.address_subject(counted_address(ip))
        async with self._database.transaction() as session:
            for subject in sorted((name, address)):
                await take_lock(session, subject)
            await sign_in_attempts.purge(session, now - LONGEST_WINDOW)
            by_name = await sign_in_attempts.newest(session, name, since=now - lockout.window, limit=lockout.attempts)
            by_address = await sign_in_attempts.newest(session, address, since=now - WINDOW, limit=MAX_PER_ADDRESS)
            waits = [
                wait_until(by_name, lockout.attempts, lockout.window),
                wait_until(by_address, MAX_PER_ADDRESS, WINDOW),
            ]
            until = max((wait for wait in waits if wait is not None), default=None)
            if until is not None:
                raise SignInThrottled(max(1, math.ceil((until - now).total_seconds())))
            name_attempt, address_attempt = await sign_in_attempts.add(session, (name, address), now)
        return Reservation(
            name_subject=name,
            name_attempt=name_attempt,
            address_attempt=address_attempt,
            failures_before=len(by_name),
            counts_from=by_name[-1] if by_name else now,
        )

    async def succeeded(self, reservation: Reservation) -> None:
        """Forget the failures of the name and this attempt of the address; its failures for other names stay."""
        async with self._database.transaction() as session:
            await sign_in_attempts.forget(session, reservation.name_subject)
            await sign_in_attempts.remove(session, [reservation.address_attempt])

    async def take_back(self, reservation: Reservation) -> None:
        """Forget this attempt only: it was right so far, but what failed before still counts."""
        async with self._database.transaction() as session:
            await sign_in_attempts.remove(session, [reservation.name_attempt, reservation.address_attempt])
