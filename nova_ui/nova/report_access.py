"""Reports about access: what ends soon, what is privileged, what nobody uses."""

from types import MappingProxyType
from typing import Any, Final

from sqlalchemy import ColumnElement, Label, Subquery, and_, case, func, literal, select
from sqlmodel import col

from nova_ui.nova.assignment_status import is_held, is_open
from nova_ui.nova.report_people import of_department
from nova_ui.nova.report_shape import AnySelect, Asked, Report, named
from nova_ui.nova.views import ReportKey
from storage.nova.entitlement_tables import EntitlementRow, RoleEntitlementRow
from storage.nova.tables import ApplicationRow, AssignmentRow, IdentityRow, RoleRow

_RIGHT_ID: Final = func.coalesce(col(RoleRow.id), col(EntitlementRow.id))
_RIGHT_NAME: Final = func.coalesce(col(RoleRow.display_name), col(EntitlementRow.display_name))
_RIGHT_ORDER: Final = func.coalesce(col(RoleRow.search_text), col(EntitlementRow.search_text))
_APPLICATION: Final[ColumnElement[Any]] = func.coalesce(col(RoleRow.application_id), col(EntitlementRow.application_id))
_PRIVILEGED: Final[ColumnElement[Any]] = func.coalesce(col(RoleRow.privileged), col(EntitlementRow.privileged))
_SHOWN: Final = ("id", "display_name", "search_text", "application_id", "risk", "privileged")
_HELD: Final[tuple[Label[Any], ...]] = (
    col(AssignmentRow.id).label("assignment_id"),
    *named("identity", col(IdentityRow.id), col(IdentityRow.display_name)),
    col(IdentityRow.department).label("department"),
    *named("right", _RIGHT_ID, _RIGHT_NAME),
    *named("application", col(ApplicationRow.id), col(ApplicationRow.display_name)),
    func.coalesce(col(RoleRow.risk), col(EntitlementRow.risk)).label("risk"),
    col(AssignmentRow.source).label("source"),
    col(AssignmentRow.valid_until).label("valid_until"),
)


def _holdings(*columns: ColumnElement[Any]) -> AnySelect:
    """Select over assignments with who holds which role or entitlement of which application."""
    return (
        select(*columns)
        .select_from(AssignmentRow)
        .join(IdentityRow, col(IdentityRow.id) == col(AssignmentRow.identity_id))
        .outerjoin(RoleRow, col(RoleRow.id) == col(AssignmentRow.role_id))
        .outerjoin(EntitlementRow, col(EntitlementRow.id) == col(AssignmentRow.entitlement_id))
        .outerjoin(ApplicationRow, col(ApplicationRow.id) == _APPLICATION)
    )


def _of_application(asked: Asked) -> ColumnElement[bool]:
    if asked.application_id is None:
        return col(IdentityRow.id).is_not(None)
    return _APPLICATION.in_([asked.application_id])


def _expiring(asked: Asked) -> ColumnElement[bool]:
    ends = col(AssignmentRow.valid_until)
    return and_(is_open(asked.now), ends <= asked.until, of_department(asked), _of_application(asked))


def _expiring_rows(asked: Asked) -> AnySelect:
    return _holdings(*_HELD).where(_expiring(asked)).order_by(col(AssignmentRow.valid_until), col(AssignmentRow.id))


def _expiring_figures(asked: Asked) -> AnySelect:
    return _holdings(func.count(func.distinct(col(AssignmentRow.identity_id))).label("identities")).where(
        _expiring(asked)
    )


EXPIRING_ACCESS: Final = Report(
    key=ReportKey.EXPIRING_ACCESS,
    columns=("assignment_id", "identity", "department", "right", "application", "source", "valid_until"),
    rows=_expiring_rows,
    figures=_expiring_figures,
    parameters=MappingProxyType({"days": 30, "department": None, "application_id": None}),
)


def _privileged(asked: Asked) -> ColumnElement[bool]:
    return and_(is_held(asked.now), _PRIVILEGED.is_(True), of_department(asked), _of_application(asked))


def _privileged_rows(asked: Asked) -> AnySelect:
    return (
        _holdings(*_HELD, col(IdentityRow.last_sign_in_at).label("last_sign_in_at"))
        .where(_privileged(asked))
        .order_by(_RIGHT_ORDER, col(IdentityRow.search_text), col(AssignmentRow.id))
    )


def _privileged_figures(asked: Asked) -> AnySelect:
    endless = case((col(AssignmentRow.valid_until).is_(None), 1), else_=0)
    return _holdings(
        func.count(func.distinct(col(AssignmentRow.identity_id))).label("identities"),
        func.count(func.distinct(_RIGHT_ID)).label("rights"),
        func.coalesce(func.sum(endless), 0).label("without_end"),
    ).where(_privileged(asked))


PRIVILEGED_ACCESS: Final = Report(
    key=ReportKey.PRIVILEGED_ACCESS,
    columns=(
        "assignment_id",
        "identity",
        "department",
        "right",
        "application",
        "risk",
        "source",
        "valid_until",
        "last_sign_in_at",
    ),
    rows=_privileged_rows,
    figures=_privileged_figures,
    parameters=MappingProxyType({"department": None, "application_id": None}),
)


def _usage(asked: Asked) -> AnySelect:
    """Count for each right its holders and those of them who have signed in since; one pass over the assignments."""
    right = func.coalesce(col(AssignmentRow.role_id), col(AssignmentRow.entitlement_id))
    signed_in = case((col(IdentityRow.last_sign_in_at) >= asked.since, 1), else_=0)
    return (
        select(
            right.label("right_id"),
            func.count().label("holders"),
            func.sum(signed_in).label("active_holders"),
            func.max(col(IdentityRow.last_sign_in_at)).label("last_used_at"),
        )
        .join(IdentityRow, col(IdentityRow.id) == col(AssignmentRow.identity_id))
        .where(is_held(asked.now))
        .group_by(right)
    )


def _rights() -> Subquery:
    """Return what can be held: roles in use, and entitlements that no role bundles."""
    roles: AnySelect = select(
        literal("role").label("type"),
        *(col(getattr(RoleRow, name)).label(name) for name in _SHOWN),
    ).where(col(RoleRow.status) == "active")
    bundled = select(col(RoleEntitlementRow.entitlement_id))
    entitlements: AnySelect = select(
        literal("entitlement").label("type"),
        *(col(getattr(EntitlementRow, name)).label(name) for name in _SHOWN),
    ).where(col(EntitlementRow.status) == "managed", col(EntitlementRow.id).not_in(bundled))
    return roles.union_all(entitlements).subquery("rights")


def _dormant_rows(asked: Asked) -> AnySelect:
    usage, rights = _usage(asked).subquery(), _rights()
    holders = func.coalesce(usage.c.holders, 0)
    wanted = rights.c.application_id == asked.application_id if asked.application_id else rights.c.id.is_not(None)
    return (
        select(
            *named("right", rights.c.id, rights.c.display_name),
            rights.c.type.label("type"),
            *named("application", col(ApplicationRow.id), col(ApplicationRow.display_name)),
            rights.c.risk.label("risk"),
            rights.c.privileged.label("privileged"),
            holders.label("holders"),
            usage.c.last_used_at.label("last_used_at"),
        )
        .select_from(rights)
        .outerjoin(usage, usage.c.right_id == rights.c.id)
        .outerjoin(ApplicationRow, col(ApplicationRow.id) == rights.c.application_id)
        .where(wanted, func.coalesce(usage.c.active_holders, 0) == 0)
        .order_by(holders.desc(), rights.c.search_text, rights.c.id)
    )


def _dormant_figures(asked: Asked) -> AnySelect:
    rows = _dormant_rows(asked).order_by(None).subquery()
    held_by_nobody = case((rows.c.holders == 0, 1), else_=0)
    return select(func.coalesce(func.sum(held_by_nobody), 0).label("held_by_nobody"))


DORMANT_ENTITLEMENTS: Final = Report(
    key=ReportKey.DORMANT_ENTITLEMENTS,
    columns=("right", "type", "application", "risk", "privileged", "holders", "last_used_at"),
    rows=_dormant_rows,
    figures=_dormant_figures,
    parameters=MappingProxyType({"days": 90, "application_id": None}),
)
