"""Nova's API within this process: real services, real sessions, a real database and people to act as."""

import hashlib
import itertools
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final, TypeVar

import httpx
from fastapi import FastAPI
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlmodel import SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.api.app import build_api
from nova_ui.auth.password import Passwords
from nova_ui.auth.session import SessionLimits, Sessions
from nova_ui.auth.signing_in import build_signing_in
from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.folding import fold
from nova_ui.domain.identity import SessionId
from nova_ui.domain.json_value import JsonValue
from nova_ui.llm.registry import ModelRegistry
from nova_ui.nova.services import NovaServices, build_nova
from nova_ui.nova_client.origin import INTERFACE, ASGIApp, Delegation, Origin, marked
from nova_ui.outgoing.client import Outgoing
from nova_ui.reactive import Event
from storage.database import Database
from storage.encryption import Encryption
from storage.ids import new_id
from storage.nova.application_tables import ConnectionRow
from storage.nova.tables import ApplicationRow, AuditEntryRow, GroupRow, IdentityRow, MembershipRow, RoleRow, SessionRow
from tests.auth.people import quick_hasher
from tests.builders import a_reading_tool, a_tool
from tests.fakes.guarded import behind_guard
from tests.fakes.models import a_registry, an_encryption

NOW: Final = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
CSRF: Final = "csrf"
R = TypeVar("R", bound=SQLModel)
_NUMBERS: Final = itertools.count(1)


class SetClock:
    """A clock that the test sets."""

    def __init__(self, now: datetime = NOW) -> None:
        self.moment = now

    def now(self) -> datetime:
        return self.moment


@dataclass
class Person:
    """Somebody who is signed in."""

    id: str
    name: str
    session_id: str
    token: str


@dataclass
class Site:
    """The API with its people; `ended` collects the sessions that were announced as ended."""

    database: Database
    clock: SetClock
    nova: NovaServices
    api: FastAPI
    guarded: ASGIApp
    models: ModelRegistry
    encryption: Encryption
    people: dict[str, Person] = field(default_factory=dict)
    ended: list[frozenset[SessionId]] = field(default_factory=list)

    async def call(
        self,
        who: str,
        endpoint: str,
        *,
        body: object = None,
        query: Mapping[str, object] | None = None,
        headers: dict[str, str] | None = None,
        via: str | None = None,
    ) -> httpx.Response:
        """Call as a person; with `via` from the chat with that assistant, else from the interface."""
        person = self.people[who]
        origin = INTERFACE if via is None else Origin(assistant_key=AssistantKey(via))
        delegation = Delegation(session_id=SessionId(person.session_id), origin=origin)
        return await self.send(marked(self.api, delegation), endpoint, body=body, query=query, headers=headers)

    async def outside(
        self,
        endpoint: str,
        *,
        body: object = None,
        content: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> httpx.Response:
        """Call as a request from outside, with whatever headers it brings."""
        return await self.send(
            self.guarded, endpoint.replace(" ", " /api/v1", 1), body=body, content=content, headers=headers
        )

    async def send(
        self,
        app: ASGIApp,
        endpoint: str,
        *,
        body: object = None,
        content: bytes | None = None,
        query: Mapping[str, object] | None = None,
        headers: dict[str, str] | None = None,
    ) -> httpx.Response:
        method, _, path = endpoint.partition(" ")
        transport = httpx.ASGITransport(app)
        params = None if query is None else {name: str(value) for name, value in query.items()}
        async with httpx.AsyncClient(transport=transport, base_url="http://nova") as client:
            answer = await client.request(method, path, params=params, headers=headers, content=content, json=body)
        await self.nova.background.settle()  # what the request left to be done later, such as an export
        return answer

    async def add(self, *rows: SQLModel) -> None:
        async with self.database.transaction() as session:
            session.add_all(rows)

    async def get(self, table: type[R], key: str) -> R:
        """Return a row that must be there."""
        async with self.database.reading() as session:
            row = await session.get(table, key)
        assert row is not None
        return row

    async def entries(self, action: str | None = None) -> list[AuditEntryRow]:
        """Return the audit log, oldest first."""
        async with self.database.reading() as session:
            wanted = select(AuditEntryRow).order_by(col(AuditEntryRow.seq))
            rows = (await session.exec(wanted)).all()
        return [row for row in rows if action is None or row.action == action]

    async def person(self, name: str, **fields: object) -> Person:
        """Add an identity that is signed in."""
        row = an_identity(name, **fields)
        await self.add(row)
        return await self.sign_in(name, row.id)

    async def sign_in(self, name: str, identity_id: str) -> Person:
        """Sign an identity in, as `name`."""
        await self.add(self.session_of(name, identity_id))
        return self.people[name]

    def session_of(self, name: str, identity_id: str) -> SessionRow:
        """Return a new session of an identity, who can act as `name` once it is stored."""
        token = f"nvs_{next(_NUMBERS):043d}"
        row = SessionRow(
            id=new_id("ses"),
            token_hash=hashlib.sha256(token.encode()).digest(),
            csrf_token=CSRF,
            identity_id=identity_id,
            user_agent="Firefox",
            created_at=self.clock.moment,
            last_seen_at=self.clock.moment,
            expires_at=self.clock.moment + timedelta(days=30),
        )
        self.people.setdefault(name, Person(id=identity_id, name=name, session_id=row.id, token=token))
        return row


class CurrentDatabase(Database):
    """Whatever database the running test has: building the API anew for each would take most of the time."""

    def __init__(self) -> None:
        self.current: Database | None = None

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncSession]:
        assert self.current is not None
        async with self.current.transaction() as session:
            yield session

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        assert self.current is not None
        async with self.current.reading() as session:
            yield session

    @asynccontextmanager
    async def asking(self) -> AsyncIterator[AsyncConnection]:
        assert self.current is not None
        async with self.current.asking() as connection:
            yield connection


@dataclass(frozen=True)
class Parts:
    """What is built once for all tests; nothing of it remembers anything between two requests."""

    database: CurrentDatabase
    clock: SetClock
    ended: Event[frozenset[SessionId]]
    nova: NovaServices
    api: FastAPI
    guarded: ASGIApp
    models: ModelRegistry
    encryption: Encryption


def build_parts() -> Parts:
    database, clock, ended = CurrentDatabase(), SetClock(), Event[frozenset[SessionId]]()
    tools, models = {tool.name: tool for tool in (a_tool(), a_reading_tool())}, a_registry()
    limits = SessionLimits(idle=timedelta(days=30), lifetime=timedelta(days=30))
    sessions = Sessions(database, clock, limits)
    encryption = an_encryption()
    nova = build_nova(
        database,
        clock,
        sessions_ended=ended,
        tools=tools,
        encryption=encryption,
        models=models,
        outgoing=Outgoing(allow_private=True),
        signing_in=build_signing_in(database, clock, encryption, sessions, passwords=Passwords(quick_hasher())),
    )
    api = build_api(nova, sessions)
    guarded = behind_guard(api, sessions)
    return Parts(
        database=database,
        clock=clock,
        ended=ended,
        nova=nova,
        api=api,
        guarded=guarded,
        models=models,
        encryption=encryption,
    )


@asynccontextmanager
async def open_site(parts: Parts, database: Database) -> AsyncIterator[Site]:
    """Open a site with mara and otto (administrators), paul (auditor), lea › tim › nina (by manager), and sam."""
    parts.database.current = database
    parts.clock.moment = NOW
    site = Site(
        database=database,
        clock=parts.clock,
        nova=parts.nova,
        api=parts.api,
        guarded=parts.guarded,
        encryption=parts.encryption,
        models=parts.models,
    )
    parts.models.use([], None)
    parts.nova.ai_configuration.watch.forget()
    unsubscribe = parts.ended.subscribe(site.ended.append)
    lea, tim = an_identity("lea", department="Sales"), an_identity("tim", department="Sales")
    people = [
        an_identity("mara", nova_roles=["administrator"]),
        an_identity("otto", nova_roles=["administrator"]),
        an_identity("paul", nova_roles=["auditor"]),
        lea,
        an_identity("sam", department="Finance"),
    ]
    below = [tim, an_identity("nina", department="Sales", manager_id=tim.id)]
    tim.manager_id = lea.id
    sessions = [site.session_of(row.user_name, row.id) for row in (*people, *below)]
    await site.add(*people, *below, *sessions)
    yield site
    unsubscribe()
    parts.database.current = None


def an_identity(name: str, **fields: object) -> IdentityRow:
    values = {
        "id": new_id("idn"),
        "user_name": name,
        "user_name_key": fold(name),
        "display_name": name.capitalize(),
        "emails": [{"value": f"{name}@nova.example", "type": "work", "primary": True}],
        "created_at": NOW,
        "updated_at": NOW,
        # An administrator without a password could not come in, and would not count as another one.
        "password_hash": "never shown" if "administrator" in json.dumps(fields.get("nova_roles")) else None,
        **fields,
    }
    return IdentityRow.model_validate(values)


def a_group(name: object = "Contractors", **fields: object) -> GroupRow:
    values = {
        "id": new_id("grp"),
        "display_name": name,
        "name_key": fold(str(name)),
        "created_at": NOW,
        "updated_at": NOW,
        **fields,
    }
    return GroupRow.model_validate(values)


def a_role(key: object = "crm-user", **fields: object) -> RoleRow:
    values = {
        "id": new_id("rol"),
        "key": key,
        "display_name": str(key).replace("-", " ").title(),
        "created_at": NOW,
        "updated_at": NOW,
        **fields,
    }
    return RoleRow.model_validate(values)


def an_application(key: object = "crm", **fields: object) -> ApplicationRow:
    values = {"id": new_id("app"), "key": key, "display_name": str(key).upper(), "created_at": NOW, "updated_at": NOW}
    return ApplicationRow.model_validate({**values, **fields})


def a_connection(application_id: str, **fields: object) -> ConnectionRow:
    settings = {"base_url": "https://scim.partner.example/v2", "auth": "bearer", "verify_tls": True}
    values = {"id": application_id, "kind": "scim", "settings": settings, "created_at": NOW, "updated_at": NOW}
    return ConnectionRow.model_validate({**values, **fields})


def a_membership(group: GroupRow, identity_id: str) -> MembershipRow:
    return MembershipRow(group_id=group.id, identity_id=identity_id, added_at=NOW)


def changes_of(entry: AuditEntryRow) -> dict[str, tuple[JsonValue, JsonValue]]:
    """Return what an entry says has changed: before and after by field."""
    changes = entry.details["changes"]
    assert isinstance(changes, list)
    found = [change for change in changes if isinstance(change, dict)]
    return {str(change["field"]): (change.get("before"), change.get("after")) for change in found}
