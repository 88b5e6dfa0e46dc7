"""Lifecycle routines: the list, one routine with what it would do now, and a run with its steps."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from nova_ui.domain.identity import Identity
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.text import mark
from nova_ui.presenters.actions import Action, Offered, Weighing, path_of
from nova_ui.presenters.fields import Field, Shown, rows_in, text_at
from nova_ui.presenters.list_filters import Filter
from nova_ui.presenters.object_list import ListKind
from nova_ui.presenters.object_page import FactGroup, ObjectKind, PartKind
from nova_ui.presenters.routine_form import EDIT_FIELDS, NEW_FIELDS, shape_routine
from nova_ui.presenters.routine_words import ACTIONS, REASONS, REFUSALS, STATES, STEP_STATES, TYPES

_ONE: Final = "GET /lifecycle-routines/{routine_id}"
_PATH: Final = path_of("routine_id")
LIST_PATH: Final = "/administration/routines"
RUN_PATH: Final = "/administration/routine-runs"


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
                "id": text_at(row, "action"),
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


def _is(status: str) -> Offered:
    def is_offered(person: Identity, one: JsonObject) -> bool:
        return person.is_administrator and text_at(one, "status") == status

    return is_offered


NEW_ROUTINE: Final = Action(
    key="new",
    label=mark("New routine"),
    sentence=mark("Create a lifecycle routine"),
    done=mark("The routine is created. It is disabled and only rehearses."),
    icon="add",
    endpoint="POST /lifecycle-routines",
    fields=NEW_FIELDS,
    shape=shape_routine,
    leaves=f"{LIST_PATH}/",
)
_STATE_OF_IT: Final = (
    Field(name="display_name"),
    Field(name="dry_run", label=mark("Only rehearses"), shown=Shown.YES_NO),
    Field(name="max_affected", label=mark("At most affected"), shown=Shown.NUMBER),
)


def _simple(key: str, *, label: str, sentence: str, done: str, icon: str, when: Offered) -> Action:
    return Action(
        key=key,
        label=label,
        sentence=sentence,
        done=done,
        icon=icon,
        endpoint=f"POST /lifecycle-routines/{{routine_id}}/{key}",
        path=_PATH,
        reads=_ONE,
        reads_path=_PATH,
        state=_STATE_OF_IT,
        is_offered=when,
    )


ROUTINE_LIST: Final = ListKind(
    endpoint="GET /lifecycle-routines",
    label=mark("Lifecycle routines"),
    search=mark("Search by key"),
    icon="autorenew",
    empty=mark("There is no lifecycle routine yet."),
    opens="routine",
    actions=(NEW_ROUTINE,),
    columns=(
        Field(name="display_name", strong=True),
        Field(name="type", shown=Shown.WORD),
        Field(name="last_run", label=mark("Last run"), path="last_run.started_at", shown=Shown.MOMENT),
        Field(name="next_due_at", label=mark("Next due"), shown=Shown.MOMENT),
        Field(name="dry_run", label=mark("Only rehearses"), shown=Shown.YES_NO, minor=True),
        Field(name="status", shown=Shown.STATE),
    ),
    sorts={"key": mark("Key, A to Z"), "-created_at": mark("Newest first")},
    filters=(
        Filter(name="type", label=mark("Type"), choices=TYPES),
        Filter(name="status", label=mark("Status"), choices=STATES),
    ),
)

_STEP_COLUMNS: Final = (
    Field(name="identity", label=mark("Who"), shown=Shown.OBJECT, opens="identity", strong=True),
    Field(name="does", label=mark("What"), shown=Shown.SENTENCE),
    Field(name="because", label=mark("Why"), shown=Shown.SENTENCE),
    Field(name="when", label=mark("Day"), shown=Shown.DAY),
)

ROUTINE: Final = ObjectKind(
    type="routine",
    label=mark("Lifecycle routine"),
    plural=mark("Lifecycle routines"),
    list_path=LIST_PATH,
    endpoint=_ONE,
    parameter="routine_id",
    badges=(Field(name="status", shown=Shown.STATE),),
    facts=(
        FactGroup(
            heading=mark("When and for whom"),
            fields=(
                Field(name="type", shown=Shown.WORD),
                Field(name="condition", label=mark("Condition"), shown=Shown.LITERAL),
                Field(name="inactive_days", label=mark("Days without signing in"), shown=Shown.NUMBER),
                Field(name="grace_days", label=mark("Days of grace"), shown=Shown.NUMBER),
                Field(name="notice_days", label=mark("Announced days before")),
                Field(name="schedule", label=mark("Schedule"), shown=Shown.SCHEDULE),
                Field(name="timezone"),
                Field(name="next_due_at", label=mark("Next due"), shown=Shown.MOMENT),
            ),
        ),
        FactGroup(
            heading=mark("Safety"),
            fields=(
                Field(name="dry_run", label=mark("Only rehearses"), shown=Shown.YES_NO),
                Field(name="max_affected", label=mark("At most affected"), shown=Shown.NUMBER),
                Field(name="key", label=mark("Key"), shown=Shown.LITERAL),
                Field(name="updated_at", shown=Shown.MOMENT),
            ),
        ),
    ),
    parts=(
        PartKind(
            key="actions",
            heading=mark("Actions"),
            empty=mark("It does nothing."),
            endpoint=_ONE,
            path=_PATH,
            read=actions_in,
            size=0,
            columns=(
                Field(name="does", label=mark("What"), shown=Shown.SENTENCE, strong=True),
                Field(name="spoken_of", label=mark("Role or group")),
                Field(name="days", label=mark("Days"), shown=Shown.NUMBER),
            ),
        ),
        PartKind(
            key="preview",
            heading=mark("What a run would do now"),
            empty=mark("Nobody is concerned now."),
            endpoint="POST /lifecycle-routines/{routine_id}/preview",
            path=_PATH,
            read=steps_in,
            size=0,
            columns=(*_STEP_COLUMNS, Field(name="refused", label=mark("Remark"), shown=Shown.SENTENCE)),
        ),
        PartKind(
            key="runs",
            heading=mark("Past runs"),
            empty=mark("It has not run yet."),
            endpoint="GET /lifecycle-runs",
            query=lambda one: {"routine_id": text_at(one, "id")},
            read=runs_in,
            opens="routine_run",
            columns=(
                Field(name="started_at", label=mark("Began"), shown=Shown.MOMENT, strong=True),
                Field(name="how", label=mark("Result"), shown=Shown.SENTENCE),
                Field(name="affected", label=mark("Affected"), shown=Shown.NUMBER),
                Field(name="done_count", label=mark("Done"), shown=Shown.NUMBER),
                Field(name="failed_count", label=mark("Failed"), shown=Shown.NUMBER),
                Field(name="dry_run", label=mark("Only rehearsed"), shown=Shown.YES_NO, minor=True),
                Field(name="started_by", label=mark("Started by"), shown=Shown.OBJECT, minor=True),
            ),
        ),
    ),
    actions=(
        _simple(
            "run",
            label=mark("Run now"),
            sentence=mark("Run {subject} now"),
            done=mark("The run has begun. Past runs show what it does."),
            icon="play_arrow",
            when=_is("enabled"),
        ),
        _simple(
            "enable",
            label=mark("Enable"),
            sentence=mark("Let {subject} run by its schedule"),
            done=mark("The routine is enabled."),
            icon="toggle_on",
            when=_is("disabled"),
        ),
        _simple(
            "disable",
            label=mark("Disable"),
            sentence=mark("Let {subject} rest"),
            done=mark("The routine is disabled."),
            icon="toggle_off",
            when=_is("enabled"),
        ),
        Action(
            key="edit",
            label=mark("Edit"),
            sentence=mark("Change {subject}"),
            done=mark("The change is stored."),
            icon="edit",
            endpoint="PATCH /lifecycle-routines/{routine_id}",
            path=_PATH,
            reads=_ONE,
            reads_path=_PATH,
            fields=EDIT_FIELDS,
            is_patch=True,
        ),
        Action(
            key="delete",
            label=mark("Delete"),
            sentence=mark("Delete the routine {subject}"),
            done=mark("The routine is deleted."),
            icon="delete",
            endpoint="DELETE /lifecycle-routines/{routine_id}",
            path=_PATH,
            reads=_ONE,
            reads_path=_PATH,
            state=_STATE_OF_IT,
            weighing=Weighing(endpoint=f"{_ONE}/impact", path=_PATH, query=lambda _: {"action": "delete"}),
            is_offered=_is("disabled"),
            leaves=LIST_PATH,
        ),
    ),
)

RUN: Final = ObjectKind(
    type="routine_run",
    label=mark("Run of a routine"),
    plural=mark("Lifecycle routines"),
    list_path=LIST_PATH,
    endpoint="GET /lifecycle-runs/{run_id}",
    parameter="run_id",
    badges=(),
    facts=(
        FactGroup(
            heading=mark("Run"),
            fields=(
                Field(name="routine", label=mark("Lifecycle routine"), shown=Shown.OBJECT, opens="routine"),
                Field(name="status", shown=Shown.WORD),
                Field(name="started_at", label=mark("Began"), shown=Shown.MOMENT),
                Field(name="finished_at", label=mark("Ended"), shown=Shown.MOMENT),
                Field(name="started_by", label=mark("Started by"), shown=Shown.OBJECT, opens="identity"),
                Field(name="dry_run", label=mark("Only rehearsed"), shown=Shown.YES_NO),
                Field(name="affected", label=mark("Affected"), shown=Shown.NUMBER),
                Field(name="error_detail", label=mark("Error")),
            ),
        ),
    ),
    parts=(
        PartKind(
            key="steps",
            heading=mark("Steps"),
            empty=mark("Nobody was concerned."),
            endpoint="GET /lifecycle-runs/{run_id}",
            path=path_of("run_id"),
            read=steps_in,
            size=0,
            columns=(
                *_STEP_COLUMNS,
                Field(name="how", label=mark("Result"), shown=Shown.SENTENCE),
                Field(name="error_detail", label=mark("Error"), minor=True),
            ),
        ),
    ),
)
