"""Sign-ins under way: the password was right, and the policy asks for a code, a new password or a second factor."""

import logging
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete, update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.auth.owner_notices import OwnerNotice, tell_owner
from nova_ui.auth.password_rules import PasswordFault
from nova_ui.auth.second_factor import CodeProblem, Enrolment, methods_of
from nova_ui.auth.session import Sessions, SignedIn, Whence, hash_token
from nova_ui.auth.sign_in import PasswordSignIn, Shown, why_kept_out
from nova_ui.auth.signing_in import SigningIn
from nova_ui.domain.clock import Clock
from nova_ui.domain.identity import IdentityId, SessionId
from nova_ui.domain.sign_in_policy import Method, SignInPolicy, Step
from nova_ui.errors import SecondStepNeeded, SignInFailed
from storage.database import Database
from storage.ids import new_id
from storage.nova.audit import NewEntry, append
from storage.nova.sessions import ACTIVE, end_sessions_of
from storage.nova.sign_in_tables import PendingSignInRow
from storage.nova.tables import IdentityRow

log = logging.getLogger(__name__)

LASTS: Final = timedelta(minutes=5)
MAX_CODES: Final = 5
_PREFIX: Final = "nvp_"
_TOKEN: Final = re.compile(r"nvp_[A-Za-z0-9_-]{43}")
_OTP: Final = "otp"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """A sign-in under way as of one moment; `steps` are those left, none when it may be finished."""

    id: str
    identity: IdentityRow = field(repr=False)
    policy: SignInPolicy
    methods: tuple[str, ...]
    steps: tuple[Step, ...]


class SignInSteps:
    """Leads from the right password to the session. What is asked follows from the policy at every step anew."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        *,
        sessions: Sessions,
        sign_in: PasswordSignIn,
        signing_in: SigningIn,
    ) -> None:
        self._database = database
        self._clock = clock
        self._sessions = sessions
        self._sign_in = sign_in
        self._policies = signing_in.policies
        self._factors = signing_in.factors
        self._new_passwords = signing_in.new_passwords
        self._attempts = signing_in.attempts

    async def sign_in(self, login: str, password: str, code: str | None, whence: Whence) -> tuple[str, SignedIn]:
        """Sign in by name, password and, where it is asked for, a code; for programs.

        Raises:
            SignInFailed: something of it is wrong; never says what.
            SignInThrottled: too many failures before.
            SecondStepNeeded: the password is right, but more is asked for than came.

        """
        shown = await self._sign_in.show(login, password, whence)
        if not shown.steps:
            return await self._sign_in.let_in(shown, whence)
        token = await self.begin(shown)
        pending = await self.find(token, whence.ip)
        if pending is None or code is None or shown.steps != (Step.CODE,):
            await self._drop(token)
            raise SecondStepNeeded([step.value for step in shown.steps])
        if await self.enter_code(pending, code, whence) is not None:
            await self._drop(token)
            raise SignInFailed
        return await self.finish(pending.id, token, whence)

    async def begin(self, shown: Shown) -> str:
        """Remember that the password was right; return the token that only this browser gets."""
        await self._attempts.take_back(shown.attempt)
        await self._sign_in.keep_hash(shown)
        now = self._clock.now()
        token = _PREFIX + secrets.token_urlsafe(32)
        async with self._database.transaction() as session:
            await session.exec(delete(PendingSignInRow).where(col(PendingSignInRow.expires_at) <= now))
            session.add(
                PendingSignInRow(
                    id=new_id("pen"),
                    token_hash=hash_token(token),
                    identity_id=shown.identity.id,
                    password_hash=shown.new_hash or shown.identity.password_hash or "",
                    methods=["pwd"],
                    created_at=now,
                    expires_at=now + LASTS,
                )
            )
        return token

    async def find(self, token: str, ip: str | None) -> Pending | None:
        """Return the sign-in under way of a token, or None: it is over, or the identity may no longer sign in."""
        if not _TOKEN.fullmatch(token):
            return None
        now = self._clock.now()
        async with self._database.reading() as session:
            mine = select(PendingSignInRow, IdentityRow).where(
                col(PendingSignInRow.token_hash) == hash_token(token),
                col(PendingSignInRow.expires_at) > now,
                col(PendingSignInRow.attempts) < MAX_CODES,
                col(IdentityRow.id) == col(PendingSignInRow.identity_id),
                col(IdentityRow.status) == ACTIVE,
                col(IdentityRow.password_hash) == col(PendingSignInRow.password_hash),
            )
            found = (await session.exec(mine)).one_or_none()
            policy = await self._policies.within(session)
        if found is None:
            return None
        row, identity = found
        if why_kept_out(identity, policy, ip, now) is not None:
            return None
        steps = await self._sign_in.steps_of(identity, policy)
        left = tuple(step for step in steps if step is not Step.CODE or _OTP not in row.methods)
        return Pending(id=row.id, identity=identity, policy=policy, methods=tuple(row.methods), steps=left)

    async def enter_code(self, pending: Pending, entered: str, whence: Whence) -> CodeProblem | None:
        """Take a code; return why it does not count, or None.

        Raises:
            SignInThrottled: too many failures before.

        """
        identity, now = pending.identity, self._clock.now()
        attempt = await self._attempts.begin(identity.user_name_key, whence.ip, pending.policy.lockout)
        async with self._database.transaction() as session:
            if not await self._count_code(session, pending):
                outcome: Method | CodeProblem = CodeProblem.NOT_BEGUN
            else:
                outcome = await self._factors.use_code(session, identity, entered, pending.policy, now)
            if isinstance(outcome, Method):
                await self._note_otp(session, pending)
                if outcome is Method.RECOVERY_CODE:
                    await note_recovery_code(session, identity, whence, now)
        if isinstance(outcome, CodeProblem):
            await self._attempts.failed(attempt, identity, outcome.value, whence)
            return outcome
        await self._attempts.succeeded(attempt)
        return None

    async def set_password(self, pending: Pending, password: str, whence: Whence) -> PasswordFault | None:
        """Replace a password that is too old; every session of the identity ends. Return what is wrong with it."""
        return await self._new_passwords.replace_expired(pending.identity, password, pending.policy, pending.id, whence)

    async def enrolment(self, pending: Pending) -> Enrolment:
        """Return what the app needs; the same as long as one try is open."""
        async with self._database.transaction() as session:
            begun = await self._factors.begun(session, pending.identity, self._clock.now())
            return begun or await self._factors.begin(session, pending.identity, self._clock.now())

    async def confirm_enrolment(self, pending: Pending, entered: str, whence: Whence) -> list[str] | CodeProblem:
        """Let the app count by a code of it; every session there is ends. Return the recovery codes, shown once."""
        now, identity = self._clock.now(), pending.identity
        ended: Sequence[SessionId] = ()
        async with self._database.transaction() as session:
            outcome = await self._factors.confirm(session, identity, entered, now)
            if isinstance(outcome, list):
                await self._note_otp(session, pending)
                await set_methods(session, identity.id, now)
                ended = await end_sessions_of(session, IdentityId(identity.id), now)
                entry = _entry("identity.mfa_enrolled", identity, whence, now)
                await append(session, replace(entry, details={"ended_sessions": len(ended)}))
                await tell_owner(session, identity.id, OwnerNotice.MFA_ENROLLED, now)
        self._sessions.announce_ended(frozenset(ended))
        return outcome

    async def finish(self, pending_id: str, token: str, whence: Whence) -> tuple[str, SignedIn]:
        """Use a sign-in that needs nothing more up, for exactly one session.

        Raises:
            SignInFailed: it is over, or still needs something.

        """
        pending = await self.find(token, whence.ip)
        if pending is None or pending.id != pending_id or pending.steps or not await self._drop(token):
            raise SignInFailed
        started = await self._sessions.start(IdentityId(pending.identity.id), whence, pending.methods)
        await self._sign_in.note_success(pending.identity)
        return started

    async def _drop(self, token: str) -> bool:
        mine = delete(PendingSignInRow).where(col(PendingSignInRow.token_hash) == hash_token(token))
        async with self._database.transaction() as session:
            return (await session.exec(mine)).rowcount == 1

    @staticmethod
    async def _count_code(session: AsyncSession, pending: Pending) -> bool:
        mine = update(PendingSignInRow).where(
            col(PendingSignInRow.id) == pending.id, col(PendingSignInRow.attempts) < MAX_CODES
        )
        counted = mine.values(attempts=col(PendingSignInRow.attempts) + 1)
        return (await session.exec(counted.execution_options(synchronize_session=False))).rowcount == 1

    @staticmethod
    async def _note_otp(session: AsyncSession, pending: Pending) -> None:
        mine = update(PendingSignInRow).where(col(PendingSignInRow.id) == pending.id)
        await session.exec(mine.values(methods=["pwd", _OTP], attempts=0))


async def note_recovery_code(session: AsyncSession, identity: IdentityRow, whence: Whence, now: datetime) -> None:
    """Log that a recovery code was used up, tell its owner, and repeat on the identity what is left."""
    await set_methods(session, identity.id, now)
    await append(session, _entry("identity.recovery_code_used", identity, whence, now))
    await tell_owner(session, identity.id, OwnerNotice.RECOVERY_CODE_USED, now)


async def set_methods(session: AsyncSession, identity_id: str, now: datetime) -> None:
    """Repeat on the identity which second factors it has now."""
    methods = await methods_of(session, identity_id)
    mine = update(IdentityRow).where(col(IdentityRow.id) == identity_id)
    changed = mine.values(mfa_methods=methods, version=col(IdentityRow.version) + 1, updated_at=now)
    await session.exec(changed.execution_options(synchronize_session=False))


def _entry(action: str, identity: IdentityRow, whence: Whence, now: datetime) -> NewEntry:
    return NewEntry(
        time=now,
        action=action,
        actor_id=identity.id,
        actor_display=identity.display_name,
        target_type="identity",
        target_id=identity.id,
        target_display=identity.display_name,
        ip=whence.ip,
        request_id=whence.request_id,
    )
