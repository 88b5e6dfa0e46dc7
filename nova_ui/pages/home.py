"""The chat panel, at `/`: `?chat=` opens a stored chat, `?assistant=` an assistant."""

from nicegui import ui

from nova_ui.chat.notices import notice_text
from nova_ui.components.assistant_picker import AssistantPicker, ModeChip
from nova_ui.components.buttons import quiet_button
from nova_ui.components.chat_view import ChatView
from nova_ui.components.composer import Composer
from nova_ui.components.elsewhere_line import ElsewhereLine
from nova_ui.components.notices import show_told
from nova_ui.components.own_ai_usage import BudgetLine
from nova_ui.components.tool_menu import ToolMenu
from nova_ui.domain.assistant import Assistant
from nova_ui.domain.identity import Identity
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool
from nova_ui.guardrails.offer import offered_tools
from nova_ui.nova_client.origin import INTERFACE
from nova_ui.pages.frame import Frame
from nova_ui.pages.page import page
from nova_ui.pages.visit import Visit
from nova_ui.presenters.chat_doors import ChatDoors
from nova_ui.presenters.chat_panel import ChatPanelPresenter
from nova_ui.presenters.object_search import ObjectSearch
from nova_ui.presenters.own_ai_usage import OwnAiUsagePresenter
from nova_ui.services import Services


def register(services: Services) -> None:
    """Make the page."""
    doors = chat_doors(services)

    @page(services, "/", title=mark("Nova AI"), fills_screen=True)
    async def home(visit: Visit, frame: Frame, chat: str = "", assistant: str = "") -> None:
        panel = ChatPanelPresenter(doors, visit.caller, visit.tr)
        panel.told.subscribe(show_told)
        _draw_header(panel, frame, visit)
        menu = ToolMenu(panel, ObjectSearch(services.nova.open(visit.caller, INTERFACE), panel.names))
        view = ChatView(panel)
        ElsewhereLine(panel)
        BudgetLine(panel, OwnAiUsagePresenter(services.nova.open(visit.caller, INTERFACE), visit.tr))
        composer = Composer(panel, menu.show_list)
        view.fill_composer = composer.fill
        panel.rearranged.subscribe(lambda _: _keep_address(panel, visit))
        panel.turn_added.subscribe(lambda _: _keep_address(panel, visit))
        await panel.load(assistant_key=assistant, chat_id=chat)


def chat_doors(services: Services) -> ChatDoors:
    """Return what the panel works with."""
    all_names = frozenset(services.tools)

    def tools_for(assistant: Assistant, identity: Identity) -> tuple[AnyTool, ...]:
        return offered_tools(services.tools, assistant, identity, read_only=False, released_at_start=all_names)

    return ChatDoors(
        live_turns=services.live_turns,
        history=services.history,
        assistants=services.assistants,
        tools=services.tools,
        tools_for=tools_for,
        places_of=services.models.places_for,
        sent=services.sent_requests,
        notice_text=notice_text,
        clock=services.clock,
    )


def _draw_header(panel: ChatPanelPresenter, frame: Frame, visit: Visit) -> None:
    """Draw assistant, tool list and mode where other pages have their title."""
    frame.heading.clear()
    with frame.heading:
        ui.label(visit.tr("Nova AI")).classes("nova-hidden").props("role=heading aria-level=1")
        AssistantPicker(panel)
    with frame.actions:
        ModeChip(panel)
        new_chat = quiet_button(visit.tr("New chat"), panel.new_chat, icon="add")
        new_chat.classes("nova-new-chat").mark("new-chat").props["aria-label"] = visit.tr("New chat")


def _keep_address(panel: ChatPanelPresenter, visit: Visit) -> None:
    """Have the address name the chat that is open, so that a reload or a bookmark brings it back."""
    if panel.chat_id is not None:
        ui.navigate.history.replace(f"{visit.prefix}/?chat={panel.chat_id}")
    elif panel.assistant is not None:
        ui.navigate.history.replace(f"{visit.prefix}/?assistant={panel.assistant.key}")
