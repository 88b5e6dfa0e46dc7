"""The real Nova on a SQLite file with the sample organisation, reached through the one door as four people."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest
from fastapi import FastAPI
from sqlmodel import col, select

from nova_ui.api.app import build_api
from nova_ui.auth.password import Passwords
from nova_ui.auth.session import SessionLimits, Sessions, Whence
from nova_ui.auth.signing_in import build_signing_in
from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.clock import SystemClock
from nova_ui.domain.identity import Caller, IdentityId
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import AnyTool, Nova, Shown
from nova_ui.nova import sample_organisation
from nova_ui.nova.services import build_nova
from nova_ui.nova_client.client import NovaClient, NovaDoor
from nova_ui.nova_client.origin import Origin
from nova_ui.outgoing.client import Outgoing
from nova_ui.tools.registry import build_registry
from storage.database import Database
from storage.encryption import Encryption, KeyRing
from storage.nova.tables import IdentityRow
from tests.auth.people import quick_hasher
from tests.fakes.databases import copy_sqlite
from tests.fakes.models import a_registry

CHAT = Origin(assistant_key=AssistantKey("tested"))  # no entry of the sample organisation bears it
TOOLS = build_registry()


@dataclass
class Person:
    """Somebody signed in, who runs tools as the gate would; `refusing` stands for a step that the gate refuses."""

    client: NovaClient
    caller: Caller
    refusing: dict[str, Exception] = field(default_factory=dict)

    async def run(self, name: str, if_match: str | None = None, /, **arguments: JsonValue) -> JsonObject:
        tool = TOOLS[name]
        result = await tool.run(tool.arguments.model_validate(arguments), self._nova(tool, if_match))
        assert isinstance(result, dict)
        return result

    async def show(self, name: str, /, **arguments: JsonValue) -> Shown:
        tool = TOOLS[name]
        assert tool.show is not None
        return await tool.show(tool.arguments.model_validate(arguments), self._nova(tool, None))

    async def id_of(self, endpoint: str, q: str, id_field: str = "id") -> str:
        rows = (await self.client.call(endpoint, query={"q": q})).object["items"]
        assert isinstance(rows, list)
        assert isinstance(rows[0], dict)
        return str(rows[0][id_field])

    def _nova(self, tool: AnyTool, if_match: str | None) -> Nova:
        async def run_tool(name: str, arguments: JsonObject) -> JsonValue:
            assert name in tool.inner_tools
            if name in self.refusing:
                raise self.refusing[name]
            return await self.run(name, **arguments)

        return self.client.for_tool(tool, if_match=if_match, run_tool=run_tool)


@dataclass(frozen=True, kw_only=True)
class Site:
    """The running Nova."""

    database: Database
    sessions: Sessions
    door: NovaDoor
    api: FastAPI

    @property
    def openapi(self) -> JsonObject:
        return self.api.openapi()

    async def sign_in(self, user_name: str) -> Person:
        found = select(IdentityRow.id).where(col(IdentityRow.user_name) == user_name)
        async with self.database.reading() as session:
            identity_id = (await session.exec(found)).one()
        _, signed_in = await self.sessions.start(IdentityId(identity_id), Whence(user_agent="Tests"))
        return Person(self.door.open(signed_in.caller, CHAT), signed_in.caller)


async def _nowhere(_host: str, _port: int) -> list[str]:
    return []


async def _no_hash(_password: str) -> str:
    return "unused"


@pytest.fixture(scope="session")
def organisation(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with the sample organisation, loaded once and then only copied."""
    folder = tmp_path_factory.mktemp("organisation")
    url = copy_sqlite(sqlite_template, folder)

    async def load_once() -> None:
        database = Database(url)
        await sample_organisation.load(database, SystemClock(), Encryption(KeyRing.generate()), _no_hash, "unused")
        await database.close()

    asyncio.run(load_once())
    return next(folder.glob("*.sqlite3"))


@pytest.fixture
async def site(organisation: Path, tmp_path: Path) -> AsyncIterator[Site]:
    """A fresh Nova with the sample organisation."""
    database, clock = Database(copy_sqlite(organisation, tmp_path)), SystemClock()
    limits = SessionLimits(idle=timedelta(hours=1), lifetime=timedelta(hours=8))
    sessions = Sessions(database, clock, limits)
    encryption = Encryption(KeyRing.generate())
    nova = build_nova(
        database,
        clock,
        sessions_ended=sessions.ended,
        tools=TOOLS,
        encryption=encryption,
        models=a_registry(),
        signing_in=build_signing_in(database, clock, encryption, sessions, passwords=Passwords(quick_hasher())),
        outgoing=Outgoing(allow_private=False, resolver=_nowhere),
    )
    api = build_api(nova, sessions)
    yield Site(database=database, sessions=sessions, door=NovaDoor(api), api=api)
    await database.close()


@pytest.fixture
async def mara(site: Site) -> Person:
    """An administrator."""
    return await site.sign_in("mara.koenig")


@pytest.fixture
async def paul(site: Site) -> Person:
    """An auditor."""
    return await site.sign_in("paul.adler")


@pytest.fixture
async def lea(site: Site) -> Person:
    """A manager, of Tim among others."""
    return await site.sign_in("lea.brandt")


@pytest.fixture
async def tim(site: Site) -> Person:
    """An ordinary user."""
    return await site.sign_in("tim.vogt")
