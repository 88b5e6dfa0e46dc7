"""The engine with the real gate and a real database; around it a scripted model, and sessions and a clock to set."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from sqlalchemy.ext.asyncio import AsyncConnection

from nova_ui.chat.engine import Engine
from nova_ui.chat.events import EventName, TurnEvent
from nova_ui.chat.history import ChatHistory
from nova_ui.chat.live_turns import LiveTurns, TurnStarted
from nova_ui.chat.sent_requests import SentRequests
from nova_ui.domain.assistant import Assistant, AssistantKey
from nova_ui.domain.chat import ChatId, ConfirmMessage, Message, PreviewId, TextMessage, ToolMessage, TurnId
from nova_ui.domain.identity import Caller, Identity, IdentityId, Role, SessionId
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import AnyTool, Nova, Shown, ToolArguments
from nova_ui.guardrails.gate import Gate
from nova_ui.i18n.translator import Translators
from nova_ui.llm.breaker import Breaker
from nova_ui.llm.fallback import ModelChain, ModelPlace, NamedModel
from nova_ui.llm.port import Model
from nova_ui.tools.registry import build_registry
from storage.chat.assistants import AssistantStore
from storage.database import Database
from storage.ids import new_id
from storage.workers import Worker
from tests.builders import a_caller, a_reading_tool, a_tool, a_writing_tool, an_administrator, an_assistant, an_identity
from tests.fakes.moving_clock import MovingClock
from tests.fakes.scripted_model import ScriptedModel
from tests.fakes.tool_door import RecordingNova

ROOT: Final = a_caller(an_administrator(), session_id="ses_root")
ADA: Final = a_caller(an_identity(), session_id="ses_ada")
BEN: Final = a_caller(an_identity(identity_id="idn_ben", user_name="ben"), session_id="ses_ben")
HELPDESK: Final = AssistantKey("helpdesk")
DESK: Final = AssistantKey("desk")
WORKER: Final = Worker(host="here", pid=100, token="first")

Deed = Callable[[], Awaitable[None]]


@dataclass
class Heard:
    """The events of one turn."""

    started: TurnStarted
    events: list[TurnEvent]

    def all(self, name: EventName) -> list[JsonObject]:
        return [event.data for event in self.events if event.name is name]

    def one(self, name: EventName) -> JsonObject:
        (data,) = self.all(name)
        return data

    @property
    def text(self) -> str:
        return "".join(str(data["delta"]) for data in self.all(EventName.TEXT))

    @property
    def outcomes(self) -> list[tuple[JsonValue, JsonValue]]:
        return [(data["status"], data["code"]) for data in self.all(EventName.TOOL_RESULT)]

    @property
    def notices(self) -> list[JsonValue]:
        return [data["code"] for data in self.all(EventName.NOTICE)]

    @property
    def closed(self) -> list[tuple[JsonValue, JsonValue]]:
        return [(data["preview_id"], data["reason"]) for data in self.all(EventName.PREVIEW_CLOSED)]

    @property
    def preview_id(self) -> PreviewId:
        return PreviewId(str(self.one(EventName.PREVIEW)["preview_id"]))


@dataclass
class Deeds:
    """What the tools have done, and what they do on the way: both can be set by a test."""

    done: list[tuple[str, JsonObject]] = field(default_factory=list)
    meanwhile: dict[str, Deed] = field(default_factory=dict)
    result: JsonValue = None
    state: JsonObject = field(default_factory=lambda: {"id": "grp_1", "display_name": "Contractors"})

    def run(self, name: str) -> Callable[[ToolArguments, Nova], Awaitable[JsonValue]]:
        async def run(arguments: ToolArguments, _nova: Nova) -> JsonValue:
            self.done.append((name, arguments.model_dump(mode="json", exclude_none=True)))
            if name in self.meanwhile:
                await self.meanwhile[name]()
            return {"items": []} if self.result is None else self.result

        return run

    async def show(self, _arguments: ToolArguments, _nova: Nova) -> Shown:
        if "show" in self.meanwhile:
            await self.meanwhile["show"]()
        return Shown(subject="Contractors", current_state=self.state, etag='"1"')

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.done]


def the_tools(deeds: Deeds) -> Mapping[str, AnyTool]:
    return build_registry(
        (
            a_tool("delete_group", run=deeds.run("delete_group"), show=deeds.show),
            a_tool("disable_group", run=deeds.run("disable_group"), show=deeds.show),
            a_reading_tool("list_groups", run=deeds.run("list_groups")),
            a_writing_tool("update_group", run=deeds.run("update_group")),
            a_writing_tool("archive_group", run=deeds.run("archive_group"), roles=frozenset({Role.ADMINISTRATOR})),
        )
    )


@dataclass
class World:
    """Everything around one process; `another` makes a second process on the same database.

    `wired` is asked in place of the scripted model, where there is one.
    """

    database: Database
    clock: MovingClock = field(default_factory=MovingClock)
    model: ScriptedModel = field(default_factory=ScriptedModel)
    deeds: Deeds = field(default_factory=Deeds)
    nova: RecordingNova = field(default_factory=RecordingNova)
    worker: Worker = WORKER
    sessions: dict[SessionId, Identity] = field(default_factory=dict)
    stand_ins: list[ScriptedModel] = field(default_factory=list)
    pauses: list[float] = field(default_factory=list)
    dead: set[int] = field(default_factory=set)
    wired: Model | None = None
    members: dict[IdentityId, set[str]] = field(default_factory=dict)
    asked_for_groups: list[tuple[IdentityId, frozenset[str]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.breaker = Breaker(self.clock)
        self.sessions |= {caller.session_id: caller.identity for caller in (ROOT, ADA, BEN) if not self.sessions}
        self.tools = the_tools(self.deeds)
        self.engine = Engine(
            database=self.database,
            clock=self.clock,
            gate=Gate(self.tools, new_preview_id=lambda: PreviewId(new_id("prv"))),
            tools=self.tools,
            models=self,
            nova=self.nova,
            identity_of=self.identity_of,
            groups_among=self.groups_among,
            translators=Translators(),
        )
        self.live = LiveTurns(
            self.engine, worker=self.worker, pause=self._pause, is_alive=lambda pid: pid not in self.dead
        )
        self.sent = SentRequests(self.database, self.groups_among)
        self.history = ChatHistory(self.database, self.clock, self.live, self.groups_among)

    def another(self, worker: Worker) -> "World":
        """Return a second process on the same database, with the same people, tools and time."""
        return replace(self, worker=worker, model=ScriptedModel())

    def for_assistant(self, assistant: Assistant) -> Model:
        del assistant
        return self.wired or self.model

    def chain_for(self, assistant: Assistant) -> ModelChain:
        del assistant
        named = (NamedModel(name=one.name, model=one) for one in (self.wired or self.model, *self.stand_ins))
        return ModelChain(tuple(named), self.breaker)

    def places_for(self, assistant: Assistant) -> tuple[ModelPlace, ...]:
        del assistant
        models = (self.wired or self.model, *self.stand_ins)
        return tuple(ModelPlace(name=one.name, model=one.name, mode=one.mode) for one in models)

    async def identity_of(self, session_id: SessionId) -> Identity | None:
        return self.sessions.get(session_id)

    async def groups_among(
        self, connection: AsyncConnection, identity_id: IdentityId, group_ids: frozenset[str]
    ) -> frozenset[str]:
        del connection
        self.asked_for_groups.append((identity_id, group_ids))
        return frozenset(self.members.get(identity_id, ())) & group_ids

    async def _pause(self, seconds: float) -> None:
        self.pauses.append(seconds)

    async def add(self, *assistants: Assistant) -> None:
        async with self.database.transaction() as session:
            for assistant in assistants:
                await AssistantStore(session).save(assistant, self.clock.now())

    async def add_usual_assistants(self) -> None:
        names = tuple(self.tools)
        await self.add(an_assistant(*names, key="helpdesk"), an_assistant(*names, key="desk"))

    async def start(
        self,
        message: Message,
        *,
        caller: Caller = ROOT,
        assistant: AssistantKey = HELPDESK,
        chat_id: ChatId | None = None,
        key: str | None = None,
    ) -> TurnStarted:
        return await self.live.send(caller, assistant, message, chat_id=chat_id, idempotency_key=key)

    async def hear(self, started: TurnStarted, *, caller: Caller = ROOT, after: int = 0) -> Heard:
        async with asyncio.timeout(20):
            events = [event async for event in self.live.follow(caller.identity.id, started.turn_id, after=after)]
        return Heard(started=started, events=events)

    async def say(
        self,
        text: str,
        *,
        caller: Caller = ROOT,
        assistant: AssistantKey = HELPDESK,
        chat_id: ChatId | None = None,
    ) -> Heard:
        started = await self.start(TextMessage(text=text), caller=caller, assistant=assistant, chat_id=chat_id)
        return await self.hear(started, caller=caller)

    async def press(self, preview_id: PreviewId, *, caller: Caller = ROOT, assistant: AssistantKey = HELPDESK) -> Heard:
        started = await self.start(ConfirmMessage(preview_id=preview_id), caller=caller, assistant=assistant)
        return await self.hear(started, caller=caller)

    async def use(self, name: str, *, caller: Caller = ROOT, **arguments: JsonValue) -> Heard:
        started = await self.start(ToolMessage(tool_name=name, arguments=arguments), caller=caller)
        return await self.hear(started, caller=caller)

    async def until_following(self, turn_id: TurnId, name: EventName, *, caller: Caller = ROOT) -> None:
        """Wait until the turn has had an event of this name."""
        async with asyncio.timeout(20):
            async for event in self.live.follow(caller.identity.id, turn_id):
                if event.name is name:
                    return
