"""What was used in a span of days, summed up for those who oversee and for oneself (rule E6)."""

from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

from sqlalchemy import ColumnElement, Label, func, literal_column, select
from sqlalchemy.engine import RowMapping
from sqlmodel import SQLModel
from sqlmodel.ext.asyncio.session import AsyncSession

FIGURES: Final = ("messages", "requests", "estimated", "input_tokens", "output_tokens", "cost_micros")
GroupBy = Literal["assistant", "identity", "profile", "model"]

_COLUMNS: Final = SQLModel.metadata.tables["ai_usage"].c


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Sums of counters."""

    messages: int = 0
    requests: int = 0
    estimated: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_micros: int = 0

    def plus(self, other: "Figures") -> "Figures":
        """Return both together."""
        return Figures(**{name: getattr(self, name) + getattr(other, name) for name in FIGURES})


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """What is looked at: days from `since` to `until`, both included, and what narrows it down."""

    since: date
    until: date
    kind: str | None = None
    assistant: str | None = None
    identity_id: str | None = None
    profile: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One group with its figures."""

    key: str
    kind: str
    figures: Figures


async def days_of(session: AsyncSession, span: Span) -> dict[date, Figures]:
    """Return the figures of each day on which anything was used."""
    statement = select(_COLUMNS.day, *_sums()).where(*_conditions(span)).group_by(_COLUMNS.day)
    connection = await session.connection()
    rows = (await connection.execute(statement)).mappings().all()
    return {date.fromisoformat(row["day"]): Figures(**{name: int(row[name]) for name in FIGURES}) for row in rows}


async def lines_of(
    session: AsyncSession, span: Span, by: GroupBy, *, offset: int, limit: int
) -> tuple[list[Line], int]:
    """Return one page of groups, the greatest first, and how many there are."""
    connection, keys = await session.connection(), _keys(by)
    # What no profile belongs to is a message without a model; it has no line of its own there.
    conditions = [*_conditions(span), *([_COLUMNS.profile != ""] if by in {"profile", "model"} else [])]
    grouped = select(*keys, *_sums()).where(*conditions).group_by(_COLUMNS.kind if by == "assistant" else "key")
    if by == "assistant":
        grouped = grouped.group_by("key")
    found = grouped.subquery()
    total = int((await connection.execute(select(func.count()).select_from(found))).scalar_one())
    ordered = select(found).order_by(
        (found.c.input_tokens + found.c.output_tokens).desc(), found.c.messages.desc(), found.c.kind, found.c.key
    )
    rows = (await connection.execute(ordered.offset(offset).limit(limit))).mappings().all()
    return [_line(row) for row in rows], total


def _line(row: RowMapping) -> Line:
    figures = Figures(**{name: int(row[name]) for name in FIGURES})
    return Line(key=row["key"], kind=row["kind"], figures=figures)


def _keys(by: GroupBy) -> tuple[Label[str], Label[str]]:
    nothing: Label[str] = literal_column("''").label("kind")
    match by:
        case "assistant":
            return _COLUMNS.assistant_key.label("key"), _COLUMNS.kind.label("kind")
        case "identity":
            return _COLUMNS.identity_id.label("key"), nothing
        case "profile":
            return _COLUMNS.profile.label("key"), nothing
        case "model":
            return (_COLUMNS.profile + "/" + _COLUMNS.model).label("key"), nothing


def _sums() -> list[Label[int]]:
    return [func.coalesce(func.sum(_COLUMNS[name]), 0).label(name) for name in FIGURES]


def _conditions(span: Span) -> list[ColumnElement[bool]]:
    conditions = [_COLUMNS.day >= span.since.isoformat(), _COLUMNS.day <= span.until.isoformat()]
    narrowed = (
        (_COLUMNS.kind, span.kind),
        (_COLUMNS.assistant_key, span.assistant),
        (_COLUMNS.identity_id, span.identity_id),
        (_COLUMNS.profile, span.profile),
    )
    return [*conditions, *(column == wanted for column, wanted in narrowed if wanted is not None)]
