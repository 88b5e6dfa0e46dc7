"""What a dialog shows before something is done: the object as it is, what it consists of, what goes with it."""

from collections.abc import Sequence
from typing import Final

from nicegui import ui

from nova_ui.components.badges import Badge
from nova_ui.components.facts import Facts, heading
from nova_ui.domain.json_value import JsonObject
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.actions import Consequence, Listing, Prepared
from nova_ui.presenters.directory_words import NOTHING, label_of, text_of_field, tone_of
from nova_ui.presenters.field_words import effect_text, result_word
from nova_ui.presenters.fields import Shown, rows_in
from nova_ui.presenters.visible import show_invisible

MAX_NAMES: Final = 5


def draw_state(prepared: Prepared, tr: Translator) -> None:
    """Show the object of an action as it is now."""
    one = {**prepared.target, **prepared.current}  # what its row says more than the object itself
    if prepared.action.state:
        facts = Facts()
        for field in prepared.action.state:
            text = text_of_field(field, one, tr)
            if field.shown is Shown.STATE:
                with facts.line(label_of(field, tr)):
                    Badge(text, tone_of(field.value_in(one)))
            else:
                facts.add(label_of(field, tr), text)
    for listing in prepared.action.listed:
        rows = rows_in(prepared.current, listing.path)
        if rows:
            _draw_listing(listing, rows, tr)


def draw_consequences(consequences: Sequence[Consequence], tr: Translator) -> None:
    """Show what goes with an action."""
    happening = [one for one in consequences if one.count]
    heading(tr("Goes with it"), 3)
    if not happening:
        ui.label(tr("Nothing else.")).classes("nova-hint")
    for one in happening:
        with ui.element("div"):
            text = effect_text(one.type, one.count, tr)
            told = f"{text}: {result_word(one.result, tr)}" if one.result else text
            ui.label(told).classes("nova-confirmation__effects")
            names = [name for name in one.names if name]
            if names:
                ui.label(_names(names, one.count)).classes("nova-confirmation__names")


def _draw_listing(listing: Listing, rows: Sequence[JsonObject], tr: Translator) -> None:
    heading(tr(listing.heading), 3)
    first, *others = listing.fields
    with ui.element("ol").classes("nova-listing"):
        for row in rows:
            with ui.element("li"):
                with ui.element("div").classes("nova-row"):
                    ui.label(text_of_field(first, row, tr)).classes("nova-tools__title")
                    for field in others:
                        if field.shown is Shown.STATE:
                            Badge(text_of_field(field, row, tr), tone_of(field.value_in(row)))
                for field in others:
                    text = text_of_field(field, row, tr)
                    if field.shown is not Shown.STATE and text != NOTHING:
                        line = text if field.name in _SPOKEN else f"{label_of(field, tr)}: {text}"
                        ui.label(line).classes("nova-lines__hint")


_SPOKEN: Final = frozenset({"comment", "text"})  # somebody's own words need no label


def _names(names: Sequence[str], count: int) -> str:
    shown = ", ".join(show_invisible(name) for name in names[:MAX_NAMES])
    return f"{shown}, …" if count > min(len(names), MAX_NAMES) else shown
