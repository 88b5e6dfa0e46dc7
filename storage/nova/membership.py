"""Which of some groups an identity is in right now."""

from typing import Final

from sqlalchemy import bindparam, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import SQLModel

from nova_ui.domain.identity import IdentityId

_MEMBERSHIPS: Final = SQLModel.metadata.tables["memberships"].c
_AMONG: Final = select(_MEMBERSHIPS.group_id).where(
    _MEMBERSHIPS.identity_id == bindparam("identity_id"),
    _MEMBERSHIPS.group_id.in_(bindparam("group_ids", expanding=True)),
)


async def groups_among(
    connection: AsyncConnection, identity_id: IdentityId, group_ids: frozenset[str]
) -> frozenset[str]:
    """Return those of `group_ids` that the identity is a member of, by entry or by a rule; a deleted group has none."""
    found = await connection.execute(_AMONG, {"identity_id": identity_id, "group_ids": sorted(group_ids)})
    return frozenset(found.scalars())
