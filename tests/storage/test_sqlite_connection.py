"""A statement asks the thread of its connection once, and nothing is left open, however a wait ends."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import aiosqlite
import pytest
from sqlalchemy import text

from storage.database import Database


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'nova.sqlite3'}")
    async with database.transaction() as session:
        await (await session.connection()).execute(text("CREATE TABLE things (id INTEGER PRIMARY KEY)"))
    yield database
    await database.close()


@pytest.fixture
def ways(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Each way to a thread, by the name of what is done there."""
    made: list[str] = []
    execute = aiosqlite.Connection._execute

    async def counted(self: aiosqlite.Connection, do: Callable[..., object], *args: object) -> object:
        made.append(do.__name__)
        return await execute(self, do, *args)  # type: ignore[no-untyped-call] # the driver's own

    monkeypatch.setattr(aiosqlite.Connection, "_execute", counted)
    return made


async def _numbers(database: Database) -> list[int]:
    async with database.reading() as session:
        found = await (await session.connection()).execute(text("SELECT id FROM things ORDER BY id"))
        return list(found.scalars().all())


async def _add(database: Database, *numbers: int) -> None:
    async with database.transaction() as session:
        connection = await session.connection()
        await connection.execute(text("INSERT INTO things (id) VALUES (:id)"), [{"id": one} for one in numbers])


async def test_reading_asks_the_thread_once(database: Database, ways: list[str]) -> None:
    await _numbers(database)

    assert ways == ["_execute_and_fetch"]


async def test_writing_asks_for_its_beginning_its_statement_and_its_end(database: Database, ways: list[str]) -> None:
    await _add(database, 1, 2)

    assert ways == ["_execute_and_fetch", "executemany", "commit"]
    assert await _numbers(database) == [1, 2]


async def test_what_failed_is_taken_back_and_the_next_one_can_write(database: Database) -> None:
    await _add(database, 1)

    with pytest.raises(Exception, match="UNIQUE"):
        await _add(database, 2, 1)

    await _add(database, 3)
    assert await _numbers(database) == [1, 3]


@pytest.mark.parametrize("steps", range(12))
async def test_a_write_that_nobody_waits_for_any_more_leaves_no_transaction_behind(
    database: Database, steps: int
) -> None:
    writing = asyncio.create_task(_add(database, 1))
    for _ in range(steps):
        await asyncio.sleep(0)

    writing.cancel()
    await asyncio.wait({writing})

    await _add(database, 2)
    assert await _numbers(database) in ([2], [1, 2])


async def test_rows_can_be_read_in_pieces(database: Database) -> None:
    await _add(database, *range(150))

    async with database.reading() as session:
        streamed = await (await session.connection()).stream(text("SELECT id FROM things ORDER BY id"))
        found = [number async for (number,) in streamed]

    assert found == list(range(150))
