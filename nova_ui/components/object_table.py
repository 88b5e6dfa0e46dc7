"""A table of Nova's objects: names are links, states are coloured, and each row has its own buttons."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from nicegui import events, ui

from nova_ui.components.data_table import CHOOSE, ROW_KEY, Column, DataTable, badge_cell
from nova_ui.components.object_links import ObjectLinks
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.actions import Action
from nova_ui.presenters.directory_words import NOTHING, label_of, text_of_field, tone_of, why_text
from nova_ui.presenters.fields import Field, Shown, refs_at, text_at, value_at

ACTIONS: Final = "_actions"
WHY: Final = "why"
Act = Callable[[str, str], object]

# templates are fixed texts; what they show is bound as text, and addresses are made by us from ids
_LINK_CELL: Final = """
<q-td :props="props"><template v-for="(one, index) in props.value"><span v-if="index">, </span><a v-if="one.href"
class="nova-link" :href="one.href" @click.stop>{{ one.text }}</a><span v-else>{{ one.text }}</span></template></q-td>
"""
_ACTIONS_CELL: Final = """
<q-td :props="props" class="nova-cell--actions"><button v-for="one in props.value" type="button"
class="nova-row-action" :class="{'nova-row-action--danger': one.danger}" :aria-label="one.aria"
@click.stop="() => $parent.$emit('act', [props.key, one.key])">{{ one.label }}</button></q-td>
"""


class ObjectTable(DataTable):
    """Shows rows by `fields`. `opens` is the kind of object behind a row; `act` gets row id and action key."""

    def __init__(
        self,
        fields: Sequence[Field],
        tr: Translator,
        links: ObjectLinks,
        *,
        label: str,
        opens: str = "",
        act: Act | None = None,
    ) -> None:
        self._fields = fields
        self._tr = tr
        self._links = links
        self._opens = opens
        self._act = act
        columns = [_column(field, tr) for field in fields]
        if act is not None:
            columns.append(Column(name=ACTIONS, label=tr("Actions")))
        super().__init__(columns, [], label=label, on_open=self._go if opens else None)
        minor = {field.name for field in fields if field.minor}
        for column in self.columns:
            if column["name"] in minor:
                column["classes"] = f"{column['classes']} nova-cell--minor".strip()
                column["headerClasses"] = "nova-cell--minor"
        if act is not None:
            self._stack_when_narrow()
        for field in fields:
            if self._is_linked(field):
                self.add_slot(f"body-cell-{field.name}", _LINK_CELL)
        if act is not None:
            self.add_slot(f"body-cell-{ACTIONS}", _ACTIONS_CELL)
            self.on("act", self._acted)

    def fill(
        self, rows: Sequence[JsonObject], actions_of: Callable[[JsonObject], Sequence[Action]] | None = None
    ) -> None:
        """Show `rows`; `actions_of` tells what may be done with each."""
        self.show([self._row(row, actions_of(row) if actions_of else ()) for row in rows])

    def _stack_when_narrow(self) -> None:
        """Have a row stand as a block on a narrow screen, each value behind its word, so that its buttons are seen."""
        self.classes("nova-table--stacks")
        for column in self.columns[1:-1]:
            column["style"] = f"--nova-label: {json.dumps(column['label'] + ': ', ensure_ascii=False)}"

    def _row(self, row: JsonObject, actions: Sequence[Action]) -> Mapping[str, JsonValue]:
        key = text_at(row, "id") or text_at(row, "assignment_id")
        cells: dict[str, JsonValue] = {ROW_KEY: key}
        for field in self._fields:
            cells[field.name] = self._cell(field, row)
        first = text_of_field(self._fields[0], row, self._tr)
        cells[CHOOSE] = self._tr("Choose {name}", name=first)
        cells[ACTIONS] = [
            {
                "key": one.key,
                "label": self._tr(one.label),
                "aria": f"{self._tr(one.label)}: {first}",
                "danger": one.is_destructive,
            }
            for one in actions
        ]
        return cells

    def _cell(self, field: Field, row: JsonObject) -> JsonValue:
        if field.name == WHY:
            names = value_at(row, "group_names")
            groups = {key: str(name) for key, name in names.items()} if isinstance(names, dict) else {}
            return why_text(row, groups, self._tr)
        text = text_of_field(field, row, self._tr)
        if self._is_linked(field):
            return self._linked(field, row, text)
        if field.shown is Shown.STATE:
            return badge_cell(text, tone_of(field.value_in(row))) if text != NOTHING else None
        return text

    def _linked(self, field: Field, row: JsonObject, text: str) -> JsonValue:
        if field.opens:
            refs = refs_at(row, field.path or field.name)
            return [{"text": name, "href": self._href(field.opens, key)} for key, name in refs.items()] or [
                {"text": text, "href": ""}
            ]
        return [{"text": text, "href": self._links.absolute(self._links.row(self._opens, text_at(row, "id")))}]

    def _href(self, kind: str, key: str) -> str:
        # An entitlement stands where roles do, and has no page of its own.
        return "" if key.startswith("ent_") else self._links.absolute(self._links.reference(kind, key))

    def _is_linked(self, field: Field) -> bool:
        return bool(field.opens) or (bool(self._opens) and field is self._fields[0])

    def _go(self, key: str) -> None:
        ui.navigate.to(self._links.row(self._opens, key))

    def _acted(self, event: events.GenericEventArguments) -> object:
        given = event.args if isinstance(event.args, list) else []
        match given:
            case [str() as row_key, str() as action_key] if self._act is not None and self._offers(row_key, action_key):
                return self._act(row_key, action_key)
            case _:
                return None

    def _offers(self, row_key: str, action_key: str) -> bool:
        """Whether the button that was pressed is on the screen."""
        for row in self.rows:
            if row.get(ROW_KEY) == row_key:
                return any(one.get("key") == action_key for one in row.get(ACTIONS, []))
        return False


def _column(field: Field, tr: Translator) -> Column:
    return Column(
        name=field.name,
        label=label_of(field, tr),
        badge=field.shown is Shown.STATE,
        literal=field.shown is Shown.LITERAL,
        strong=field.strong,
        numeric=field.shown is Shown.NUMBER,
    )
