"""Approvals: who decides on a request, step by step; nobody on their own."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import ColumnElement, or_
from sqlmodel import col, select

from nova_ui.nova import deciding
from nova_ui.nova.audit_trail import Target
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core, page_of
from nova_ui.nova.deciding import visible_approval
from nova_ui.nova.request_views import approval_views, visible_requests
from nova_ui.nova.views import ApprovalQuery, ApprovalView, Delegate, Page
from storage.nova.folded import contains_words
from storage.nova.paging import Order, Wanted, read_slice
from storage.nova.tables import AccessRequestRow, ApprovalRow, IdentityRow

SORT_COLUMNS: Final = {"created_at": "created_at"}


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
            row = await visible_approval(session, context.identity, approval_id)
            return (await approval_views(session, [row]))[0]

    async def approve(
        self, context: RequestContext, approval_id: str, comment: str, if_match: str | None
    ) -> ApprovalView:
        """Agree; the last agreement carries the request out."""
        async with self._core.writer.writing(context, "approval.approved", Target("approval", approval_id)) as write:
            row, _ = await deciding.approve(write, approval_id, comment, if_match)
            return (await approval_views(write.session, [row]))[0]

    async def deny(self, context: RequestContext, approval_id: str, comment: str, if_match: str | None) -> ApprovalView:
        """Refuse the whole request, with a reason."""
        async with self._core.writer.writing(context, "approval.denied", Target("approval", approval_id)) as write:
            row, _ = await deciding.deny(write, approval_id, comment, if_match)
            return (await approval_views(write.session, [row]))[0]

    async def delegate(
        self, context: RequestContext, approval_id: str, body: Delegate, if_match: str | None
    ) -> ApprovalView:
        """Let somebody else decide."""
        async with self._core.writer.writing(context, "approval.delegated", Target("approval", approval_id)) as write:
            row = await deciding.delegate(write, approval_id, body.to, body.comment, if_match)
            return (await approval_views(write.session, [row]))[0]


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
