"""An identity's own chats: found again, renamed, exported, deleted (rules G1 to G4)."""

import base64
import binascii
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Protocol

from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.chat.export import ChatExport, ExportFormat, write_chat
from nova_ui.chat.usable import find_usable, list_usable
from nova_ui.domain.assistant import Assistant, AssistantKey
from nova_ui.domain.chat import Chat, ChatId, PreviewId, TurnId
from nova_ui.domain.clock import Clock
from nova_ui.domain.identity import Identity, IdentityId
from nova_ui.domain.preview import Preview
from nova_ui.errors import NovaInvalid, NovaNotFound
from nova_ui.guardrails.known_secrets import KnownSource, hide_known_in_text, nothing_known
from nova_ui.guardrails.secrets_in import mask_live_secrets
from nova_ui.llm.special_tokens import without_unusable_characters
from storage.chat.audience import GroupsAmong
from storage.chat.chats import ChatTable, Position
from storage.chat.previews import PreviewTable
from storage.chat.turns import TurnTable
from storage.database import Database

__all__ = ["ChatExport", "ChatHistory", "ChatPage", "ChatSummary", "ExportFormat", "OpenedChat"]

MAX_TITLE_CHARS: Final = 200
MAX_LIMIT: Final = 200
MAX_QUERY_CHARS: Final = 200


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
    """Some of `total` chats, newest first; `hidden` counts own ones whose assistant is no longer there (rule G4)."""

    items: tuple[ChatSummary, ...]
    next_cursor: str | None
    total: int = 0
    hidden: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedChat:
    """A chat with its turns and previews; `open_preview_id` is the one that can still be confirmed."""

    chat: Chat
    previews: tuple[Preview, ...]
    open_preview_id: PreviewId | None


class TurnEnder(Protocol):
    """Ends running turns before their chat is deleted."""

    async def end_turns(self, owner: IdentityId, turn_ids: Sequence[TurnId]) -> None:
        """Stop these turns and wait for their ends, for a bounded time."""


class ChatHistory:
    """An identity's own chats; no method reaches another identity's."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        turns: TurnEnder,
        groups_among: GroupsAmong,
        *,
        known_secrets: KnownSource = nothing_known,
    ) -> None:
        self._database = database
        self._clock = clock
        self._turns = turns
        self._groups_among = groups_among
        self._known_secrets = known_secrets

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
            NovaInvalid: the cursor is none of ours, or the text or limit out of bounds.

        """
        if not 1 <= limit <= MAX_LIMIT:
            raise NovaInvalid(f"A page has 1 to {MAX_LIMIT} chats.", field="limit")
        if len(q) > MAX_QUERY_CHARS or without_unusable_characters(q) != q:
            raise NovaInvalid(f"A search text has at most {MAX_QUERY_CHARS} characters.", field="q")
        after = None if cursor is None else _position(cursor)
        async with self._database.reading() as session:
            chats, usable = ChatTable(session), await self._usable(session, owner)
            keys = usable if assistant is None else usable & {assistant}
            found = await chats.list_newest(owner.id, keys, q=q.strip(), after=after, limit=limit + 1)
            total = await chats.count(owner.id, keys, q=q.strip())
            hidden = await chats.count_others(owner.id, usable)
        page = found[:limit]
        next_cursor = _cursor(page[-1]) if len(found) > limit else None
        items = tuple(_summary(chat) for chat in page)
        return ChatPage(items=items, next_cursor=next_cursor, total=total, hidden=hidden)

    async def get_chat(self, owner: Identity, chat_id: ChatId) -> OpenedChat:
        """Open one own chat.

        Raises:
            NovaNotFound: it is not the owner's, or its assistant no longer exists for it (rule G4).

        """
        async with self._database.reading() as session:
            chat, _ = await self._usable_chat(session, owner, chat_id)
            records = await TurnTable(session).list_of_chat(owner.id, chat_id)
            previews = await PreviewTable(session).list_of_chat(owner.id, chat_id)
            number = await TurnTable(session).last_number(owner.id, chat.assistant_key)
        made: dict[TurnId, tuple[PreviewId, ...]] = {}
        for preview in previews:
            made[preview.turn_id] = (*made.get(preview.turn_id, ()), preview.id)
        turns = tuple(replace(record, preview_ids=made.get(record.id, ())) for record in records)
        open_id = next((one.id for one in previews if self._is_open(one, number)), None)
        return OpenedChat(chat=replace(chat, turns=turns), previews=previews, open_preview_id=open_id)

    async def rename(self, owner: Identity, chat_id: ChatId, title: str) -> ChatSummary:
        """Give a chat another title.

        Raises:
            NovaNotFound: as for `get_chat`.
            NovaInvalid: the title is empty or longer than 200 characters.

        """
        typed = mask_live_secrets(without_unusable_characters(" ".join(title.split())))
        one_line = hide_known_in_text(typed, await self._known_secrets())
        if not 1 <= len(one_line) <= MAX_TITLE_CHARS:
            raise NovaInvalid(f"A title has 1 to {MAX_TITLE_CHARS} characters.", field="title")
        async with self._database.transaction() as session:
            chat, _ = await self._usable_chat(session, owner, chat_id)
            await ChatTable(session).rename(owner.id, chat_id, one_line)
        return replace(_summary(chat), title=one_line)

    async def delete(self, owner: Identity, chat_id: ChatId) -> None:
        """Delete a chat for good, whether or not its assistant can still be used (rule G4).

        Raises:
            NovaNotFound: it is not the owner's.

        """
        if not await self._delete(owner.id, (chat_id,)):
            raise NovaNotFound("There is no such chat.")

    async def clear_all(self, owner: Identity, assistant: AssistantKey | None = None) -> int:
        """Delete all own chats, or those with one assistant; return how many there were."""
        async with self._database.reading() as session:
            chat_ids = await ChatTable(session).list_ids(owner.id, assistant)
        return await self._delete(owner.id, chat_ids)

    async def export(self, owner: Identity, chat_id: ChatId, export_format: ExportFormat) -> ChatExport:
        """Write a chat out.

        Raises:
            NovaNotFound: as for `get_chat`.

        """
        opened = await self.get_chat(owner, chat_id)
        async with self._database.reading() as session:
            _, assistant = await self._usable_chat(session, owner, chat_id)
        return write_chat(opened.chat, assistant.name_in(owner.language), export_format)

    async def _delete(self, owner_id: IdentityId, chat_ids: Sequence[ChatId]) -> int:
        async with self._database.reading() as session:
            running = await ChatTable(session).list_running(owner_id, chat_ids)
        if running:
            await self._turns.end_turns(owner_id, running)
        async with self._database.transaction() as session:
            return await ChatTable(session).delete(owner_id, chat_ids)

    def _is_open(self, preview: Preview, number: int) -> bool:
        return preview.closed is None and preview.turn_number == number and self._clock.now() <= preview.expires_at

    async def _usable(self, session: AsyncSession, owner: Identity) -> frozenset[AssistantKey]:
        return frozenset(one.key for one in await list_usable(session, owner, self._groups_among))

    async def _usable_chat(self, session: AsyncSession, owner: Identity, chat_id: ChatId) -> tuple[Chat, Assistant]:
        chat = await ChatTable(session).find(owner.id, chat_id)
        usable = None if chat is None else await find_usable(session, owner, chat.assistant_key, self._groups_among)
        if chat is None or usable is None:
            raise NovaNotFound("There is no such chat.")
        return chat, usable[0]


def _summary(chat: Chat) -> ChatSummary:
    return ChatSummary(
        id=chat.id,
        assistant_key=chat.assistant_key,
        title=chat.title,
        created_at=chat.created_at,
        updated_at=chat.updated_at,
    )


def _cursor(chat: Chat) -> str:
    place = json.dumps([chat.updated_at.isoformat(), chat.id])
    return base64.urlsafe_b64encode(place.encode()).decode()


def _position(cursor: str) -> Position:
    try:
        updated_at, chat_id = json.loads(base64.urlsafe_b64decode(cursor.encode("ascii")))
        moment = datetime.fromisoformat(updated_at)
    except (binascii.Error, ValueError, TypeError, RecursionError):
        raise NovaInvalid("The cursor is none that was given out here.", field="cursor") from None
    is_ours = moment.utcoffset() == timedelta() and isinstance(chat_id, str)
    if not is_ours or without_unusable_characters(chat_id) != chat_id:
        raise NovaInvalid("The cursor is none that was given out here.", field="cursor")
    return Position(updated_at=moment, id=ChatId(chat_id))
