"""What the chat panel works with, without an engine: a test scripts the events and says what is stored."""

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import datetime

from nova_ui.chat.events import EventName, TurnEvent
from nova_ui.chat.history import OpenedChat
from nova_ui.chat.live_turns import TurnStarted
from nova_ui.chat.news import News, NewsByOwner
from nova_ui.chat.notices import notice_text
from nova_ui.domain.assistant import Assistant, AssistantKey
from nova_ui.domain.chat import Chat, ChatId, Message, PreviewId, TurnId, TurnRecord
from nova_ui.domain.identity import Caller, Identity, IdentityId
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.preview import Preview
from nova_ui.domain.sent_request import SentBody, SentRequest
from nova_ui.errors import NovaNotFound, NovaUiError
from nova_ui.llm.fallback import ModelPlace
from nova_ui.llm.port import Mode
from nova_ui.presenters.chat_doors import ChatDoors
from tests.builders import NOW, a_reading_tool, a_tool, an_admin_chat, an_assistant


class FakeClock:
    def __init__(self) -> None:
        self.moment = NOW

    def now(self) -> datetime:
        return self.moment


class FakeTurns:
    """Accepts messages; a turn's events are what the test lets happen."""

    def __init__(self) -> None:
        self.sent: list[tuple[AssistantKey, Message, ChatId | None]] = []
        self.stopped: list[TurnId] = []
        self.cancelled: list[PreviewId] = []
        self.refuse_with: NovaUiError | None = None
        self.running_turn: TurnStarted | None = None
        self.followed_from: list[int] = []
        self.is_open = False
        self.news = NewsByOwner()
        self._events: dict[TurnId, list[TurnEvent]] = {}
        self._changed = asyncio.Event()

    async def send(
        self, _caller: Caller, assistant_key: AssistantKey, message: Message, *, chat_id: ChatId | None = None
    ) -> TurnStarted:
        await asyncio.sleep(0)
        if self.refuse_with is not None:
            raise self.refuse_with
        self.sent.append((assistant_key, message, chat_id))
        return TurnStarted(turn_id=TurnId(f"trn_{len(self.sent)}"), chat_id=chat_id or ChatId("cht_1"))

    def happen(self, turn_id: str, event: EventName, /, **data: JsonValue) -> None:
        events = self._events.setdefault(TurnId(turn_id), [])
        events.append(TurnEvent(id=len(events) + 1, name=event, data=data))
        self._changed.set()

    async def follow(self, _owner: IdentityId, turn_id: TurnId, *, after: int = 0) -> AsyncIterator[TurnEvent]:
        self.followed_from.append(after)
        seen = after
        while True:
            for event in self._events.get(turn_id, [])[seen:]:
                seen = event.id
                yield event
                if event.is_last:
                    return
            if not self.is_open:
                return
            self._changed.clear()
            await self._changed.wait()

    async def stop(self, _owner: IdentityId, turn_id: TurnId) -> None:
        self.stopped.append(turn_id)

    async def cancel_preview(self, _owner: IdentityId, preview_id: PreviewId) -> None:
        if self.refuse_with is not None:
            raise self.refuse_with
        self.cancelled.append(preview_id)

    async def running(self, _owner: IdentityId, _assistant_key: AssistantKey) -> TurnStarted | None:
        return self.running_turn

    def subscribe(self, owner: IdentityId, listener: Callable[[News], None]) -> Callable[[], None]:
        return self.news.subscribe(owner, listener)


class FakeHistory:
    def __init__(self) -> None:
        self.turns: tuple[TurnRecord, ...] = ()
        self.previews: tuple[Preview, ...] = ()
        self.assistant_key = AssistantKey("helpdesk")

    async def get_chat(self, owner: Identity, chat_id: ChatId) -> OpenedChat:
        if not self.turns:
            raise NovaNotFound
        chat = Chat(
            id=chat_id,
            owner_id=owner.id,
            assistant_key=self.assistant_key,
            title="Groups",
            created_at=NOW,
            updated_at=NOW,
            turns=self.turns,
        )
        return OpenedChat(chat=chat, previews=self.previews, open_preview_id=None)


class FakeAssistants:
    def __init__(self) -> None:
        self.all: tuple[Assistant, ...] = (an_assistant(), an_admin_chat())

    async def visible_to(self, identity: Identity) -> tuple[Assistant, ...]:
        return tuple(one for one in self.all if one.audience.admits(identity))


class FakeSent:
    def __init__(self) -> None:
        self.bodies: list[SentBody] = []

    async def list_of_turn(self, _owner: Identity, _turn_id: TurnId) -> tuple[SentRequest, ...]:
        return tuple(one.request for one in self.bodies)

    async def get(self, _owner: Identity, _turn_id: TurnId, number: int) -> SentBody:
        return self.bodies[number - 1]


class FakeDoors:
    """All of them, with what tests look into."""

    def __init__(self) -> None:
        self.turns = FakeTurns()
        self.history = FakeHistory()
        self.assistants = FakeAssistants()
        self.clock = FakeClock()
        self.sent = FakeSent()
        self.places = [ModelPlace(name="built-in", model="Built-in assistant", mode=Mode.BUILT_IN)]
        self.tools = {tool.name: tool for tool in (a_tool(), a_reading_tool())}

    def doors(self) -> ChatDoors:
        return ChatDoors(
            live_turns=self.turns,
            history=self.history,
            assistants=self.assistants,
            tools=self.tools,
            tools_for=lambda assistant, _: tuple(t for t in self.tools.values() if assistant.tools.holds(t.name)),
            places_of=lambda _: self.places,
            sent=self.sent,
            notice_text=notice_text,
            clock=self.clock,
        )
