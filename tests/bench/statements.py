"""Which statements a request makes, and what they cost bare: run again one by one on the same kind of connection."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import event

from storage.database import Database


@dataclass(slots=True)
class Recorded:
    """The statements of one request, in their order."""

    statements: list[tuple[str, Any]] = field(default_factory=list)

    @property
    def writes(self) -> bool:
        """Whether any of them changes something."""
        return any(not statement.lstrip().upper().startswith("SELECT") for statement, _ in self.statements)


@contextmanager
def recording(database: Database) -> Iterator[Recorded]:
    """Note every statement that `database` runs meanwhile."""
    recorded = Recorded()

    def note(*event_values: Any) -> None:  # noqa: ANN401 - connection, cursor, statement, parameters, context, many
        _, _, statement, parameters, _, many = event_values
        if not statement.startswith(("BEGIN", "PRAGMA")):
            are_many = many and isinstance(parameters[0], (tuple, list, Mapping))
            given = [_given(one) for one in parameters] if are_many else _given(parameters)
            recorded.statements.append((statement, given))

    engine = database._engine.sync_engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        yield recorded
    finally:
        event.remove(engine, "before_cursor_execute", note)


def _given(parameters: Any) -> Any:  # noqa: ANN401 - as the driver wants them
    return dict(parameters) if isinstance(parameters, Mapping) else tuple(parameters)


async def run_bare(database: Database, recorded: Recorded) -> int:
    """Run the statements of a request again, in one transaction; return how many rows came back."""
    rows = 0
    async with database._engine.connect() as connection:
        if recorded.writes and database.is_sqlite:
            await connection.exec_driver_sql("BEGIN IMMEDIATE")
        for statement, parameters in recorded.statements:
            found = await connection.exec_driver_sql(statement, parameters)
            if found.returns_rows:
                rows += len(found.fetchall())
        if recorded.writes:
            await connection.commit()
    return rows
