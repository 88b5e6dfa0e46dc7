"""The entries of the audit log as a table whose rows can be opened."""

from collections.abc import Callable, Sequence

from nicegui import events
from nicegui.element import Element

from nova_ui.components.badges import origin_text, origin_tone, outcome_of
from nova_ui.domain.json_value import JsonObject
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.audit_entry import Entry
from nova_ui.presenters.visible import show_invisible


class AuditTable(Element, component="audit_table.js"):
    """Shows entries in the order given. `on_open` gets the id of the row that was pressed, checked to be shown."""

    def __init__(self, tr: Translator, on_open: Callable[[str], object]) -> None:
        super().__init__()
        self._tr = tr
        self._on_open = on_open
        self._ids: frozenset[str] = frozenset()
        self.props.update({"label": tr("Audit log"), "columns": _columns(tr), "rows": [], "opened": ""})
        self.on("open", self._open)

    def show(self, entries: Sequence[Entry]) -> None:
        """Replace the rows; those that stay keep their elements, and with them the focus."""
        self._ids = frozenset(entry.id for entry in entries)
        self.props["rows"] = [_row(entry, self._tr) for entry in entries]

    def mark_opened(self, entry_id: str) -> None:
        """Mark the row whose details are open; an empty id is none."""
        self.props["opened"] = entry_id

    def _open(self, event: events.GenericEventArguments) -> object:
        known = isinstance(event.args, str) and event.args in self._ids
        return self._on_open(event.args) if known else None  # NiceGUI awaits what can be awaited


def _columns(tr: Translator) -> list[JsonObject]:
    return [
        {"name": "time", "label": tr("Time")},
        {"name": "actor", "label": tr("Actor")},
        {"name": "action", "label": tr("Action"), "kind": "opens"},
        {"name": "target", "label": tr("Target")},
        {"name": "origin", "label": tr("Origin"), "kind": "badge"},
        {"name": "outcome", "label": tr("Outcome"), "kind": "badge"},
    ]


def _row(entry: Entry, tr: Translator) -> JsonObject:
    word, tone = outcome_of(entry.outcome, tr)
    return {
        "key": entry.id,
        "time": tr.moment(entry.time),
        "actor": show_invisible(entry.actor) or tr("System"),
        "action": entry.action,
        "target": show_invisible(entry.target or entry.target_id) or "–",
        "origin": {"text": origin_text(entry.origin, tr), "tone": origin_tone(entry.origin)},
        "outcome": {"text": word, "tone": tone},
    }
