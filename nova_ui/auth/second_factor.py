"""A second factor: shown by a code that is used up with it, set up by a code of the new app."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.auth import totp
from nova_ui.domain.sign_in_policy import Method, SignInPolicy
from storage.encryption import Encryption, Place
from storage.ids import new_id
from storage.nova import second_factors as stored
from storage.nova.sign_in_tables import TotpFactorRow
from storage.nova.tables import IdentityRow

SET_UP_WITHIN: Final = timedelta(minutes=15)
MAX_SET_UP_TRIES: Final = 5


class CodeProblem(StrEnum):
    """Why a code does not count."""

    WRONG = "wrong_code"
    USED = "code_used"
    NOT_BEGUN = "not_begun"


@dataclass(frozen=True, slots=True, kw_only=True)
class Enrolment:
    """What the person needs to set its app up; shown once."""

    seed: str
    link: str


class SecondFactors:
    """Works within a transaction that the caller opens; the seed is sealed at rest (rule D5)."""

    def __init__(self, encryption: Encryption) -> None:
        self._encryption = encryption

    async def use_code(
        self, session: AsyncSession, identity: IdentityRow, entered: str, policy: SignInPolicy, now: datetime
    ) -> Method | CodeProblem:
        """Use up a code of the app or a recovery code; return which of them it was, or why it does not count."""
        code = totp.normal_code(entered)
        if code is not None:
            return await self._use_totp(session, identity.id, code, now)
        recovery = totp.normal_recovery_code(entered)
        if recovery is None or Method.RECOVERY_CODE not in policy.methods:
            return CodeProblem.WRONG
        if not await stored.use_code(session, identity.id, totp.hash_of(identity.id, recovery), now):
            return CodeProblem.WRONG
        return Method.RECOVERY_CODE

    async def begin(self, session: AsyncSession, identity: IdentityRow, now: datetime) -> Enrolment:
        """Begin to set an app up; what was begun before no longer counts, a confirmed app still does."""
        await stored.drop_begun(session, identity.id)
        seed = totp.new_seed()
        factor_id = new_id("fac")
        sealed = self._encryption.seal(seed, _place(factor_id))
        session.add(TotpFactorRow(id=factor_id, identity_id=identity.id, seed=sealed, created_at=now))
        await session.flush()
        return Enrolment(seed=seed, link=totp.link_of(seed, identity.user_name))

    async def begun(self, session: AsyncSession, identity: IdentityRow, now: datetime) -> Enrolment | None:
        """Return the app that is being set up, for a page that is shown again."""
        factor = await stored.begun_factor(session, identity.id, now - SET_UP_WITHIN)
        if factor is None or factor.attempts >= MAX_SET_UP_TRIES:
            return None
        seed = self._encryption.open(factor.seed, _place(factor.id))
        return Enrolment(seed=seed, link=totp.link_of(seed, identity.user_name))

    async def confirm(
        self, session: AsyncSession, identity: IdentityRow, entered: str, now: datetime
    ) -> list[str] | CodeProblem:
        """Let the new app count, by a code of it; return recovery codes, which are shown once."""
        factor = await stored.begun_factor(session, identity.id, now - SET_UP_WITHIN)
        if factor is None or not await stored.count_try(session, factor.id, MAX_SET_UP_TRIES):
            return CodeProblem.NOT_BEGUN
        code = totp.normal_code(entered)
        seed = self._encryption.open(factor.seed, _place(factor.id))
        step = totp.matching_step(seed, code, now) if code is not None else None
        if step is None:
            return CodeProblem.WRONG
        if not await stored.confirm_factor(session, factor, step, now):
            return CodeProblem.NOT_BEGUN
        return await self.new_codes(session, identity.id, now)

    async def new_codes(self, session: AsyncSession, identity_id: str, now: datetime) -> list[str]:
        """Replace the recovery codes; return the new ones, which are shown once."""
        codes = totp.new_recovery_codes()
        await stored.replace_codes(session, identity_id, [totp.hash_of(identity_id, code) for code in codes], now)
        return codes

    async def _use_totp(
        self, session: AsyncSession, identity_id: str, code: str, now: datetime
    ) -> Method | CodeProblem:
        factor = await stored.confirmed_factor(session, identity_id)
        if factor is None:
            return CodeProblem.WRONG
        step = totp.matching_step(self._encryption.open(factor.seed, _place(factor.id)), code, now)
        if step is None:
            return CodeProblem.WRONG
        return Method.TOTP if await stored.use_step(session, factor.id, step) else CodeProblem.USED


async def methods_of(session: AsyncSession, identity_id: str) -> list[str]:
    """Return which second factors an identity has, as its row repeats them."""
    if await stored.confirmed_factor(session, identity_id) is None:
        return []
    left = await stored.codes_left(session, identity_id)
    return [Method.TOTP.value, *([Method.RECOVERY_CODE.value] if left else [])]


def _place(factor_id: str) -> Place:
    return Place(table="totp_factors", column="seed", row_id=factor_id)
