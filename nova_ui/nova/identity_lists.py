"""Lists of identities: filters, order and what the caller may see."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, or_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession
from sqlmodel.sql.expression import SelectOfScalar

from nova_ui.nova.assignment_status import is_held
from nova_ui.nova.permissions import Reach
from nova_ui.nova.views import IdentityQuery
from storage.nova.folded import contains_words, matches_folded
from storage.nova.identities import json_holds
from storage.nova.tables import AssignmentRow, IdentityRow, MembershipRow

SORT_COLUMNS: Final = {
    "display_name": "search_text",
    "user_name": "user_name_key",
    "created_at": "created_at",
    "updated_at": "updated_at",
}


def visible_identities(reach: Reach) -> SelectOfScalar[IdentityRow]:
    """Select the identities whose data the caller may read."""
    everyone = select(IdentityRow)
    return everyone if reach.everybody else everyone.where(col(IdentityRow.id).in_(reach.ids))


async def identity_conditions(
    session: AsyncSession, query: IdentityQuery, now: datetime
) -> Sequence[ColumnElement[bool]]:
    """Return one condition for each filter that is set."""
    conditions: list[ColumnElement[bool]] = []
    if query.q is not None:
        conditions.append(or_(contains_words(IdentityRow.search_text, query.q), col(IdentityRow.id) == query.q))
    folded = {
        IdentityRow.department: query.department,
        IdentityRow.location: query.location,
        IdentityRow.organization: query.organization,
        IdentityRow.division: query.division,
        IdentityRow.cost_center: query.cost_center,
        IdentityRow.title: query.title,
        IdentityRow.user_name: query.user_name,
        IdentityRow.employee_number: query.employee_number,
    }
    conditions += [await matches_folded(session, column, text) for column, text in folded.items() if text is not None]
    exact = {
        IdentityRow.status: query.status,
        IdentityRow.user_type: query.user_type,
        IdentityRow.manager_id: query.manager_id,
    }
    conditions += [col(column) == value for column, value in exact.items() if value is not None]
    if query.nova_role is not None:
        conditions.append(json_holds(IdentityRow.nova_roles, query.nova_role))
    return [*conditions, *_moments(query), *_relations(query, now)]


def _moments(query: IdentityQuery) -> Sequence[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if query.signed_in_before is not None:
        last = col(IdentityRow.last_sign_in_at)
        conditions.append(or_(last.is_(None), last < query.signed_in_before))
    if query.ends_before is not None:
        conditions.append(col(IdentityRow.end_date) < query.ends_before.isoformat())
    if query.created_after is not None:
        conditions.append(col(IdentityRow.created_at) >= query.created_after)
    if query.created_before is not None:
        conditions.append(col(IdentityRow.created_at) <= query.created_before)
    return conditions


def _relations(query: IdentityQuery, now: datetime) -> Sequence[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if query.group_id is not None:
        members = select(MembershipRow.identity_id).where(col(MembershipRow.group_id) == query.group_id)
        conditions.append(col(IdentityRow.id).in_(members))
    if query.role_id is not None:
        holders = select(AssignmentRow.identity_id).where(col(AssignmentRow.role_id) == query.role_id, is_held(now))
        conditions.append(col(IdentityRow.id).in_(holders))
    return conditions
