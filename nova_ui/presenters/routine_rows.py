"""Steps, actions and runs of lifecycle routines as rows of tables, in words."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.text import mark
from nova_ui.presenters.fields import Field, Shown, rows_in, text_at
from nova_ui.presenters.routine_words import ACTIONS, REASONS, REFUSALS, STEP_STATES

STEP_COLUMNS: Final = (
    Field(name="identity", label=mark("Who"), shown=Shown.OBJECT, opens="identity", strong=True),
    Field(name="does", label=mark("What"), shown=Shown.SENTENCE),
    Field(name="because", label=mark("Why"), shown=Shown.SENTENCE),
    Field(name="when", label=mark("Day"), shown=Shown.DAY),
)


def _said(words: Mapping[str, str], value: str) -> str:
    return words.get(value, value)


def _step(row: JsonObject) -> JsonObject:
    reason = row.get("reason")
    reason = reason if isinstance(reason, dict) else {}
    return {
        **row,
        "id": text_at(row, "id") or text_at(row, "identity.id"),
        "does": _said(ACTIONS, text_at(row, "action")),
        "because": _said(REASONS, text_at(reason, "code")),
        "when": reason.get("date"),
        "how": _said(STEP_STATES, text_at(row, "status")),
        "refused": _said(REFUSALS, text_at(row, "refusal")),
    }


def steps_in(body: JsonObject) -> tuple[JsonObject, ...]:
    """Return the steps of a preview or a run, with their words."""
    return tuple(_step(row) for row in rows_in(body))


def actions_in(body: JsonObject) -> tuple[JsonObject, ...]:
    """Return what a routine does, in order, with the names of what the actions speak of."""
    names = body.get("action_names")
    names = names if isinstance(names, dict) else {}
    rows = []
    for row in rows_in(body, "actions"):
        spoken_of = text_at(row, "role_id") or text_at(row, "group_id")
        rows.append(
            {
                **row,
                "id": f"{text_at(row, 'action')}:{spoken_of}",
                "does": _said(ACTIONS, text_at(row, "action")),
                "spoken_of": names.get(spoken_of, spoken_of) or None,
            }
        )
    return tuple(rows)


def runs_in(body: JsonObject) -> tuple[JsonObject, ...]:
    """Return runs with how many of their steps were done and how many failed."""
    rows = []
    for row in rows_in(body):
        steps = row.get("steps")
        counts: Counter[str] = Counter()
        counts.update(
            {name: one for name, one in (steps if isinstance(steps, dict) else {}).items() if isinstance(one, int)}
        )
        rows.append(
            {
                **row,
                "done_count": counts["done"],
                "failed_count": counts["failed"],
                "how": _said(STEP_STATES, text_at(row, "status")),
            }
        )
    return tuple(rows)
