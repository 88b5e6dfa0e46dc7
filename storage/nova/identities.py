"""Facts about identities that permissions rest on: who manages whom, who owns what, who administers."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import ColumnElement, String, cast
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from storage.nova.entitlement_tables import EntitlementRow
from storage.nova.locks import take_lock
from storage.nova.tables import ApplicationRow, GroupRow, IdentityRow, RoleRow

OwnedRow = GroupRow | RoleRow | ApplicationRow | EntitlementRow
TREE_LEVELS: Final = 5
ACTIVE: Final = "active"


async def tree_of(session: AsyncSession, manager_id: str, levels: int = TREE_LEVELS) -> frozenset[str]:
    """Return everyone below a manager, down to `levels`; never the manager."""
    found: set[str] = set()
    layer = {manager_id}
    for _ in range(levels):
        below = select(IdentityRow.id).where(col(IdentityRow.manager_id).in_(layer))
        layer = set((await session.exec(below)).all()) - found - {manager_id}
        if not layer:
            break
        found |= layer
    return frozenset(found)


async def is_below(session: AsyncSession, identity_id: str, manager_id: str) -> bool:
    """Whether `identity_id` reports to `manager_id` over any number of levels."""
    seen: set[str] = set()
    current: str | None = identity_id
    while current is not None and current not in seen:
        seen.add(current)
        current = (await session.exec(select(IdentityRow.manager_id).where(col(IdentityRow.id) == current))).first()
        if current == manager_id:
            return True
    return False


def json_holds(column: object, value: str) -> ColumnElement[bool]:
    """Return the condition that a JSON list of plain words or ids holds `value`; portable over the databases."""
    text = cast(column, String)
    return text.contains(f'"{value}"', autoescape=True)


async def other_administrators(session: AsyncSession, identity_id: str) -> Sequence[str]:
    """Return the active administrators but one; a writing transaction has taken the lock before."""
    found = select(IdentityRow.id).where(
        col(IdentityRow.status) == ACTIVE,
        col(IdentityRow.id) != identity_id,
        json_holds(IdentityRow.nova_roles, "administrator"),
    )
    return (await session.exec(found.order_by(col(IdentityRow.id)))).all()


async def has_other_administrator(session: AsyncSession, identity_id: str) -> bool:
    """Whether an active administrator but this one has a password, without which nobody comes in."""
    others = select(IdentityRow.id).where(
        col(IdentityRow.status) == ACTIVE,
        col(IdentityRow.id) != identity_id,
        col(IdentityRow.password_hash).is_not(None),
        json_holds(IdentityRow.nova_roles, "administrator"),
    )
    return (await session.exec(others.limit(1))).first() is not None


async def lock_administrators(session: AsyncSession) -> None:
    """Let one transaction at a time take an administrator away."""
    await take_lock(session, "nova.administrators")


async def owned_objects(session: AsyncSession, identity_id: str) -> Sequence[OwnedRow]:
    """Return the groups, roles, applications and entitlements that an identity owns."""
    groups = select(GroupRow).where(json_holds(GroupRow.owner_ids, identity_id)).order_by(col(GroupRow.name_key))
    roles = select(RoleRow).where(json_holds(RoleRow.owner_ids, identity_id)).order_by(col(RoleRow.key))
    applications = select(ApplicationRow).where(json_holds(ApplicationRow.owner_ids, identity_id))
    entitlements = select(EntitlementRow).where(json_holds(EntitlementRow.owner_ids, identity_id))
    return [
        *(await session.exec(groups)).all(),
        *(await session.exec(roles)).all(),
        *(await session.exec(applications.order_by(col(ApplicationRow.key)))).all(),
        *(await session.exec(entitlements.order_by(col(EntitlementRow.search_text), col(EntitlementRow.id)))).all(),
    ]


async def owns_any(session: AsyncSession, table: type[GroupRow | RoleRow | ApplicationRow], identity_id: str) -> bool:
    """Whether an identity owns at least one object of a kind."""
    owned = select(table.id).where(json_holds(table.owner_ids, identity_id)).limit(1)
    return (await session.exec(owned)).first() is not None


async def direct_reports(session: AsyncSession, identity_id: str) -> Sequence[IdentityRow]:
    """Return those whose manager an identity is."""
    reports = select(IdentityRow).where(col(IdentityRow.manager_id) == identity_id)
    return (await session.exec(reports.order_by(col(IdentityRow.search_text), col(IdentityRow.id)))).all()
