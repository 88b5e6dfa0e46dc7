"""Where an assignment stands at a moment: its stored state, and whether its period has begun or is over."""

from datetime import datetime

from sqlalchemy import ColumnElement, and_, case, or_
from sqlmodel import col

from storage.nova.tables import AssignmentRow


def status_at(row: AssignmentRow, now: datetime) -> str:
    """Return the state of `row` at `now`."""
    if row.status not in {"active", "scheduled"}:
        return row.status
    if row.valid_until is not None and row.valid_until <= now:
        return "expired"
    if row.status == "scheduled" and row.valid_from is not None and row.valid_from <= now:
        return "active"
    return row.status


def status_column(now: datetime) -> ColumnElement[str]:
    """Return the same decision as an expression of the database."""
    stored = col(AssignmentRow.status)
    return case(
        (and_(stored.in_(["active", "scheduled"]), col(AssignmentRow.valid_until) <= now), "expired"),
        (and_(stored == "scheduled", col(AssignmentRow.valid_from) <= now), "active"),
        else_=stored,
    )


def is_held(now: datetime) -> ColumnElement[bool]:
    """Return the condition that an assignment counts at `now`."""
    return status_column(now) == "active"


def is_open(now: datetime) -> ColumnElement[bool]:
    """Return the condition that an assignment counts now or is going to."""
    return and_(
        col(AssignmentRow.status).in_(["active", "scheduled", "pending"]),
        or_(col(AssignmentRow.valid_until).is_(None), col(AssignmentRow.valid_until) > now),
    )
