"""The rights of an application: its roles and entitlements, who holds them, and what becomes of them without it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, delete, func, or_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.errors import NovaConflict
from nova_ui.nova import follow_ups
from nova_ui.nova.assignment_status import is_held, is_open
from nova_ui.nova.audit_trail import Target, changes_between
from nova_ui.nova.effects import Planned
from nova_ui.nova.writing import Write
from storage.nova.belongings import OPEN_REQUEST
from storage.nova.bundles import own_bundles, roles_above
from storage.nova.entitlement_tables import EntitlementRow, RoleEntitlementRow
from storage.nova.identities import json_holds
from storage.nova.tables import AccessRequestRow, AssignmentRow, IdentityRow, RoleRow


@dataclass(frozen=True, slots=True, kw_only=True)
class ApplicationRights:
    """What belongs to an application; `bundling` are roles of others that give one of its entitlements."""

    roles: Sequence[RoleRow]
    entitlements: Sequence[EntitlementRow]
    bundling: Sequence[RoleRow]

    @property
    def names(self) -> Mapping[str, str]:
        """What its roles and entitlements are called, by id."""
        roles = {one.id: one.display_name for one in self.roles}
        return {**roles, **{one.id: one.display_name for one in self.entitlements}}

    @property
    def is_held_of_it(self) -> ColumnElement[bool]:
        """The condition that an assignment is of one of its roles or entitlements."""
        return or_(
            col(AssignmentRow.role_id).in_([one.id for one in self.roles]),
            col(AssignmentRow.entitlement_id).in_([one.id for one in self.entitlements]),
        )


async def rights_of(session: AsyncSession, application_id: str) -> ApplicationRights:
    """Read the rights of an application."""
    roles = select(RoleRow).where(col(RoleRow.application_id) == application_id)
    entitlements = select(EntitlementRow).where(col(EntitlementRow.application_id) == application_id)
    mine = select(EntitlementRow.id).where(col(EntitlementRow.application_id) == application_id)
    linked = select(RoleEntitlementRow.role_id).where(col(RoleEntitlementRow.entitlement_id).in_(mine))
    bundling = select(RoleRow).where(
        col(RoleRow.id).in_(linked), col(RoleRow.application_id).is_distinct_from(application_id)
    )
    return ApplicationRights(
        roles=(await session.exec(roles.order_by(col(RoleRow.search_text), col(RoleRow.id)))).all(),
        entitlements=(await session.exec(entitlements.order_by(col(EntitlementRow.native_key)))).all(),
        bundling=(await session.exec(bundling.order_by(col(RoleRow.search_text), col(RoleRow.id)))).all(),
    )


async def plan_lock_out(session: AsyncSession, application_id: str, now: datetime) -> list[Planned]:
    """Name who can use the application now, by whatever right."""
    rights = await rights_of(session, application_id)
    giving = await roles_above(session, [one.id for one in (*rights.roles, *rights.bundling)])
    held = or_(col(AssignmentRow.role_id).in_(giving), rights.is_held_of_it)
    holders = select(IdentityRow.id, IdentityRow.display_name).where(
        col(IdentityRow.id).in_(select(AssignmentRow.identity_id).where(held, is_held(now)))
    )
    people = (await session.exec(holders.order_by(col(IdentityRow.display_name), col(IdentityRow.id)))).all()
    return [Planned(type="holder", id=key, display=name, result="locked_out") for key, name in people]


async def plan_removal(session: AsyncSession, application_id: str, now: datetime) -> list[Planned]:
    """Plan what goes with an application: assignments, entitlements, and the use of its roles.

    Raises:
        NovaConflict: a role of it is built in, or somebody asks for one of its rights.

    """
    rights = await rights_of(session, application_id)
    protected = next((role for role in rights.roles if role.protected), None)
    if protected is not None:
        raise NovaConflict(
            f"The role {protected.display_name} of this application is built in.", code="protected_object"
        )
    for right_id, name in rights.names.items():
        await _refuse_open_requests(session, right_id, name)
    held = select(AssignmentRow).where(rights.is_held_of_it).order_by(col(AssignmentRow.id))
    now_open = (await session.exec(held.where(is_open(now)))).all()
    ended = held.where(col(AssignmentRow.entitlement_id).is_not(None), ~is_open(now))
    return [
        *await follow_ups.plan_revocations(session, now_open),
        *(
            Planned(type="ended_assignment", id=one.id, display="", result="removed")
            for one in (await session.exec(ended)).all()
        ),
        *_planned("role", rights.roles, "retired"),
        *_planned("role", rights.bundling, "reduced"),
        *_planned("entitlement", rights.entitlements, "deleted"),
    ]


async def remove(write: Write, planned: Sequence[Planned], cause: str) -> None:
    """Carry out what was planned, one entry for each assignment and role, all caused by the entry `cause`."""
    for one in planned:
        if one.type == "assignment":
            await follow_ups.revoke(write, one, cause)
    for one in planned:
        if one.type == "role":
            await _change_role(write, one, planned, cause)
    gone = _ids(planned, "entitlement")
    await write.session.exec(delete(RoleEntitlementRow).where(col(RoleEntitlementRow.entitlement_id).in_(gone)))
    await write.session.exec(delete(AssignmentRow).where(col(AssignmentRow.entitlement_id).in_(gone)))
    await write.session.exec(delete(EntitlementRow).where(col(EntitlementRow.id).in_(gone)))


async def _change_role(write: Write, planned: Planned, everything: Sequence[Planned], cause: str) -> None:
    """Take a role out of use and loose from its application, or take lost entitlements out of its bundle."""
    row = await write.session.get(RoleRow, planned.id)
    if row is None:
        raise NovaConflict("Something that goes with this is gone meanwhile. Read again and retry.")
    after: dict[str, object] = {"status": "retired", "application_id": None} if planned.result == "retired" else {}
    before = [*(await own_bundles(write.session, [row.id])).entitlements.get(row.id, ())]
    kept = [one for one in before if one not in _ids(everything, "entitlement")]
    bundle = changes_between({"entitlement_ids": before}, {"entitlement_ids": kept})
    changes = [*changes_between(row.model_dump(), after), *bundle]
    await write.change(row, after)
    target = Target("role", row.id, row.display_name)
    await write.log("role.updated", target, details={"changes": changes}, caused_by=cause)


async def _refuse_open_requests(session: AsyncSession, right_id: str, name: str) -> None:
    waiting = (
        select(func.count())
        .select_from(AccessRequestRow)
        .where(col(AccessRequestRow.status).in_(OPEN_REQUEST), json_holds(AccessRequestRow.items, right_id))
    )
    count = (await session.exec(waiting)).one()
    if count:
        raise NovaConflict(f"{count} open requests ask for {name}. Decide on them first.", extra={"count": count})


def _planned(kind: str, rows: Sequence[RoleRow] | Sequence[EntitlementRow], result: str) -> list[Planned]:
    return [Planned(type=kind, id=one.id, display=one.display_name, result=result) for one in rows]


def _ids(planned: Sequence[Planned], kind: str) -> list[str]:
    return [one.id for one in planned if one.type == kind]
