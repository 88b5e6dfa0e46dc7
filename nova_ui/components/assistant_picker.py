"""Which assistant answers, what it may use, and where the data goes."""

from nicegui import ui

from nova_ui.components.badges import Badge
from nova_ui.components.chips import fact_chip
from nova_ui.components.places_dialog import PlacesDialog
from nova_ui.domain.assistant import Assistant
from nova_ui.llm.fallback import widest
from nova_ui.presenters.assistant_words import MODE_TONES, MODE_WORDS, SHORT_MODE_WORDS, scope_text
from nova_ui.presenters.chat_panel import ChatPanelPresenter


class AssistantPicker(ui.element):
    """A button that opens the assistants of this person; beside it, the tool list and the audience in words."""

    def __init__(self, panel: ChatPanelPresenter) -> None:
        super().__init__("div")
        self._panel = panel
        self.classes("nova-picker")
        panel.rearranged.subscribe(lambda _: self.refresh())

    def refresh(self) -> None:
        """Draw the chosen assistant."""
        if self.is_deleted:
            return
        self.clear()
        panel, tr = self._panel, self._panel.tr
        if panel.assistant is None:
            return
        with self:
            button = ui.button(panel.assistant.name_in(tr.language), icon=panel.assistant.icon, color=None)
            button.classes("nova-picker__button").props("icon-right=arrow_drop_down aria-haspopup=menu").mark("picker")
            with button, ui.menu().props("auto-close"):
                for assistant in panel.assistants:
                    self._choice(assistant)
            fact_chip(scope_text(panel.assistant, tuple(panel.doors.tools.values()), tr)).classes("nova-picker__scope")

    def _choice(self, assistant: Assistant) -> None:
        panel, tr = self._panel, self._panel.tr
        mode = widest(panel.doors.places_of(assistant))
        item = ui.menu_item(on_click=lambda: panel.choose_key(assistant.key))
        with item, ui.element("span").classes("nova-picker__choice"):
            ui.icon(assistant.icon).props("aria-hidden=true")
            ui.label(assistant.name_in(tr.language)).classes("nova-picker__name")
            Badge(tr(SHORT_MODE_WORDS[mode]), MODE_TONES[mode])
        if panel.assistant is not None and panel.assistant.key == assistant.key:
            item.classes("nova-menu__chosen").props("aria-current=true")


class ModeChip(ui.element):
    """Says how far the data of this chat may go; a press says where, and what."""

    def __init__(self, panel: ChatPanelPresenter) -> None:
        super().__init__("div")
        self._panel = panel
        panel.rearranged.subscribe(lambda _: self.refresh())

    def refresh(self) -> None:
        """Draw the widest mode of all models that the chosen assistant may ask."""
        if self.is_deleted:
            return
        self.clear()
        panel, tr = self._panel, self._panel.tr
        if panel.assistant is None:
            return
        mode = widest(panel.places)
        with self, ui.element("button").classes("nova-chip nova-mode nova-mode--button") as chip:
            ui.element("span").classes(f"nova-dot nova-dot--{MODE_TONES[mode]}").props("aria-hidden=true")
            ui.label(tr(MODE_WORDS[mode])).classes("nova-chip__text")
        chip.props("type=button aria-haspopup=dialog").mark("mode").on("click", self._open)
        chip.props["title"] = chip.props["aria-label"] = tr("{mode}. Where the data goes", mode=tr(MODE_WORDS[mode]))

    def _open(self) -> None:
        panel = self._panel
        if panel.assistant is not None:
            PlacesDialog(panel.assistant.name_in(panel.tr.language), panel.places, panel.tr)
