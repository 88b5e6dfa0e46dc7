"""What can befall the database of a running site: somebody holds its lock, there is no room left, it is gone.

SQLite's lock is held by another process's transaction, and the room ends by a limit that is set on the server's own
process from outside. PostgreSQL's tables are locked by another session, and the room ends by a trigger that raises what
the server raises when it can't extend a file (SQLSTATE 53100): filling a real disk takes an administrator's rights.
"""

import resource
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Final

import psycopg
from sqlalchemy.engine import make_url

from tests.races.site import RaceSite

WRITTEN: Final = ("turns", "turn_events", "previews", "message_counters", "groups", "sessions", "sign_in_attempts")
ROOM_BYTES: Final = 4096  # less than one page in SQLite's log takes
_FULL: Final = """
CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$
"""


@contextmanager
def locked(site: RaceSite) -> Iterator[None]:
    """Hold what every write needs for as long as the block runs; reading goes on."""
    if site.is_sqlite:
        with closing(sqlite3.connect(site.file, isolation_level=None, timeout=30)) as outside:
            outside.execute("BEGIN IMMEDIATE")
            yield
            outside.execute("ROLLBACK")
        return
    with _outside(site) as session, session.transaction():
        session.execute(f"LOCK TABLE {', '.join(WRITTEN)} IN EXCLUSIVE MODE")
        yield


@contextmanager
def without_room(site: RaceSite) -> Iterator[None]:
    """Let nothing more be written for as long as the block runs."""
    if site.is_sqlite:
        before = {server.pid: resource.prlimit(server.pid, resource.RLIMIT_FSIZE) for server in site.servers}
        for pid, (_, hard) in before.items():
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (ROOM_BYTES, hard))
        yield
        for pid, limits in before.items():
            resource.prlimit(pid, resource.RLIMIT_FSIZE, limits)
        return
    with _outside(site) as session:
        session.execute(_FULL)
        for table in WRITTEN:
            session.execute(
                f"CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION no_room()"
            )
        yield
        session.execute("DROP FUNCTION no_room CASCADE")


@contextmanager
def gone(site: RaceSite) -> Iterator[None]:
    """Take PostgreSQL's database away for as long as the block runs: nobody is connected, nobody gets in."""
    url = make_url(site.database)
    name = f'"{url.database}"'
    with psycopg.connect(_plain(str(url.set(database="postgres").render_as_string(hide_password=False)))) as session:
        session.autocommit = True
        session.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
        session.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (str(url.database),)
        )
        yield
        session.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")


@contextmanager
def _outside(site: RaceSite) -> Iterator["psycopg.Connection[tuple[object, ...]]"]:
    with psycopg.connect(_plain(site.database), autocommit=True) as session:
        yield session


def _plain(address: str) -> str:
    return make_url(address).set(drivername="postgresql").render_as_string(hide_password=False)
