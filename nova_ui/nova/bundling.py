"""What a role may bundle, and how its bundle is stored."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import delete
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.errors import NovaConflict, NovaInvalid
from nova_ui.nova.writing import Write
from storage.nova.bundles import MAX_DEPTH, Bundles, read_bundles, roles_above
from storage.nova.entitlement_tables import EntitlementRow, RoleChildRow, RoleEntitlementRow
from storage.nova.tables import RoleRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The bundle of one role as it shall be."""

    entitlement_ids: tuple[str, ...]
    child_role_ids: tuple[str, ...]


async def add_bundle(write: Write, role_id: str, entitlement_ids: Sequence[str], child_role_ids: Sequence[str]) -> None:
    """Give a role that is new its bundle.

    Raises:
        NovaInvalid: an entitlement or a role can't be bundled.

    """
    wanted = Wanted(entitlement_ids=once(entitlement_ids), child_role_ids=once(child_role_ids))
    await check_bundle(write.session, role_id, wanted)
    await write_links(write.session, role_id, wanted.entitlement_ids, wanted.child_role_ids)


async def write_links(
    session: AsyncSession, role_id: str, entitlement_ids: Iterable[str], child_role_ids: Iterable[str]
) -> None:
    """Store exactly this bundle."""
    await session.exec(delete(RoleEntitlementRow).where(col(RoleEntitlementRow.role_id) == role_id))
    await session.exec(delete(RoleChildRow).where(col(RoleChildRow.role_id) == role_id))
    session.add_all(RoleEntitlementRow(role_id=role_id, entitlement_id=one) for one in entitlement_ids)
    session.add_all(RoleChildRow(role_id=role_id, child_role_id=one) for one in child_role_ids)
    await session.flush()


async def check_bundle(session: AsyncSession, role_id: str, wanted: Wanted) -> None:
    """Refuse a bundle that can't be.

    Raises:
        NovaInvalid: an entitlement or a role does not exist or is out of use.
        NovaConflict: the role would include itself, or too many levels.

    """
    entitlements = select(EntitlementRow.id).where(
        col(EntitlementRow.id).in_(wanted.entitlement_ids), col(EntitlementRow.status) == "managed"
    )
    if set((await session.exec(entitlements)).all()) != set(wanted.entitlement_ids):
        raise NovaInvalid("An entitlement does not exist or is not managed.", field="entitlement_ids")
    children = select(RoleRow.id).where(col(RoleRow.id).in_(wanted.child_role_ids), col(RoleRow.status) != "retired")
    if set((await session.exec(children)).all()) != set(wanted.child_role_ids):
        raise NovaInvalid("A role does not exist or is retired.", field="child_role_ids")
    above = await roles_above(session, [role_id])
    if above & set(wanted.child_role_ids):
        raise NovaConflict("A role can't include itself, nor a role that includes it.", field="child_role_ids")
    below = with_bundle(await read_bundles(session, wanted.child_role_ids), role_id, wanted)
    if below.depth_of(role_id) + await _levels_above(session, role_id) > MAX_DEPTH:
        raise NovaConflict(f"Roles include each other over at most {MAX_DEPTH} levels.", field="child_role_ids")


async def _levels_above(session: AsyncSession, role_id: str) -> int:
    """Return over how many levels other roles include this one."""
    levels, layer = 0, {role_id}
    while layer and levels <= MAX_DEPTH:
        above = select(RoleChildRow.role_id).where(col(RoleChildRow.child_role_id).in_(layer))
        layer = set((await session.exec(above)).all())
        levels += bool(layer)
    return levels


def with_bundle(bundles: Bundles, role_id: str, wanted: Wanted) -> Bundles:
    """Return what is bundled once the role has this bundle."""
    return replace(
        bundles,
        children={**bundles.children, role_id: wanted.child_role_ids},
        entitlements={**bundles.entitlements, role_id: wanted.entitlement_ids},
    )


def once(ids: Iterable[str]) -> tuple[str, ...]:
    """Return ids without repetition, in their order."""
    return tuple(dict.fromkeys(ids))
