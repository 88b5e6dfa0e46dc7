"""Entering the password again in a session: what is dangerous asks for it within the last five minutes.

It gives the session a new token, and only with the new one does it count: whoever had stolen the old one is out, and
gains nothing by the person's own care. Only a plain answer can hand a browser its cookie, and a page's own calls get
none. So a page is given a ticket, which its browser brings to `/session-renewal` within a minute; until then nothing
is confirmed.
"""

import hmac
import re
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import update
from sqlmodel import col
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.auth.second_factor import CodeProblem
from nova_ui.auth.session import SignedIn, Whence, hash_token, new_token
from nova_ui.auth.signing_in import SigningIn
from nova_ui.auth.steps import note_recovery_code
from nova_ui.domain.clock import Clock
from nova_ui.domain.sign_in_policy import Method
from nova_ui.errors import SecondStepNeeded, SignInFailed
from storage.database import Database
from storage.nova.audit import NewEntry, append
from storage.nova.tables import IdentityRow, SessionRow

RENEWED_WITHIN: Final = timedelta(minutes=1)
_TICKET: Final = re.compile(r"([0-9]{13,15})\.([0-9a-f]{64})")


class Confirmation:
    """Counts with the failures of signing in, so that a stolen session is no better place to guess."""

    def __init__(self, database: Database, clock: Clock, signing_in: SigningIn, key: bytes) -> None:
        self._database = database
        self._key = key
        self._clock = clock
        self._passwords = signing_in.passwords
        self._policies = signing_in.policies
        self._factors = signing_in.factors
        self._attempts = signing_in.attempts

    async def confirm(self, signed_in: SignedIn, password: str, code: str | None, whence: Whence) -> str:
        """Note that the person of a session has entered its password, and a code where it has a second factor.

        Returns the new token of the session; the one before no longer counts.

        Raises:
            SignInFailed: one of them is wrong, which is never said; or the session has ended meanwhile.
            SignInThrottled: too many failures before.
            SecondStepNeeded: the password is right, and a code is needed as well.

        """
        token = new_token()
        async with self._database.reading() as session:
            before = await _token_hash(session, signed_in)
        await self._check(signed_in, password, code, whence)
        if before is None or not await self._renew(signed_in, before, token):
            raise SignInFailed
        return token

    async def give_ticket(self, signed_in: SignedIn, password: str, code: str | None, whence: Whence) -> str:
        """Check the same for a page, whose browser is to bring the ticket that is returned.

        Raises:
            SignInFailed: one of them is wrong, which is never said; or the session has ended meanwhile.
            SignInThrottled: too many failures before.
            SecondStepNeeded: the password is right, and a code is needed as well.

        """
        await self._check(signed_in, password, code, whence)
        async with self._database.reading() as session:
            token_hash = await _token_hash(session, signed_in)
        if token_hash is None:
            raise SignInFailed
        until_ms = int((self._clock.now() + RENEWED_WITHIN).timestamp() * 1000)
        return f"{until_ms}.{self._sign(until_ms, token_hash)}"

    async def redeem(self, signed_in: SignedIn, ticket: str) -> str | None:
        """Return the new token of a session for a ticket that it was given; each counts once, and not for long."""
        found = _TICKET.fullmatch(ticket)
        if found is None or int(found[1]) <= self._clock.now().timestamp() * 1000:
            return None
        async with self._database.reading() as session:
            token_hash = await _token_hash(session, signed_in)
        if token_hash is None or not hmac.compare_digest(found[2], self._sign(int(found[1]), token_hash)):
            return None
        token = new_token()
        return token if await self._renew(signed_in, token_hash, token) else None

    async def _check(self, signed_in: SignedIn, password: str, code: str | None, whence: Whence) -> None:
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
                await append(session, _entry(signed_in, whence, now))
        if isinstance(outcome, CodeProblem):
            await self._attempts.failed(attempt, identity, outcome.value, whence)
            raise SignInFailed
        await self._attempts.succeeded(attempt)

    async def _renew(self, signed_in: SignedIn, before: bytes, token: str) -> bool:
        """Put the new token in the place of the one that was seen, unless another request was quicker."""
        mine = update(SessionRow).where(
            col(SessionRow.id) == signed_in.session_id,
            col(SessionRow.token_hash) == before,
            col(SessionRow.ended_at).is_(None),
        )
        async with self._database.transaction() as session:
            renewed = mine.values(token_hash=hash_token(token), confirmed_at=self._clock.now())
            return (await session.exec(renewed.execution_options(synchronize_session=False))).rowcount == 1

    def _sign(self, until_ms: int, token_hash: bytes) -> str:
        # The token's hash is one session's alone, and another one after the first use.
        return hmac.new(self._key, f"{until_ms}.".encode() + token_hash, "sha256").hexdigest()


async def _token_hash(session: AsyncSession, signed_in: SignedIn) -> bytes | None:
    row = await session.get(SessionRow, signed_in.session_id, populate_existing=True)
    return None if row is None or row.ended_at is not None else row.token_hash


def _entry(signed_in: SignedIn, whence: Whence, now: datetime) -> NewEntry:
    return NewEntry(
        time=now,
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
