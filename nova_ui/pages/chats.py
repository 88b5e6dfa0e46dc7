"""Chat history: an identity's own chats."""

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
from nova_ui.presenters.chat_list import ChatListPresenter
from nova_ui.services import Services

SEARCH_DEBOUNCE_MS = 300


def register(services: Services) -> None:
    """Add the page."""

    @page(services, CHATS.path, title=CHATS.label)
    async def chats_page(visit: Visit, frame: Frame) -> None:
        presenter = ChatListPresenter(services.history, services.assistants, visit.identity)
        with frame.actions:
            quiet_button(visit.tr("Clear all"), lambda: _clear_all(presenter, visit), icon="delete_sweep")
        with ui.element("div").classes("nova-narrow nova-stack"):
            bar = ui.element("div").classes("nova-filters").props("role=search")
            ChatList(presenter, visit.tr, services.clock)
        await presenter.load()
        _draw_bar(bar, presenter, visit)


def _draw_bar(bar: ui.element, presenter: ChatListPresenter, visit: Visit) -> None:
    async def choose(key: str | None) -> None:
        await presenter.choose(AssistantKey(key) if key else None)
        _draw_bar(bar, presenter, visit)

    async def search(event: events.ValueChangeEventArguments[str | None]) -> None:
        await presenter.search(event.value if isinstance(event.value, str) else "")

    bar.clear()
    with bar:
        label = visit.tr("Search in chats")
        box = ui.input(placeholder=label, value=presenter.q, on_change=search).classes("nova-filters__search")
        box.props(f"debounce={SEARCH_DEBOUNCE_MS} clearable type=search")
        box.props["aria-label"] = label
        names = {str(key): name for key, name in presenter.names.items()}
        FilterChip(visit.tr("AI assistant"), names, presenter.assistant, choose, visit.tr)


async def _clear_all(presenter: ChatListPresenter, visit: Visit) -> None:
    chosen = presenter.names.get(presenter.assistant, "") if presenter.assistant else ""
    text = (
        visit.tr("All your chats with {assistant} are deleted for good.", assistant=chosen)
        if chosen
        else visit.tr("All your chats are deleted for good.")
    )
    if await ask(
        visit.tr("Clear all?"), f"{text} {visit.tr('The audit log is not touched.')}", visit.tr("Clear all"), visit.tr
    ):
        count = await presenter.clear_all()
        ui.notify(visit.tr.plural("{count} chat deleted.", "{count} chats deleted.", count), position="top")
