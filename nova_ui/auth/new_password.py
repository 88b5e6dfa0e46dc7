"""Replacing a password: checked against the policy and the earlier ones, kept, every session ended."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import update
from sqlmodel import col
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.auth.owner_notices import OwnerNotice, tell_owner
from nova_ui.auth.password import Passwords
from nova_ui.auth.password_rules import PasswordFault, find_fault, find_use, names_of
from nova_ui.auth.session import Sessions, Whence
from nova_ui.domain.clock import Clock
from nova_ui.domain.identity import IdentityId, SessionId
from nova_ui.domain.sign_in_policy import PasswordRule, SignInPolicy
from storage.database import Database
from storage.nova import second_factors as stored
from storage.nova.audit import NewEntry, append
from storage.nova.sessions import end_sessions_of
from storage.nova.sign_in_tables import PendingSignInRow
from storage.nova.tables import IdentityRow


class NewPasswords:
    """Checks and stores new passwords; hashing happens before a transaction is opened, since it takes its time."""

    def __init__(self, database: Database, clock: Clock, passwords: Passwords, sessions: Sessions) -> None:
        self._database = database
        self._clock = clock
        self._passwords = passwords
        self._sessions = sessions

    async def find_fault(self, identity: IdentityRow, password: str, rule: PasswordRule) -> PasswordFault | None:
        """Return why `password` can't be the next one of `identity`, or None."""
        fault = find_fault(password, rule, names_of(identity))
        if fault is not None:
            return fault
        async with self._database.reading() as session:
            earlier = await stored.old_passwords(session, identity.id, rule.history)
        current = [] if identity.password_hash is None else [identity.password_hash]
        return await find_use(password, self._passwords, [*current, *earlier])

    async def hash(self, password: str) -> str:
        """Return the hash to store."""
        return await self._passwords.hash(password)

    async def replace_expired(
        self, identity: IdentityRow, password: str, policy: SignInPolicy, pending_id: str, whence: Whence
    ) -> PasswordFault | None:
        """Replace a password that is too old in the sign-in under way, which goes on with the new one."""
        fault = await self.find_fault(identity, password, policy.password)
        if fault is not None:
            return fault
        new_hash, now = await self.hash(password), self._clock.now()
        ended: Sequence[SessionId] = []
        async with self._database.transaction() as session:
            if await replace(session, identity, new_hash, policy.password.history, now):
                ended = await end_sessions_of(session, IdentityId(identity.id), now)
                mine = update(PendingSignInRow).where(col(PendingSignInRow.id) == pending_id)
                await session.exec(mine.values(password_hash=new_hash))
                await append(session, _entry(identity, whence, now, ended=len(ended)))
                await tell_owner(session, identity.id, OwnerNotice.PASSWORD_CHANGED, now)
        self._sessions.announce_ended(frozenset(ended))
        return None


async def replace(session: AsyncSession, identity: IdentityRow, new_hash: str, history: int, now: datetime) -> bool:
    """Store a new hash unless the password was changed meanwhile; other sign-ins under way end by that."""
    unchanged = update(IdentityRow).where(
        col(IdentityRow.id) == identity.id, col(IdentityRow.password_hash) == identity.password_hash
    )
    changed = unchanged.values(
        password_hash=new_hash, password_changed_at=now, version=col(IdentityRow.version) + 1, updated_at=now
    )
    if (await session.exec(changed.execution_options(synchronize_session=False))).rowcount != 1:
        return False
    if history and identity.password_hash is not None:
        await stored.keep_old_password(session, identity.id, identity.password_hash, now, history)
    return True


def _entry(identity: IdentityRow, whence: Whence, now: datetime, *, ended: int) -> NewEntry:
    return NewEntry(
        time=now,
        action="identity.password_changed",
        actor_id=identity.id,
        actor_display=identity.display_name,
        target_type="identity",
        target_id=identity.id,
        target_display=identity.display_name,
        details={"reason": "expired", "ended_sessions": ended},
        ip=whence.ip,
        request_id=whence.request_id,
    )
