"""The one database: engines, transactions, migrations."""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, async_sessionmaker, create_async_engine
from sqlmodel.ext.asyncio.session import AsyncSession

from storage.end_of_transaction import finish
from storage.failing import FAILURES, busy, failure_of
from storage.sqlite_connection import SqliteConnection

if TYPE_CHECKING:
    from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
    from sqlalchemy.pool import ConnectionPoolEntry

_BUSY_TIMEOUT_MS = 10_000  # for another process's write, or a row that somebody else holds
_PATIENCE_S = 15.0  # for the writes of this process that wait already
_WAL_ATTEMPTS = 100
_WAL_PAUSE_S = 0.01
_LOCK_OF_MIGRATIONS = "SELECT pg_advisory_xact_lock(7236982310)"


class Database:
    """SQLite in WAL mode, or PostgreSQL, by `url` (`sqlite+aiosqlite:///…`, `postgresql+psycopg://…`)."""

    def __init__(self, url: str) -> None:
        self._url = make_url(url)
        self.is_sqlite = self._url.get_backend_name() == "sqlite"
        options: dict[str, Any] = (
            {"async_creator": self._connect_sqlite} if self.is_sqlite else {"connect_args": {"prepare_threshold": None}}
        )
        self._engine: AsyncEngine = create_async_engine(
            self._url,
            pool_pre_ping=not self.is_sqlite,
            hide_parameters=True,  # what was to be stored must not appear in an error's words
            **options,
        )
        event.listen(self._engine.sync_engine, "connect", _prepare_sqlite if self.is_sqlite else _prepare_postgresql)
        self._sessions = async_sessionmaker(self._engine, class_=AsyncSession, expire_on_commit=False)
        # One writer at a time within a process: waiting here is cheaper than SQLite's polling for its lock.
        self._write_lock = asyncio.Lock()

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncSession]:
        """Open a session that may write; commits on the way out, rolls back on an error.

        Raises:
            NovaUnsaved: the database is busy for too long, full or away; nothing was changed.
            NovaUnavailable: it went away while committing.

        """
        is_committing = False
        try:
            async with self._writing() as session:
                yield session
                await finish(session)
                is_committing = True
                await session.commit()
        except FAILURES as error:
            failure = failure_of(error, is_committing=is_committing)
            if failure is None:
                raise
            raise failure from error

    @asynccontextmanager
    async def _writing(self) -> AsyncIterator[AsyncSession]:
        if not self.is_sqlite:
            async with self._sessions() as session:
                yield session
            return
        async with self._alone(), self._sessions() as session:
            # IMMEDIATE takes the write lock at once: a deferred transaction that reads first fails on its first write.
            connection = await session.connection()
            await connection.exec_driver_sql("BEGIN IMMEDIATE")
            try:
                yield session
            except BaseException:
                await session.rollback()
                raise

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[None]:
        """Wait until nobody else in this process writes."""
        try:
            async with asyncio.timeout(_PATIENCE_S):
                await self._write_lock.acquire()
        except TimeoutError:
            raise busy() from None
        try:
            yield
        finally:
            self._write_lock.release()

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """Open a session that only reads.

        Raises:
            NovaUnsaved: the database can't be used.

        """
        with _told():
            async with self._sessions() as session:
                yield session

    @asynccontextmanager
    async def asking(self) -> AsyncIterator[AsyncConnection]:
        """Open a connection that only reads, without a session's bookkeeping: for what is asked at every call.

        Raises:
            NovaUnsaved: the database can't be used.

        """
        with _told():
            async with self._engine.connect() as connection:
                yield connection

    async def migrate(self) -> None:
        """Bring the schema to the newest version, wholly or not at all; of servers that start at once only one does."""
        async with self._engine.connect() as connection:
            if not self.is_sqlite:
                await connection.exec_driver_sql("SET LOCAL lock_timeout = 0")  # another server may migrate for long
            await connection.exec_driver_sql("BEGIN IMMEDIATE" if self.is_sqlite else _LOCK_OF_MIGRATIONS)
            await connection.run_sync(_upgrade)
            await connection.commit()

    async def check(self) -> None:
        """Fail if the database can't be used."""
        async with self.asking() as connection:
            await connection.execute(text("SELECT 1"))

    async def close(self) -> None:
        """Close all connections."""
        await self._engine.dispose()

    async def _connect_sqlite(self) -> SqliteConnection:
        connection = SqliteConnection(self._url.database or "")
        await connection
        return connection


@contextmanager
def _told() -> Iterator[None]:
    """Turn a failure of the database into one of ours."""
    try:
        yield
    except FAILURES as error:
        failure = failure_of(error)
        if failure is None:
            raise
        raise failure from error


def _upgrade(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def _prepare_sqlite(connection: "DBAPIConnection", _record: "ConnectionPoolEntry") -> None:
    # The driver must not open transactions of its own: `transaction` says when one begins, and how.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={_BUSY_TIMEOUT_MS}")
    _use_wal(cursor)
    for pragma in ("synchronous=NORMAL", "foreign_keys=ON", "temp_store=MEMORY"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _prepare_postgresql(connection: "DBAPIConnection", _record: "ConnectionPoolEntry") -> None:
    # Without it whoever meets a lock that somebody holds for ever waits for ever, and nobody is told.
    cursor = connection.cursor()
    cursor.execute(f"SET lock_timeout = {_BUSY_TIMEOUT_MS}")
    cursor.close()
    connection.commit()


def _use_wal(cursor: "DBAPICursor") -> None:
    # The switch of a new file needs it alone for a moment, and SQLite's own waiting does not cover that: servers that
    # start at once would find it locked. Later connections find the mode set.
    for remaining in reversed(range(_WAL_ATTEMPTS)):
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError:
            if not remaining:
                raise
            time.sleep(_WAL_PAUSE_S)
        else:
            return
