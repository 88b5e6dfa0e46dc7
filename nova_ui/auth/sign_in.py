"""Signing in by name and password: counted before it is tried, and a no never says why."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from sqlalchemy import Update, update
from sqlmodel import col, select

from nova_ui.auth.attempts import Attempt, Attempts
from nova_ui.auth.password import Passwords
from nova_ui.auth.persons import changed_at, roles_now
from nova_ui.auth.policies import Policies
from nova_ui.auth.session import Sessions, SignedIn, Whence
from nova_ui.domain.clock import Clock
from nova_ui.domain.folding import fold
from nova_ui.domain.identity import IdentityId
from nova_ui.domain.sign_in_policy import Method, SignInPolicy, Step, steps_after_password
from nova_ui.errors import SecondStepNeeded, SignInFailed
from storage.database import Database
from storage.nova.sessions import ACTIVE
from storage.nova.tables import IdentityRow

MAX_NAME_CHARS: Final = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """Who has shown the right password, and what the policy still asks for."""

    identity: IdentityRow
    policy: SignInPolicy
    attempt: Attempt = field(repr=False)
    new_hash: str | None = field(default=None, repr=False)
    steps: tuple[Step, ...] = ()


class PasswordSignIn:
    """Signs identities in whom Nova itself knows by password."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        passwords: Passwords,
        sessions: Sessions,
        policies: Policies | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._passwords = passwords
        self._sessions = sessions
        self._policies = policies or Policies(database)
        self._attempts = Attempts(database, clock)

    async def sign_in(self, login: str, password: str, whence: Whence) -> tuple[str, SignedIn]:
        """Check name and password; return a new token and its session.

        Raises:
            SignInFailed: they don't belong together, or the identity may not sign in; never says which.
            SignInThrottled: too many failures before.
            SecondStepNeeded: they do, but the policy asks for more.

        """
        shown = await self.show(login, password, whence)
        if shown.steps:
            await self._attempts.take_back(shown.attempt)
            raise SecondStepNeeded([step.value for step in shown.steps])
        return await self.let_in(shown, whence)

    async def show(self, login: str, password: str, whence: Whence) -> Shown:
        """Check name and password, and tell what more is needed; the attempt is not settled yet.

        Raises:
            SignInFailed: they don't belong together, or the identity may not sign in; never says which.
            SignInThrottled: too many failures before.

        """
        policy = await self._policies.current()
        name_key = fold(login[:MAX_NAME_CHARS])
        attempt = await self._attempts.begin(name_key, whence.ip, policy.lockout)
        identity = await self._find_identity(name_key)
        verdict = await self._passwords.verify(password, identity.password_hash if identity else None)
        reason = self._why_refused(identity, policy, whence.ip, matches=verdict.matches)
        if identity is None or reason is not None:
            await self._attempts.failed(attempt, identity, reason or "unknown_name", whence)
            raise SignInFailed
        new_hash = await self._passwords.hash(password) if verdict.is_outdated else None
        steps = await self.steps_of(identity, policy)
        return Shown(identity=identity, policy=policy, attempt=attempt, new_hash=new_hash, steps=steps)

    async def steps_of(self, identity: IdentityRow, policy: SignInPolicy) -> tuple[Step, ...]:
        """Return what the policy asks of an identity after its password."""
        async with self._database.reading() as session:
            roles = await roles_now(session, identity)
        return steps_after_password(
            policy,
            roles=roles,
            mfa_methods=identity.mfa_methods,
            password_changed_at=changed_at(identity),
            now=self._clock.now(),
        )

    async def let_in(self, shown: Shown, whence: Whence) -> tuple[str, SignedIn]:
        """Start the session of somebody who has shown all that is needed by the password alone."""
        await self._attempts.succeeded(shown.attempt)
        started = await self._sessions.start(IdentityId(shown.identity.id), whence)
        await self.note_success(shown.identity, shown.new_hash)
        return started

    async def note_success(self, identity: IdentityRow, new_hash: str | None = None) -> None:
        """Note the sign-in, and keep the hash that was made with today's parameters."""
        same = update(IdentityRow).where(col(IdentityRow.id) == identity.id)
        async with self._database.transaction() as session:
            await session.exec(same.values(last_sign_in_at=self._clock.now(), locked_until=None))
            if new_hash is not None:
                await session.exec(_renewed(identity, new_hash))

    async def keep_hash(self, shown: Shown) -> None:
        """Keep a hash that was made with today's parameters, before the sign-in is through."""
        if shown.new_hash is not None:
            async with self._database.transaction() as session:
                await session.exec(_renewed(shown.identity, shown.new_hash))

    async def _find_identity(self, name_key: str) -> IdentityRow | None:
        async with self._database.reading() as session:
            named = select(IdentityRow).where(col(IdentityRow.user_name_key) == name_key)
            return (await session.exec(named)).one_or_none()

    def _why_refused(
        self, identity: IdentityRow | None, policy: SignInPolicy, ip: str | None, *, matches: bool
    ) -> str | None:
        if identity is None:
            return "unknown_name"
        if identity.password_hash is None:
            return "no_password"
        if not matches:
            return "wrong_password"
        return why_kept_out(identity, policy, ip, self._clock.now())


def why_kept_out(identity: IdentityRow, policy: SignInPolicy, ip: str | None, now: datetime) -> str | None:
    """Return why an identity may not sign in from an address although its password is right, or None."""
    if identity.status != ACTIVE:
        return "not_active"
    if identity.locked_until is not None and identity.locked_until > now:
        return "locked"
    if not policy.allows_network(ip):
        return "network"
    return None if Method.PASSWORD in policy.methods else "method"


def _renewed(identity: IdentityRow, new_hash: str) -> Update:
    """Return the change of a hash, unless the password was changed meanwhile."""
    unchanged = update(IdentityRow).where(
        col(IdentityRow.id) == identity.id, col(IdentityRow.password_hash) == identity.password_hash
    )
    return unchanged.values(password_hash=new_hash)
