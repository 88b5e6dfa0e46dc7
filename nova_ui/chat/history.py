"""An identity's own chats: found again, renamed, exported, deleted (rules G1 to G4)."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.chat import Chat, ChatId, PreviewId
from nova_ui.domain.identity import Identity
from nova_ui.domain.preview import Preview


class ExportFormat(StrEnum):
    """As what a chat is downloaded."""

    MARKDOWN = "md"
    JSON = "json"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatSummary:
    """A chat as lists show it."""

    id: ChatId
    assistant_key: AssistantKey
    title: str
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatPage:
    """Some chats, newest first; `hidden` counts own chats whose assistant the identity no longer has (rule G4)."""

    items: tuple[ChatSummary, ...]
    next_cursor: str | None
    hidden: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedChat:
    """A chat with its turns and previews; `open_preview_id` is the one that can still be confirmed."""

    chat: Chat
    previews: tuple[Preview, ...]
    open_preview_id: PreviewId | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatExport:
    """A chat as a download; the file name is safe on every system."""

    file_name: str
    media_type: str
    content: str


class ChatHistory:
    """An identity's own chats; no method reaches another identity's."""

    async def list_chats(
        self,
        owner: Identity,
        *,
        assistant: AssistantKey | None = None,
        q: str = "",
        cursor: str | None = None,
        limit: int = 50,
    ) -> ChatPage:
        """Return a page of own chats, newest first, that hold the text `q`.

        Raises:
            NovaInvalid: the cursor is none of ours.

        """
        raise NotImplementedError

    async def get_chat(self, owner: Identity, chat_id: ChatId) -> OpenedChat:
        """Open one own chat.

        Raises:
            NovaNotFound: it is not the owner's, or its assistant no longer exists for it.

        """
        raise NotImplementedError

    async def rename(self, owner: Identity, chat_id: ChatId, title: str) -> ChatSummary:
        """Give a chat another title.

        Raises:
            NovaNotFound: as for `get_chat`.
            NovaInvalid: the title is empty or longer than 200 characters.

        """
        raise NotImplementedError

    async def delete(self, owner: Identity, chat_id: ChatId) -> None:
        """Delete a chat for good, whether or not its assistant can still be used (rule G4).

        Raises:
            NovaNotFound: it is not the owner's.

        """
        raise NotImplementedError

    async def clear_all(self, owner: Identity, assistant: AssistantKey | None = None) -> int:
        """Delete all own chats, or those with one assistant; return how many there were."""
        raise NotImplementedError

    async def export(self, owner: Identity, chat_id: ChatId, export_format: ExportFormat) -> ChatExport:
        """Write a chat out.

        Raises:
            NovaNotFound: as for `get_chat`.

        """
        raise NotImplementedError
