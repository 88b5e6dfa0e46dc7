"""The whole product behind its API, in this process: real engine, real Nova, a real database; around it a model.

Two applications over one database, as two servers or processes are: what either keeps in memory the other lacks. Built
once, since that takes a second; each example begins with a database that holds the same people.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from typing import Final

import httpx
from fastapi import FastAPI

from nova_ui.api import ai
from nova_ui.api.app import add_routers, build_api
from nova_ui.auth.password import Passwords
from nova_ui.auth.session import SessionLimits, Sessions
from nova_ui.auth.signing_in import build_signing_in
from nova_ui.chat.assistants import Assistants
from nova_ui.chat.engine import Engine
from nova_ui.chat.history import ChatHistory
from nova_ui.chat.live_turns import LiveTurns
from nova_ui.domain.chat import PreviewId
from nova_ui.domain.identity import SessionId
from nova_ui.guardrails.marks import Marks, read_marks
from nova_ui.i18n.translator import Translators
from nova_ui.nova.services import build_nova
from nova_ui.nova_client.client import NovaDoor
from nova_ui.nova_client.origin import INTERFACE, Delegation, marked
from nova_ui.outgoing.client import Outgoing
from nova_ui.tools.registry import build_registry
from storage.database import Database
from storage.encryption import Encryption
from storage.ids import new_id
from storage.nova.membership import groups_among
from tests.api.site import SetClock
from tests.auth.people import quick_hasher
from tests.exploration.machine_database import ExampleDatabases, Fill, PostgresqlExamples, SqliteExamples
from tests.exploration.machine_model import HostileModel, OneModel
from tests.exploration.machine_watch import Watch, WatchedGate, WatchedNova
from tests.exploration.reference import Call
from tests.fakes.models import a_registry, an_encryption

TOOLS: Final = build_registry()


@dataclass(frozen=True)
class App:
    """One application: its API, the turns that run in it, and what its requests leave to be done later."""

    api: FastAPI
    live_turns: LiveTurns
    settle: Callable[[], Awaitable[None]]


@dataclass
class Site:
    """Everything that is built once; `watch` and the database's content are those of the running example."""

    runner: asyncio.Runner
    examples: ExampleDatabases
    clock: SetClock
    model: HostileModel
    apps: tuple[App, ...] = ()
    meanings: dict[str, Call] = field(default_factory=dict)
    running: Watch | None = None

    @property
    def watch(self) -> Watch:
        assert self.running is not None
        return self.running

    @property
    def database(self) -> Database:
        return self.examples.databases[0]

    async def call(self, app: int, session_id: str, endpoint: str, body: object = None) -> httpx.Response:
        """Call the API of one of the applications as the interface does, in a session."""
        method, _, path = endpoint.partition(" ")
        api = marked(self.apps[app].api, Delegation(session_id=SessionId(session_id), origin=INTERFACE))
        async with httpx.AsyncClient(transport=httpx.ASGITransport(api), base_url="http://nova") as client:
            return await client.request(method, path, json=body)

    async def settle(self) -> None:
        """Wait until no turn runs, and nothing is left to be done later."""
        async with asyncio.timeout(30):
            while self.model.doing:
                await self.model.doing.pop()
            for app in self.apps:
                while app.live_turns._tasks:
                    await asyncio.wait(set(app.live_turns._tasks.values()))
                await app.settle()

    @contextmanager
    def example(self, watch: Watch, fill: Fill) -> Iterator[None]:
        """Begin with what `fill` puts into the database, and with nothing else."""
        self.runner.run(self.examples.begin(fill))
        self.running = watch
        self.meanings.clear()
        yield
        self.runner.run(self.settle())
        self.runner.run(self.examples.end())
        self.running = None


@cache
def the_site(postgresql: str | None = None) -> Site:
    """Return the one site of this process, over SQLite or over the PostgreSQL database of an address."""
    examples = SqliteExamples() if postgresql is None else PostgresqlExamples(postgresql)
    site = Site(runner=asyncio.Runner(), examples=examples, clock=SetClock(), model=HostileModel())
    shared = _Shared(Translators(), an_encryption())
    site.apps = tuple(_build_app(site, database, shared) for database in examples.databases)
    return site


@dataclass
class _Shared:
    """What is the same in each application; the marks take longer to read than all else."""

    translators: Translators
    encryption: Encryption
    marks: Marks | None = None


def _build_app(site: Site, database: Database, shared: _Shared) -> App:
    limits = SessionLimits(idle=timedelta(days=3650), lifetime=timedelta(days=3650))
    sessions, encryption = Sessions(database, site.clock, limits), shared.encryption
    nova = build_nova(
        database,
        site.clock,
        sessions_ended=sessions.ended,
        tools=TOOLS,
        encryption=encryption,
        models=a_registry(),
        outgoing=Outgoing(allow_private=False),
        signing_in=build_signing_in(database, site.clock, encryption, sessions, passwords=Passwords(quick_hasher())),
    )
    api = build_api(nova, sessions)
    shared.marks = shared.marks or read_marks(api.openapi())
    engine = Engine(
        database=database,
        clock=site.clock,
        gate=WatchedGate(
            TOOLS,
            new_preview_id=lambda: PreviewId(new_id("prv")),
            marks=shared.marks,
            watch=lambda: site.watch,
            meanings=site.meanings,
        ),
        tools=TOOLS,
        models=OneModel(site.model),
        nova=NovaDoor(WatchedNova(api, site.examples.read, lambda: site.watch, nova.background.settle)),
        identity_of=sessions.identity_of,
        translators=shared.translators,
        groups_among=groups_among,
    )
    live_turns = LiveTurns(engine)
    sessions.ended.subscribe(live_turns.session_ended)
    history = ChatHistory(database, site.clock, live_turns, groups_among)
    assistants = Assistants(database, groups_among)
    add_routers(
        api,
        [ai.router_for(ai.AiParts(live_turns=live_turns, history=history, assistants=assistants, engine=engine))],
    )
    return App(api=api, live_turns=live_turns, settle=nova.background.settle)
