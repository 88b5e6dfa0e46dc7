"""The entries of the audit log, and one of them in full."""

import json
from collections.abc import Mapping

from nicegui import ui

from nova_ui.components.badges import AI, PLAIN, origin_badge, origin_text, outcome_badge, outcome_of
from nova_ui.components.data_table import ROW_KEY, Column, badge_cell
from nova_ui.components.facts import Facts, data_block, heading
from nova_ui.domain.json_value import JsonValue
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.audit_log import Entry, FieldChange, Opened
from nova_ui.presenters.visible import value_text


def audit_columns(tr: Translator) -> tuple[Column, ...]:
    """Return the columns of the log."""
    return (
        Column(name="time", label=tr("Time")),
        Column(name="actor", label=tr("Actor")),
        Column(name="action", label=tr("Action"), strong=True),
        Column(name="target", label=tr("Target")),
        Column(name="origin", label=tr("Origin"), badge=True),
        Column(name="outcome", label=tr("Outcome"), badge=True),
    )


def audit_row(entry: Entry, tr: Translator) -> Mapping[str, JsonValue]:
    """Return one row of the log."""
    tone = PLAIN if entry.assistant_key is None else AI
    return {
        ROW_KEY: entry.id,
        "time": tr.moment(entry.time),
        "actor": entry.actor or tr("System"),
        "action": entry.action,
        "target": entry.target or entry.target_id,
        "origin": badge_cell(origin_text(entry.assistant_key, tr), tone),
        "outcome": badge_cell(*outcome_of(entry.outcome, tr)),
    }


def draw_entry(opened: Opened, tr: Translator) -> None:
    """Draw an entry in full, in whatever place is open."""
    entry = opened.entry
    facts = Facts()
    facts.add(tr("Actor"), entry.actor or tr("System"))
    facts.add(tr("Target"), " · ".join(part for part in (entry.target, entry.target_type) if part) or "–")
    with facts.line(tr("Origin")):
        origin_badge(entry.assistant_key, tr)
    with facts.line(tr("Outcome")):
        outcome_badge(entry.outcome, tr)
    if entry.ip:
        facts.add(tr("Address"), entry.ip)
    if entry.changes:
        heading(tr("Changes"))
        _draw_changes(entry.changes)
    heading(tr("Details"))
    data_block(_details_text(entry) or tr("No further details."))
    heading(tr("Same request"))
    if opened.same_request:
        ui.label(" · ".join(f"{action} ×{count}" for action, count in opened.same_request.items()))
    else:
        ui.label(tr("No other entry.")).classes("nova-hint")
    with ui.element("div").classes("nova-row"):
        if entry.request_id:
            ui.link(tr("All entries of this request"), f"?request={entry.request_id}")
        if entry.target_id:
            ui.link(tr("All entries of this target"), f"?target={entry.target_id}")


def _draw_changes(changes: tuple[FieldChange, ...]) -> None:
    facts = Facts()
    for change in changes:
        with facts.line(change.field), ui.element("span").classes("nova-change"):
            ui.label(value_text(change.before)).classes("nova-change__before")
            ui.icon("arrow_forward").props("aria-hidden=true")
            ui.label(value_text(change.after)).classes("nova-change__after")


def _details_text(entry: Entry) -> str:
    lines = []
    for name, value in sorted(entry.details.items(), key=lambda pair: (pair[0] != "via", pair[0])):
        if name != "changes":
            shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            lines.append(f"{name}: {shown}")
    return "\n".join(lines)
