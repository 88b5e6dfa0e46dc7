"""A table of records: sorted by a press, its cells plain text or badges, its rows to open by key."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from nicegui import events, ui

from nova_ui.domain.json_value import JsonValue

ROW_KEY: Final = "_key"
CHOOSE: Final = "_choose"

# templates are fixed texts; what they show is bound as text and never compiled
_BADGE_CELL: Final = """
<q-td :props="props"><span v-if="props.value" :class="'nova-badge nova-badge--' + props.value.tone">{{
props.value.text }}</span><span v-else class="nova-hint">–</span></q-td>
"""
_CHOOSE_ALL: Final = """<q-checkbox v-model="props.selected" dense :aria-label="props.cols[0].choose" />"""
_CHOOSE_ONE: Final = """<q-checkbox v-model="props.selected" dense :aria-label="props.row._choose" />"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column; a `badge` column holds `badge_cell(…)`, all others text or numbers."""

    name: str
    label: str
    sortable: bool = False
    badge: bool = False
    literal: bool = False
    strong: bool = False
    numeric: bool = False


def badge_cell(text: str, tone: str) -> dict[str, JsonValue]:
    """Return the value of a cell that shows a badge; `tone` is one of `components.badges`."""
    return {"text": text, "tone": tone}


class DataTable(ui.table):
    """Shows rows in the order given. `on_open` gets the key of the row that was pressed, checked to be shown."""

    def __init__(
        self,
        columns: Sequence[Column],
        rows: Sequence[Mapping[str, JsonValue]],
        *,
        label: str,
        on_open: Callable[[str], object] | None = None,
        rows_per_page: int = 0,
    ) -> None:
        super().__init__(
            columns=[_quasar(column) for column in columns],
            rows=[dict(row) for row in rows],
            row_key=ROW_KEY,
            pagination={"rowsPerPage": rows_per_page},
        )
        self.classes("nova-table").props("flat dense" + ("" if rows_per_page else " hide-pagination"))
        self.props["table-aria-label"] = label
        self.props["tabindex"] = 0  # it scrolls sideways where the window is narrow, by keyboard too
        self._on_open = on_open
        for column in columns:
            if column.badge:
                self.add_slot(f"body-cell-{column.name}", _BADGE_CELL)
        if on_open is not None:
            self.classes("nova-table--opens")
            self.on("row-click", self._open, args=[[], [ROW_KEY], []])

    def let_choose(self, all_label: str, on_choose: Callable[[list[str]], object]) -> None:
        """Put a box before each row, whose cell `CHOOSE` names it; `on_choose` gets the keys of those chosen."""
        self.set_selection("multiple")
        self.props("hide-selected-banner")
        self.columns[0]["choose"] = all_label
        self.add_slot("header-selection", _CHOOSE_ALL)
        self.add_slot("body-selection", _CHOOSE_ONE)
        self.on_select(lambda _: on_choose([str(row[ROW_KEY]) for row in self.selected if ROW_KEY in row]))

    def show(self, rows: Sequence[Mapping[str, JsonValue]]) -> None:
        """Replace the rows."""
        self.rows = [dict(row) for row in rows]

    def _open(self, event: events.GenericEventArguments) -> object:
        pressed = event.args[1] if isinstance(event.args, list) and len(event.args) > 1 else None
        key = pressed.get(ROW_KEY) if isinstance(pressed, dict) else None
        if self._on_open is not None and isinstance(key, str) and any(row.get(ROW_KEY) == key for row in self.rows):
            return self._on_open(key)  # NiceGUI awaits what can be awaited
        return None


def _quasar(column: Column) -> dict[str, JsonValue]:
    classes = " ".join(
        name
        for name, wanted in (("nova-cell--literal", column.literal), ("nova-cell--strong", column.strong))
        if wanted
    )
    return {
        "name": column.name,
        "label": column.label,
        "field": column.name,
        "sortable": column.sortable,
        "align": "right" if column.numeric else "left",
        "classes": classes,
    }
