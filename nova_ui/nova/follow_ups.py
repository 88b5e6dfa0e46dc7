"""Follow-ups of destructive actions: what they would be, and carrying out exactly those, each with its own entry."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import delete, update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.identity import IdentityId
from nova_ui.errors import NovaConflict
from nova_ui.nova.assignment_status import is_open
from nova_ui.nova.audit_trail import Target, changes_between
from nova_ui.nova.effects import Planned
from nova_ui.nova.rights import Right, right_id_of
from nova_ui.nova.writing import Write
from storage.nova import belongings
from storage.nova.names import identity_names, rights_by_id
from storage.nova.rows import V
from storage.nova.sessions import end_sessions_of
from storage.nova.tables import AccessRequestRow, ApprovalRow, AssignmentRow, GroupRow, MembershipRow

SESSION_ENDED: Final = "ended"


async def plan_sessions(session: AsyncSession, identity_id: str, now: datetime) -> list[Planned]:
    """Plan to end every live session of an identity."""
    rows = await belongings.live_sessions(session, identity_id, now)
    return [Planned(type="session", id=row.id, display=row.user_agent or "", result=SESSION_ENDED) for row in rows]


async def plan_memberships(session: AsyncSession, identity_id: str) -> list[Planned]:
    """Plan to take an identity out of its groups."""
    groups = await belongings.groups_of(session, identity_id)
    return [Planned(type="membership", id=row.id, display=row.display_name, result="removed") for row in groups]


async def plan_revocations(session: AsyncSession, rows: Sequence[AssignmentRow]) -> list[Planned]:
    """Plan to revoke assignments, named by role or entitlement and holder."""
    rights = await rights_by_id(session, (right_id_of(row) for row in rows))
    names = await identity_names(session, (row.identity_id for row in rows))
    return [
        Planned(
            type="assignment",
            id=row.id,
            display=f"{_right_name(rights, right_id_of(row))} · {names.get(row.identity_id, '')}",
            result="revoked",
        )
        for row in rows
    ]


async def open_assignments(session: AsyncSession, identity_id: str, now: datetime) -> Sequence[AssignmentRow]:
    """Return what an identity holds now or is going to."""
    held = select(AssignmentRow).where(col(AssignmentRow.identity_id) == identity_id, is_open(now))
    return (await session.exec(held.order_by(col(AssignmentRow.created_at), col(AssignmentRow.id)))).all()


async def plan_cancellations(session: AsyncSession, identity_id: str) -> list[Planned]:
    """Plan to cancel the undecided requests by or for an identity."""
    rows = await belongings.open_requests(session, identity_id)
    return [
        Planned(type="access_request", id=row.id, display=row.justification[:80], result="cancelled") for row in rows
    ]


async def plan_chats(session: AsyncSession, identity_id: str) -> list[Planned]:
    """Plan to delete an identity's chats; nobody else learns what they are called (rule G2)."""
    chats = await belongings.chat_ids(session, identity_id)
    return [Planned(type="chat", id=chat_id, display="", result="deleted") for chat_id in chats]


async def carry_out(write: Write, planned: Sequence[Planned], cause: str, identity_id: str) -> None:
    """Do what was planned for `identity_id`, one audit entry each, all of them caused by the entry `cause`."""
    for one in planned:
        if one.type == "membership":
            await remove_member(write, one.id, identity_id, cause)
        else:
            await _ACTIONS[one.type](write, one, cause)
    kinds = {one.type for one in planned}
    if "session" in kinds:
        write.note_ended(await end_sessions_of(write.session, IdentityId(identity_id), write.now))
    if "chat" in kinds:
        await belongings.delete_chats(write.session, identity_id)


async def remove_member(write: Write, group_id: str, identity_id: str, cause: str | None) -> str:
    """Take one identity out of one group; return the entry's id."""
    await write.session.exec(
        delete(MembershipRow).where(
            col(MembershipRow.group_id) == group_id, col(MembershipRow.identity_id) == identity_id
        )
    )
    await write.session.exec(
        update(GroupRow)
        .where(col(GroupRow.id) == group_id)
        .values(version=col(GroupRow.version) + 1, updated_at=write.now)
        .execution_options(synchronize_session=False)
    )
    group = await write.session.get(GroupRow, group_id)
    names = await identity_names(write.session, [identity_id])
    target = Target("group", group_id, group.display_name if group else "")
    member = {"id": identity_id, "display": names.get(identity_id, "")}
    return await write.log("group.member_removed", target, details={"member": member}, caused_by=cause)


async def revoke(write: Write, planned: Planned, cause: str | None) -> str:
    """Revoke one assignment; return the entry's id."""
    row = await _existing(write, AssignmentRow, planned.id)
    details = {"changes": changes_between({"status": row.status}, {"status": "revoked"})}
    await write.change(row, {"status": "revoked"})
    target = Target("assignment", planned.id, planned.display)
    return await write.log("assignment.revoked", target, details=details, caused_by=cause)


async def cancel_request(write: Write, request_id: str, cause: str | None, reason: str = "") -> str:
    """Cancel a request and skip its open decisions; return the entry's id."""
    row = await _existing(write, AccessRequestRow, request_id)
    changes = changes_between({"status": row.status}, {"status": "cancelled"})
    await write.change(row, {"status": "cancelled"})
    details = {"changes": changes, "reason": reason} if reason else {"changes": changes}
    target = Target("access_request", row.id, row.justification[:80])
    entry_id = await write.log("request.cancelled", target, details=details, caused_by=cause)
    await skip_approvals(write, request_id, entry_id)
    return entry_id


async def skip_approvals(write: Write, request_id: str, cause: str, *, step: ApprovalRow | None = None) -> None:
    """Skip the undecided approvals of a request, or those that would decide the same as `step`."""
    undecided = select(ApprovalRow).where(
        col(ApprovalRow.request_id) == request_id, col(ApprovalRow.status).in_(belongings.OPEN_APPROVAL)
    )
    if step is not None:
        undecided = undecided.where(
            col(ApprovalRow.step) == step.step,
            col(ApprovalRow.role_id).is_not_distinct_from(step.role_id),
            col(ApprovalRow.entitlement_id).is_not_distinct_from(step.entitlement_id),
        )
    for row in (await write.session.exec(undecided.order_by(col(ApprovalRow.step), col(ApprovalRow.id)))).all():
        await write.change(row, {"status": "skipped"})
        await write.log("approval.skipped", Target("approval", row.id), caused_by=cause)


async def _pass_on(write: Write, planned: Planned, cause: str) -> None:
    row = await _existing(write, ApprovalRow, planned.id)
    details = {"changes": changes_between({"approver_id": row.approver_id}, {"approver_id": planned.onto})}
    await write.change(row, {"approver_id": planned.onto})
    target = Target("approval", planned.id, planned.display)
    await write.log("approval.delegated", target, details=details, caused_by=cause)


async def _end_later(write: Write, planned: Planned, cause: str) -> None:
    row = await _existing(write, AssignmentRow, planned.id)
    end = datetime.fromisoformat(planned.onto or "")
    details = {"changes": changes_between({"valid_until": row.valid_until}, {"valid_until": end})}
    await write.change(row, {"valid_until": end})
    target = Target("assignment", planned.id, planned.display)
    await write.log("assignment.changed", target, details=details, caused_by=cause)


async def _revoke(write: Write, planned: Planned, cause: str) -> None:
    await revoke(write, planned, cause)


async def _cancel(write: Write, planned: Planned, cause: str) -> None:
    await cancel_request(write, planned.id, cause)


async def _log_session(write: Write, planned: Planned, cause: str) -> None:
    await write.log("session.ended", Target("session", planned.id, planned.display), caused_by=cause)


async def _log_chat(write: Write, planned: Planned, cause: str) -> None:
    await write.log("chat.deleted", Target("chat", planned.id), caused_by=cause)


async def _existing(write: Write, table: type[V], row_id: str) -> V:
    row = await write.session.get(table, row_id)
    if row is None:
        raise NovaConflict("Something that goes with this is gone meanwhile. Read again and retry.")
    return row


def _right_name(rights: Mapping[str, Right], right_id: str) -> str:
    row = rights.get(right_id)
    return row.display_name if row else ""


_ACTIONS: Final[Mapping[str, Callable[[Write, Planned, str], Awaitable[None]]]] = {
    "session": _log_session,
    "assignment": _revoke,
    "assignment_end": _end_later,
    "access_request": _cancel,
    "approval": _pass_on,
    "chat": _log_chat,
}
