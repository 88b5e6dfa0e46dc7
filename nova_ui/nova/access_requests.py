"""Access requests: file, read, comment, withdraw."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, or_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.errors import NovaConflict, NovaForbidden, NovaInvalid, NovaNotFound
from nova_ui.nova import follow_ups
from nova_ui.nova.approvers import active_owners, manager_above, stand_ins
from nova_ui.nova.assignment_status import is_open
from nova_ui.nova.assignments import check_end
from nova_ui.nova.audit_trail import Target
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core, load_reach, page_of
from nova_ui.nova.fulfilment import fulfil
from nova_ui.nova.list_filters import ACCESS_REQUESTS, filtered
from nova_ui.nova.permissions import oversees, require_found, without_oversight
from nova_ui.nova.request_views import request_views, visible_requests
from nova_ui.nova.views import AccessRequestCreate, AccessRequestQuery, AccessRequestView, Page, RequestItem
from nova_ui.nova.writing import Write, check_version
from storage.ids import new_id
from storage.nova.belongings import OPEN_REQUEST
from storage.nova.folded import contains_words
from storage.nova.identities import json_holds
from storage.nova.locks import take_lock
from storage.nova.paging import Order, Wanted, read_slice
from storage.nova.rows import lock_row
from storage.nova.tables import AccessRequestRow, ApprovalRow, AssignmentRow, IdentityRow, RoleRow

SORT_COLUMNS: Final = {"created_at": "created_at", "updated_at": "updated_at"}
DUE_AFTER: Final = timedelta(days=7)
_REMOVABLE: Final = frozenset({"direct", "request"})


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
            NovaInvalid: a role can't be requested, or its period is not possible.
            NovaConflict: it is held already, asked for already, or nobody could decide.

        """
        beneficiary_id = body.beneficiary_id or context.identity.id
        target = Target("access_request", None, body.justification[:80])
        async with self._core.writer.writing(context, "request.submitted", target) as write:
            await take_lock(write.session, f"nova.requests.{beneficiary_id}")
            beneficiary = await _beneficiary(write, beneficiary_id)
            roles = [await _check_item(write, beneficiary, item) for item in body.items]
            if len({role.id for role in roles}) != len(roles):
                raise NovaInvalid("A role stands there twice.", field="items")
            row = AccessRequestRow(
                id=new_id("req"),
                requester_id=context.identity.id,
                beneficiary_id=beneficiary.id,
                items=[item.model_dump(mode="json") for item in body.items],
                justification=body.justification,
                created_at=write.now,
                updated_at=write.now,
            )
            write.session.add(row)
            await write.session.flush()
            details = {"beneficiary": {"id": beneficiary.id, "display": beneficiary.display_name}, "items": row.items}
            cause = await write.log(
                "request.submitted", Target("access_request", row.id, row.justification[:80]), details=details
            )
            waiting = await _add_approvals(write, row, roles)
            if not waiting:
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
    if query.role_id is not None:
        conditions.append(json_holds(AccessRequestRow.items, query.role_id))
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


async def _check_item(write: Write, beneficiary: IdentityRow, item: RequestItem) -> RoleRow:
    role = await write.session.get(RoleRow, item.role_id)
    if role is None or role.status != "active" or (item.action != "revoke" and not role.requestable):
        raise NovaInvalid("There is no such role to be requested; the catalogue names those.", field="items.role_id")
    held = await _held(write.session, beneficiary.id, role.id, write.now)
    if item.action == "grant" and held is not None:
        raise NovaConflict(f"{beneficiary.display_name} holds the role {role.display_name} already.", field="items")
    if item.action != "grant" and held is None:
        raise NovaConflict(f"{beneficiary.display_name} does not hold the role {role.display_name}.", field="items")
    if item.action == "revoke" and held is not None and held.source not in _REMOVABLE:
        raise NovaConflict(f"The role comes from a {held.source} and cannot be given back by a request.", field="items")
    if item.valid_until is not None:
        check_end(role, write.now, item.valid_until)
    asked = select(AccessRequestRow.id).where(
        col(AccessRequestRow.beneficiary_id) == beneficiary.id,
        col(AccessRequestRow.status).in_(OPEN_REQUEST),
        json_holds(AccessRequestRow.items, role.id),
    )
    open_one = (await write.session.exec(asked)).first()
    if open_one is not None:
        raise NovaConflict(f"The request {open_one} for {role.display_name} is still open.", field="items")
    return role


async def _held(session: AsyncSession, identity_id: str, role_id: str, now: datetime) -> AssignmentRow | None:
    held = select(AssignmentRow).where(
        col(AssignmentRow.identity_id) == identity_id, col(AssignmentRow.role_id) == role_id, is_open(now)
    )
    return (await session.exec(held)).first()


async def _add_approvals(write: Write, row: AccessRequestRow, roles: Sequence[RoleRow]) -> bool:
    """Add the decisions that the roles ask for; return whether there are any."""
    excluded = frozenset({row.requester_id, row.beneficiary_id})
    steps: list[tuple[int, str | None, Sequence[str]]] = []
    if any(role.approval in {"manager", "manager_then_owner"} for role in roles):
        manager = await manager_above(write.session, row.beneficiary_id, excluded)
        steps.append((1, None, [manager] if manager else await stand_ins(write.session, excluded)))
    owner_step = len(steps) + 1
    for role in roles:
        if role.approval in {"owner", "manager_then_owner"}:
            owners = await active_owners(write.session, role, excluded)
            steps.append((owner_step, role.id, owners or await stand_ins(write.session, excluded)))
    for step, role_id, approvers in steps:
        for approver_id in approvers:
            write.session.add(
                ApprovalRow(
                    id=new_id("apv"),
                    request_id=row.id,
                    step=step,
                    role_id=role_id,
                    approver_id=approver_id,
                    status="open" if step == 1 else "waiting",
                    due_at=write.now + DUE_AFTER,
                    created_at=write.now,
                    updated_at=write.now,
                )
            )
    await write.session.flush()
    return bool(steps)


async def _takes_part(write: Write, row: AccessRequestRow) -> bool:
    reach = await load_reach(write.session, without_oversight(write.asker.identity))
    if reach.covers(row.requester_id) or reach.covers(row.beneficiary_id):
        return True
    decides = select(ApprovalRow.id).where(
        col(ApprovalRow.request_id) == row.id, col(ApprovalRow.approver_id) == write.asker.identity.id
    )
    return (await write.session.exec(decides)).first() is not None
