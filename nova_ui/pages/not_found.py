"""What a path answers behind which there is nothing, or nothing for this person."""

from typing import Final

from nicegui import ui

from nova_ui.components.empty import EmptyState
from nova_ui.domain.text import mark
from nova_ui.pages.frame import Frame, frame
from nova_ui.pages.visit import Visit

TITLE: Final = mark("Page not found")


def draw_not_found(visit: Visit) -> None:
    """Answer that there is no such page; the same words whether it does not exist or may not be opened."""
    ui.status_code(404)
    with frame(visit, title=TITLE):
        _draw_words(visit)


def turn_into_not_found(visit: Visit, drawn: Frame) -> None:
    """Give the same answer from a page that has begun, for what is not there for this person."""
    ui.status_code(404)
    ui.context.client.title = visit.tr("{page} · Nova", page=visit.tr(TITLE))
    for place in (drawn.heading, drawn.actions, drawn.content):
        place.clear()
    with drawn.heading:
        ui.label(visit.tr(TITLE)).classes("nova-header__title").props("role=heading aria-level=1")
    with drawn.content:
        _draw_words(visit)


def _draw_words(visit: Visit) -> None:
    EmptyState(
        "explore_off",
        visit.tr(TITLE),
        visit.tr("There is no such page, or it is not open to you."),
        action=visit.tr("To the chat"),
        on_action=lambda: ui.navigate.to("/"),
    )
