"""One entry of the audit log in full."""

import json
from collections.abc import Callable

from nicegui import ui

from nova_ui.components.badges import origin_badge, outcome_badge
from nova_ui.components.facts import Facts, data_block, heading
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.audit_entry import Entry, FieldChange
from nova_ui.presenters.audit_filters import AuditFilters
from nova_ui.presenters.audit_log import Opened
from nova_ui.presenters.visible import show_invisible, value_text

MAX_NEIGHBOURS = 12


class AuditEntryView(ui.element):
    """Draws an entry and the others of its request; each of those opens by `on_open`."""

    def __init__(self, opened: Opened, tr: Translator, on_open: Callable[[str], object]) -> None:
        super().__init__("div")
        self.classes("nova-stack")
        self._tr = tr
        self._on_open = on_open
        entry = opened.entry
        with self:
            self._draw_facts(entry)
            if entry.changes:
                self._draw_changes(entry.changes)
            with ui.element("section"):
                heading(tr("Details"))
                details = _details_text(entry)
                if details:
                    data_block(details)
                else:
                    ui.label(tr("No further details.")).classes("nova-hint")
            self._draw_neighbours(opened)
            self._draw_ids(entry)

    def _draw_facts(self, entry: Entry) -> None:
        tr, facts = self._tr, Facts()
        facts.add(tr("Actor"), show_invisible(entry.actor) or tr("System"))
        facts.add(tr("Target"), show_invisible(entry.target or entry.target_id) or "–")
        with facts.line(tr("Origin")):
            origin_badge(entry.origin, tr)
        with facts.line(tr("Outcome")):
            outcome_badge(entry.outcome, tr)
        if entry.ip:
            facts.add(tr("Address"), entry.ip)

    def _draw_changes(self, changes: tuple[FieldChange, ...]) -> None:
        with ui.element("section"):
            heading(self._tr("Changes"))
            facts = Facts()
            for change in changes:
                with facts.line(change.field), ui.element("span").classes("nova-change"):
                    if change.before is None:
                        ui.label("–").classes("nova-hint")
                    else:
                        ui.label(value_text(change.before)).classes("nova-change__before")
                    ui.icon("arrow_forward").props("aria-hidden=true")
                    ui.label(value_text(change.after)).classes("nova-change__after")

    def _draw_neighbours(self, opened: Opened) -> None:
        with ui.element("section"):
            heading(self._tr("Same request"))
            if not opened.same_request:
                ui.label(self._tr("No other entry.")).classes("nova-hint")
                return
            counted = " · ".join(f"{action} ×{count}" for action, count in opened.counted.items())
            ui.label(counted).classes("nova-hint")
            with ui.element("ul").classes("nova-neighbours"):
                for other in opened.same_request[:MAX_NEIGHBOURS]:
                    with ui.element("li"):
                        self._draw_neighbour(other)
            ui.link(self._tr("All entries of this request"), AuditFilters(request=opened.entry.request_id).address)

    def _draw_neighbour(self, other: Entry) -> None:
        with ui.element("button").classes("nova-open").props("type=button") as button:
            ui.label(other.action).classes("nova-neighbours__action")
            ui.label(show_invisible(other.target or other.target_id)).classes("nova-hint")
        button.on("click", lambda: self._on_open(other.id))

    def _draw_ids(self, entry: Entry) -> None:
        tr = self._tr
        with ui.element("section"):
            heading(tr("References"))
            facts = Facts(literal=True)
            named = (
                (tr("Entry"), entry.id),
                (tr("Actor"), entry.actor_id),
                (tr("Target"), " ".join(part for part in (entry.target_type, entry.target_id) if part)),
                (tr("Session"), entry.session_id),
                (tr("HTTP request"), entry.request_id),
                (tr("Caused by"), entry.caused_by),
            )
            for name, value in named:
                if value:
                    facts.add(name, value)
            if entry.target_id:
                ui.link(tr("All entries of this target"), AuditFilters(target=entry.target_id).address)


def _details_text(entry: Entry) -> str:
    lines = []
    for name, value in sorted(entry.details.items(), key=lambda pair: (pair[0] != "via", pair[0])):
        if name != "changes":
            shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            lines.append(f"{name}: {shown}")
    return show_invisible("\n".join(lines)).replace("⏎\n", "\n")
