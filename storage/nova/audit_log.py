"""Reading the audit log: filters that indexes serve, keyset pages, counts by group."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, Literal

from pydantic import BaseModel
from sqlalchemy import ColumnElement, String, case, cast, func, or_
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession
from sqlmodel.sql.expression import SelectOfScalar

from storage.nova.folded import contains_words
from storage.nova.tables import AuditEntryRow

Grouping = Literal["day", "actor", "action", "origin", "outcome"]
INTERFACE: Final = "interface"
PERSON: Final = "identity"  # the type of an actor who is one
_MODELS: Final = frozenset({"ai_chat", "ai_routine"})
_UNATTENDED: Final = frozenset({"routine", "system"})  # types of actors, and origins of what no chat began


class EntryFilter(BaseModel):
    """Which entries are wanted; `origin` as the API's filter (rule F2)."""

    q: str | None = None
    after: datetime | None = None
    before: datetime | None = None
    actor_id: str | None = None
    action: str | None = None
    target_id: str | None = None
    target_type: str | None = None
    outcome: str | None = None
    origin: str | None = None
    request_id: str | None = None


def select_entries(wanted: EntryFilter) -> SelectOfScalar[AuditEntryRow]:
    """Select the entries that every filter lets through."""
    return select(AuditEntryRow).where(*_conditions(wanted))


def select_about(identity_id: str) -> Sequence[SelectOfScalar[AuditEntryRow]]:
    """Select what was done to an identity, and what it did to others; no entry is in both."""
    target = col(AuditEntryRow.target_id)
    to_others = or_(target.is_(None), target != identity_id)
    done = select(AuditEntryRow).where(col(AuditEntryRow.actor_id) == identity_id, to_others)
    return select(AuditEntryRow).where(target == identity_id), done


async def count_by(
    session: AsyncSession, wanted: EntryFilter, grouping: Grouping, limit: int, also: ColumnElement[bool]
) -> tuple[Sequence[tuple[str, str, int]], int]:
    """Return `(key, label, count)` of the first `limit` groups, and how many entries there are in all."""
    key, label = _group_columns(session, grouping)
    number = func.count()
    grouped = select(key, func.max(label), number).where(*_conditions(wanted), also).group_by(key)
    ordered = grouped.order_by(key.desc()) if grouping == "day" else grouped.order_by(number.desc(), key)
    rows = (await session.exec(ordered.limit(limit))).all()
    total = (
        await session.exec(select(func.count()).select_from(AuditEntryRow).where(*_conditions(wanted), also))
    ).one()
    return [(str(row[0] or ""), str(row[1] or ""), int(row[2])) for row in rows], int(total)


def _group_columns(session: AsyncSession, grouping: Grouping) -> tuple[ColumnElement[str], ColumnElement[str]]:
    match grouping:
        case "day":
            time = col(AuditEntryRow.time)
            is_sqlite = session.get_bind().dialect.name == "sqlite"
            day = func.date(time) if is_sqlite else cast(func.date(func.timezone("UTC", time)), String)
            return day, day
        case "actor":
            return func.coalesce(col(AuditEntryRow.actor_id), ""), func.coalesce(col(AuditEntryRow.actor_display), "")
        case "action":
            action = func.coalesce(col(AuditEntryRow.action), "")
            return action, action
        case "outcome":
            outcome = func.coalesce(col(AuditEntryRow.outcome), "")
            return outcome, outcome
        case "origin":
            person = col(AuditEntryRow.actor_type) == PERSON
            origin = func.coalesce(col(AuditEntryRow.via), case((person, INTERFACE), else_=AuditEntryRow.actor_type))
            return origin, origin


def _conditions(wanted: EntryFilter) -> Sequence[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    exact = {
        AuditEntryRow.actor_id: wanted.actor_id,
        AuditEntryRow.target_id: wanted.target_id,
        AuditEntryRow.target_type: wanted.target_type,
        AuditEntryRow.outcome: wanted.outcome,
        AuditEntryRow.request_id: wanted.request_id,
    }
    conditions += [col(column) == value for column, value in exact.items() if value is not None]
    if wanted.after is not None:
        conditions.append(col(AuditEntryRow.time) >= wanted.after)
    if wanted.before is not None:
        conditions.append(col(AuditEntryRow.time) <= wanted.before)
    if wanted.action is not None:
        conditions.append(_action(wanted.action))
    if wanted.origin is not None:
        conditions.append(_origin(wanted.origin))
    if wanted.q is not None:
        conditions.append(contains_words(AuditEntryRow.search_text, wanted.q))
    return conditions


def _action(pattern: str) -> ColumnElement[bool]:
    action = col(AuditEntryRow.action)
    if "*" not in pattern:
        return action == pattern
    escaped = pattern.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_").replace("*", "%")
    return action.like(escaped, escape="\\")


def _origin(origin: str) -> ColumnElement[bool]:
    via = col(AuditEntryRow.via)
    if origin == INTERFACE:
        return via.is_(None) & (col(AuditEntryRow.actor_type) == PERSON)
    if origin in _UNATTENDED:
        return via.is_(None) & (col(AuditEntryRow.actor_type) == origin)
    # `IS NOT NULL` stands there as the partial index has it, so that both databases use the index.
    return via.is_not(None) & via.like(f"{origin}:%") if origin in _MODELS else via == origin
