"""The steps of decisions that a request goes through, opened one after the other, each with its due date."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from sqlmodel import col, select

from nova_ui.nova.approvers import active_owners, manager_above, stand_ins
from nova_ui.nova.notices import Notice, NoticeKind, notify
from nova_ui.nova.request_items import names_of_items
from nova_ui.nova.rights import Right, approval_of, owner_ids_of
from nova_ui.nova.writing import Write
from storage.ids import new_id
from storage.nova.names import identity_names
from storage.nova.tables import AccessRequestRow, ApprovalRow, RoleRow

DUE_AFTER: Final = timedelta(days=7)
APPROVALS_PAGE: Final = "/access"
_BY_MANAGER: Final = frozenset({"manager", "manager_then_owner"})
_BY_OWNER: Final = frozenset({"owner", "manager_then_owner"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    number: int
    right: Right | None
    approvers: Sequence[str]


async def add_approvals(write: Write, row: AccessRequestRow, rights: Sequence[Right]) -> bool:
    """Add the decisions that these rights ask for, the first step open; return whether there are any.

    Raises:
        NovaConflict: nobody is left who could decide.

    """
    steps = await _steps(write, row, rights)
    for step in steps:
        for approver_id in step.approvers:
            write.session.add(
                ApprovalRow(
                    id=new_id("apv"),
                    request_id=row.id,
                    step=step.number,
                    role_id=step.right.id if isinstance(step.right, RoleRow) else None,
                    entitlement_id=None if step.right is None or isinstance(step.right, RoleRow) else step.right.id,
                    approver_id=approver_id,
                    status="waiting",
                    created_at=write.now,
                    updated_at=write.now,
                )
            )
    await write.session.flush()
    return not await open_next_step(write, row)


async def open_next_step(write: Write, request: AccessRequestRow) -> bool:
    """Open the next step once the current one is decided; return whether every step is."""
    wanted = select(ApprovalRow).where(col(ApprovalRow.request_id) == request.id)
    fresh = wanted.order_by(col(ApprovalRow.step), col(ApprovalRow.id)).execution_options(populate_existing=True)
    rows = (await write.session.exec(fresh)).all()
    if any(row.status == "open" for row in rows):
        return False
    waiting = [row for row in rows if row.status == "waiting"]
    opened = [row for row in waiting if row.step == waiting[0].step]
    for row in opened:
        await write.change(row, {"status": "open", "due_at": write.now + DUE_AFTER})
    await _tell_approvers(write, request, opened)
    return not waiting


async def _steps(write: Write, row: AccessRequestRow, rights: Sequence[Right]) -> list[_Step]:
    excluded = frozenset({row.requester_id, row.beneficiary_id})
    steps: list[_Step] = []
    if any(approval_of(right) in _BY_MANAGER for right in rights):
        manager = await manager_above(write.session, row.beneficiary_id, excluded)
        deciding = [manager] if manager else await stand_ins(write.session, excluded)
        steps.append(_Step(number=1, right=None, approvers=deciding))
    owner_step = len(steps) + 1
    for right in rights:
        if approval_of(right) in _BY_OWNER:
            owners = await active_owners(write.session, await owner_ids_of(write.session, right), excluded)
            deciding = owners or await stand_ins(write.session, excluded)
            steps.append(_Step(number=owner_step, right=right, approvers=deciding))
    return steps


async def _tell_approvers(write: Write, request: AccessRequestRow, opened: Sequence[ApprovalRow]) -> None:
    if not opened:
        return
    names = await identity_names(write.session, [request.requester_id, request.beneficiary_id])
    values = {
        "requester": names.get(request.requester_id, ""),
        "beneficiary": names.get(request.beneficiary_id, ""),
        "what": await names_of_items(write.session, request),
        "request_id": request.id,
    }
    notice = Notice(kind=NoticeKind.APPROVAL_WAITING, values=values, link=APPROVALS_PAGE)
    await notify(write, (row.approver_id for row in opened), notice)
