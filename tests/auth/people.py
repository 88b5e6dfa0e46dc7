"""Who signs in in these tests, from where, and what time it is."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta

from argon2 import PasswordHasher

from nova_ui.auth.session import Whence
from nova_ui.domain.identity import IdentityId
from nova_ui.domain.sign_in_policy import LockoutRule, SignInPolicy
from storage.database import Database
from storage.nova.sign_in_policy import POLICY_ID
from storage.nova.sign_in_tables import SignInPolicyRow
from storage.nova.tables import AuditEntryRow

PASSWORD = "correct horse battery"
MAX_PER_NAME = LockoutRule().attempts
HOME = Whence(ip="192.0.2.1", user_agent="test browser", request_id="req_1")


class SetClock:
    def __init__(self) -> None:
        self._now = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)

    def now(self) -> datetime:
        return self._now

    def advance(self, **amount: float) -> None:
        self._now += timedelta(**amount)


def quick_hasher(time_cost: int = 1) -> PasswordHasher:
    return PasswordHasher(time_cost=time_cost, memory_cost=8, parallelism=1)


AddPerson = Callable[..., Awaitable[IdentityId]]
Change = Callable[..., Awaitable[None]]
ReadLog = Callable[[], Awaitable[list[AuditEntryRow]]]


async def store_policy(database: Database, policy: SignInPolicy, clock: SetClock) -> None:
    async with database.transaction() as session:
        session.add(
            SignInPolicyRow(
                id=POLICY_ID,
                rules=policy.model_dump(mode="json"),
                idle_minutes=policy.session.idle_minutes,
                max_hours=policy.session.max_hours,
                created_at=clock.now(),
                updated_at=clock.now(),
            )
        )
