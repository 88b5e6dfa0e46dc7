"""What begins and ends by itself: assignments whose period begins or is over, requests that nobody decided in time."""

import secrets
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, or_
from sqlmodel import col, select
from sqlmodel.sql.expression import SelectOfScalar

from nova_ui.errors import NovaConflict
from nova_ui.nova import follow_ups
from nova_ui.nova.audit_trail import Target, changes_between
from nova_ui.nova.context import CLOCK, Unattended
from nova_ui.nova.decided_notices import tell_decided
from nova_ui.nova.notices import Notice, NoticeKind, notify
from nova_ui.nova.writing import Write, Writer
from storage.nova.belongings import OPEN_APPROVAL
from storage.nova.rows import change_row, lock_row
from storage.nova.tables import AccessRequestRow, ApprovalRow, AssignmentRow

Step = Callable[[Write, str], Awaitable[bool]]
_LIVE: Final = ("active", "scheduled", "pending")
_WAITING: Final = ("submitted", "pending")


async def expire_due(writer: Writer, now: datetime, limit: int) -> int:
    """Bring up to `limit` objects to where their dates say they are at `now`; return how many were changed.

    Each has a transaction of its own and is changed only if it still is as it was read, so that several processes may
    do this at the same time, and a process that dies leaves nothing half done. Nothing is done twice.
    """
    changed = 0
    for due, step in _WORK:
        room = limit - changed
        if room <= 0:
            break
        for row_id in await _due_ids(writer, due(now).limit(room)):
            with suppress(NovaConflict):  # somebody was quicker; what is left is seen the next time
                async with writer.unattended(_context()) as write:
                    changed += await step(write, row_id)
    return changed


async def _due_ids(writer: Writer, wanted: SelectOfScalar[str]) -> Sequence[str]:
    async with writer.reading() as session:
        return (await session.exec(wanted)).all()


def _context() -> Unattended:
    return Unattended(actor=CLOCK, request_id=f"clock-{secrets.token_hex(8)}")


def _ended(now: datetime) -> SelectOfScalar[str]:
    over = col(AssignmentRow.status).in_(_LIVE) & (col(AssignmentRow.valid_until) <= now)
    return select(AssignmentRow.id).where(over).order_by(col(AssignmentRow.valid_until), col(AssignmentRow.id))


def _begun(now: datetime) -> SelectOfScalar[str]:
    begun: ColumnElement[bool] = (col(AssignmentRow.status) == "scheduled") & (col(AssignmentRow.valid_from) <= now)
    lasting = or_(col(AssignmentRow.valid_until).is_(None), col(AssignmentRow.valid_until) > now)
    return select(AssignmentRow.id).where(begun, lasting).order_by(col(AssignmentRow.valid_from), col(AssignmentRow.id))


def _overdue(now: datetime) -> SelectOfScalar[str]:
    late = select(ApprovalRow.request_id).where(col(ApprovalRow.status) == "open", col(ApprovalRow.due_at) <= now)
    return (
        select(AccessRequestRow.id)
        .where(col(AccessRequestRow.status).in_(_WAITING), col(AccessRequestRow.id).in_(late))
        .order_by(col(AccessRequestRow.created_at), col(AccessRequestRow.id))
    )


async def _end(write: Write, assignment_id: str) -> bool:
    row = await lock_row(write.session, AssignmentRow, assignment_id)
    if row is None or row.status not in _LIVE or row.valid_until is None or row.valid_until > write.now:
        return False
    changes = changes_between({"status": row.status}, {"status": "expired"})
    if not await change_row(write.session, row, {"status": "expired"}, write.now):
        return False
    target = await _target(write, row)
    cause = await write.log("assignment.expired", target, details={"changes": changes, "valid_until": row.valid_until})
    values = {"what": target.display.partition(" · ")[0], "caused_by": cause}
    await notify(write, [row.identity_id], Notice(kind=NoticeKind.ACCESS_ENDED, values=values, link="/access"))
    return True


async def _begin(write: Write, assignment_id: str) -> bool:
    row = await lock_row(write.session, AssignmentRow, assignment_id)
    if row is None or row.status != "scheduled" or row.valid_from is None or row.valid_from > write.now:
        return False
    changes = changes_between({"status": row.status}, {"status": "active"})
    if not await change_row(write.session, row, {"status": "active"}, write.now):
        return False
    await write.log("assignment.started", await _target(write, row), details={"changes": changes})
    return True


async def _expire_request(write: Write, request_id: str) -> bool:
    row = await lock_row(write.session, AccessRequestRow, request_id)
    if row is None or row.status not in _WAITING:
        return False
    undecided = select(ApprovalRow).where(
        col(ApprovalRow.request_id) == row.id, col(ApprovalRow.status).in_(OPEN_APPROVAL)
    )
    approvals = (await write.session.exec(undecided.order_by(col(ApprovalRow.step), col(ApprovalRow.id)))).all()
    if not any(one.status == "open" and one.due_at is not None and one.due_at <= write.now for one in approvals):
        return False
    changes = changes_between({"status": row.status}, {"status": "expired"})
    if not await change_row(write.session, row, {"status": "expired"}, write.now):
        return False
    target = Target("access_request", row.id, row.justification[:80])
    cause = await write.log("request.expired", target, details={"changes": changes})
    for one in approvals:
        status = "expired" if one.status == "open" else "skipped"
        await write.change(one, {"status": status})
        await write.log(f"approval.{status}", Target("approval", one.id, target.display), caused_by=cause)
    await tell_decided(write, row)
    return True


async def _target(write: Write, row: AssignmentRow) -> Target:
    return Target("assignment", row.id, (await follow_ups.plan_revocations(write.session, [row]))[0].display)


_WORK: Final[Sequence[tuple[Callable[[datetime], SelectOfScalar[str]], Step]]] = (
    (_ended, _end),
    (_begun, _begin),
    (_overdue, _expire_request),
)
