"""Plain sentences of the server's own: what happened, what was kept, what to do next."""

from typing import Final

from nicegui import ui

from nova_ui.presenters.problem_words import Told

NOTICE_ICONS: Final = {"info": "info", "warning": "warning", "error": "error"}


class NoticeLine(ui.element):
    """A sentence on a soft ground; `weight` is info, warning or error."""

    def __init__(self, text: str, weight: str = "info", *, next_step: str = "") -> None:
        super().__init__("div")
        with self.classes(f"nova-notice nova-notice--{weight}").props("role=status"):
            ui.icon(NOTICE_ICONS[weight])
            with ui.element("div"):
                ui.label(text).classes("nova-notice__text")
                if next_step:
                    ui.label(next_step).classes("nova-notice__next")


def show_told(told: Told) -> None:
    """Show for a while what a person has to know: what happened, and the next step."""
    ui.notification(
        f"{told.text} {told.next_step}".strip(),
        type="warning",
        position="top",
        close_button=True,
        timeout=12,
        multi_line=True,
    )
