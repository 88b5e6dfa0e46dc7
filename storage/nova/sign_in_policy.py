"""The one row of the sign-in policy."""

from typing import Final

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import SQLModel
from sqlmodel.ext.asyncio.session import AsyncSession

from storage.nova.locks import take_lock
from storage.nova.sign_in_tables import SignInPolicyRow

POLICY_ID: Final = "sign_in_policy"
_POLICIES: Final = SQLModel.metadata.tables["sign_in_policies"].c
_RULES: Final = select(_POLICIES.rules).where(_POLICIES.id == POLICY_ID)


async def find_policy(session: AsyncSession) -> SignInPolicyRow | None:
    """Return the stored policy, or None while the initial one counts."""
    return await session.get(SignInPolicyRow, POLICY_ID, populate_existing=True)


async def find_rules(connection: AsyncConnection) -> object:
    """Return the stored rules, or None while the initial ones count."""
    return (await connection.execute(_RULES)).scalar_one_or_none()


async def lock_policy(session: AsyncSession) -> None:
    """Let one transaction at a time change the policy, also while there is no row to lock."""
    await take_lock(session, "nova.sign_in_policy")
