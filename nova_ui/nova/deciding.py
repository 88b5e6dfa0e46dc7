"""One decision on a request: who may take it, and what follows from it within the same write."""

from typing import Literal

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.identity import Identity
from nova_ui.errors import NovaConflict, NovaForbidden, NovaInvalid
from nova_ui.nova import follow_ups
from nova_ui.nova.approval_steps import APPROVALS_PAGE, open_next_step
from nova_ui.nova.audit_trail import Target, changes_between
from nova_ui.nova.decided_notices import tell_decided
from nova_ui.nova.fulfilment import fulfil
from nova_ui.nova.notices import Notice, NoticeKind, notify
from nova_ui.nova.permissions import require_found
from nova_ui.nova.request_items import items_of, names_of_items
from nova_ui.nova.request_views import visible_requests
from nova_ui.nova.writing import Write, check_version
from storage.nova.belongings import OPEN_REQUEST
from storage.nova.names import identity_names
from storage.nova.rows import lock_row
from storage.nova.tables import AccessRequestRow, ApprovalRow, IdentityRow

Verdict = Literal["approved", "denied"]
Decided = tuple[ApprovalRow, AccessRequestRow]


async def visible_approval(session: AsyncSession, identity: Identity, approval_id: str) -> ApprovalRow:
    """Return an approval that the caller may see.

    Raises:
        NovaNotFound: there is none, or it is not visible.

    """
    visible = await visible_requests(session, identity)
    wanted = select(ApprovalRow).where(col(ApprovalRow.id) == approval_id)
    if visible:
        requests = select(AccessRequestRow.id).where(*visible)
        wanted = wanted.where(col(ApprovalRow.request_id).in_(requests))
    fresh = wanted.execution_options(populate_existing=True)
    return require_found((await session.exec(fresh)).first(), "approval")


async def approve(write: Write, approval_id: str, comment: str, if_match: str | None) -> Decided:
    """Agree; the last agreement carries the request out."""
    row, request = await _decide(write, approval_id, "approved", comment, if_match)
    _check_origin(write, request)
    cause = await _log(write, row, "approved", comment)
    await follow_ups.skip_approvals(write, request.id, cause, step=row)
    if await open_next_step(write, request):
        await fulfil(write, request, cause)
    return row, request


def _check_origin(write: Write, request: AccessRequestRow) -> None:
    """Refuse a chat that agrees to a request by which somebody loses something (rule C1).

    Raises:
        NovaForbidden: a model agrees to it.

    """
    if write.context.origin.is_chat and any(item.action == "revoke" for item in items_of(request)):
        raise NovaForbidden(
            "Giving access back is agreed to in the interface only, never from a chat.", code="interface_only"
        )


async def deny(write: Write, approval_id: str, comment: str, if_match: str | None) -> Decided:
    """Refuse the whole request.

    Raises:
        NovaInvalid: no reason is given.

    """
    if not comment:
        raise NovaInvalid("A denial needs a comment that says why.", field="comment")
    row, request = await _decide(write, approval_id, "denied", comment, if_match)
    cause = await _log(write, row, "denied", comment)
    changes = changes_between({"status": request.status}, {"status": "denied"})
    await write.change(request, {"status": "denied"})
    target = Target("access_request", request.id, request.justification[:80])
    await write.log("request.denied", target, details={"changes": changes}, caused_by=cause)
    await follow_ups.skip_approvals(write, request.id, cause)
    await tell_decided(write, request, comment)
    return row, request


async def delegate(write: Write, approval_id: str, to: str, comment: str, if_match: str | None) -> ApprovalRow:
    """Let somebody else decide; whoever passes it on still sees what becomes of it.

    Raises:
        NovaInvalid: there is no such active identity, or it is oneself.
        NovaConflict: that one asked for it, would get it, or decides on the same step already.

    """
    row, request = await _decidable(write, approval_id, if_match)
    heir = await write.session.get(IdentityRow, to)
    if heir is None or heir.status != "active":
        raise NovaInvalid("There is no such active identity.", field="to")
    if heir.id == row.approver_id:
        raise NovaInvalid("The decision is yours already.", field="to")
    if heir.id in {request.requester_id, request.beneficiary_id}:
        raise NovaConflict("Nobody may decide on a request by or for themselves.", code="approver_conflict", field="to")
    same = select(ApprovalRow.id).where(
        col(ApprovalRow.request_id) == row.request_id,
        col(ApprovalRow.step) == row.step,
        col(ApprovalRow.approver_id) == heir.id,
        col(ApprovalRow.role_id).is_not_distinct_from(row.role_id),
        col(ApprovalRow.entitlement_id).is_not_distinct_from(row.entitlement_id),
    )
    if (await write.session.exec(same)).first() is not None:
        raise NovaConflict(f"{heir.display_name} decides on this step already.", field="to")
    before = row.approver_id
    await write.change(row, {"approver_id": heir.id, "escalated_from": before}, if_match)
    details: dict[str, object] = {"changes": changes_between({"approver_id": before}, {"approver_id": heir.id})}
    if comment:
        details["reason"] = comment
    await write.log("approval.delegated", write.target, details=details)
    await _tell_delegate(write, row, request, comment)
    return row


async def _tell_delegate(write: Write, row: ApprovalRow, request: AccessRequestRow, comment: str) -> None:
    names = await identity_names(write.session, [request.requester_id, request.beneficiary_id])
    values = {
        "by": write.context.actor.display,
        "requester": names.get(request.requester_id, ""),
        "beneficiary": names.get(request.beneficiary_id, ""),
        "what": await names_of_items(write.session, request),
        "comment": comment,
        "request_id": request.id,
    }
    notice = Notice(kind=NoticeKind.APPROVAL_DELEGATED, values=values, link=APPROVALS_PAGE)
    await notify(write, [row.approver_id], notice)


async def _log(write: Write, row: ApprovalRow, verdict: Verdict, comment: str) -> str:
    details: dict[str, object] = {
        "changes": changes_between({"status": "open"}, {"status": verdict}),
        "request_id": row.request_id,
    }
    if comment:
        details["reason"] = comment
    return await write.log(f"approval.{verdict}", write.target, details=details)


async def _decide(write: Write, approval_id: str, verdict: Verdict, comment: str, if_match: str | None) -> Decided:
    row, request = await _decidable(write, approval_id, if_match)
    decision = {
        "status": verdict,
        "comment": comment,
        "decided_by": write.asker.identity.id,
        "decided_at": write.now,
    }
    await write.change(row, decision, if_match)
    return row, request


async def _decidable(write: Write, approval_id: str, if_match: str | None) -> Decided:
    me = write.asker.identity
    seen = await visible_approval(write.session, me, approval_id)
    # The request first, always: two approvers of one request wait for each other here.
    request = require_found(await lock_row(write.session, AccessRequestRow, seen.request_id), "access request")
    row = await visible_approval(write.session, me, approval_id)
    write.target = Target("approval", row.id, request.justification[:80])
    check_version(row.version, if_match)
    _check_may_decide(write, row, request)
    return row, request


def _check_may_decide(write: Write, row: ApprovalRow, request: AccessRequestRow) -> None:
    me = write.asker.identity.id
    if me in {request.requester_id, request.beneficiary_id}:
        raise NovaConflict("Nobody may decide on a request by or for themselves.", code="approver_conflict")
    if row.approver_id != me:
        raise NovaForbidden("This decision is somebody else's.")
    if row.status == "waiting":
        raise NovaConflict("An earlier step of this request is still open.", code="state_conflict")
    if row.status != "open" or request.status not in OPEN_REQUEST:
        raise NovaConflict(f"This is {row.status} already; the request is {request.status}.", code="state_conflict")
    if row.due_at is not None and row.due_at <= write.now:
        raise NovaConflict("The time to decide on this is over.", code="state_conflict")
