"""Several things of a few kinds, in their order: added, filled in, moved and taken out one by one."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from nicegui import events, ui

from nova_ui.components.buttons import icon_button
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.presenters.fields import text_at
from nova_ui.presenters.object_form import Control, FormField, RowKind

if TYPE_CHECKING:
    from nova_ui.components.form_control import Entry, Form


class RowsInput(ui.element):
    """Redraws its rows when one is added, moved or taken out; what was entered in the others stays."""

    def __init__(self, form: "Form", one: FormField, label: str, rows: Sequence[JsonValue]) -> None:
        super().__init__("fieldset")
        self._form = form
        self._field = one
        self._kinds = {kind.key: kind for kind in one.kinds}
        self._names = form.names_of(one)
        self._rows: list[JsonObject] = [row for row in rows if isinstance(row, dict)]
        self._entries: list[dict[str, Entry]] = []
        with self.classes("nova-rows").mark(f"field-{one.name}"):
            with ui.element("legend").classes("nova-schedule__label"):
                ui.label(label)
            self._list = ui.element("ol").classes("nova-rows__list")
            self._problem = ui.label().classes("nova-schedule__problem").props("role=alert")
            self._adder = ui.select({}, label=form.tr("Add"), on_change=self._chosen).classes("nova-stretch")
            self._adder.mark(f"add-{one.name}").on("focus", self._offer)
        self._offer()
        self._draw()
        self.show_problems({})

    @property
    def entered(self) -> list[JsonObject]:
        """The rows with what was entered in them."""
        at = self._field.kind_at
        return [
            {at: row[at], **{name: _plain(entry.entered()) for name, entry in entries.items()}}
            for row, entries in zip(self._rows, self._entries, strict=True)
        ]

    def show_problems(self, said: Mapping[str, str]) -> None:
        """Show what is wrong, by place and field such as `0.role_id`; what names no field stands below all."""
        left = dict(said)
        for place, entries in enumerate(self._entries):
            for name, entry in entries.items():
                wrong = left.pop(f"{place}.{name}", "")
                entry.show({"": wrong} if wrong else {})
        text = next(iter(left.values()), "")
        self._problem.set_text(text)
        self._problem.set_visibility(bool(text))

    def _offer(self) -> None:
        """Offer the kinds that fit what is entered elsewhere in the form."""
        beside, at = self._form.entered(), self._field.kind_at
        fitting = [kind for kind in self._field.kinds if self._field.fits({**beside, at: kind.key})]
        self._adder.set_options({kind.key: self._form.tr(kind.label) for kind in fitting})

    def _chosen(self, event: events.ValueChangeEventArguments[str | None]) -> None:
        if event.value in self._kinds:
            self._rows = [*self.entered, {self._field.kind_at: event.value}]
            self._adder.set_value(None)
            self._draw()

    def _take_out(self, place: int) -> None:
        rows = self.entered
        del rows[place]
        self._rows = rows
        self._draw()

    def _move_up(self, place: int) -> None:
        rows = self.entered
        rows[place - 1], rows[place] = rows[place], rows[place - 1]
        self._rows = rows
        self._draw()

    def _draw(self) -> None:
        tr = self._form.tr
        self._list.clear()
        self._entries = []
        with self._list:
            for place, row in enumerate(self._rows):
                kind = self._kinds.get(text_at(row, self._field.kind_at))
                label = tr(kind.label) if kind else text_at(row, self._field.kind_at)
                with ui.element("li").classes("nova-rows__row"):
                    with ui.element("div").classes("nova-rows__head"):
                        ui.label(label).classes("nova-rows__label")
                        if place:
                            up = tr("Move up: {label}", label=label)
                            icon_button("arrow_upward", up, partial(self._move_up, place))
                        out = tr("Remove: {label}", label=label)
                        icon_button("close", out, partial(self._take_out, place))
                    self._entries.append(self._draw_fields(kind, row))

    def _draw_fields(self, kind: RowKind | None, row: JsonObject) -> dict[str, "Entry"]:
        fields = kind.fields if kind else ()
        inner = self._form.within({**row, **self._named(fields, row)})
        return {field.name: inner.add(field) for field in fields}

    def _named(self, fields: Sequence[FormField], row: JsonObject) -> JsonObject:
        """Return the objects that a row names by id, with their names."""
        found: JsonObject = {}
        for field in fields:
            key = text_at(row, field.name)
            if field.control is Control.ONE and key:
                found[field.at] = {"id": key, "display_name": self._names.get(key, key)}
        return found


def _plain(value: object) -> JsonValue:
    """Return what a browser put in as JSON; anything else is for the form to refuse."""
    if isinstance(value, list):
        return [str(each) for each in value]
    return value if isinstance(value, (str, int, float, bool)) or value is None else str(value)
