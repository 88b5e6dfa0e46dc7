"""What the sign-in policy needs to know of a person."""

from datetime import datetime

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.identity import Role
from storage.nova.sessions import roles_of
from storage.nova.tables import IdentityRow


async def roles_now(session: AsyncSession, identity: IdentityRow) -> frozenset[Role]:
    """Return the roles of an identity; that it leads somebody is a fact of now."""
    led = select(IdentityRow.id).where(col(IdentityRow.manager_id) == identity.id).limit(1)
    is_manager = (await session.exec(led)).first() is not None
    return roles_of(identity.nova_roles, is_manager=is_manager)


def changed_at(identity: IdentityRow) -> datetime:
    """Return since when the password is what it is; from before that was noted, the identity's beginning."""
    return identity.password_changed_at or identity.created_at
