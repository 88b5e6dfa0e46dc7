"""Reports about people: who no longer signs in, and who signs in without a second factor."""

from types import MappingProxyType
from typing import Final

from sqlalchemy import ColumnElement, and_, case, func, or_, select
from sqlmodel import col

from nova_ui.nova.report_shape import AnySelect, Asked, Report, named
from nova_ui.nova.views import ReportKey
from storage.nova.identities import json_holds
from storage.nova.sign_in_tables import TotpFactorRow
from storage.nova.tables import IdentityRow

_PERSON: Final = named("identity", col(IdentityRow.id), col(IdentityRow.display_name))


def of_department(asked: Asked) -> ColumnElement[bool]:
    """Return the condition on the department, if one is asked for; compared as it is written."""
    if asked.department is None:
        return col(IdentityRow.id).is_not(None)
    return func.lower(col(IdentityRow.department)) == asked.department.lower()


def _inactive(asked: Asked) -> ColumnElement[bool]:
    last = col(IdentityRow.last_sign_in_at)
    never = and_(last.is_(None), col(IdentityRow.created_at) < asked.since)  # who has just come is not inactive
    return and_(
        col(IdentityRow.status) == "active",
        col(IdentityRow.user_type) != "service",
        or_(last < asked.since, never),
        of_department(asked),
    )


def _inactive_rows(asked: Asked) -> AnySelect:
    last = col(IdentityRow.last_sign_in_at)
    return (
        select(
            *_PERSON,
            col(IdentityRow.user_name).label("user_name"),
            col(IdentityRow.department).label("department"),
            col(IdentityRow.user_type).label("user_type"),
            last.label("last_sign_in_at"),
            col(IdentityRow.created_at).label("created_at"),
        )
        .where(_inactive(asked))
        .order_by(last.is_not(None), last, col(IdentityRow.search_text), col(IdentityRow.id))
    )


def _inactive_figures(asked: Asked) -> AnySelect:
    never = case((col(IdentityRow.last_sign_in_at).is_(None), 1), else_=0)
    return select(func.coalesce(func.sum(never), 0).label("never_signed_in")).where(_inactive(asked))


INACTIVE_IDENTITIES: Final = Report(
    key=ReportKey.INACTIVE_IDENTITIES,
    columns=("identity", "user_name", "department", "user_type", "last_sign_in_at", "created_at"),
    rows=_inactive_rows,
    figures=_inactive_figures,
    parameters=MappingProxyType({"days": 90, "department": None}),
)


def _without_factor(asked: Asked) -> ColumnElement[bool]:
    return and_(_signs_in(asked), ~_has_factor())


def _signs_in(asked: Asked) -> ColumnElement[bool]:
    return and_(col(IdentityRow.status) == "active", col(IdentityRow.user_type) != "service", of_department(asked))


def _has_factor() -> ColumnElement[bool]:
    """Return the condition that an identity has a confirmed second factor."""
    confirmed = select(col(TotpFactorRow.identity_id)).where(col(TotpFactorRow.confirmed_at).is_not(None))
    return col(IdentityRow.id).in_(confirmed)


def _is_privileged() -> ColumnElement[bool]:
    return or_(*(json_holds(IdentityRow.nova_roles, role) for role in ("administrator", "auditor")))


def _mfa_rows(asked: Asked) -> AnySelect:
    return (
        select(
            *_PERSON,
            col(IdentityRow.user_name).label("user_name"),
            col(IdentityRow.department).label("department"),
            col(IdentityRow.nova_roles).label("nova_roles"),
            col(IdentityRow.last_sign_in_at).label("last_sign_in_at"),
        )
        .where(_without_factor(asked))
        .order_by(case((_is_privileged(), 0), else_=1), col(IdentityRow.search_text), col(IdentityRow.id))
    )


def _mfa_figures(asked: Asked) -> AnySelect:
    protected, privileged = case((_has_factor(), 1), else_=0), case((_is_privileged(), 1), else_=0)
    bare = case((and_(_is_privileged(), ~_has_factor()), 1), else_=0)
    return select(
        func.count().label("identities"),
        func.coalesce(func.sum(protected), 0).label("with_second_factor"),
        func.coalesce(func.sum(privileged), 0).label("administrators_and_auditors"),
        func.coalesce(func.sum(bare), 0).label("of_these_without"),
    ).where(_signs_in(asked))


MFA_COVERAGE: Final = Report(
    key=ReportKey.MFA_COVERAGE,
    columns=("identity", "user_name", "department", "nova_roles", "last_sign_in_at"),
    rows=_mfa_rows,
    figures=_mfa_figures,
    parameters=MappingProxyType({"department": None}),
)
