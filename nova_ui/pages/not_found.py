"""What a path answers behind which there is nothing, or nothing for this person."""

from typing import Final

from nicegui import ui

from nova_ui.components.empty import EmptyState
from nova_ui.domain.text import mark
from nova_ui.pages.frame import frame
from nova_ui.pages.visit import Visit

TITLE: Final = mark("Page not found")


def draw_not_found(visit: Visit) -> None:
    """Answer that there is no such page; the same words whether it does not exist or may not be opened."""
    ui.status_code(404)
    with frame(visit, title=TITLE):
        EmptyState(
            "explore_off",
            visit.tr(TITLE),
            visit.tr("There is no such page, or it is not open to you."),
            action=visit.tr("To the chat"),
            on_action=lambda: ui.navigate.to("/"),
        )
