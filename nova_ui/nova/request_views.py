"""How access requests and approvals are shown, and which of them the caller sees."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, or_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.identity import Identity
from nova_ui.domain.json_value import JsonObject
from nova_ui.nova.core import load_reach
from nova_ui.nova.identity_views import ref, ref_of
from nova_ui.nova.permissions import oversees
from nova_ui.nova.views import AccessRequestView, ApprovalView, CommentView, Ref, RequestItemView, StepView
from storage.nova.names import identity_names, roles_by_id
from storage.nova.tables import AccessRequestRow, ApprovalRow, RoleRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing that a request asks for."""

    role_id: str
    action: str
    valid_until: datetime | None


def items_of(row: AccessRequestRow) -> list[Item]:
    """Return what a request asks for."""
    return [_item(stored) for stored in row.items]


async def visible_requests(session: AsyncSession, identity: Identity) -> Sequence[ColumnElement[bool]]:
    """Return the condition that a request is visible: by or for somebody within reach, or waiting for the caller."""
    if oversees(identity):
        return ()
    reach = await load_reach(session, identity)
    decides = select(ApprovalRow.request_id).where(col(ApprovalRow.approver_id) == identity.id)
    return (
        or_(
            col(AccessRequestRow.requester_id).in_(reach.ids),
            col(AccessRequestRow.beneficiary_id).in_(reach.ids),
            col(AccessRequestRow.id).in_(decides),
        ),
    )


async def request_views(session: AsyncSession, rows: Sequence[AccessRequestRow]) -> list[AccessRequestView]:
    """Return a page of requests with their decisions and all names."""
    approvals = await _approvals_of(session, [row.id for row in rows])
    ids = {one for row in rows for one in (row.requester_id, row.beneficiary_id)}
    ids |= {approval.approver_id for steps in approvals.values() for approval in steps}
    ids |= {author for row in rows for comment in row.comments if isinstance(author := comment.get("author_id"), str)}
    names = await identity_names(session, ids)
    roles = await roles_by_id(session, (item.role_id for row in rows for item in items_of(row)))
    return [
        AccessRequestView(
            id=row.id,
            requester=ref_of(row.requester_id, names),
            beneficiary=ref_of(row.beneficiary_id, names),
            items=_item_views(row, roles),
            justification=row.justification,
            status=row.status,
            comments=[_comment(comment, names) for comment in row.comments],
            approvals=[_step(approval, names, roles) for approval in approvals.get(row.id, ())],
            version=row.version,
            created_at=row.created_at,
            updated_at=row.updated_at,
        )
        for row in rows
    ]


async def approval_views(session: AsyncSession, rows: Sequence[ApprovalRow]) -> list[ApprovalView]:
    """Return a page of approvals with what they are about."""
    wanted = select(AccessRequestRow).where(col(AccessRequestRow.id).in_({row.request_id for row in rows}))
    requests = {row.id: row for row in (await session.exec(wanted)).all()}
    ids = {one for row in rows for one in (row.approver_id, row.decided_by)}
    ids |= {one for request in requests.values() for one in (request.requester_id, request.beneficiary_id)}
    names = await identity_names(session, ids)
    role_ids = {item.role_id for request in requests.values() for item in items_of(request)}
    roles = await roles_by_id(session, {*role_ids, *(row.role_id for row in rows)})
    return [_approval(row, requests[row.request_id], names, roles) for row in rows]


def _approval(
    row: ApprovalRow, request: AccessRequestRow, names: Mapping[str, str], roles: Mapping[str, RoleRow]
) -> ApprovalView:
    return ApprovalView(
        id=row.id,
        request_id=row.request_id,
        step=row.step,
        role=_role(row.role_id, roles),
        approver=ref_of(row.approver_id, names),
        status=row.status,
        due_at=row.due_at,
        decided_by=ref(row.decided_by, names),
        decided_at=row.decided_at,
        comment=row.comment,
        requester=ref_of(request.requester_id, names),
        beneficiary=ref_of(request.beneficiary_id, names),
        items=_item_views(request, roles),
        justification=request.justification,
        version=row.version,
        created_at=row.created_at,
    )


async def _approvals_of(session: AsyncSession, request_ids: Sequence[str]) -> Mapping[str, list[ApprovalRow]]:
    found: dict[str, list[ApprovalRow]] = {}
    wanted = select(ApprovalRow).where(col(ApprovalRow.request_id).in_(request_ids))
    for row in (await session.exec(wanted.order_by(col(ApprovalRow.step), col(ApprovalRow.id)))).all():
        found.setdefault(row.request_id, []).append(row)
    return found


def _step(row: ApprovalRow, names: Mapping[str, str], roles: Mapping[str, RoleRow]) -> StepView:
    return StepView(
        id=row.id,
        step=row.step,
        role=_role(row.role_id, roles),
        approver=ref_of(row.approver_id, names),
        status=row.status,
        due_at=row.due_at,
        decided_at=row.decided_at,
        comment=row.comment,
    )


def _item_views(row: AccessRequestRow, roles: Mapping[str, RoleRow]) -> list[RequestItemView]:
    return [
        RequestItemView(
            role=Ref(id=item.role_id, display_name=role.display_name if (role := roles.get(item.role_id)) else ""),
            action=item.action,
            valid_until=item.valid_until,
        )
        for item in items_of(row)
    ]


def _role(role_id: str | None, roles: Mapping[str, RoleRow]) -> Ref | None:
    if role_id is None:
        return None
    role = roles.get(role_id)
    return Ref(id=role_id, display_name=role.display_name if role else "")


def _item(stored: JsonObject) -> Item:
    until = stored.get("valid_until")
    return Item(
        role_id=str(stored["role_id"]),
        action=str(stored.get("action", "grant")),
        valid_until=datetime.fromisoformat(until) if isinstance(until, str) else None,
    )


def _comment(stored: JsonObject, names: Mapping[str, str]) -> CommentView:
    return CommentView(
        author=ref_of(str(stored.get("author_id", "")), names),
        text=str(stored.get("text", "")),
        at=datetime.fromisoformat(str(stored["at"])),
    )
