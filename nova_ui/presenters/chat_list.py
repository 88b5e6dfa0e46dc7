"""An identity's own chats on the screen: found, renamed, exported, deleted."""

from dataclasses import dataclass
from typing import Final, Protocol

from nova_ui.chat.history import ChatExport, ChatPage, ChatSummary, ExportFormat
from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.chat import ChatId
from nova_ui.domain.identity import Identity
from nova_ui.presenters.chat_doors import AssistantsDoor
from nova_ui.reactive import Event

PAGE_SIZE: Final = 50


class OwnChats(Protocol):
    """An identity's own chats; `chat.history.ChatHistory` says what each method promises."""

    async def list_chats(
        self,
        owner: Identity,
        *,
        assistant: AssistantKey | None = None,
        q: str = "",
        cursor: str | None = None,
        limit: int = PAGE_SIZE,
    ) -> ChatPage:
        """Return a page of own chats, newest first."""

    async def rename(self, owner: Identity, chat_id: ChatId, title: str) -> ChatSummary:
        """Give a chat another title."""

    async def delete(self, owner: Identity, chat_id: ChatId) -> None:
        """Delete a chat for good."""

    async def clear_all(self, owner: Identity, assistant: AssistantKey | None = None) -> int:
        """Delete all own chats, or those with one assistant."""

    async def export(self, owner: Identity, chat_id: ChatId, export_format: ExportFormat) -> ChatExport:
        """Write a chat out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatListState:
    """What is on the screen; `hidden` counts chats whose assistant can no longer be used (rule G4)."""

    chats: tuple[ChatSummary, ...] = ()
    has_more: bool = False
    hidden: int = 0


class ChatListPresenter:
    """State and actions of the history page; every call names the owner."""

    def __init__(self, history: OwnChats, assistants: AssistantsDoor, owner: Identity) -> None:
        self._history = history
        self._assistants = assistants
        self._owner = owner
        self.assistant: AssistantKey | None = None
        self.q = ""
        self.state = ChatListState()
        self.names: dict[AssistantKey, str] = {}
        self.changed: Event[ChatListState] = Event()
        self._cursor: str | None = None
        self._load_number = 0

    async def load(self) -> None:
        """Read the names of the assistants, then the newest chats."""
        visible = await self._assistants.visible_to(self._owner)
        self.names = {one.key: one.name_in(self._owner.language) for one in visible}
        await self.reload()

    async def search(self, q: str) -> None:
        """Show the chats that hold a text."""
        self.q = q.strip()
        await self.reload()

    async def choose(self, assistant: AssistantKey | None) -> None:
        """Show the chats with one assistant, or with all."""
        self.assistant = assistant
        await self.reload()

    async def reload(self) -> None:
        """Read the newest chats; an answer that was overtaken is dropped."""
        self._load_number += 1
        number = self._load_number
        found = await self._history.list_chats(self._owner, assistant=self.assistant, q=self.q, limit=PAGE_SIZE)
        if number == self._load_number:
            self._cursor = found.next_cursor
            self._show(ChatListState(chats=found.items, has_more=bool(found.next_cursor), hidden=found.hidden))

    async def more(self) -> None:
        """Add the next older chats."""
        if self._cursor is None:
            return
        number = self._load_number
        found = await self._history.list_chats(
            self._owner, assistant=self.assistant, q=self.q, cursor=self._cursor, limit=PAGE_SIZE
        )
        if number == self._load_number:
            self._cursor = found.next_cursor
            chats = (*self.state.chats, *found.items)
            self._show(ChatListState(chats=chats, has_more=bool(found.next_cursor), hidden=self.state.hidden))

    async def rename(self, chat_id: ChatId, title: str) -> None:
        """Give a chat another title.

        Raises:
            NovaInvalid: the title is empty or too long.
            NovaNotFound: it is gone meanwhile.

        """
        await self._history.rename(self._owner, chat_id, title)
        await self.reload()

    async def delete(self, chat_id: ChatId) -> None:
        """Delete a chat for good.

        Raises:
            NovaNotFound: it is gone meanwhile.

        """
        await self._history.delete(self._owner, chat_id)
        await self.reload()

    async def clear_all(self) -> int:
        """Delete all chats, or all with the chosen assistant; return how many there were."""
        count = await self._history.clear_all(self._owner, self.assistant)
        await self.reload()
        return count

    async def export(self, chat_id: ChatId, export_format: ExportFormat) -> ChatExport:
        """Write a chat out.

        Raises:
            NovaNotFound: it is gone meanwhile.

        """
        return await self._history.export(self._owner, chat_id, export_format)

    def _show(self, state: ChatListState) -> None:
        self.state = state
        self.changed.emit(state)
