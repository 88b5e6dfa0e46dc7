"""Where the data of an assistant's chats goes, for whoever uses it: each place, what is sent and what never is."""

from collections.abc import Iterable, Sequence

from nicegui import ui

from nova_ui.components.badges import Badge
from nova_ui.components.buttons import icon_button
from nova_ui.components.facts import heading
from nova_ui.i18n.translator import Translator
from nova_ui.llm.fallback import ModelPlace, widest
from nova_ui.llm.port import Mode
from nova_ui.presenters.assistant_words import MODE_TONES, SHORT_MODE_WORDS
from nova_ui.presenters.data_places import (
    KEPT,
    NEVER_SENT,
    judged_text,
    order_text,
    requests_text,
    sent_lines,
    summary_text,
)
from nova_ui.presenters.visible import show_invisible


class PlacesDialog(ui.dialog):
    """Opens at once, and is gone once it is closed."""

    def __init__(self, name: str, places: Sequence[ModelPlace], tr: Translator) -> None:
        super().__init__(value=True)
        with self, ui.card().classes("nova-dialog").mark("places-dialog") as card:
            with ui.element("div").classes("nova-dialog__head"):
                title = ui.label(tr("Where the data of “{assistant}” goes", assistant=name)).classes(
                    "nova-dialog__title"
                )
                title.props("role=heading aria-level=2")
                icon_button("close", tr("Close"), self.close).mark("close-places")
            with ui.element("div").classes("nova-dialog__body nova-stack"):
                ui.label(summary_text(places, tr))
                draw_places(places, tr)
                if widest(places) is not Mode.BUILT_IN:
                    heading(tr("What is sent"), 3)
                    draw_lines(sent_lines(tr))
                    ui.label(requests_text(tr)).classes("nova-hint")
                    heading(tr("What is never sent"), 3)
                    draw_lines(map(tr, NEVER_SENT))
                heading(tr("How long it is kept"), 3)
                draw_lines(map(tr, KEPT))
        card.props["aria-labelledby"] = self.props["aria-labelledby"] = title.html_id
        self.on_value_change(lambda event: None if event.value else self.delete())


def draw_places(places: Sequence[ModelPlace], tr: Translator) -> None:
    """Draw each place in the order in which they are asked."""
    with ui.element("ol").classes("nova-places"):
        for number, place in enumerate(places):
            with ui.element("li").classes("nova-places__place"):
                with ui.element("div").classes("nova-row"):
                    ui.label(tr(place.model)).classes("nova-places__model")
                    Badge(tr(SHORT_MODE_WORDS[place.mode]), MODE_TONES[place.mode])
                where = tr("in this server") if place.mode is Mode.BUILT_IN else show_invisible(place.host)
                ui.label(where).classes("nova-sent__name")
                ui.label(judged_text(place.mode, place.by_address, place.declared, tr)).classes("nova-hint")
                if len(places) > 1:
                    ui.label(order_text(number, tr)).classes("nova-hint")


def draw_lines(lines: Iterable[str]) -> None:
    """Draw sentences as a list."""
    with ui.element("ul").classes("nova-list"):
        for line in lines:
            with ui.element("li"):
                ui.label(line)
