"""One field of a form as a control of its own: what it holds, and where it says what is wrong."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from nicegui import ui
from nicegui.elements.mixins.value_element import ValueElement

from nova_ui.components.object_select import ObjectSelect
from nova_ui.components.rows_input import RowsInput
from nova_ui.components.rule_input import RuleInput
from nova_ui.components.schedule_input import ScheduleInput
from nova_ui.components.secret_input import SecretInput
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.actions import NovaCalls
from nova_ui.presenters.field_words import field_label
from nova_ui.presenters.fields import refs_at, text_at, value_at
from nova_ui.presenters.object_form import Control, FormField


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A control on the screen. `show` gets what is wrong, by the rest of the field's name; empty: nothing is."""

    entered: Callable[[], object]
    show: Callable[[Mapping[str, str]], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """What every control of a form needs: Nova, words, what is now, and whether changes to it are entered."""

    nova: NovaCalls
    tr: Translator
    current: JsonObject
    is_change: bool
    entered: Callable[[], Mapping[str, object]]

    def add(self, one: FormField) -> Entry:
        """Draw a field."""
        present = one.present(self.current)
        value = one.default if present is None and not self.is_change else present
        label = (self.tr(one.label) if one.label else field_label(one.name, self.tr)) + (" *" if one.required else "")
        match one.control:
            case Control.ROWS:
                rows = RowsInput(self, one, label, value if isinstance(value, list) else [])
                return Entry(entered=lambda: rows.entered, show=rows.show_problems)
            case Control.SCHEDULE:
                schedule = ScheduleInput(label, str(value or ""), self.tr)
                schedule.mark(f"field-{one.name}")
                return Entry(entered=lambda: schedule.entered, show=lambda said: schedule.show_problem(_said(said)))
            case Control.SECRET:
                secret = SecretInput(label, self.current.get(one.name), self.tr)
                return _entry(secret, one, lambda: secret.entered)
            case _:
                control = self._control(one, label, value)
                return _entry(control, one, lambda: control.value)

    # Any: what a browser puts in is parsed by `fill`
    def _control(self, one: FormField, label: str, value: JsonValue) -> ValueElement[Any]:
        tr = self.tr
        options = {key: tr(word) for key, word in one.choices.items()}
        control: ValueElement[Any]
        match one.control:
            case Control.ONE | Control.SEVERAL:
                chosen = refs_at(self.current, one.at or one.name)
                several = one.control is Control.SEVERAL
                hint = tr("Type two letters to search")
                control = ObjectSelect(self.nova, one.of, label=label, chosen=chosen, several=several, hint=hint)
            case Control.YES_NO:
                control = ui.select({True: tr("yes"), False: tr("no")}, label=label, value=value)
            case Control.CHOICE:
                control = ui.select(options, label=label, value=value if value in options else None)
            case Control.CHOICES:
                known = [each for each in (value if isinstance(value, list) else []) if each in options]
                control = ui.select(options, label=label, value=known, multiple=True).props("use-chips")
            case Control.LINES:
                lines = value if isinstance(value, list) else []
                control = ui.textarea(label=label, value="\n".join(str(each) for each in lines)).props("autogrow")
                control.props["hint"] = tr("One a line")
            case Control.RULE:
                control = RuleInput(self.nova, label, text_at({"_": value}, "_"), tr)
            case Control.LONG_TEXT:
                control = ui.textarea(label=label, value=text_at({"_": value}, "_")).props("autogrow")
            case Control.DAY:
                control = ui.input(label=label, value=text_at({"_": value}, "_")).props("type=date stack-label")
            case Control.NUMBERS:
                numbers = value if isinstance(value, list) else []
                control = ui.input(label=label, value=", ".join(str(each) for each in numbers))
                control.props["hint"] = tr("Several parted by commas, such as 14, 7, 1")
            case _:
                control = ui.input(label=label, value="" if value is None else str(value))
        return control

    def within(self, row: JsonObject) -> "Form":
        """Return the form of one row; what stands in it is kept as it is."""
        return replace(self, current=row, is_change=True)

    def names_of(self, one: FormField) -> JsonObject:
        """Return the names of the objects that rows speak of, by id."""
        names = value_at(self.current, one.names_at) if one.names_at else None
        return names if isinstance(names, dict) else {}


def _entry(control: ValueElement[Any], one: FormField, entered: Callable[[], object]) -> Entry:
    def show(said: Mapping[str, str]) -> None:
        control.props["error"] = bool(said)
        control.props["error-message"] = _said(said)
        control.update()

    control.classes("nova-stretch").mark(f"field-{one.name}")
    return Entry(entered=entered, show=show)


def _said(said: Mapping[str, str]) -> str:
    return next(iter(said.values()), "")
