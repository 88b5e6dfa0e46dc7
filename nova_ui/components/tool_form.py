"""A form for one tool."""

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui
from nicegui.elements.mixins.value_element import ValueElement

from nova_ui.components.badges import kind_badge
from nova_ui.components.buttons import primary_button, quiet_button
from nova_ui.components.notices import NoticeLine
from nova_ui.components.object_picker import ObjectPicker
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.tool import AnyTool
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.argument_hints import hint_for
from nova_ui.presenters.field_words import field_label, value_word
from nova_ui.presenters.object_search import ObjectSearch
from nova_ui.presenters.tool_form import FieldKind, FormField, fields_of, fill
from nova_ui.tools.schema import schema_of


class ToolForm(ui.element):
    """One control for each argument; what is wrong is said at the control, and nothing is sent until all is right."""

    def __init__(
        self,
        tool: AnyTool,
        tr: Translator,
        search: ObjectSearch,
        send: Callable[[JsonObject], Awaitable[None]],
        go_back: Callable[[], None],
        *,
        waits: bool,
    ) -> None:
        super().__init__("div")
        self._tool = tool
        self._tr = tr
        self._search = search
        self._send = send
        self._fields = fields_of(schema_of(tool))
        self._controls: dict[str, ValueElement[Any] | ObjectPicker] = {}
        self.classes("nova-form")
        with self:
            with ui.element("div").classes("nova-row"):
                kind_badge(tool.kind, tr)
                ui.label(tr(tool.summary)).classes("nova-tools__summary")
            for one in self._fields:
                self._controls[one.name] = self._control(one)
            if waits:
                NoticeLine(tr("You will see what happens and confirm it before anything is executed."), "info")
            with ui.element("div").classes("nova-row"):
                primary_button(tr("Run"), self._submit, icon="play_arrow").mark("run-tool")
                quiet_button(tr("Back"), go_back)

    def _control(self, one: FormField) -> "ValueElement[Any] | ObjectPicker":
        label = field_label(one.name, self._tr) + (" *" if one.required else "")
        hint = self._tr(found) if (found := hint_for(self._tool.name, one.name)) else ""
        if one.kind in {FieldKind.OBJECT, FieldKind.OBJECTS}:
            return self._picker(one, label, hint).mark(f"argument-{one.name}")
        control: ValueElement[Any]  # Any: what a browser puts in is parsed by `fill`
        match one.kind:
            case FieldKind.YES_NO:
                answer = one.default if isinstance(one.default, bool) else None
                control = ui.select({True: self._tr("yes"), False: self._tr("no")}, label=label, value=answer)
                control.props("clearable")
            case FieldKind.CHOICE:
                default = one.default if isinstance(one.default, str) else None
                choices = {choice: value_word(choice, self._tr) for choice in one.choices}
                control = ui.select(choices, label=label, value=default).props("clearable")
            case FieldKind.LIST | FieldKind.LONG_TEXT | FieldKind.JSON:
                control = ui.textarea(label=label).props("autogrow")
            case FieldKind.DATE:
                control = ui.input(label=label).props("type=date stack-label")
            case _:
                default_text = "" if one.default is None else str(one.default)
                control = ui.input(label=label, value=default_text)
        if hint:
            control.props["hint"] = hint
        return control.classes("nova-stretch").mark(f"argument-{one.name}")

    def _picker(self, one: FormField, label: str, hint: str) -> ObjectPicker:
        return ObjectPicker(
            lambda text: self._search.find(one.prefix, text),
            label=label,
            hint=hint,
            ask=self._tr("Type part of a name."),
            none=self._tr("Nothing found that you may see."),
            multiple=one.kind is FieldKind.OBJECTS,
        )

    async def _submit(self) -> None:
        filled = fill(self._fields, {name: control.value for name, control in self._controls.items()})
        for name, control in self._controls.items():
            problem = self._tr(found) if (found := filled.problems.get(name)) else ""
            if isinstance(control, ObjectPicker):
                control.complain(problem)
            else:
                control.props["error"] = bool(problem)
                control.props["error-message"] = problem
        if not filled.problems:
            await self._send(filled.arguments)
