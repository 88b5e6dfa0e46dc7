"""Which assistant answers, what it may use, and where the data goes."""

from nicegui import ui

from nova_ui.components.chips import fact_chip
from nova_ui.components.places_dialog import PlacesDialog
from nova_ui.presenters.assistant_words import MODE_TONES, MODE_WORDS, scope_text
from nova_ui.presenters.chat_panel import ChatPanelPresenter
from nova_ui.presenters.data_places import widest


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
                    self._choice(assistant.key, assistant.name_in(tr.language), assistant.icon)
            fact_chip(scope_text(panel.assistant, tuple(panel.doors.tools.values()), tr)).classes("nova-picker__scope")

    def _choice(self, key: str, name: str, icon: str) -> None:
        chosen = self._panel.assistant is not None and self._panel.assistant.key == key
        item = ui.menu_item(name, on_click=lambda: self._panel.choose_key(key)).classes("nova-menu__assistant")
        with item:
            ui.icon(icon).props("aria-hidden=true")
        if chosen:
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
