"""What the model may ask about lifecycle routines: which there are, and what a run would do now."""

from typing import Final, Literal

from pydantic import Field

from nova_ui.domain.identity import Language, Role
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, Example, Nova, Tool, ToolArguments, ToolKind
from nova_ui.tools.arguments import CURSOR_HELP, DEFAULT_ROWS, ROWS_HELP, Cursor, RoutineRef, Rows, Words
from nova_ui.tools.definition import any_tool
from nova_ui.tools.phrases import lifecycle as phrases
from nova_ui.tools.results import list_rows, readable_object, rows_of

AREA: Final = mark("Lifecycle")
_OVERSEERS: Final = frozenset({Role.ADMINISTRATOR, Role.AUDITOR})
_ROW: Final = (
    "id",
    "key",
    "display_name",
    "type",
    "status",
    "schedule",
    "timezone",
    "next_due_at",
    "dry_run",
    "max_affected",
    "last_run",
)
_SHOWN_STEPS: Final = 20


class ListLifecycleRoutines(ToolArguments):
    """Which routines to list."""

    id: RoutineRef | None = Field(None, description="Only this one (rtn_…), in full with its actions and last runs.")
    q: Words | None = Field(None, description="Part of its key.")
    type: Literal["joiner", "mover", "leaver", "inactivity", "end_date", "expiring_access"] | None = Field(
        None,
        description="Only of this type: joiner (somebody begins), mover (department or manager changes), leaver "
        "(disabled), inactivity (not signed in for long), end_date (last day comes), expiring_access (rights end).",
    )
    status: Literal["enabled", "disabled"] | None = Field(
        None, description="Only in this state: enabled (runs), disabled."
    )
    limit: Rows = Field(DEFAULT_ROWS, description=ROWS_HELP)
    cursor: Cursor | None = Field(None, description=CURSOR_HELP)


async def _list_routines(arguments: ListLifecycleRoutines, nova: Nova) -> JsonValue:
    if arguments.id is not None:
        found = await nova.call("GET /lifecycle-routines/{routine_id}", path={"routine_id": arguments.id})
        runs = await nova.call("GET /lifecycle-runs", query={"routine_id": arguments.id, "limit": 5})
        return {**readable_object(found.object), "last_runs": [readable_object(run) for run in rows_of(runs.object)]}
    return await list_rows(
        nova,
        "GET /lifecycle-routines",
        filters={"q": arguments.q, "type": arguments.type, "status": arguments.status},
        limit=arguments.limit,
        cursor=arguments.cursor,
        fields=_ROW,
    )


LIST_LIFECYCLE_ROUTINES = Tool(
    name="list_lifecycle_routines",
    title=mark("List lifecycle routines"),
    summary=mark("List what happens by itself to joiners, movers, leavers and the inactive, with the last runs."),
    area=AREA,
    icon="autorenew",
    kind=ToolKind.READ,
    roles=_OVERSEERS,
    endpoints=("GET /lifecycle-routines", "GET /lifecycle-routines/{routine_id}", "GET /lifecycle-runs"),
    arguments=ListLifecycleRoutines,
    run=_list_routines,
    phrases=phrases.LIST_LIFECYCLE_ROUTINES,
    examples={
        Language.ENGLISH: (
            Example(text="Which lifecycle routines are there?"),
            Example(text="Show the enabled lifecycle routines", arguments={"status": "enabled"}),
        ),
        Language.GERMAN: (
            Example(text="Welche Lebenszyklus-Routinen gibt es?"),
            Example(text="Zeige die aktiven Lebenszyklus-Routinen", arguments={"status": "enabled"}),
        ),
    },
)


class PreviewLifecycleRoutine(ToolArguments):
    """Which routine to weigh."""

    routine_id: RoutineRef = Field(description="Id of the routine (rtn_…), as list_lifecycle_routines returns it.")


async def _preview(arguments: PreviewLifecycleRoutine, nova: Nova) -> JsonValue:
    answer = await nova.call("POST /lifecycle-routines/{routine_id}/preview", path={"routine_id": arguments.routine_id})
    body = answer.object
    rows = rows_of(body)
    counts = {name: body.get(name) for name in ("affected", "max_affected", "would_stop", "actions")}
    shown: list[JsonValue] = [readable_object(row) for row in rows[:_SHOWN_STEPS]]
    return {"total": body.get("total"), "shown": len(shown), **counts, "items": shown}


PREVIEW_LIFECYCLE_ROUTINE = Tool(
    name="preview_lifecycle_routine",
    title=mark("Preview lifecycle routine"),
    summary=mark("Tell whom a lifecycle routine would affect now, by which action and why. Nothing is changed."),
    area=AREA,
    icon="preview",
    kind=ToolKind.READ,
    roles=_OVERSEERS,
    endpoints=("POST /lifecycle-routines/{routine_id}/preview",),
    arguments=PreviewLifecycleRoutine,
    run=_preview,
    phrases=phrases.PREVIEW_LIFECYCLE_ROUTINE,
    examples={
        Language.ENGLISH: (
            Example(text="What would the leaver routine do now?"),
            Example(text="Preview the inactivity routine"),
        ),
        Language.GERMAN: (
            Example(text="Was würde die Austritts-Routine jetzt tun?"),
            Example(text="Vorschau der Inaktivitäts-Routine"),
        ),
    },
)

TOOLS: Final[tuple[AnyTool, ...]] = (any_tool(LIST_LIFECYCLE_ROUTINES), any_tool(PREVIEW_LIFECYCLE_ROUTINE))
