"""Fresh databases with the current schema, made quickly: copied from one that was migrated once."""

import asyncio
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg import sql
from sqlalchemy.engine import make_url

from storage.database import Database


def make_sqlite_template(folder: Path) -> Path:
    """Return a migrated file that nobody has open."""
    path = folder / "template.sqlite3"
    _migrate(f"sqlite+aiosqlite:///{path}")
    return path


def copy_sqlite(template: Path, folder: Path) -> str:
    """Return the address of a copy."""
    path = folder / f"{secrets.token_hex(6)}.sqlite3"
    shutil.copyfile(template, path)
    return f"sqlite+aiosqlite:///{path}"


@contextmanager
def postgresql_database(server: str, template: str | None = None) -> Iterator[tuple[str, str]]:
    """Make a database for as long as the block runs; yields its address and its name.

    With no `template` it is migrated, and can be the template of others.
    """
    name = f"test_{secrets.token_hex(8)}"
    url = make_url(server)
    address = url.set(drivername="postgresql", database="postgres").render_as_string(hide_password=False)
    with psycopg.connect(address, autocommit=True) as connection:
        make = sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(
            sql.Identifier(name), sql.Identifier(template or "template0")
        )
        connection.execute(make)
        made = url.set(drivername="postgresql+psycopg", database=name).render_as_string(hide_password=False)
        try:
            if template is None:
                _migrate(made)
            yield made, name
        finally:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def _migrate(url: str) -> None:
    async def migrate() -> None:
        database = Database(url)
        await database.migrate()
        await database.close()

    asyncio.run(migrate())
