"""Nova's API within this process: real services, real sessions, a real database and people to act as."""

import hashlib
import itertools
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import httpx
from fastapi import FastAPI
from sqlmodel import SQLModel, col, select

from nova_ui.api.app import build_api
from nova_ui.auth.session import SessionLimits, Sessions
from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.folding import fold
from nova_ui.domain.identity import SessionId
from nova_ui.nova.services import NovaServices, build_nova
from nova_ui.nova_client.origin import INTERFACE, Delegation, Origin, marked
from nova_ui.reactive import Event
from storage.database import Database
from storage.ids import new_id
from storage.nova.tables import AuditEntryRow, GroupRow, IdentityRow, MembershipRow, RoleRow, SessionRow
from tests.builders import a_reading_tool, a_tool

NOW: Final = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
CSRF: Final = "csrf"
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
    people: dict[str, Person] = field(default_factory=dict)
    ended: list[frozenset[SessionId]] = field(default_factory=list)

    async def call(
        self,
        who: str,
        endpoint: str,
        *,
        body: object = None,
        query: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
        via: str | None = None,
    ) -> httpx.Response:
        """Call as a person; with `via` from the chat with that assistant, else from the interface."""
        person = self.people[who]
        origin = INTERFACE if via is None else Origin(assistant_key=AssistantKey(via))
        delegation = Delegation(session_id=SessionId(person.session_id), origin=origin)
        return await self.send(marked(self.api, delegation), endpoint, body=body, query=query, headers=headers)

    async def outside(self, endpoint: str, **sent: Any) -> httpx.Response:
        """Call as a request from outside, with whatever headers it brings."""
        return await self.send(self.api, endpoint, **sent)

    async def send(
        self,
        app: Any,
        endpoint: str,
        *,
        body: object = None,
        content: bytes | None = None,
        query: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> httpx.Response:
        method, _, path = endpoint.partition(" ")
        transport = httpx.ASGITransport(app)
        sent: dict[str, Any] = {"content": content} if content is not None else {}
        if body is not None:
            sent = {"json": body}
        async with httpx.AsyncClient(transport=transport, base_url="http://nova") as client:
            return await client.request(method, path, params=query, headers=headers, **sent)

    async def add(self, *rows: SQLModel) -> None:
        async with self.database.transaction() as session:
            session.add_all(rows)

    async def get(self, table: type[SQLModel], key: Any) -> Any:
        async with self.database.reading() as session:
            return await session.get(table, key)

    async def entries(self, action: str | None = None) -> list[AuditEntryRow]:
        """Return the audit log, oldest first."""
        async with self.database.reading() as session:
            wanted = select(AuditEntryRow).order_by(col(AuditEntryRow.seq))
            rows = (await session.exec(wanted)).all()
        return [row for row in rows if action is None or row.action == action]

    async def person(self, name: str, **fields: Any) -> Person:
        """Add an identity that is signed in."""
        row = an_identity(name, **fields)
        await self.add(row)
        return await self.sign_in(name, row.id)

    async def sign_in(self, name: str, identity_id: str) -> Person:
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
        session_id = row.id
        await self.add(row)
        person = Person(id=identity_id, name=name, session_id=session_id, token=token)
        self.people.setdefault(name, person)
        return person


async def open_site(database: Database) -> Site:
    """Return a site with mara and otto (administrators), paul (auditor), lea (manager of tim), tim, sam."""
    clock = SetClock()
    ended: Event[frozenset[SessionId]] = Event()
    tools = {tool.name: tool for tool in (a_tool(), a_reading_tool())}
    nova = build_nova(database, clock, sessions_ended=ended, tools=tools)
    limits = SessionLimits(idle=timedelta(days=30), lifetime=timedelta(days=30))
    sessions = Sessions(database, clock, limits)
    site = Site(database=database, clock=clock, nova=nova, api=build_api(nova, sessions))
    ended.subscribe(site.ended.append)
    await site.person("mara", nova_roles=["administrator"])
    await site.person("otto", nova_roles=["administrator"])
    await site.person("paul", nova_roles=["auditor"])
    lea = await site.person("lea", department="Sales")
    tim = await site.person("tim", department="Sales", manager_id=lea.id)
    await site.person("nina", department="Sales", manager_id=tim.id)
    await site.person("sam", department="Finance")
    return site


def an_identity(name: str, **fields: Any) -> IdentityRow:
    values = {
        "id": new_id("idn"),
        "user_name": name,
        "user_name_key": fold(name),
        "display_name": name.capitalize(),
        "emails": [{"value": f"{name}@nova.example", "type": "work", "primary": True}],
        "created_at": NOW,
        "updated_at": NOW,
        **fields,
    }
    return IdentityRow(**values)


def a_group(name: str = "Contractors", **fields: Any) -> GroupRow:
    values = {
        "id": new_id("grp"),
        "display_name": name,
        "name_key": fold(name),
        "created_at": NOW,
        "updated_at": NOW,
        **fields,
    }
    return GroupRow(**values)


def a_role(key: str = "crm-user", **fields: Any) -> RoleRow:
    values = {
        "id": new_id("rol"),
        "key": key,
        "display_name": key.replace("-", " ").title(),
        "created_at": NOW,
        "updated_at": NOW,
        **fields,
    }
    return RoleRow(**values)


def a_membership(group: GroupRow, identity_id: str) -> MembershipRow:
    return MembershipRow(group_id=group.id, identity_id=identity_id, added_at=NOW)
