"""What a page shows that could not be built: what happened, and the next step; never what broke."""

import logging
import secrets
import traceback
from typing import Final

from nicegui import ui

from nova_ui.components.empty import EmptyState
from nova_ui.domain.text import mark
from nova_ui.errors import NovaUiError, NovaUnavailable
from nova_ui.pages.frame import Frame
from nova_ui.pages.visit import Visit
from nova_ui.presenters.problem_words import told

TITLE: Final = mark("This page can't be shown at the moment")
_LOG: Final = logging.getLogger(__name__)
_SERVER_ERROR: Final = 500


def turn_into_failed(visit: Visit, drawn: Frame, error: Exception) -> None:
    """Say that a page that has begun can't be built now."""
    if isinstance(error, NovaUnavailable):
        status, words = error.status, _in_words(visit, error)
    else:
        reference = secrets.token_hex(6)
        frames = "".join(traceback.format_tb(error.__traceback__))
        _LOG.error("page.failed %s %s\n%s", reference, type(error).__name__, frames, extra={"reference": reference})
        status = _SERVER_ERROR
        words = visit.tr("Something went wrong. Tell an administrator the reference {reference}.", reference=reference)
    ui.status_code(status)
    ui.context.client.title = visit.tr("{page} · Nova", page=visit.tr(TITLE))
    for place in (drawn.heading, drawn.actions, drawn.content):
        place.clear()
    with drawn.heading:
        ui.label(visit.tr(TITLE)).classes("nova-header__title").props("role=heading aria-level=1")
    with drawn.content:
        EmptyState(
            "cloud_off",
            visit.tr(TITLE),
            words,
            action=visit.tr("Load again"),
            on_action=ui.navigate.reload,
        )


def _in_words(visit: Visit, error: NovaUiError) -> str:
    words = told(error, visit.tr)
    return f"{words.text} {words.next_step}"
