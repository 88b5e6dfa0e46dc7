"""A database of its own for each example, with the same people in it, and a way to read it past the product."""

import secrets
import shutil
import sqlite3
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Protocol

import psycopg
from sqlalchemy.engine import make_url

from storage.database import Database
from storage.sqlite_connection import SqliteConnection
from tests.fakes.databases import empty_postgresql, make_sqlite_template

Fill = Callable[[Database], Coroutine[Any, Any, None]]


class ExampleDatabases(Protocol):
    """`databases` has one for each application; the numbers of `place` grow with each row."""

    databases: Sequence[Database]
    place: str

    async def begin(self, fill: Fill) -> None:
        """Make the database anew, with what `fill` puts there."""

    async def end(self) -> None:
        """Let go of it."""

    def read(self, query: str) -> Sequence[tuple[Any, ...]]:
        """Return the rows of a query; on a connection of our own, in a fiftieth of the product's time."""


class _InPlaceConnection(SqliteConnection):
    """Executes where it is asked to: the way to the driver's thread and back takes longer than most statements.

    Nobody else has the file, so no statement ever waits for another connection.
    """

    async def _execute(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - the driver's
        return fn(*args, **kwargs)


class _InPlaceDatabase(Database):
    """Stays the same while its file changes: what it knows of its statements would have to be found out anew."""

    def __init__(self) -> None:
        super().__init__("sqlite+aiosqlite://")
        self.path = Path()

    async def _connect_sqlite(self) -> SqliteConnection:
        connection = _InPlaceConnection(str(self.path))
        await connection
        return connection


class SqliteExamples:
    """Copies of one file. Both applications share the connections, so that neither waits for the other's lock."""

    place = "rowid"

    def __init__(self) -> None:
        self._folder: Final = TemporaryDirectory()
        self._template = make_sqlite_template(Path(self._folder.name))
        self._is_filled = False
        self._reader: sqlite3.Connection | None = None
        self._database = _InPlaceDatabase()
        self.databases: Sequence[Database] = (self._database, self._database)

    async def begin(self, fill: Fill) -> None:
        # A name of its own: what an earlier example may have left open must not reach this file.
        path = self._database.path = self._template.with_name(f"{secrets.token_hex(8)}.sqlite3")
        shutil.copyfile(self._template, path)
        if not self._is_filled:
            await fill(self._database)
            await self._database.close()  # which writes everything into the one file
            shutil.copyfile(path, self._template)
            self._is_filled = True
        self._reader = sqlite3.connect(path)

    async def end(self) -> None:
        assert self._reader is not None
        self._reader.close()
        await self._database.close()
        self._database.path.unlink()

    def read(self, query: str) -> Sequence[tuple[Any, ...]]:
        assert self._reader is not None
        return self._reader.execute(query).fetchall()


class PostgresqlExamples:
    """One database that is emptied; each application has connections of its own, as two processes have."""

    place = "xmin::text::bigint"  # the transaction that wrote the row as it is now

    def __init__(self, address: str) -> None:
        self._address = address
        self._reader: psycopg.Connection | None = None
        self.databases: Sequence[Database] = (Database(address), Database(address))

    async def begin(self, fill: Fill) -> None:
        empty_postgresql(self._address)
        await fill(self.databases[0])
        plain = make_url(self._address).set(drivername="postgresql").render_as_string(hide_password=False)
        self._reader = psycopg.connect(plain, autocommit=True)

    async def end(self) -> None:
        assert self._reader is not None
        self._reader.close()
        for database in self.databases:
            await database.close()

    def read(self, query: str) -> Sequence[tuple[Any, ...]]:
        assert self._reader is not None
        return self._reader.execute(query.encode()).fetchall()
