"""Entering the password again in a session: what is dangerous asks for it within the last five minutes."""

from sqlalchemy import update
from sqlmodel import col

from nova_ui.auth.second_factor import CodeProblem
from nova_ui.auth.session import SignedIn, Whence
from nova_ui.auth.signing_in import SigningIn
from nova_ui.auth.steps import note_recovery_code
from nova_ui.domain.clock import Clock
from nova_ui.domain.sign_in_policy import Method
from nova_ui.errors import SecondStepNeeded, SignInFailed
from storage.database import Database
from storage.nova.audit import NewEntry, append
from storage.nova.tables import IdentityRow, SessionRow


class Confirmation:
    """Counts with the failures of signing in, so that a stolen session is no better place to guess."""

    def __init__(self, database: Database, clock: Clock, signing_in: SigningIn) -> None:
        self._database = database
        self._clock = clock
        self._passwords = signing_in.passwords
        self._policies = signing_in.policies
        self._factors = signing_in.factors
        self._attempts = signing_in.attempts

    async def confirm(self, signed_in: SignedIn, password: str, code: str | None, whence: Whence) -> None:
        """Note that the person of a session has entered its password, and a code where it has a second factor.

        Raises:
            SignInFailed: one of them is wrong; never says which.
            SignInThrottled: too many failures before.
            SecondStepNeeded: the password is right, and a code is needed as well.

        """
        policy = await self._policies.current()
        async with self._database.reading() as session:
            identity = await session.get_one(IdentityRow, signed_in.identity.id)
        attempt = await self._attempts.begin(identity.user_name_key, whence.ip, policy.lockout)
        if not (await self._passwords.verify(password, identity.password_hash)).matches:
            await self._attempts.failed(attempt, identity, "wrong_password", whence)
            raise SignInFailed
        asks_code = policy.asks_code(identity.mfa_methods)
        if asks_code and not code:
            await self._attempts.take_back(attempt)
            raise SecondStepNeeded(["code"])
        now = self._clock.now()
        async with self._database.transaction() as session:
            outcome: Method | CodeProblem = Method.PASSWORD
            if asks_code:
                outcome = await self._factors.use_code(session, identity, code or "", policy, now)
            if outcome is Method.RECOVERY_CODE:
                await note_recovery_code(session, identity, whence, now)
            if isinstance(outcome, Method):
                live = update(SessionRow).where(
                    col(SessionRow.id) == signed_in.session_id, col(SessionRow.ended_at).is_(None)
                )
                await session.exec(live.values(confirmed_at=now))
                await append(session, _entry(signed_in, whence, self._clock))
        if isinstance(outcome, CodeProblem):
            await self._attempts.failed(attempt, identity, outcome.value, whence)
            raise SignInFailed
        await self._attempts.succeeded(attempt)


def _entry(signed_in: SignedIn, whence: Whence, clock: Clock) -> NewEntry:
    return NewEntry(
        time=clock.now(),
        action="session.confirmed",
        actor_id=signed_in.identity.id,
        actor_display=signed_in.identity.display_name,
        target_type="session",
        target_id=signed_in.session_id,
        target_display=signed_in.identity.display_name,
        ip=whence.ip,
        request_id=whence.request_id,
        session_id=signed_in.session_id,
    )
