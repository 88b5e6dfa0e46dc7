"""What each action of a routine does to one identity, within the transaction of its step."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Literal

from sqlmodel import col, select

from nova_ui.domain.identity import IdentityId
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.lifecycle import RoutineAction
from nova_ui.errors import NovaConflict
from nova_ui.nova import follow_ups
from nova_ui.nova.assignments import Grant, add_assignment
from nova_ui.nova.audit_trail import Target, changes_between
from nova_ui.nova.effects import Planned
from nova_ui.nova.following import follow
from nova_ui.nova.identity_endings import plan_by_itself
from nova_ui.nova.lifecycle_selection import NOTICE
from nova_ui.nova.notices import Notice, NoticeKind, notify
from nova_ui.nova.transfers import hand_over_everything
from nova_ui.nova.writing import Write
from storage.nova.identities import other_administrators
from storage.nova.rows import change_row, lock_row
from storage.nova.sessions import end_sessions_of
from storage.nova.tables import AssignmentRow, GroupRow, IdentityRow, MembershipRow, RoleRow

_FIXED_SOURCES: Final = frozenset({"birthright", "group"})


class NothingToDoError(Exception):
    """The identity already is as the action would make it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """One action about to be done: to whom, with what, for which reason, caused by which entry."""

    action: str
    parameters: Mapping[str, JsonValue]
    row: IdentityRow
    reason: Mapping[str, str]
    routine: str
    cause: str


async def do(write: Write, deed: Deed) -> str | None:
    """Do it; return the first entry that it wrote, if any.

    Raises:
        NothingToDoError: there is nothing to do.
        NovaConflict: Nova refuses it, as it would refuse a person.

    """
    return await _ACTIONS[deed.action](write, deed)


async def _activate(write: Write, deed: Deed) -> str:
    row = deed.row
    if row.status == "active":
        raise NothingToDoError
    if row.status != "staged":
        raise NovaConflict(f"The identity is {row.status} and cannot be activated.", code="state_conflict")
    entry = await _set_status(write, deed, "active", "identity.activated")
    await follow(write, row.id, entry)
    return entry


async def _suspend(write: Write, deed: Deed) -> str:
    return await _end(write, deed, "suspend", "suspended", "identity.suspended")


async def _disable(write: Write, deed: Deed) -> str:
    return await _end(write, deed, "disable", "disabled", "identity.disabled")


async def _end(write: Write, deed: Deed, action: Literal["suspend", "disable"], status: str, audit: str) -> str:
    if deed.row.status == status:
        raise NothingToDoError
    planned = await plan_by_itself(write.session, deed.row, action, write.now)
    entry = await _set_status(write, deed, status, audit)
    await follow_ups.carry_out(write, planned, entry, deed.row.id)
    return entry


async def _end_sessions(write: Write, deed: Deed) -> str:
    planned = await follow_ups.plan_sessions(write.session, deed.row.id, write.now)
    if not planned:
        raise NothingToDoError
    entries = [
        await write.log("session.ended", Target("session", one.id, deed.row.display_name), caused_by=deed.cause)
        for one in planned
    ]
    write.note_ended(await end_sessions_of(write.session, IdentityId(deed.row.id), write.now))
    return entries[0]


async def _assign_role(write: Write, deed: Deed) -> str | None:
    role = await write.session.get(RoleRow, str(deed.parameters["role_id"]))
    if role is None or role.status != "active":
        raise NovaConflict("The role of this action is no longer in use.", code="state_conflict")
    if deed.row.status != "active":
        raise NovaConflict(f"The identity is {deed.row.status}.", code="state_conflict")
    held = [row for row in await _held(write, deed) if row.role_id == role.id]
    if held:
        raise NothingToDoError
    days = deed.parameters.get("days")
    grant = Grant(
        identity=deed.row,
        right=role,
        valid_until=write.now + timedelta(days=days) if isinstance(days, int) else None,
        justification=deed.routine,
        source="routine",
    )
    await add_assignment(write, grant, deed.cause)
    return None


async def _add_to_group(write: Write, deed: Deed) -> str:
    group = await lock_row(write.session, GroupRow, str(deed.parameters["group_id"]))
    if group is None or group.membership != "manual" or group.source != "nova":
        raise NovaConflict("The group of this action takes no members by hand any more.", code="state_conflict")
    if await write.session.get(MembershipRow, (group.id, deed.row.id)) is not None:
        raise NothingToDoError
    write.session.add(MembershipRow(group_id=group.id, identity_id=deed.row.id, added_at=write.now))
    await write.session.flush()
    await write.change(group, {})
    member = {"id": deed.row.id, "display": deed.row.display_name}
    target = Target("group", group.id, group.display_name)
    entry = await write.log("group.member_added", target, details={"member": member}, caused_by=deed.cause)
    await follow(write, deed.row.id, entry)
    return entry


async def _remove_from_groups(write: Write, deed: Deed) -> str:
    mine = select(GroupRow).join(MembershipRow, col(MembershipRow.group_id) == col(GroupRow.id))
    by_hand = mine.where(
        col(MembershipRow.identity_id) == deed.row.id,
        col(GroupRow.membership) == "manual",
        col(GroupRow.source) == "nova",
    )
    groups = (await write.session.exec(by_hand.order_by(col(GroupRow.id)))).all()
    if not groups:
        raise NothingToDoError
    entries = [await follow_ups.remove_member(write, one.id, deed.row.id, deed.cause) for one in groups]
    await follow(write, deed.row.id, entries[0])
    return entries[0]


async def _revoke_birthrights(write: Write, deed: Deed) -> str | None:
    if deed.row.status == "active":
        await follow(write, deed.row.id, deed.cause)  # drops what its rules no longer give, and only that
        return None
    return await _revoke(write, [row for row in await _held(write, deed) if row.source == "birthright"], deed)


async def _revoke_assignments(write: Write, deed: Deed) -> str:
    return await _revoke(write, await _held(write, deed), deed)


async def _revoke(write: Write, rows: Sequence[AssignmentRow], deed: Deed) -> str:
    if not rows:
        raise NothingToDoError
    planned = await follow_ups.plan_revocations(write.session, rows)
    entries = [await follow_ups.revoke(write, one, deed.cause) for one in planned]
    return entries[0]


async def _set_assignment_end(write: Write, deed: Deed) -> str | None:
    days = deed.parameters["days"]
    end = write.now + timedelta(days=days if isinstance(days, int) else 0)
    later = [
        row
        for row in await _held(write, deed)
        if row.source not in _FIXED_SOURCES and (row.valid_until is None or row.valid_until > end)
    ]
    if not later:
        raise NothingToDoError
    named = await follow_ups.plan_revocations(write.session, later)
    planned = [
        Planned(type="assignment_end", id=one.id, display=one.display, result="ends", onto=end.isoformat())
        for one in named
    ]
    await follow_ups.carry_out(write, planned, deed.cause, deed.row.id)
    return None


async def _transfer_to_manager(write: Write, deed: Deed) -> str | None:
    manager = await write.session.get(IdentityRow, deed.row.manager_id) if deed.row.manager_id else None
    if manager is None or manager.status != "active":
        raise NovaConflict("The identity has no active manager who could take over.", code="state_conflict")
    if not await hand_over_everything(write, deed.row, manager, deed.cause):
        raise NothingToDoError
    return None


async def _notify(write: Write, deed: Deed) -> str:
    kind = NoticeKind.ROUTINE_NOTICE if deed.action == NOTICE else NoticeKind.ROUTINE_DONE
    told = await _recipients(write, deed)
    if not told:
        raise NothingToDoError
    values = {"routine": deed.routine, "identity": deed.row.display_name, **deed.reason}
    await notify(write, told, Notice(kind=kind, values=values, link=None))
    target = Target("identity", deed.row.id, deed.row.display_name)
    return await write.log(
        "notification.sent", target, details={"kind": kind.value, "recipients": len(told)}, caused_by=deed.cause
    )


async def _recipients(write: Write, deed: Deed) -> list[str]:
    named = deed.parameters.get("recipients")
    told: list[str] = []
    for one in named if isinstance(named, list) else []:
        match one:
            case "identity":
                told.append(deed.row.id)
            case "manager" if deed.row.manager_id:
                told.append(deed.row.manager_id)
            case "administrators":
                told.extend(await other_administrators(write.session, ""))
            case _:
                pass  # nobody manages them
    return list(dict.fromkeys(told))


async def _held(write: Write, deed: Deed) -> Sequence[AssignmentRow]:
    return await follow_ups.open_assignments(write.session, deed.row.id, write.now)


async def _set_status(write: Write, deed: Deed, status: str, action: str) -> str:
    row = deed.row
    after: dict[str, object] = {"status": status, "status_reason": deed.routine}
    changes = changes_between({"status": row.status, "status_reason": row.status_reason}, after)
    if not await change_row(write.session, row, after, write.now):
        raise NovaConflict("The identity was changed at the same moment.")
    target = Target("identity", row.id, row.display_name)
    details = {"changes": changes, "reason": dict(deed.reason)}
    return await write.log(action, target, details=details, caused_by=deed.cause)


_ACTIONS: Final[Mapping[str, Callable[[Write, Deed], Awaitable[str | None]]]] = {
    RoutineAction.ACTIVATE: _activate,
    RoutineAction.ASSIGN_ROLE: _assign_role,
    RoutineAction.ADD_TO_GROUP: _add_to_group,
    RoutineAction.NOTIFY: _notify,
    NOTICE: _notify,
    RoutineAction.SUSPEND: _suspend,
    RoutineAction.DISABLE: _disable,
    RoutineAction.END_SESSIONS: _end_sessions,
    RoutineAction.REVOKE_BIRTHRIGHTS: _revoke_birthrights,
    RoutineAction.REVOKE_ASSIGNMENTS: _revoke_assignments,
    RoutineAction.SET_ASSIGNMENT_END: _set_assignment_end,
    RoutineAction.TRANSFER_TO_MANAGER: _transfer_to_manager,
    RoutineAction.REMOVE_FROM_GROUPS: _remove_from_groups,
}
