"""How groups are shown, and to whom."""

from collections.abc import Sequence

from sqlalchemy import func
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.identity import Identity
from nova_ui.nova.identity_views import ref_of
from nova_ui.nova.permissions import oversees, require_found
from nova_ui.nova.views import GroupView, Ref
from storage.nova.names import identity_names, roles_by_id
from storage.nova.tables import GroupRow, MembershipRow


async def visible_group(session: AsyncSession, identity: Identity, group_id: str) -> GroupRow:
    """Return a group that the caller may see.

    Raises:
        NovaNotFound: there is none, or it is not visible.

    """
    row = await session.get(GroupRow, group_id, populate_existing=True)
    sees = row is not None and (oversees(identity) or identity.id in row.owner_ids)
    return require_found(row if sees else None, "group")


async def group_views(session: AsyncSession, rows: Sequence[GroupRow]) -> list[GroupView]:
    """Return a page of groups with their owners' names and member counts."""
    names = await identity_names(session, (owner for row in rows for owner in row.owner_ids))
    counted = (
        select(MembershipRow.group_id, func.count())
        .where(col(MembershipRow.group_id).in_([row.id for row in rows]))
        .group_by(col(MembershipRow.group_id))
    )
    counts = dict((await session.exec(counted)).all())
    roles = await roles_by_id(session, (role_id for row in rows for role_id in row.role_ids))
    return [
        GroupView(
            id=row.id,
            display_name=row.display_name,
            description=row.description,
            membership=row.membership,
            rule=row.rule,
            roles=[Ref(id=one, display_name=roles[one].display_name) for one in row.role_ids if one in roles],
            owners=[ref_of(owner, names) for owner in row.owner_ids],
            member_count=counts.get(row.id, 0),
            source=row.source,
            protected=row.protected,
            version=row.version,
            created_at=row.created_at,
            updated_at=row.updated_at,
        )
        for row in rows
    ]
