"""Chats in the database; the owner is the first argument and stands in every statement (rules G1 to G3)."""

import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, and_, delete, exists, func, insert, or_, update
from sqlmodel import SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.chat import Chat, ChatId, TurnId, TurnState
from nova_ui.domain.identity import IdentityId
from storage.chat.sent_tables import SentPartRow, SentRequestRow
from storage.chat.tables import ChatRow, PreviewRow, TurnEventRow, TurnRow

_ADD: Final = insert(SQLModel.metadata.tables["chats"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Where a page of chats, newest first, begins: after this one."""

    updated_at: datetime
    id: ChatId


class ChatTable:
    """The chats, within the caller's transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add(self, owner_id: IdentityId, chat: Chat) -> None:
        """Store a new chat of the owner's."""
        values = {
            "id": chat.id,
            "owner_id": owner_id,
            "assistant_key": chat.assistant_key,
            "title": chat.title,
            "title_key": fold(chat.title),
            "created_at": chat.created_at,
            "updated_at": chat.updated_at,
        }
        await (await self._session.connection()).execute(_ADD, values)

    async def find(self, owner_id: IdentityId, chat_id: ChatId) -> Chat | None:
        """Return the owner's chat of this id without its turns, or None."""
        found = select(ChatRow).where(col(ChatRow.owner_id) == owner_id, col(ChatRow.id) == chat_id)
        row = (await self._session.exec(found.execution_options(populate_existing=True))).one_or_none()
        return None if row is None else _chat(row)

    async def list_newest(
        self,
        owner_id: IdentityId,
        assistant_keys: Collection[AssistantKey],
        *,
        q: str,
        after: Position | None,
        limit: int,
    ) -> tuple[Chat, ...]:
        """Return the owner's chats with these assistants that hold the text `q`, newest first, without turns."""
        found = select(ChatRow).where(
            col(ChatRow.owner_id) == owner_id, col(ChatRow.assistant_key).in_(assistant_keys), *_holding(owner_id, q)
        )
        if after is not None:
            older = col(ChatRow.updated_at) < after.updated_at
            same_moment = and_(col(ChatRow.updated_at) == after.updated_at, col(ChatRow.id) < after.id)
            found = found.where(or_(older, same_moment))
        ordered = found.order_by(col(ChatRow.updated_at).desc(), col(ChatRow.id).desc()).limit(limit)
        return tuple(_chat(row) for row in (await self._session.exec(ordered)).all())

    async def count(self, owner_id: IdentityId, assistant_keys: Collection[AssistantKey], *, q: str) -> int:
        """Return how many chats `list_newest` would go through."""
        found = select(func.count()).where(
            col(ChatRow.owner_id) == owner_id, col(ChatRow.assistant_key).in_(assistant_keys), *_holding(owner_id, q)
        )
        return (await self._session.exec(found)).one()

    async def count_others(self, owner_id: IdentityId, assistant_keys: Collection[AssistantKey]) -> int:
        """Return how many chats the owner has with assistants other than these."""
        found = select(func.count()).where(
            col(ChatRow.owner_id) == owner_id, col(ChatRow.assistant_key).not_in(assistant_keys)
        )
        return (await self._session.exec(found)).one()

    async def touch(self, owner_id: IdentityId, chat_id: ChatId, now: datetime) -> None:
        """Make the owner's chat the newest."""
        own = update(ChatRow).where(col(ChatRow.owner_id) == owner_id, col(ChatRow.id) == chat_id)
        await self._session.exec(own.values(updated_at=now).execution_options(synchronize_session=False))

    async def rename(self, owner_id: IdentityId, chat_id: ChatId, title: str) -> None:
        """Give the owner's chat another title; its place in the list stays."""
        own = update(ChatRow).where(col(ChatRow.owner_id) == owner_id, col(ChatRow.id) == chat_id)
        await self._session.exec(
            own.values(title=title, title_key=fold(title)).execution_options(synchronize_session=False)
        )

    async def list_ids(self, owner_id: IdentityId, assistant_key: AssistantKey | None = None) -> tuple[ChatId, ...]:
        """Return the ids of all the owner's chats, or of those with one assistant."""
        found = select(ChatRow.id).where(col(ChatRow.owner_id) == owner_id)
        if assistant_key is not None:
            found = found.where(col(ChatRow.assistant_key) == assistant_key)
        return tuple(ChatId(one) for one in (await self._session.exec(found)).all())

    async def list_running(self, owner_id: IdentityId, chat_ids: Collection[ChatId]) -> tuple[TurnId, ...]:
        """Return the turns that run in these chats of the owner's."""
        found = select(TurnRow.id).where(
            col(TurnRow.identity_id) == owner_id,
            col(TurnRow.chat_id).in_(chat_ids),
            col(TurnRow.state) == TurnState.RUNNING.value,
        )
        return tuple(TurnId(one) for one in (await self._session.exec(found)).all())

    async def delete(self, owner_id: IdentityId, chat_ids: Collection[ChatId]) -> int:
        """Delete these chats of the owner's with all that belongs to them; the message counter stays (C4).

        Cards and what models were sent go after the turns: while a turn is there, they may still be written.
        """
        own = select(ChatRow.id).where(col(ChatRow.owner_id) == owner_id, col(ChatRow.id).in_(chat_ids))
        turns = select(TurnRow.id).where(col(TurnRow.chat_id).in_(own))
        for statement in (
            delete(TurnEventRow).where(col(TurnEventRow.turn_id).in_(turns)),
            delete(TurnRow).where(col(TurnRow.chat_id).in_(own)),
            delete(PreviewRow).where(col(PreviewRow.chat_id).in_(own)),
            delete(SentRequestRow).where(col(SentRequestRow.chat_id).in_(own)),
            delete(SentPartRow).where(col(SentPartRow.chat_id).in_(own)),
        ):
            await self._session.exec(statement.execution_options(synchronize_session=False))
        chats = delete(ChatRow).where(col(ChatRow.owner_id) == owner_id, col(ChatRow.id).in_(chat_ids))
        return (await self._session.exec(chats.execution_options(synchronize_session=False))).rowcount


def fold(text: str) -> str:
    """Return `text` as it is searched: composed and without case."""
    return unicodedata.normalize("NFC", text).casefold()


def _holding(owner_id: IdentityId, q: str) -> tuple[ColumnElement[bool], ...]:
    if not q:
        return ()
    escaped = fold(q).replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    pattern = f"%{escaped}%"
    in_turn = exists().where(
        col(TurnRow.chat_id) == col(ChatRow.id),
        col(TurnRow.identity_id) == owner_id,
        col(TurnRow.search_text).like(pattern, escape="\\"),
    )
    return (or_(col(ChatRow.title_key).like(pattern, escape="\\"), in_turn),)


def _chat(row: ChatRow) -> Chat:
    return Chat(
        id=ChatId(row.id),
        owner_id=IdentityId(row.owner_id),
        assistant_key=AssistantKey(row.assistant_key),
        title=row.title,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )
