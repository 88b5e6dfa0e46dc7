"""A connection to SQLite that asks its thread once a statement: the way there and back costs more than most of them."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, Self

import aiosqlite

_CHUNK_ROWS: Final = 64  # what the driver wants to know for reading in pieces


class SqliteConnection(aiosqlite.Connection):
    """The driver's connection, without the ways to its thread that have nothing to do there.

    The driver's cursor goes there to be made, to execute, to fetch and to be closed, and a connection that only read
    is rolled back there. Here executing fetches as well, and only what may have opened a transaction is ended.
    """

    def __init__(self, path: str) -> None:
        # One thread at a time uses the connection: whoever has it waits for the answer before it does anything else.
        super().__init__(lambda: sqlite3.connect(path, check_same_thread=False), _CHUNK_ROWS)
        self._thread.daemon = True
        self.may_be_open = False

    def cursor(self) -> "SqliteCursor":  # type: ignore[override] # a cursor is its own context manager
        """Return a new cursor."""
        return SqliteCursor(self, self._conn.cursor())

    async def commit(self) -> None:
        """Commit what was written."""
        if self.may_be_open:
            await super().commit()
            self.may_be_open = False

    async def rollback(self) -> None:
        """Take back what was written."""
        if self.may_be_open:
            await super().rollback()
            self.may_be_open = False


class SqliteCursor(aiosqlite.Cursor):
    """A cursor that holds all rows once it has executed."""

    def __init__(self, connection: SqliteConnection, cursor: sqlite3.Cursor) -> None:
        super().__init__(connection, cursor)
        self._owner = connection
        self._rows: Iterator[sqlite3.Row] = iter(())

    async def execute(self, sql: str, parameters: Any = ()) -> Self:  # noqa: ANN401 - as the driver has it
        """Execute a statement and fetch its rows."""
        self._note(sql)
        rows: list[sqlite3.Row] = await self._execute(  # type: ignore[no-untyped-call] # the driver's own
            self._execute_and_fetch, sql, parameters
        )
        self._rows = iter(rows)
        return self

    async def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> Self:
        """Execute a statement with many sets of parameters."""
        self._note(sql)
        await super().executemany(sql, parameters)
        return self

    async def fetchone(self) -> sqlite3.Row | None:
        """Return the next row, or None."""
        return next(self._rows, None)

    async def fetchmany(self, size: int | None = None) -> Sequence[sqlite3.Row]:
        """Return the next `size` rows."""
        return list(islice(self._rows, self.arraysize if size is None else size))

    async def fetchall(self) -> Sequence[sqlite3.Row]:
        """Return the rows that are left."""
        return list(self._rows)

    async def close(self) -> None:
        """Do nothing: a statement whose rows have all been fetched is over."""

    def _note(self, sql: str) -> None:
        # Before the thread is asked, so that a wait which is broken off leaves no transaction behind.
        if not sql.startswith("SELECT"):
            self._owner.may_be_open = True

    def _execute_and_fetch(self, sql: str, parameters: Any) -> list[sqlite3.Row]:  # noqa: ANN401 - as above
        return self._cursor.execute(sql, parameters).fetchall()
