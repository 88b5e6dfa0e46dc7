import asyncio

import pytest

from nova_ui.chat.export import ChatExport, ExportFormat
from nova_ui.chat.history import ChatPage, ChatSummary
from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.chat import ChatId
from nova_ui.domain.identity import Identity, IdentityId
from nova_ui.errors import NovaNotFound
from nova_ui.presenters.chat_list import ChatListPresenter
from tests.builders import NOW, an_identity
from tests.fakes.chat_doors import FakeAssistants


class FakeChats:
    """Titles of one owner's chats, newest first, in pages of two; a search waits where a test says so."""

    def __init__(self, owner: Identity, *titles: str) -> None:
        self.owner = owner
        self.titles = list(titles)
        self.waits: dict[str, asyncio.Event] = {}
        self.cleared: list[AssistantKey | None] = []
        self.hidden = 0

    async def list_chats(
        self,
        owner: Identity,
        *,
        assistant: AssistantKey | None = None,
        q: str = "",
        cursor: str | None = None,
        limit: int = 50,
    ) -> ChatPage:
        assert (owner, limit) == (self.owner, 50)
        if q in self.waits:
            await self.waits[q].wait()
        found = [title for title in self.titles if q in title and (assistant is None or assistant in title)]
        start = int(cursor or 0)
        items = tuple(a_summary(title) for title in found[start : start + 2])
        following = str(start + 2) if len(found) > start + 2 else None
        return ChatPage(items=items, next_cursor=following, total=len(found), hidden=self.hidden)

    async def rename(self, owner: Identity, chat_id: ChatId, title: str) -> ChatSummary:
        await self.delete(owner, chat_id)
        self.titles.insert(0, title)
        return a_summary(title)

    async def delete(self, owner: Identity, chat_id: ChatId) -> None:
        assert owner == self.owner
        if chat_id not in self.titles:
            raise NovaNotFound
        self.titles.remove(chat_id)

    async def clear_all(self, owner: Identity, assistant: AssistantKey | None = None) -> int:
        assert owner == self.owner
        self.cleared.append(assistant)
        kept = [title for title in self.titles if assistant is not None and assistant not in title]
        count, self.titles = len(self.titles) - len(kept), kept
        return count

    async def export(self, owner: Identity, chat_id: ChatId, export_format: ExportFormat) -> ChatExport:
        assert owner == self.owner
        return ChatExport(file_name=f"{chat_id}.{export_format}", media_type="text/plain", content="")


def a_summary(title: str) -> ChatSummary:
    key = AssistantKey("admin" if "admin" in title else "helpdesk")
    return ChatSummary(id=ChatId(title), assistant_key=key, title=title, created_at=NOW, updated_at=NOW)


OWNER = an_identity(identity_id=IdentityId("idn_ada"))


def a_presenter(*titles: str) -> tuple[ChatListPresenter, FakeChats]:
    chats = FakeChats(OWNER, *titles)
    return ChatListPresenter(chats, FakeAssistants(), OWNER), chats


def shown(presenter: ChatListPresenter) -> list[str]:
    return [chat.title for chat in presenter.state.chats]


async def test_g1_older_chats_are_added_below_and_a_change_starts_at_the_newest() -> None:
    presenter, _ = a_presenter("one", "two", "three")
    await presenter.load()
    assert (shown(presenter), presenter.state.has_more) == (["one", "two"], True)

    await presenter.more()
    assert (shown(presenter), presenter.state.has_more) == (["one", "two", "three"], False)
    await presenter.rename(ChatId("three"), "newest")

    assert shown(presenter) == ["newest", "one"]


async def test_a_search_that_was_overtaken_is_dropped() -> None:
    presenter, chats = a_presenter("one", "two")
    await presenter.load()
    chats.waits["o"] = asyncio.Event()

    slow = asyncio.create_task(presenter.search("o"))
    await asyncio.sleep(0)
    await presenter.search("tw")
    chats.waits["o"].set()
    await slow

    assert shown(presenter) == ["two"]


async def test_g2_clearing_takes_the_chosen_assistants_chats_only() -> None:
    presenter, chats = a_presenter("admin 1", "helpdesk 1", "helpdesk 2")
    await presenter.load()

    await presenter.choose(AssistantKey("helpdesk"))
    assert await presenter.clear_all() == 2
    await presenter.choose(None)
    assert shown(presenter) == ["admin 1"]
    assert await presenter.clear_all() == 1

    assert chats.cleared == ["helpdesk", None]


async def test_g4_hidden_chats_are_counted_and_their_assistant_is_not_named() -> None:
    presenter, chats = a_presenter("helpdesk 1")
    chats.hidden = 2

    await presenter.load()

    assert presenter.state.hidden == 2
    assert presenter.names == {"helpdesk": "Helpdesk"}  # an ordinary user never reads of the Admin Chat


async def test_a_chat_that_is_gone_meanwhile_is_told_and_not_hidden() -> None:
    presenter, chats = a_presenter("one")
    await presenter.load()
    chats.titles.clear()

    with pytest.raises(NovaNotFound):
        await presenter.delete(ChatId("one"))
