"""Names next to ids: looked up together for a whole page."""

from collections.abc import Iterable, Mapping

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from storage.nova.entitlement_tables import EntitlementRow
from storage.nova.tables import ApplicationRow, GroupRow, IdentityRow, RoleRow


async def identity_names(session: AsyncSession, ids: Iterable[str | None]) -> Mapping[str, str]:
    """Return the display names of those identities that exist."""
    wanted = {one for one in ids if one}
    if not wanted:
        return {}
    found = select(IdentityRow.id, IdentityRow.display_name).where(col(IdentityRow.id).in_(wanted))
    return dict((await session.exec(found)).all())


async def group_names(session: AsyncSession, ids: Iterable[str | None]) -> Mapping[str, str]:
    """Return the display names of those groups that exist."""
    wanted = {one for one in ids if one}
    if not wanted:
        return {}
    found = select(GroupRow.id, GroupRow.display_name).where(col(GroupRow.id).in_(wanted))
    return dict((await session.exec(found)).all())


async def roles_by_id(session: AsyncSession, ids: Iterable[str | None]) -> Mapping[str, RoleRow]:
    """Return those roles that exist."""
    wanted = {one for one in ids if one}
    if not wanted:
        return {}
    rows = (await session.exec(select(RoleRow).where(col(RoleRow.id).in_(wanted)))).all()
    return {row.id: row for row in rows}


async def rights_by_id(session: AsyncSession, ids: Iterable[str | None]) -> Mapping[str, RoleRow | EntitlementRow]:
    """Return those roles and entitlements that exist; their ids never clash."""
    wanted = {one for one in ids if one}
    entitlement_ids = {one for one in wanted if one.startswith("ent_")}
    found: dict[str, RoleRow | EntitlementRow] = {**await roles_by_id(session, wanted - entitlement_ids)}
    if entitlement_ids:
        rows = select(EntitlementRow).where(col(EntitlementRow.id).in_(entitlement_ids))
        found |= {row.id: row for row in (await session.exec(rows)).all()}
    return found


async def application_names(session: AsyncSession, ids: Iterable[str | None]) -> Mapping[str, str]:
    """Return the display names of those applications that exist."""
    wanted = {one for one in ids if one}
    if not wanted:
        return {}
    found = select(ApplicationRow.id, ApplicationRow.display_name).where(col(ApplicationRow.id).in_(wanted))
    return dict((await session.exec(found)).all())
