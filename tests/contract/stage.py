"""The whole API within this process, as the product builds it, over a small database that is soon put back."""

import asyncio
import json
import shutil
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx
from argon2 import PasswordHasher

from nova_ui.auth.password import Passwords
from nova_ui.bootstrap import Parts, build_parts
from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.identity import SessionId
from nova_ui.nova_client.origin import ASGIApp, Delegation, Origin, marked
from nova_ui.settings import Settings
from storage.database import Database
from tests.api.site import SetClock
from tests.contract.cast import PASSWORD, put_cast, token_of
from tests.contract.operations import Document, Operation, read_document
from tests.contract.sample import NO_BODY, Sample, Things
from tests.contract.samples import put_things
from tests.fakes.guarded import API_URL, behind_guard
from tests.fakes.quick_tester import QuickTester

Rows = dict[tuple[object, ...], tuple[object, ...]]
Snapshot = dict[str, Rows]

CHAT: Final = "helpdesk"
_MOST_REFUSALS: Final = 200  # of a twentieth of a second each
_UNCOUNTED: Final = frozenset(
    {"audit_entries", "audit_chain", "alembic_version", "idempotency_keys", "sign_in_attempts"}
)
_UNCOUNTED_COLUMNS: Final = frozenset({"last_seen_at", "heartbeat_at", "test_state", "tested_at", "test_code"})


class _Patience:
    """Ends a copy that finds the database locked again and again, which SQLite's own would try for ever."""

    def __init__(self) -> None:
        self._refusals = 0

    def __call__(self, status: int, _remaining: int, _total: int) -> None:
        self._refusals += status in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
        if self._refusals > _MOST_REFUSALS:
            raise TimeoutError("the database stays locked")


@dataclass(slots=True)
class Stage:
    """The API, the things, and the database behind them."""

    parts: Parts
    outside: ASGIApp
    document: Document
    things: Things
    path: Path
    template: Path
    _columns: dict[str, tuple[list[int], list[int]]] = field(default_factory=dict)

    async def ask(
        self,
        operation: Operation,
        sample: Sample,
        who: str,
        *,
        via: str | None = None,
        **changed: Any,  # noqa: ANN401
    ) -> httpx.Response:
        """Make the sample's request as `who`, from the interface or from the chat with the assistant `via`."""
        path = self.path_of(operation, sample, who)
        query = changed.pop("query", None)
        if query is None:
            query = self.things.fill(dict(sample.query), who)
        body = changed.pop("body", None)
        if body is None and sample.body != NO_BODY:
            body = self.things.fill(sample.body, who)
        content = None if body is None else json.dumps(body).encode()
        return await self.send(
            f"{operation.method} {path}", who, via=via, query=query, **{"content": content, **changed}
        )

    def path_of(self, operation: Operation, sample: Sample, who: str) -> str:
        """Return the path of the sample's request."""
        names = {name: f"{{{name.removesuffix('_id')}}}" for name in operation.parameter_names("path")}
        return operation.path.format(**self.things.fill({**names, **sample.path}, who))

    async def send(
        self,
        endpoint: str,
        who: str | None,
        *,
        via: str | None = None,
        query: Mapping[str, str] | None = None,
        content: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx.Response:
        """Send a request as it comes from outside with a token or, with `via`, as the chat's own client sends it."""
        method, _, path = endpoint.partition(" ")
        sent = {**({"Content-Type": "application/json"} if content is not None else {}), **(headers or {})}
        if who is not None and via is None:
            sent["Authorization"] = f"Bearer {token_of(who)}"
        app: ASGIApp = self.outside
        url = f"{API_URL}{path}"
        if via is not None:
            session = SessionId(self.things.ids[f"session_of_{who}"])
            app = marked(self.parts.api, Delegation(session_id=session, origin=Origin(assistant_key=AssistantKey(via))))
            url = f"http://nova{path}"
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app)) as client:
            answer = await client.request(method, url, params=query or None, content=content, headers=sent)
        await self.parts.nova.ai_routine_runs.settle()
        await self.parts.background.settle()  # what the request left to be done later, such as an export
        return answer

    async def come_to_rest(self) -> None:
        """Let what still writes come to its end; while its loop stands still, it would keep the database locked."""
        await self.parts.nova.ai_routine_runs.settle()
        await self.parts.background.settle()
        here = asyncio.get_running_loop()
        turns = [task for task in self.parts.services.live_turns._tasks.values() if task.get_loop() is here]
        if turns:
            await asyncio.wait(turns, timeout=5)
        for _ in range(2):
            async with self.parts.database.transaction():
                pass
            await asyncio.sleep(0.005)

    def reset(self) -> None:
        """Put everything back as it was.

        Raises:
            TimeoutError: somebody keeps the database locked.

        """
        with closing(sqlite3.connect(self.template)) as source, closing(sqlite3.connect(self.path)) as target:
            source.backup(target, progress=_Patience(), sleep=0.05)

    def snapshot(self) -> Snapshot:
        """Return every row but those of the log and of counters; a row by its key."""
        with closing(sqlite3.connect(self.path)) as connection:
            return {table: self._rows(connection, table) for table in self._tables(connection)}

    def entries(self) -> Sequence[dict[str, Any]]:
        """Return the audit log, oldest first."""
        with closing(sqlite3.connect(self.path)) as connection:
            connection.row_factory = sqlite3.Row
            found = connection.execute("SELECT * FROM audit_entries ORDER BY seq").fetchall()
        return [{**dict(row), "details": json.loads(row["details"])} for row in found]

    def _tables(self, connection: sqlite3.Connection) -> list[str]:
        if not self._columns:
            names = [str(row[0]) for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            for table in names:
                if table not in _UNCOUNTED and not table.startswith("sqlite_"):
                    info = connection.execute(f"PRAGMA table_info({table})").fetchall()
                    keys = [row[0] for row in info if row[5]]
                    self._columns[table] = keys, [row[0] for row in info if row[1] not in _UNCOUNTED_COLUMNS]
        return list(self._columns)

    def _rows(self, connection: sqlite3.Connection, table: str) -> Rows:
        keys, counted = self._columns[table]
        found = connection.execute(f"SELECT * FROM {table}").fetchall()  # noqa: S608 - a table's own name
        return {tuple(row[key] for key in keys): tuple(row[one] for one in counted) for row in found}


def differences(before: Snapshot, after: Snapshot) -> dict[str, int]:
    """Return how many rows of each table came, went or changed; tables without any are left out."""
    counts = {
        table: sum(rows.get(key) != after[table].get(key) for key in rows.keys() | after[table].keys())
        for table, rows in before.items()
    }
    return {table: count for table, count in counts.items() if count}


def build_stage(folder: Path, migrated: Path) -> Stage:
    """Build the API over a copy of a migrated file."""
    settings = Settings(data_dir=folder)
    parts = build_parts(settings, clock=SetClock(), passwords=Passwords(_quick_hasher()))
    parts.nova.self_tests.connect(QuickTester())  # the real one takes seconds: tests/self_test
    path = Path(settings.database_address.partition("///")[2])
    shutil.copyfile(migrated, path)
    things = Things()
    put_cast(things, _quick_hasher().hash(PASSWORD))
    put_things(things, parts.encryption)
    return Stage(
        parts=parts,
        outside=behind_guard(parts.api, parts.auth.sessions),
        document=read_document(parts.api),
        things=things,
        path=path,
        template=folder / "template.sqlite3",
    )


async def fill(stage: Stage) -> None:
    """Store what is on the stage, and keep that as what `reset` puts back."""
    database = Database(f"sqlite+aiosqlite:///{stage.path}")
    async with database.transaction() as session:
        for row in stage.things.rows:  # one by one: in the order of the foreign keys
            session.add(row)
            await session.flush()
    await database.close()
    with closing(sqlite3.connect(stage.path)) as source, closing(sqlite3.connect(stage.template)) as target:
        source.backup(target)


def _quick_hasher() -> PasswordHasher:
    return PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
