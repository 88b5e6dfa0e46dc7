"""An identity as it is now, for work that outlives the request that asked for it."""

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.identity import Identity, IdentityId, Language
from storage.nova.sessions import ACTIVE, roles_of
from storage.nova.tables import IdentityRow


async def find_active(session: AsyncSession, identity_id: str) -> Identity | None:
    """Return an active identity with its present roles, or None."""
    row = await session.get(IdentityRow, identity_id, populate_existing=True)
    if row is None or row.status != ACTIVE:
        return None
    leads = select(IdentityRow.id).where(col(IdentityRow.manager_id) == identity_id).limit(1)
    is_manager = (await session.exec(leads)).first() is not None
    return Identity(
        id=IdentityId(row.id),
        user_name=row.user_name,
        display_name=row.display_name or row.user_name,
        roles=roles_of(row.nova_roles, is_manager=is_manager),
        language=Language.GERMAN if row.preferred_language.startswith("de") else Language.ENGLISH,
    )
