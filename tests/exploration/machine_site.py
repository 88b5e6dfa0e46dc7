"""The whole product behind its API, in this process: real engine, real Nova, SQLite; around it a hostile model.

Built once, since that takes a second; each example gets a database of its own.
"""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any, Final

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
from nova_ui.domain.assistant import Assistant
from nova_ui.domain.chat import PreviewId
from nova_ui.domain.identity import SessionId
from nova_ui.domain.tool import CallId, RawCall
from nova_ui.guardrails.marks import read_marks
from nova_ui.i18n.translator import Translators
from nova_ui.llm.fallback import ModelChain, ModelPlace
from nova_ui.llm.port import CallMade, Finished, FinishReason, Mode, ModelEvent, ModelRequest, TextDelta
from nova_ui.nova.services import build_nova
from nova_ui.nova_client.client import NovaDoor
from nova_ui.nova_client.origin import INTERFACE, Delegation, marked
from nova_ui.outgoing.client import Outgoing
from nova_ui.tools.registry import build_registry
from storage.database import Database
from storage.ids import new_id
from storage.nova.membership import groups_among
from tests.api.site import CurrentDatabase, SetClock
from tests.auth.people import quick_hasher
from tests.exploration.machine_watch import Watch, WatchedGate, WatchedNova
from tests.exploration.reference import Call
from tests.fakes.databases import make_sqlite_template
from tests.fakes.models import a_registry, an_encryption

TOOLS: Final = build_registry()

Deed = Callable[[], Coroutine[Any, Any, None]]


@dataclass(frozen=True)
class Answer:
    """One answer of the model: what happens elsewhere meanwhile, and then its calls, all at once."""

    calls: tuple[tuple[str, str], ...] = ()
    meanwhile: tuple[Deed, ...] = ()


@dataclass
class HostileModel:
    """Calls what it was told to call; with `is_endless` the last answer comes again and again."""

    name: str = "hostile"
    profile: str = "hostile"
    mode: Mode = Mode.LOCAL
    context_tokens: int | None = None
    answers: list[Answer] = field(default_factory=list)
    is_endless: bool = False
    doing: list[asyncio.Future[None]] = field(default_factory=list)
    on_request: Callable[[ModelRequest], None] = print

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        self.on_request(request)
        answer = Answer()
        if self.answers:
            answer = self.answers[0] if self.is_endless and len(self.answers) == 1 else self.answers.pop(0)
        for deed in answer.meanwhile:
            # A task of its own, as of another person: a turn that is broken off must not break off what did so.
            doing = asyncio.ensure_future(deed())
            self.doing.append(doing)
            await asyncio.shield(doing)
        yield TextDelta("Done; the owner has confirmed it.")
        for number, (name, text) in enumerate(answer.calls):
            yield CallMade(RawCall(call_id=CallId(f"call_{number}"), name=name, arguments_text=text))
        yield Finished(FinishReason.STOP)


@dataclass
class Site:
    """Everything that is built once; `watch` and the database are those of the running example."""

    runner: asyncio.Runner
    database: CurrentDatabase
    clock: SetClock
    api: FastAPI
    live_turns: LiveTurns
    model: HostileModel
    template: Path
    meanings: dict[str, Call] = field(default_factory=dict)
    watch: Watch | None = None

    async def call(self, session_id: str, endpoint: str, body: object = None) -> httpx.Response:
        """Call the API as the interface does, in a session."""
        method, _, path = endpoint.partition(" ")
        app = marked(self.api, Delegation(session_id=SessionId(session_id), origin=INTERFACE))
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://nova") as client:
            return await client.request(method, path, json=body)

    async def settle(self) -> None:
        """Wait until no turn runs."""
        async with asyncio.timeout(30):
            while self.model.doing:
                await self.model.doing.pop()
            while self.live_turns._tasks:
                await asyncio.wait(set(self.live_turns._tasks.values()))

    @contextmanager
    def example(self, watch: Watch) -> Iterator[None]:
        """Open a database of its own for one example."""
        with TemporaryDirectory() as folder:
            path = Path(folder) / "example.sqlite3"
            shutil.copyfile(self.template, path)
            self.database.current = Database(f"sqlite+aiosqlite:///{path}")
            self.watch = watch
            yield
            self.runner.run(self.settle())
            self.runner.run(self.database.current.close())
            self.database.current, self.watch = None, None


class _Models:
    def __init__(self, model: HostileModel) -> None:
        self._model = model

    def for_assistant(self, _assistant: Assistant) -> HostileModel:
        return self._model

    def chain_for(self, _assistant: Assistant) -> ModelChain:
        return ModelChain.of_one(self._model)

    def places_for(self, _assistant: Assistant) -> tuple[ModelPlace, ...]:
        return (ModelPlace(name=self._model.name, model=self._model.name, mode=self._model.mode),)


@cache
def the_site() -> Site:
    """Return the one site of this process."""
    template = make_sqlite_template(Path(mkdtemp()))
    runner = asyncio.Runner()
    database, clock, model = CurrentDatabase(), SetClock(), HostileModel()
    limits = SessionLimits(idle=timedelta(days=3650), lifetime=timedelta(days=3650))
    sessions, encryption = Sessions(database, clock, limits), an_encryption()
    nova = build_nova(
        database,
        clock,
        sessions_ended=sessions.ended,
        tools=TOOLS,
        encryption=encryption,
        models=a_registry(),
        outgoing=Outgoing(allow_private=False),
        signing_in=build_signing_in(database, clock, encryption, sessions, passwords=Passwords(quick_hasher())),
    )
    api = build_api(nova, sessions)
    meanings: dict[str, Call] = {}
    engine = Engine(
        database=database,
        clock=clock,
        gate=WatchedGate(
            TOOLS,
            new_preview_id=lambda: PreviewId(new_id("prv")),
            marks=read_marks(api.openapi()),
            watch=lambda: _watch(site),
            meanings=meanings,
        ),
        tools=TOOLS,
        models=_Models(model),
        nova=NovaDoor(WatchedNova(api, database, lambda: _watch(site), nova.background.settle)),
        identity_of=sessions.identity_of,
        translators=Translators(),
        groups_among=groups_among,
    )
    live_turns = LiveTurns(engine)
    sessions.ended.subscribe(live_turns.session_ended)
    history = ChatHistory(database, clock, live_turns, groups_among)
    parts = ai.AiParts(
        live_turns=live_turns, history=history, assistants=Assistants(database, groups_among), engine=engine
    )
    add_routers(api, [ai.router_for(parts)])
    site = Site(
        runner=runner,
        database=database,
        clock=clock,
        api=api,
        live_turns=live_turns,
        model=model,
        template=template,
        meanings=meanings,
    )
    return site


def _watch(site: Site) -> Watch:
    assert site.watch is not None
    return site.watch
