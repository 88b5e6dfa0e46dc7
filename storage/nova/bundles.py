"""What roles bundle: read level by level, so that the cost follows the depth and not the number of roles."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from storage.nova.entitlement_tables import RoleChildRow, RoleEntitlementRow

MAX_DEPTH: Final = 5
Path = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundles:
    """The child roles and the entitlements of some roles and of all roles below them."""

    children: Mapping[str, tuple[str, ...]]
    entitlements: Mapping[str, tuple[str, ...]]

    def reached_from(self, role_id: str, above: Path = ()) -> Iterator[tuple[str, Path]]:
        """Return each entitlement of a role with the roles that lead to it, the role itself first."""
        path = (*above, role_id)
        for entitlement_id in self.entitlements.get(role_id, ()):
            yield entitlement_id, path
        for child in self.children.get(role_id, ()):
            if child not in path:
                yield from self.reached_from(child, path)

    def depth_of(self, role_id: str, above: Path = ()) -> int:
        """Return how many roles stand below one another from `role_id` on, itself included.

        Raises:
            ValueError: a role is below itself.

        """
        if role_id in above:
            raise ValueError(role_id)
        below = self.children.get(role_id, ())
        return 1 + max((self.depth_of(child, (*above, role_id)) for child in below), default=0)


async def read_bundles(session: AsyncSession, role_ids: Iterable[str]) -> Bundles:
    """Return what these roles bundle, with everything below them."""
    children: dict[str, tuple[str, ...]] = {}
    layer = set(role_ids)
    seen = set(layer)
    while layer:
        links = select(RoleChildRow.role_id, RoleChildRow.child_role_id).where(col(RoleChildRow.role_id).in_(layer))
        found = (await session.exec(links.order_by(col(RoleChildRow.child_role_id)))).all()
        for role_id, child in found:
            children[role_id] = (*children.get(role_id, ()), child)
        layer = {child for _, child in found} - seen
        seen |= layer
    return Bundles(children=children, entitlements=await _entitlements_of(session, seen))


async def own_bundles(session: AsyncSession, role_ids: Sequence[str]) -> Bundles:
    """Return what these roles bundle themselves, without what is below them."""
    links = select(RoleChildRow.role_id, RoleChildRow.child_role_id).where(col(RoleChildRow.role_id).in_(role_ids))
    children: dict[str, tuple[str, ...]] = {}
    for role_id, child in (await session.exec(links.order_by(col(RoleChildRow.child_role_id)))).all():
        children[role_id] = (*children.get(role_id, ()), child)
    return Bundles(children=children, entitlements=await _entitlements_of(session, set(role_ids)))


async def roles_above(session: AsyncSession, role_ids: Iterable[str]) -> frozenset[str]:
    """Return these roles and every role that includes one of them, over any number of levels."""
    layer = set(role_ids)
    seen = set(layer)
    while layer:
        above = select(RoleChildRow.role_id).where(col(RoleChildRow.child_role_id).in_(layer))
        layer = set((await session.exec(above)).all()) - seen
        seen |= layer
    return frozenset(seen)


async def _entitlements_of(session: AsyncSession, role_ids: set[str]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    if not role_ids:
        return found
    links = select(RoleEntitlementRow.role_id, RoleEntitlementRow.entitlement_id).where(
        col(RoleEntitlementRow.role_id).in_(role_ids)
    )
    for role_id, entitlement_id in (await session.exec(links.order_by(col(RoleEntitlementRow.entitlement_id)))).all():
        found[role_id] = (*found.get(role_id, ()), entitlement_id)
    return found
