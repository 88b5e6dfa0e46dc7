"""The schema is brought up to date wholly or not at all, and by one server at a time."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from storage import database as module
from storage.database import Database


async def _tables(database: Database) -> int:
    async with database.reading() as session:
        connection = await session.connection()
        found = await connection.execute(text("SELECT count(*) FROM sqlite_master WHERE type = 'table'"))
        return int(found.scalar_one())


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite+aiosqlite:///{tmp_path / 'nova.sqlite3'}"


async def test_servers_that_start_at_once_on_an_empty_database_all_come_up(url: str) -> None:
    servers = [Database(url) for _ in range(4)]

    outcomes = await asyncio.gather(*(server.migrate() for server in servers), return_exceptions=True)

    tables = await _tables(servers[0])
    for server in servers:
        await server.close()
    assert outcomes == [None] * 4
    assert tables > 10


async def test_a_migration_that_breaks_off_leaves_nothing_half_done(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    database, upgrade = Database(url), module._upgrade

    def break_off(connection: Connection) -> None:
        upgrade(connection)
        raise OSError("the power is gone")

    monkeypatch.setattr(module, "_upgrade", break_off)
    with pytest.raises(OSError, match="power"):
        await database.migrate()
    left = await _tables(database)
    await database.close()

    assert left == 0
