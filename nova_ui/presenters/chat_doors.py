"""What the chat panel works with."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from nova_ui.chat.events import TurnEvent
from nova_ui.chat.history import OpenedChat
from nova_ui.chat.live_turns import TurnStarted
from nova_ui.chat.news import News
from nova_ui.domain.assistant import Assistant, AssistantKey
from nova_ui.domain.chat import ChatId, Message, PreviewId, TurnId
from nova_ui.domain.clock import Clock
from nova_ui.domain.identity import Caller, Identity, IdentityId
from nova_ui.domain.tool import AnyTool
from nova_ui.llm.fallback import ModelPlace
from nova_ui.presenters.replay import NoticeText
from nova_ui.presenters.sent_requests import SentDoor


class TurnsDoor(Protocol):
    """Turns that run on their own; `chat.live_turns.LiveTurns` says what each method promises."""

    async def send(
        self, caller: Caller, assistant_key: AssistantKey, message: Message, *, chat_id: ChatId | None = None
    ) -> TurnStarted:
        """Accept a message and start its turn."""

    def follow(self, owner: IdentityId, turn_id: TurnId, *, after: int = 0) -> AsyncIterator[TurnEvent]:
        """Yield the turn's events after the id `after`, then live ones."""

    async def stop(self, owner: IdentityId, turn_id: TurnId) -> None:
        """Stop a turn."""

    async def cancel_preview(self, owner: IdentityId, preview_id: PreviewId) -> None:
        """Make a preview void."""

    async def running(self, owner: IdentityId, assistant_key: AssistantKey) -> TurnStarted | None:
        """Return the running turn, or None."""

    def subscribe(self, owner: IdentityId, listener: Callable[[News], None]) -> Callable[[], None]:
        """Tell `listener` of what happens in any tab of `owner`; return what ends that."""


class HistoryDoor(Protocol):
    """An identity's own chats."""

    async def get_chat(self, owner: Identity, chat_id: ChatId) -> OpenedChat:
        """Open one own chat."""


class AssistantsDoor(Protocol):
    """The assistants as one identity may know of them."""

    async def visible_to(self, identity: Identity) -> tuple[Assistant, ...]:
        """Return the assistants that `identity` may use, in the order set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatDoors:
    """What the panel works with.

    `tools_for` gives the tools that an identity has in an assistant, `places_of` says where an assistant's data may go.
    """

    live_turns: TurnsDoor
    history: HistoryDoor
    assistants: AssistantsDoor
    tools: Mapping[str, AnyTool]
    tools_for: Callable[[Assistant, Identity], Sequence[AnyTool]]
    places_of: Callable[[Assistant], Sequence[ModelPlace]]
    sent: SentDoor
    notice_text: NoticeText
    clock: Clock
