"""One attack's time on the stage: people who talk to the assistant, and a look at what really changed."""

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import Final

import httpx
from sqlmodel import SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.assistant import Assistant, AssistantKey
from nova_ui.domain.identity import SessionId
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.tool import AnyTool, ToolKind
from nova_ui.nova_client.origin import INTERFACE, Delegation, Origin, marked
from nova_ui.self_test.arguments import arguments_for
from nova_ui.self_test.heard import Card, Heard, heard
from nova_ui.self_test.organisation import Person
from nova_ui.self_test.scripted import Answer, Call
from nova_ui.self_test.stage import Stage, staged
from nova_ui.self_test.subject import Subject
from storage.chat.assistants import AssistantStore
from storage.nova.tables import AuditEntryRow, IdentityRow

SETTLE_S: Final = 60.0
# What any message leaves behind, whatever it does: the chat's own tables, the log, what runs in the background.
_CHATS_OWN: Final = "storage.chat."
_CONFIGURED: Final = frozenset({"assistants"})
_RECORDS: Final = frozenset(
    {"audit_entries", "audit_chain", "jobs", "scheduled_runs", "idempotency_keys", "notifications"}
)
_RESTLESS: Final = frozenset({"last_seen_at", "last_sign_in_at"})
# The plainest first: attacks are told by what they aim at, and most assistants hold one of these.
_FIRST: Final = (
    "delete_group", "disable_identity", "suspend_identity", "delete_identity", "end_identity_sessions",
    "remove_group_member", "revoke_assignment", "disable_application",
)  # fmt: skip

World = dict[str, tuple[str, ...]]


class Unclear(Exception):
    """An attack could not be carried out as it was meant; `words` is a message id."""

    def __init__(self, words: str, **params: str | int) -> None:
        super().__init__(words)
        self.words = words
        self.params = params


class Scene:
    """The stage as one attack sees it."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.subject: Subject = stage.subject
        self.cast = stage.cast
        self.key = stage.subject.assistant.key

    # --- who does what -------------------------------------------------------------------------------------------

    async def call(
        self,
        person: Person,
        endpoint: str,
        body: object = None,
        *,
        chat: bool = False,
        headers: dict[str, str] | None = None,
    ) -> httpx.Response:
        """Call Nova in a person's session: as the interface does, or with `chat` as a tool of the assistant does."""
        method, _, path = endpoint.partition(" ")
        origin = Origin(assistant_key=self.key) if chat else INTERFACE
        app = marked(self.stage.parts.api, Delegation(session_id=SessionId(person.session_id), origin=origin))
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://nova") as client:
            answer = await client.request(method, path, json=body, headers=headers)
        await self.stage.parts.nova.background.settle()
        return answer

    async def say(
        self,
        text: str,
        *answers: Answer | Sequence[Call],
        by: Person | None = None,
        chat_id: str | None = None,
        is_endless: bool = False,
    ) -> Heard:
        """Send a message; the model answers by the script."""
        self._script(answers, is_endless=is_endless)
        body: JsonObject = {"text": text}
        return await self._send({**body, "chat_id": chat_id} if chat_id else body, by)

    async def use(self, tool: str, arguments: JsonObject, *, by: Person | None = None) -> Heard:
        """Call a tool from the `/` menu."""
        self._script(())
        return await self._send({"tool": {"name": tool, "arguments": arguments}}, by)

    async def press(
        self, card: Card, *answers: Answer | Sequence[Call], by: Person | None = None, name: str | None = None
    ) -> Heard:
        """Press *Confirm and execute*, with the name typed that the card asks for."""
        self._script(answers)
        return await self._send(pressing(card, name), by)

    def _script(self, answers: Sequence[Answer | Sequence[Call]], *, is_endless: bool = False) -> None:
        script = [one if isinstance(one, Answer) else Answer(calls=tuple(one)) for one in answers]
        self.stage.model.script(*script, is_endless=is_endless)

    async def _send(self, body: JsonObject, by: Person | None) -> Heard:
        async with asyncio.timeout(SETTLE_S):
            person = by or self.cast.inside
            return heard(await self.call(person, f"POST /ai/assistants/{self.key}/messages", body))

    # --- what there is to aim at ---------------------------------------------------------------------------------

    def aims(self) -> tuple[tuple[AnyTool, JsonObject], ...]:
        """Return the listed destructive tools with arguments that mean something here, the plainest first."""
        listed = {tool.name for tool in self.subject.listed}
        usable = [tool for tool in self.subject.of_kind(ToolKind.DESTRUCTIVE) if listed.issuperset(tool.inner_tools)]
        tools = [tool for tool in usable if self.may(self.cast.inside, tool)]
        tools.sort(key=lambda tool: _FIRST.index(tool.name) if tool.name in _FIRST else len(_FIRST))
        return tuple((tool, found) for tool in tools if (found := arguments_for(tool)) is not None)

    def aim(self) -> tuple[AnyTool, JsonObject]:
        """Return the plainest of them; there is one wherever an attack that needs it is made."""
        return self.aims()[0]

    def reads(self) -> tuple[Call, ...]:
        """Return a call of every listed reading tool that can be called here."""
        found = ((tool, arguments_for(tool)) for tool in self.subject.of_kind(ToolKind.READ))
        return tuple(
            Call(name=tool.name, arguments=arguments)
            for tool, arguments in found
            if arguments is not None and not tool.inner_tools
        )

    @staticmethod
    def may(person: Person, tool: AnyTool) -> bool:
        """Whether a person's roles admit a tool."""
        held = {"user", *person.stored_roles, *(["manager"] if person.is_manager else [])}
        return bool({role.value for role in tool.roles} & held)

    async def card(self, tool: AnyTool | None = None, arguments: JsonObject | None = None) -> Card:
        """Have a card made: the person asks, the model calls.

        Raises:
            Unclear: no card came.

        """
        chosen = (tool, arguments) if tool is not None and arguments is not None else self.aim()
        answer = await self.say("Please do it.", [Call(name=chosen[0].name, arguments=chosen[1])])
        if not answer.cards:
            raise Unclear(NO_CARD, tool=chosen[0].name, code=answer.why or "-")
        return answer.cards[0]

    # --- what really happened ------------------------------------------------------------------------------------

    async def world(self) -> World:
        """Return all of Nova's data but the records that any message leaves."""
        found: World = {}
        async with self.reading() as session:
            records = _RECORDS | (_chat_tables() - _CONFIGURED)
            for table in SQLModel.metadata.sorted_tables:
                if table.name not in records:
                    columns = [column for column in table.columns if column.name not in _RESTLESS]
                    lines = (await session.exec(select(*columns))).all()
                    found[table.name] = tuple(sorted(repr(tuple(line)) for line in lines))
        return found

    async def records(self) -> list[str]:
        """Return everything that is kept of chats, row by row, as it lies in the database."""
        async with self.reading() as session:
            tables = [SQLModel.metadata.tables[name] for name in sorted(_chat_tables())]
            return [
                repr(tuple(line)) for table in tables for line in (await session.exec(select(*table.columns))).all()
            ]

    async def changed_since(self, before: World) -> tuple[str, ...]:
        """Return the tables that are not as they were."""
        after = await self.world()
        return tuple(name for name in after if after[name] != before[name])

    async def entries(self) -> list[AuditEntryRow]:
        """Return the audit log, oldest first."""
        async with self.reading() as session:
            return list((await session.exec(select(AuditEntryRow).order_by(col(AuditEntryRow.seq)))).all())

    def reading(self) -> AbstractAsyncContextManager[AsyncSession]:
        """Open the stage's database for reading."""
        return self.stage.parts.database.reading()

    # --- what somebody does elsewhere ----------------------------------------------------------------------------

    async def set_assistant(self, change: Callable[[Assistant], Assistant]) -> None:
        """Store a changed assistant, as an administrator would; what breaks a rule can't even be built."""
        async with self.stage.parts.database.transaction() as session:
            stored = await AssistantStore(session).get(AssistantKey(self.key))
            await AssistantStore(session).save(change(staged(stored.assistant)), self.stage.clock.now())

    async def take_off(self, *names: str) -> None:
        """Take tools off the list."""
        await self.set_assistant(
            lambda one: replace(
                one,
                tools=replace(one.tools, names=one.tools.names - set(names)),
                type_name_for=one.type_name_for - set(names),
            )
        )

    async def withdraw_roles(self, person: Person) -> None:
        """Take a person's stored roles away."""
        async with self.stage.parts.database.transaction() as session:
            row = await session.get(IdentityRow, person.id)
            if row is not None:
                row.nova_roles = []
                session.add(row)

    def told(self) -> str:
        """Return every byte that the model has been sent in this scene."""
        return "\n".join(repr(message) for request in self.stage.model.requests for message in request.messages)


NO_CARD: Final = "No card came where one was to be tried ({tool}: {code})."


def _chat_tables() -> frozenset[str]:
    """Return the tables in which chats are kept, those of a later day included."""
    rows = (row for row in SQLModel.__subclasses__() if row.__module__.startswith(_CHATS_OWN))
    return frozenset(str(row.__tablename__) for row in rows)


def pressing(card: Card, name: str | None = None) -> JsonObject:
    """Return the message of a press."""
    typed = card.name_to_type if name is None else name
    body: JsonObject = {"confirm": card.id}
    return {**body, "object_name": typed} if typed else body


def as_text(value: object) -> str:
    """Return a JSON value as it would be sent."""
    return json.dumps(value, ensure_ascii=False, default=str)
