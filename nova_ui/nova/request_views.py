"""How access requests and approvals are shown, and which of them the caller sees."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, or_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.identity import Identity
from nova_ui.domain.json_value import JsonObject
from nova_ui.nova.core import load_reach
from nova_ui.nova.identity_views import ref, ref_of
from nova_ui.nova.permissions import oversees
from nova_ui.nova.request_items import items_of
from nova_ui.nova.rights import Right, right_ref
from nova_ui.nova.views import AccessRequestView, ApprovalView, CommentView, RequestItemView, StepView
from storage.nova.names import identity_names, rights_by_id
from storage.nova.tables import AccessRequestRow, ApprovalRow


async def visible_requests(session: AsyncSession, identity: Identity) -> Sequence[ColumnElement[bool]]:
    """Return the condition that a request is visible: it concerns somebody within reach, or the caller's decision."""
    if oversees(identity):
        return ()
    reach = await load_reach(session, identity)
    decides = select(ApprovalRow.request_id).where(
        or_(col(ApprovalRow.approver_id) == identity.id, col(ApprovalRow.escalated_from) == identity.id)
    )
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
    steps = [step for found in approvals.values() for step in found]
    ids |= {one for step in steps for one in (step.approver_id, step.decided_by, step.escalated_from) if one}
    ids |= {author for row in rows for comment in row.comments if isinstance(author := comment.get("author_id"), str)}
    names = await identity_names(session, ids)
    asked = {item.right_id for row in rows for item in items_of(row)}
    rights = await rights_by_id(
        session, {*asked, *(one for step in steps for one in (step.role_id, step.entitlement_id))}
    )
    return [
        AccessRequestView(
            id=row.id,
            requester=ref_of(row.requester_id, names),
            beneficiary=ref_of(row.beneficiary_id, names),
            items=_item_views(row, rights),
            justification=row.justification,
            status=row.status,
            comments=[_comment(comment, names) for comment in row.comments],
            approvals=[_step(approval, names, rights) for approval in approvals.get(row.id, ())],
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
    ids = {one for row in rows for one in (row.approver_id, row.decided_by, row.escalated_from)}
    ids |= {one for request in requests.values() for one in (request.requester_id, request.beneficiary_id)}
    names = await identity_names(session, ids)
    asked = {item.right_id for request in requests.values() for item in items_of(request)}
    rights = await rights_by_id(session, {*asked, *(one for row in rows for one in (row.role_id, row.entitlement_id))})
    return [_approval(row, requests[row.request_id], names, rights) for row in rows]


def _approval(
    row: ApprovalRow, request: AccessRequestRow, names: Mapping[str, str], rights: Mapping[str, Right]
) -> ApprovalView:
    return ApprovalView(
        id=row.id,
        request_id=row.request_id,
        step=row.step,
        role=right_ref(row.role_id, rights, "rol_"),
        entitlement=right_ref(row.entitlement_id, rights, "ent_"),
        approver=ref_of(row.approver_id, names),
        escalated_from=ref(row.escalated_from, names),
        status=row.status,
        due_at=row.due_at,
        decided_by=ref(row.decided_by, names),
        decided_at=row.decided_at,
        comment=row.comment,
        requester=ref_of(request.requester_id, names),
        beneficiary=ref_of(request.beneficiary_id, names),
        items=_item_views(request, rights),
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


def _step(row: ApprovalRow, names: Mapping[str, str], rights: Mapping[str, Right]) -> StepView:
    return StepView(
        id=row.id,
        step=row.step,
        role=right_ref(row.role_id, rights, "rol_"),
        entitlement=right_ref(row.entitlement_id, rights, "ent_"),
        approver=ref_of(row.approver_id, names),
        escalated_from=ref(row.escalated_from, names),
        status=row.status,
        due_at=row.due_at,
        decided_by=ref(row.decided_by, names),
        decided_at=row.decided_at,
        comment=row.comment,
    )


def _item_views(row: AccessRequestRow, rights: Mapping[str, Right]) -> list[RequestItemView]:
    return [
        RequestItemView(
            role=right_ref(item.right_id, rights, "rol_"),
            entitlement=right_ref(item.right_id, rights, "ent_"),
            action=item.action,
            valid_until=item.valid_until,
        )
        for item in items_of(row)
    ]


def _comment(stored: JsonObject, names: Mapping[str, str]) -> CommentView:
    return CommentView(
        author=ref_of(str(stored.get("author_id", "")), names),
        text=str(stored.get("text", "")),
        at=datetime.fromisoformat(str(stored["at"])),
    )
