"""Approvals: who decides on a request, step by step; nobody on their own."""

from collections.abc import Sequence
from typing import Final, Literal

from sqlalchemy import ColumnElement, or_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.errors import NovaConflict, NovaForbidden
from nova_ui.nova import follow_ups
from nova_ui.nova.audit_trail import Target, changes_between
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core, page_of
from nova_ui.nova.fulfilment import fulfil
from nova_ui.nova.permissions import require_found
from nova_ui.nova.request_views import approval_views, visible_requests
from nova_ui.nova.views import ApprovalQuery, ApprovalView, Page
from nova_ui.nova.writing import Write, check_version
from storage.nova.belongings import OPEN_REQUEST
from storage.nova.folded import contains_words
from storage.nova.paging import Order, Wanted, read_slice
from storage.nova.rows import lock_row
from storage.nova.tables import AccessRequestRow, ApprovalRow, IdentityRow

SORT_COLUMNS: Final = {"created_at": "created_at"}
Verdict = Literal["approved", "denied"]


class Approvals:
    """Approvals as the caller may see them and decide."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def list_page(
        self, context: RequestContext, query: ApprovalQuery, *, own_only: bool = False
    ) -> Page[ApprovalView]:
        """Return a page of visible approvals; with `own_only` those that wait for the caller or waited."""
        async with self._core.database.reading() as session:
            visible = await visible_requests(session, context.identity)
            statement = select(ApprovalRow).where(*_conditions(query))
            if visible:
                requests = select(AccessRequestRow.id).where(*visible)
                statement = statement.where(col(ApprovalRow.request_id).in_(requests))
            if own_only or query.mine:
                statement = statement.where(col(ApprovalRow.approver_id) == context.identity.id)
            elif query.mine is False:
                statement = statement.where(col(ApprovalRow.approver_id) != context.identity.id)
            found = await read_slice(
                session,
                statement,
                Order.by(ApprovalRow, query.sort, SORT_COLUMNS),
                Wanted.of(query, cursor=query.cursor, limit=query.limit),
            )
            return page_of(found, await approval_views(session, found.rows))

    async def get(self, context: RequestContext, approval_id: str) -> ApprovalView:
        """Return one approval.

        Raises:
            NovaNotFound: there is none, or it is not visible.

        """
        async with self._core.database.reading() as session:
            row = await _visible(session, context, approval_id)
            return (await approval_views(session, [row]))[0]

    async def approve(
        self, context: RequestContext, approval_id: str, comment: str, if_match: str | None
    ) -> ApprovalView:
        """Agree; the last agreement carries the request out."""
        async with self._core.writer.writing(context, "approval.approved", Target("approval", approval_id)) as write:
            row, request = await _decide(write, approval_id, "approved", comment, if_match)
            cause = await self._log(write, row, "approved", comment)
            await follow_ups.skip_approvals(write, request.id, cause, step=(row.step, row.role_id))
            if await _open_next_step(write, request.id):
                await fulfil(write, request, cause)
            return (await approval_views(write.session, [row]))[0]

    async def deny(self, context: RequestContext, approval_id: str, comment: str, if_match: str | None) -> ApprovalView:
        """Refuse the whole request, with a reason."""
        async with self._core.writer.writing(context, "approval.denied", Target("approval", approval_id)) as write:
            row, request = await _decide(write, approval_id, "denied", comment, if_match)
            cause = await self._log(write, row, "denied", comment)
            changes = changes_between({"status": request.status}, {"status": "denied"})
            await write.change(request, {"status": "denied"})
            target = Target("access_request", request.id, request.justification[:80])
            await write.log("request.denied", target, details={"changes": changes}, caused_by=cause)
            await follow_ups.skip_approvals(write, request.id, cause)
            return (await approval_views(write.session, [row]))[0]

    async def _log(self, write: Write, row: ApprovalRow, verdict: Verdict, comment: str) -> str:
        details: dict[str, object] = {
            "changes": changes_between({"status": "open"}, {"status": verdict}),
            "request_id": row.request_id,
        }
        if comment:
            details["reason"] = comment
        return await write.log(f"approval.{verdict}", write.target, details=details)


def _conditions(query: ApprovalQuery) -> Sequence[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    exact = {
        ApprovalRow.status: query.status,
        ApprovalRow.request_id: query.request_id,
        ApprovalRow.approver_id: query.approver_id,
    }
    conditions += [col(column) == value for column, value in exact.items() if value is not None]
    if query.q is not None:
        people = select(IdentityRow.id).where(contains_words(IdentityRow.search_text, query.q))
        about = select(AccessRequestRow.id).where(
            or_(
                col(AccessRequestRow.requester_id).in_(people),
                col(AccessRequestRow.beneficiary_id).in_(people),
                col(AccessRequestRow.justification).icontains(query.q, autoescape=True),
            )
        )
        conditions.append(or_(col(ApprovalRow.request_id).in_(about), col(ApprovalRow.approver_id).in_(people)))
    return conditions


async def _visible(session: AsyncSession, context: RequestContext, approval_id: str) -> ApprovalRow:
    visible = await visible_requests(session, context.identity)
    wanted = select(ApprovalRow).where(col(ApprovalRow.id) == approval_id)
    if visible:
        requests = select(AccessRequestRow.id).where(*visible)
        wanted = wanted.where(col(ApprovalRow.request_id).in_(requests))
    fresh = wanted.execution_options(populate_existing=True)
    return require_found((await session.exec(fresh)).first(), "approval")


async def _decide(
    write: Write, approval_id: str, verdict: Verdict, comment: str, if_match: str | None
) -> tuple[ApprovalRow, AccessRequestRow]:
    seen = await _visible(write.session, write.asker, approval_id)
    # The request first, always: two approvers of one request wait for each other here.
    request = require_found(await lock_row(write.session, AccessRequestRow, seen.request_id), "access request")
    row = await _visible(write.session, write.asker, approval_id)
    write.target = Target("approval", row.id, request.justification[:80])
    check_version(row.version, if_match)
    _check_may_decide(write, row, request)
    decision = {"status": verdict, "comment": comment, "decided_by": write.asker.identity.id, "decided_at": write.now}
    await write.change(row, decision, if_match)
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


async def _open_next_step(write: Write, request_id: str) -> bool:
    """Open the next step once the current one is decided; return whether every step is."""
    wanted = select(ApprovalRow).where(col(ApprovalRow.request_id) == request_id)
    fresh = wanted.order_by(col(ApprovalRow.step)).execution_options(populate_existing=True)
    rows = (await write.session.exec(fresh)).all()
    if any(row.status == "open" for row in rows):
        return False
    waiting = [row for row in rows if row.status == "waiting"]
    for row in waiting:
        if row.step == waiting[0].step:
            await write.change(row, {"status": "open"})
    return not waiting
