"""A database that is busy, full or away says so in words of ours, and leaves nothing locked or half written."""

import asyncio
import resource
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import aiosqlite
import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError, OperationalError

from nova_ui.errors import NovaUnavailable, NovaUnsaved
from storage import database as module
from storage.database import Database
from storage.failing import failure_of


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "nova.sqlite3"


@pytest.fixture
async def database(file: Path) -> AsyncIterator[Database]:
    database = Database(f"sqlite+aiosqlite:///{file}")
    async with database.transaction() as session:
        connection = await session.connection()
        await connection.execute(text("CREATE TABLE things (id INTEGER PRIMARY KEY, words TEXT)"))
    yield database
    await database.close()


async def _add(database: Database, number: int, words: str = "") -> None:
    async with database.transaction() as session:
        connection = await session.connection()
        await connection.execute(text("INSERT INTO things VALUES (:id, :words)"), {"id": number, "words": words})


async def _count(database: Database) -> int:
    async with database.asking() as connection:
        return int((await connection.execute(text("SELECT count(*) FROM things"))).scalar_one())


async def test_a_lock_that_another_process_holds_for_too_long_is_a_busy_database(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_BUSY_TIMEOUT_MS", 50)
    database = Database(f"sqlite+aiosqlite:///{file}")
    with closing(sqlite3.connect(file, isolation_level=None)) as outside:
        outside.execute("PRAGMA journal_mode=WAL")
        outside.execute("CREATE TABLE things (id INTEGER PRIMARY KEY, words TEXT)")
        outside.execute("BEGIN IMMEDIATE")
        with pytest.raises(NovaUnsaved) as told:
            await _add(database, 1)
        assert await _count(database) == 0
        outside.execute("ROLLBACK")

    await _add(database, 2)
    counted = await _count(database)
    await database.close()

    assert told.value.code == "database_busy"
    assert counted == 1


async def test_whoever_waits_for_too_many_others_of_this_process_is_told(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PATIENCE_S", 0.01)
    async with database.transaction():
        with pytest.raises(NovaUnsaved) as told:
            await _add(database, 1)

    await _add(database, 2)

    assert told.value.code == "database_busy"


async def test_a_file_that_may_not_grow_is_a_full_database(database: Database) -> None:
    async with database.transaction() as session:
        await (await session.connection()).exec_driver_sql("PRAGMA max_page_count = 4")

    with pytest.raises(NovaUnsaved) as told:
        await _add(database, 1, "x" * 100_000)
    await _add(database, 2)

    assert told.value.code == "database_full"
    assert await _count(database) == 1


async def test_a_disk_that_takes_nothing_more_leaves_nothing_half_written(database: Database) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(NovaUnsaved) as told:
            await _add(database, 1)
        during = await _count(database)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    await _add(database, 2)

    assert told.value.code in {"database_full", "database_unavailable"}
    assert during == 0
    assert await _count(database) == 1


async def test_what_is_our_own_fault_stays_what_it_is(database: Database) -> None:
    await _add(database, 1)

    with pytest.raises(IntegrityError):
        await _add(database, 1)
    with pytest.raises(OperationalError, match="no such table"):
        async with database.asking() as connection:
            await connection.execute(text("SELECT * FROM no_such_table"))


class _OfTheServer(Exception):
    def __init__(self, state: str | None) -> None:
        super().__init__("words of the server")
        self.sqlstate = state


@pytest.mark.parametrize(
    ("state", "code"),
    [
        ("53100", "database_full"),
        ("55P03", "database_busy"),
        ("40P01", "database_busy"),
        ("57P01", "database_unavailable"),
        ("25006", "database_unavailable"),
        ("23505", None),
        ("42P01", None),
    ],
)
def test_postgresql_says_by_its_state_what_is_the_matter(state: str, code: str | None) -> None:
    failure = failure_of(OperationalError("SELECT 1", None, _OfTheServer(state)))

    assert (None if failure is None else failure.code) == code
    assert failure is None or "words" not in failure.detail


def test_a_connection_that_is_lost_while_committing_leaves_the_outcome_open() -> None:
    lost = OperationalError("COMMIT", None, _OfTheServer("57P01"), connection_invalidated=True)

    before, while_committing = failure_of(lost), failure_of(lost, is_committing=True)

    assert isinstance(before, NovaUnsaved)
    assert type(while_committing) is NovaUnavailable
    assert "not known" in while_committing.detail


@pytest.mark.parametrize("breaks", [1, 3])
@pytest.mark.parametrize("step", range(1, 9))
async def test_a_transaction_that_is_broken_off_at_any_step_leaves_no_lock_behind(
    database: Database, file: Path, monkeypatch: pytest.MonkeyPatch, step: int, breaks: int
) -> None:
    """Broken off once, or again while it is being taken back; as a stop, a time limit or the end of the server does."""
    execute, steps = aiosqlite.Connection._execute, iter(range(1, 100))

    async def broken_off(self: aiosqlite.Connection, *what: object) -> object:
        if next(steps) == step:
            for place in range(breaks):
                asyncio.get_running_loop().call_later(0.0005 * place, task.cancel)
        return await execute(self, *what)  # type: ignore[no-untyped-call] # the driver's own

    async def write() -> None:
        async with database.transaction() as session:
            connection = await session.connection()
            for number in range(3):
                await connection.execute(text("INSERT INTO things VALUES (:id, '')"), {"id": number})

    task = asyncio.create_task(write())
    monkeypatch.setattr(aiosqlite.Connection, "_execute", broken_off)
    await asyncio.wait({task})
    monkeypatch.setattr(aiosqlite.Connection, "_execute", execute)

    async with asyncio.timeout(5):
        await _add(database, 100)
    with closing(sqlite3.connect(file, timeout=1, isolation_level=None)) as outside:
        outside.execute("BEGIN IMMEDIATE")
        outside.execute("ROLLBACK")
    assert await _count(database) in {1, 4}
