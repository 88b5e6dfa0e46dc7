"""Access requests: file, read, comment, withdraw."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import ColumnElement, or_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.errors import NovaConflict, NovaForbidden, NovaInvalid, NovaNotFound
from nova_ui.nova import follow_ups
from nova_ui.nova.approval_steps import add_approvals
from nova_ui.nova.audit_trail import Target
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core, load_reach, page_of
from nova_ui.nova.fulfilment import fulfil
from nova_ui.nova.list_filters import ACCESS_REQUESTS, filtered
from nova_ui.nova.permissions import oversees, require_found, without_oversight
from nova_ui.nova.request_items import check_items
from nova_ui.nova.request_views import request_views, visible_requests
from nova_ui.nova.views import AccessRequestCreate, AccessRequestQuery, AccessRequestView, Page
from nova_ui.nova.writing import Write, check_version
from storage.ids import new_id
from storage.nova.belongings import OPEN_REQUEST
from storage.nova.folded import contains_words
from storage.nova.identities import json_holds
from storage.nova.locks import take_lock
from storage.nova.paging import Order, Wanted, read_slice
from storage.nova.rows import lock_row
from storage.nova.tables import AccessRequestRow, ApprovalRow, IdentityRow

SORT_COLUMNS: Final = {"created_at": "created_at", "updated_at": "updated_at"}


class AccessRequests:
    """Requests as the caller may see, file and withdraw them."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def list_page(
        self, context: RequestContext, query: AccessRequestQuery, *, own_only: bool = False
    ) -> Page[AccessRequestView]:
        """Return a page of visible requests; with `own_only` those by or for the caller."""
        async with self._core.database.reading() as session:
            statement = select(AccessRequestRow).where(
                *await visible_requests(session, context.identity),
                *_conditions(query),
                await filtered(session, query.filter, ACCESS_REQUESTS),
            )
            if own_only:
                me = context.identity.id
                statement = statement.where(
                    or_(col(AccessRequestRow.requester_id) == me, col(AccessRequestRow.beneficiary_id) == me)
                )
            found = await read_slice(
                session,
                statement,
                Order.by(AccessRequestRow, query.sort, SORT_COLUMNS),
                Wanted.of(query, cursor=query.cursor, limit=query.limit),
            )
            return page_of(found, await request_views(session, found.rows))

    async def get(self, context: RequestContext, request_id: str) -> AccessRequestView:
        """Return one request.

        Raises:
            NovaNotFound: there is none, or it is not visible.

        """
        async with self._core.database.reading() as session:
            row = await visible_request(session, context, request_id)
            return (await request_views(session, [row]))[0]

    async def file(self, context: RequestContext, body: AccessRequestCreate) -> AccessRequestView:
        """File a request for oneself, for a report, or as an administrator for anyone.

        Raises:
            NovaNotFound: the beneficiary is not within reach.
            NovaInvalid: a role or an entitlement can't be requested, or its period is not possible.
            NovaConflict: it is held already, asked for already, or nobody could decide.
            NovaForbidden: something is to be given back, and a chat asks.

        """
        beneficiary_id = body.beneficiary_id or context.identity.id
        target = Target("access_request", None, body.justification[:80])
        async with self._core.writer.writing(context, "request.submitted", target) as write:
            _check_origin(context, body)
            await take_lock(write.session, f"nova.requests.{beneficiary_id}")
            beneficiary = await _beneficiary(write, beneficiary_id)
            rights = await check_items(write, beneficiary, body.items)
            row = AccessRequestRow(
                id=new_id("req"),
                requester_id=context.identity.id,
                beneficiary_id=beneficiary.id,
                items=[
                    item.model_dump(mode="json", exclude_defaults=True) | {"action": item.action} for item in body.items
                ],
                justification=body.justification,
                status="submitted",
                created_at=write.now,
                updated_at=write.now,
            )
            write.session.add(row)
            await write.session.flush()
            details = {"beneficiary": {"id": beneficiary.id, "display": beneficiary.display_name}, "items": row.items}
            cause = await write.log(
                "request.submitted", Target("access_request", row.id, row.justification[:80]), details=details
            )
            if await add_approvals(write, row, rights):
                await write.change(row, {"status": "pending"})
            else:
                await fulfil(write, row, cause)
            return (await request_views(write.session, [row]))[0]

    async def comment(
        self, context: RequestContext, request_id: str, text: str, if_match: str | None
    ) -> AccessRequestView:
        """Add a remark.

        Raises:
            NovaForbidden: the caller only oversees.

        """
        target = Target("access_request", request_id)
        async with self._core.writer.writing(context, "request.commented", target) as write:
            row = await locked_request(write, request_id)
            check_version(row.version, if_match)
            if not context.identity.is_administrator and not await _takes_part(write, row):
                raise NovaForbidden("Auditors read requests and do not comment on them.")
            comment = {"author_id": context.identity.id, "text": text, "at": write.now.isoformat()}
            await write.change(row, {"comments": [*row.comments, comment]}, if_match)
            await write.log("request.commented", write.target)
            return (await request_views(write.session, [row]))[0]

    async def cancel(
        self, context: RequestContext, request_id: str, reason: str, if_match: str | None
    ) -> AccessRequestView:
        """Withdraw one's own request before it is completed.

        Raises:
            NovaForbidden: the caller did not file it.
            NovaConflict: it is decided already.

        """
        target = Target("access_request", request_id)
        async with self._core.writer.writing(context, "request.cancelled", target) as write:
            row = await locked_request(write, request_id)
            check_version(row.version, if_match)
            if row.requester_id != context.identity.id:
                raise NovaForbidden("Only whoever filed a request may withdraw it.")
            if row.status not in OPEN_REQUEST:
                raise NovaConflict(f"The request is {row.status} already.", code="state_conflict")
            await follow_ups.cancel_request(write, row.id, None, reason)
            return (await request_views(write.session, [row]))[0]


def _check_origin(context: RequestContext, body: AccessRequestCreate) -> None:
    """Refuse a chat that gives access back: it may happen at once, and filing is no action that is confirmed (C1)."""
    if context.origin.is_chat and any(item.action == "revoke" for item in body.items):
        raise NovaForbidden("Access is given back in the interface only, never from a chat.", code="interface_only")


async def visible_request(session: AsyncSession, context: RequestContext, request_id: str) -> AccessRequestRow:
    """Return a request that the caller may see.

    Raises:
        NovaNotFound: there is none, or it is not visible.

    """
    visible = await visible_requests(session, context.identity)
    wanted = select(AccessRequestRow).where(col(AccessRequestRow.id) == request_id, *visible)
    return require_found((await session.exec(wanted)).first(), "access request")


async def locked_request(write: Write, request_id: str) -> AccessRequestRow:
    """Return a visible request under a lock, for a change."""
    await lock_row(write.session, AccessRequestRow, request_id)
    row = await visible_request(write.session, write.asker, request_id)
    write.target = Target("access_request", row.id, row.justification[:80])
    return row


def _conditions(query: AccessRequestQuery) -> Sequence[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    exact = {
        AccessRequestRow.status: query.status,
        AccessRequestRow.requester_id: query.requester_id,
        AccessRequestRow.beneficiary_id: query.beneficiary_id,
    }
    conditions += [col(column) == value for column, value in exact.items() if value is not None]
    conditions += [
        json_holds(AccessRequestRow.items, right_id) for right_id in (query.role_id, query.entitlement_id) if right_id
    ]
    if query.q is not None:
        people = select(IdentityRow.id).where(contains_words(IdentityRow.search_text, query.q))
        conditions.append(
            or_(
                col(AccessRequestRow.requester_id).in_(people),
                col(AccessRequestRow.beneficiary_id).in_(people),
                col(AccessRequestRow.justification).icontains(query.q, autoescape=True),
            )
        )
    if query.created_after is not None:
        conditions.append(col(AccessRequestRow.created_at) >= query.created_after)
    if query.created_before is not None:
        conditions.append(col(AccessRequestRow.created_at) <= query.created_before)
    return conditions


async def _beneficiary(write: Write, beneficiary_id: str) -> IdentityRow:
    identity = write.asker.identity
    reach = await load_reach(write.session, identity)
    if not reach.covers(beneficiary_id):
        raise NovaNotFound("There is no such identity, or you may not see it.")
    if beneficiary_id != identity.id and oversees(identity) and not identity.is_administrator:
        own = await load_reach(write.session, without_oversight(identity))
        if not own.covers(beneficiary_id):
            raise NovaForbidden("Only administrators and managers may file a request for somebody else.")
    row = await write.session.get(IdentityRow, beneficiary_id)
    if row is None or row.status != "active":
        raise NovaInvalid("There is no such active identity.", field="beneficiary_id")
    return row


async def _takes_part(write: Write, row: AccessRequestRow) -> bool:
    reach = await load_reach(write.session, without_oversight(write.asker.identity))
    if reach.covers(row.requester_id) or reach.covers(row.beneficiary_id):
        return True
    decides = select(ApprovalRow.id).where(
        col(ApprovalRow.request_id) == row.id, col(ApprovalRow.approver_id) == write.asker.identity.id
    )
    return (await write.session.exec(decides)).first() is not None
