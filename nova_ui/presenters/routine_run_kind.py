"""One run of a lifecycle routine with its steps."""

from typing import Final

from nova_ui.domain.text import mark
from nova_ui.presenters.actions import path_of
from nova_ui.presenters.fields import Field, Shown
from nova_ui.presenters.object_page import FactGroup, ObjectKind, PartKind
from nova_ui.presenters.routine_actions import LIST_PATH
from nova_ui.presenters.routine_rows import STEP_COLUMNS, steps_in

RUN_PATH: Final = "/administration/routine-runs"

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
            endpoint="GET /lifecycle-runs/{run_id}/steps",
            path=path_of("run_id"),
            read=steps_in,
            columns=(
                *STEP_COLUMNS,
                Field(name="how", label=mark("Result"), shown=Shown.SENTENCE),
                Field(name="error_detail", label=mark("Error"), minor=True),
            ),
        ),
    ),
)
