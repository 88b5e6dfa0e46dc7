"""Roles and entitlements alike: what can be held, requested and approved."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

from sqlalchemy import ColumnElement
from sqlmodel import col
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.nova.views import Ref
from storage.nova.entitlement_tables import EntitlementRow
from storage.nova.tables import ApplicationRow, AssignmentRow, RoleRow

Right = RoleRow | EntitlementRow
_GRAVE: Final = frozenset({"high", "critical"})


def kind_of(right: Right) -> Literal["role", "entitlement"]:
    """Return which of the two it is, as it is called in texts and fields."""
    return "role" if isinstance(right, RoleRow) else "entitlement"


def is_in_use(right: Right) -> bool:
    """Whether it can be given to anybody."""
    return right.status == ("active" if isinstance(right, RoleRow) else "managed")


def approval_of(right: Right) -> str:
    """Return who decides on it. A role says so itself; an entitlement is its owner's, a grave one the manager's too."""
    if isinstance(right, RoleRow):
        return right.approval
    return "manager_then_owner" if right.privileged or right.risk in _GRAVE else "owner"


def max_days_of(right: Right) -> int | None:
    """Return for how many days it is given at most."""
    return right.max_days if isinstance(right, RoleRow) else None


def is_held_as(right_id: str) -> ColumnElement[bool]:
    """Return the condition that an assignment is of this role or entitlement."""
    column = AssignmentRow.entitlement_id if right_id.startswith("ent_") else AssignmentRow.role_id
    return col(column) == right_id


def right_id_of(row: AssignmentRow) -> str:
    """Return the id of what is held."""
    return row.role_id or row.entitlement_id or ""


async def find_right(session: AsyncSession, right_id: str) -> Right | None:
    """Return a role or an entitlement by its id."""
    if right_id.startswith("ent_"):
        return await session.get(EntitlementRow, right_id)
    return await session.get(RoleRow, right_id)


def right_ref(right_id: str | None, rights: Mapping[str, Right], prefix: str) -> Ref | None:
    """Return the reference to a right of the kind that `prefix` names, or None if it is of the other kind."""
    if right_id is None or not right_id.startswith(prefix):
        return None
    right = rights.get(right_id)
    return Ref(id=right_id, display_name=right.display_name if right else "")


async def owner_ids_of(session: AsyncSession, right: Right) -> Sequence[str]:
    """Return who answers for it: its owners, and for an entitlement without any those of its application."""
    if right.owner_ids or isinstance(right, RoleRow):
        return right.owner_ids
    application = await session.get(ApplicationRow, right.application_id)
    return application.owner_ids if application else ()
