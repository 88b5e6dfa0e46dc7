"""What a report is: its parameters, its columns, the statement of its rows and that of its figures."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from types import MappingProxyType
from typing import Any, Final

from sqlalchemy import Label, Select, SQLColumnExpression
from sqlalchemy.engine import RowMapping
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.nova.views import ReportKey

TOTAL: Final = "total__"
_PART: Final = "__"  # `identity__id` and `identity__display_name` become one cell `identity`

Cells = list[JsonObject]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The parameters of one run, and the moment it is run for."""

    now: datetime
    days: int = 0
    department: str | None = None
    application_id: str | None = None

    @classmethod
    def of(cls, parameters: Mapping[str, str | int], now: datetime) -> "Asked":
        """Read the parameters that are in force."""
        days, department, application_id = (parameters.get(name) for name in ("days", "department", "application_id"))
        return cls(
            now=now,
            days=days if isinstance(days, int) else 0,
            department=department if isinstance(department, str) else None,
            application_id=application_id if isinstance(application_id, str) else None,
        )

    @property
    def since(self) -> datetime:
        """The moment `days` ago."""
        return self.now - timedelta(days=self.days)

    @property
    def until(self) -> datetime:
        """The moment `days` ahead."""
        return self.now + timedelta(days=self.days)


AnySelect = Select[*tuple[Any, ...]]  # rows of many shapes; `cells_of` reads them by label
Statement = Callable[[Asked], AnySelect]


async def _as_they_are(session: AsyncSession, cells: Cells, asked: Asked) -> Cells:
    del session, asked
    return cells


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One report. `parameters` names those it takes, with their defaults; `finish` adds to a page what SQL can't."""

    key: ReportKey
    columns: tuple[str, ...]
    rows: Statement
    figures: Statement | None = None
    parameters: Mapping[str, str | int | None] = field(default_factory=lambda: MappingProxyType({}))
    finish: Callable[[AsyncSession, Cells, Asked], Awaitable[Cells]] = _as_they_are


def named(
    name: str, id_column: SQLColumnExpression[Any], display: SQLColumnExpression[Any]
) -> tuple[Label[Any], Label[Any]]:
    """Return the two columns of a cell that shows an object by id and name."""
    return id_column.label(f"{name}{_PART}id"), display.label(f"{name}{_PART}display_name")


def cells_of(row: RowMapping) -> JsonObject:
    """Return a row as cells: objects put together, moments as text, an object that is not there as null."""
    cells: JsonObject = {}
    for label, value in row.items():
        name, _, part = label.partition(_PART)
        if label == TOTAL:
            continue
        if not part:
            cells[name] = _plain(value)
            continue
        whole = cells.setdefault(name, {})
        if isinstance(whole, dict):
            whole[part] = _plain(value)
    return {
        name: None if isinstance(cell, dict) and cell.get("id", "") is None else cell for name, cell in cells.items()
    }


def _plain(value: Any) -> JsonValue:  # noqa: ANN401 - what a database gives
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    plain: JsonValue = value
    return plain
