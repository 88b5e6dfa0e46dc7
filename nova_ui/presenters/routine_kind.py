"""Lifecycle routines: the list, and one routine with what it would do now and its past runs."""

from typing import Final

from nova_ui.domain.text import mark
from nova_ui.presenters.actions import path_of
from nova_ui.presenters.fields import Field, Shown, text_at
from nova_ui.presenters.list_filters import Filter
from nova_ui.presenters.object_list import ListKind
from nova_ui.presenters.object_page import FactGroup, ObjectKind, PartKind
from nova_ui.presenters.routine_actions import LIST_PATH, NEW_ROUTINE, ROUTINE_ACTIONS
from nova_ui.presenters.routine_rows import STEP_COLUMNS, actions_in, runs_in, steps_in
from nova_ui.presenters.routine_words import STATES, TYPES

_ONE: Final = "GET /lifecycle-routines/{routine_id}"
_PATH: Final = path_of("routine_id")

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
        Field(name="last_run", label=mark("Last run"), path="last_run.started_at", shown=Shown.MOMENT, minor=True),
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
                Field(name="spoken_of", label=mark("Of what")),
                Field(name="recipients", label=mark("Who is told"), shown=Shown.WORD),
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
            columns=(*STEP_COLUMNS, Field(name="refused", label=mark("Remark"), shown=Shown.SENTENCE)),
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
    actions=ROUTINE_ACTIONS,
)
