"""Reports about what happens: requests that wait, and sign-ins that fail."""

from types import MappingProxyType
from typing import Final

from sqlalchemy import ColumnElement, and_, case, func, select
from sqlalchemy.orm import aliased
from sqlmodel import col
from sqlmodel import select as select_rows
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.json_value import JsonValue
from nova_ui.nova.report_people import of_department
from nova_ui.nova.report_shape import AnySelect, Asked, Cells, Report, named
from nova_ui.nova.request_views import request_views
from nova_ui.nova.views import ReportKey, RequestItemView
from storage.nova.belongings import OPEN_REQUEST
from storage.nova.tables import AccessRequestRow, ApprovalRow, AuditEntryRow, IdentityRow

_SIGN_IN_FAILED: Final = "sign_in.failed"


def _waiting(asked: Asked) -> ColumnElement[bool]:
    return and_(
        col(AccessRequestRow.status).in_(OPEN_REQUEST),
        col(AccessRequestRow.created_at) <= asked.since,
        of_department(asked),
    )


def _request_rows(asked: Asked) -> AnySelect:
    requester, approver = aliased(IdentityRow), aliased(IdentityRow)
    due = case((col(ApprovalRow.due_at) < asked.now, 1), else_=0)
    return (
        select(
            col(AccessRequestRow.id).label("request_id"),
            *named("beneficiary", col(IdentityRow.id), col(IdentityRow.display_name)),
            *named("requester", col(requester.id), col(requester.display_name)),
            col(AccessRequestRow.status).label("status"),
            col(AccessRequestRow.created_at).label("created_at"),
            col(ApprovalRow.step).label("step"),
            *named("approver", col(approver.id), col(approver.display_name)),
            col(ApprovalRow.due_at).label("due_at"),
            due.label("overdue"),
        )
        .select_from(AccessRequestRow)
        .join(IdentityRow, col(IdentityRow.id) == col(AccessRequestRow.beneficiary_id))
        .outerjoin(requester, col(requester.id) == col(AccessRequestRow.requester_id))
        .outerjoin(
            ApprovalRow,
            and_(col(ApprovalRow.request_id) == col(AccessRequestRow.id), col(ApprovalRow.status) == "open"),
        )
        .outerjoin(approver, col(approver.id) == col(ApprovalRow.approver_id))
        .where(_waiting(asked))
        .order_by(col(AccessRequestRow.created_at), col(AccessRequestRow.id), col(ApprovalRow.id))
    )


def _request_figures(asked: Asked) -> AnySelect:
    rows = _request_rows(asked).order_by(None).subquery()
    return select(
        func.count(func.distinct(rows.c.request_id)).label("requests"),
        func.coalesce(func.sum(rows.c.overdue), 0).label("overdue"),
    )


async def _name_items(session: AsyncSession, cells: Cells, asked: Asked) -> Cells:
    """Add what is asked for, and for how many days it has waited."""
    ids = {request_id for row in cells if isinstance(request_id := row.get("request_id"), str)}
    stored = (await session.exec(select_rows(AccessRequestRow).where(col(AccessRequestRow.id).in_(ids)))).all()
    views = {view.id: view for view in await request_views(session, stored)}
    finished: Cells = []
    for row in cells:
        view = views.get(str(row.get("request_id")))
        asked_for = view.items if view else []
        items: list[JsonValue] = [_name_of(item) for item in asked_for]
        actions: list[JsonValue] = [*dict.fromkeys(item.action for item in asked_for)]
        waited = (asked.now - view.created_at).days if view else None
        finished.append(
            {**row, "items": items, "action": actions, "waits_days": waited, "overdue": row.get("overdue") == 1}
        )
    return finished


def _name_of(item: RequestItemView) -> str:
    right = item.role or item.entitlement
    return right.display_name if right else ""


OPEN_REQUESTS: Final = Report(
    key=ReportKey.OPEN_REQUESTS,
    columns=(
        "request_id",
        "beneficiary",
        "requester",
        "items",
        "action",
        "status",
        "created_at",
        "waits_days",
        "step",
        "approver",
        "due_at",
        "overdue",
    ),
    rows=_request_rows,
    figures=_request_figures,
    parameters=MappingProxyType({"days": 0, "department": None}),
    finish=_name_items,
)


def _failures(asked: Asked) -> ColumnElement[bool]:
    return and_(col(AuditEntryRow.action) == _SIGN_IN_FAILED, col(AuditEntryRow.time) >= asked.since)


def _failure_rows(asked: Asked) -> AnySelect:
    target, address = col(AuditEntryRow.target_id), col(AuditEntryRow.ip)
    attempts, latest = func.count(), func.max(col(AuditEntryRow.time))
    # Of names that nobody has only the address is known; those are counted by address.
    return (
        select(
            *named("identity", target, func.max(col(AuditEntryRow.target_display))),
            case((target.is_(None), address), else_=None).label("ip"),
            attempts.label("attempts"),
            func.count(func.distinct(address)).label("addresses"),
            func.min(col(AuditEntryRow.time)).label("first_at"),
            latest.label("last_at"),
            func.max(col(IdentityRow.locked_until)).label("locked_until"),
        )
        .outerjoin(IdentityRow, col(IdentityRow.id) == target)
        .where(_failures(asked))
        .group_by(target, case((target.is_(None), address), else_=None))
        .order_by(attempts.desc(), latest.desc(), func.coalesce(target, ""), func.coalesce(func.max(address), ""))
    )


def _failure_figures(asked: Asked) -> AnySelect:
    return select(
        func.count().label("attempts"),
        func.count(func.distinct(col(AuditEntryRow.target_id))).label("identities"),
        func.count(func.distinct(col(AuditEntryRow.ip))).label("addresses"),
    ).where(_failures(asked))


FAILED_SIGN_INS: Final = Report(
    key=ReportKey.FAILED_SIGN_INS,
    columns=("identity", "ip", "attempts", "addresses", "first_at", "last_at", "locked_until"),
    rows=_failure_rows,
    figures=_failure_figures,
    parameters=MappingProxyType({"days": 7}),
)
