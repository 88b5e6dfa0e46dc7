"""What an empty list shows: that it is empty, and what to do next."""

from nicegui import ui

from nova_ui.components.buttons import OnClick, primary_button


class EmptyState(ui.element):
    """A calm sign with a title, one sentence and, where there is one, the next step."""

    def __init__(
        self, icon: str, title: str, text: str, *, action: str | None = None, on_action: OnClick | None = None
    ) -> None:
        super().__init__("div")
        with self.classes("nova-empty"):
            ui.icon(icon).classes("nova-empty__icon")
            ui.label(title).classes("nova-empty__title")
            ui.label(text).classes("nova-empty__text")
            if action is not None:
                primary_button(action, on_action)
