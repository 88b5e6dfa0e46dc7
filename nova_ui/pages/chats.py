"""Chat history: an identity's own chats."""

from typing import Final

from nicegui import events, ui

from nova_ui.components.buttons import quiet_button
from nova_ui.components.chat_list import ChatList
from nova_ui.components.chips import FilterChip
from nova_ui.components.confirm_dialog import ask
from nova_ui.domain.assistant import AssistantKey
from nova_ui.pages.frame import Frame
from nova_ui.pages.navigation import CHATS
from nova_ui.pages.page import page
from nova_ui.pages.visit import Visit
from nova_ui.presenters.chat_list import ChatListPresenter, ChatListState
from nova_ui.services import Services

SEARCH_DEBOUNCE_MS: Final = 300
SEARCH_MAX_CHARS: Final = 200


def register(services: Services) -> None:
    """Add the page."""

    @page(services, CHATS.path, title=CHATS.label)
    async def chats_page(visit: Visit, frame: Frame) -> None:
        presenter = ChatListPresenter(services.history, services.assistants, visit.identity)
        ChatHistoryScreen(presenter, visit, frame)
        with ui.element("div").classes("nova-narrow"):
            ChatList(presenter, visit.tr, services.clock)
        await presenter.load()


class ChatHistoryScreen:
    """What stands around the list: search, the choice of an assistant, *Clear all*."""

    def __init__(self, presenter: ChatListPresenter, visit: Visit, frame: Frame) -> None:
        self._presenter = presenter
        self._tr = visit.tr
        with frame.actions:
            self._clear = quiet_button(self._tr("Clear all"), self._clear_all, icon="delete_sweep").mark("clear-all")
        with ui.element("div").classes("nova-narrow nova-filters nova-chats__bar").props("role=search") as self._bar:
            words = self._tr("Search in chats")
            search = ui.input(placeholder=words, on_change=self._searched).classes("nova-filters__search")
            search.props(f"debounce={SEARCH_DEBOUNCE_MS} clearable type=search maxlength={SEARCH_MAX_CHARS}")
            search.props["aria-label"] = words
            search.mark("search")
            self._assistant = FilterChip(self._tr("AI assistant"), self._choose, self._tr).mark("filter-assistant")
        presenter.changed.subscribe(self._show)

    def _show(self, state: ChatListState) -> None:
        if self._bar.is_deleted:
            return
        presenter = self._presenter
        self._assistant.offer({str(key): name for key, name in presenter.names.items()})
        self._assistant.show(presenter.assistant)
        is_narrowed = bool(presenter.q) or presenter.assistant is not None
        can_hide_some = bool(presenter.q) or (state.hidden > 0 and presenter.assistant is None)
        self._clear.visible = bool(state.chats) or can_hide_some
        self._bar.visible = bool(state.chats) or is_narrowed

    async def _choose(self, key: str | None) -> None:
        await self._presenter.choose(AssistantKey(key) if key else None)

    async def _searched(self, event: events.ValueChangeEventArguments[str | None]) -> None:
        await self._presenter.search(event.value if isinstance(event.value, str) else "")

    async def _clear_all(self) -> None:
        tr, chosen = self._tr, self._presenter.assistant
        if chosen is None:
            text = tr("All your chats are deleted for good.")
        else:
            name = self._presenter.names.get(chosen, chosen)
            text = tr("All your chats with {assistant} are deleted for good.", assistant=name)
        if await ask(tr("Clear all?"), f"{text} {tr('The audit log is not touched.')}", tr("Clear all"), tr):
            count = await self._presenter.clear_all()
            ui.notify(
                tr.plural("{count} chat deleted.", "{count} chats deleted.", count), type="positive", position="top"
            )
