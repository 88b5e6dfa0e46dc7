"""A few small tools with phrases, for tests of the built-in model's rules."""

from collections.abc import Mapping

from nova_ui.domain.identity import Language
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.tool import (
    AnyTool,
    Example,
    Nova,
    Phrases,
    Phrasing,
    Reference,
    Slot,
    SlotKind,
    Tool,
    ToolArguments,
    ToolKind,
)


class ListThings(ToolArguments):
    """Which things."""

    q: str | None = None
    status: str | None = None
    limit: int = 50


class OneThing(ToolArguments):
    """Which thing."""

    thing_id: str


class ThingAndDay(ToolArguments):
    """Which thing, until when."""

    thing_id: str
    day: str


async def _run(_arguments: ToolArguments, _nova: Nova) -> JsonValue:
    return {}


def a_tool(
    name: str, kind: ToolKind, phrases: Phrases, arguments: type[ToolArguments] = OneThing, title: str = ""
) -> AnyTool:
    return Tool(
        name=name,
        title=title or name,
        summary=name,
        area="things",
        icon="box",
        kind=kind,
        endpoints=(),
        arguments=arguments,
        run=_run,
        phrases=phrases,
        examples={Language.ENGLISH: (Example(text=f"Try {name}"),)},
    )


THING = Reference(
    tool="list_things", name_fields=("display_name", "user_name"), match_fields=("display_name", "user_name")
)
REFERENCES: Mapping[str, Reference] = {"thing_id": THING}
LIST_THINGS = a_tool(
    "list_things",
    ToolKind.READ,
    Phrases(
        english=("groups", "find {q}"),
        german=("gruppen",),
        details=(
            Phrasing(english=("suspended",), sets={"status": "suspended"}),
            Phrasing(english=("named {q}",), german=("namens {q}",)),
        ),
    ),
    ListThings,
)
DELETE_THING = a_tool(
    "delete_thing",
    ToolKind.DESTRUCTIVE,
    Phrases(english=("delete group {thing_id}",), german=("loesche | gruppe {thing_id}",), references=REFERENCES),
)
EXTEND_THING = a_tool(
    "extend_thing",
    ToolKind.WRITE,
    Phrases(
        english=("extend group {thing_id} | until {day}",),
        slots={"day": Slot(kind=SlotKind.DAY)},
        references=REFERENCES,
    ),
    ThingAndDay,
)
ACTIVATE_THING = a_tool(
    "activate_thing",
    ToolKind.WRITE,
    Phrases(
        english=("activate group {thing_id}",),
        variants=(Phrasing(english=("unblock group {thing_id}",), is_shared=True),),
        references=REFERENCES,
    ),
    title="Activate it",
)
UNLOCK_THING = a_tool(
    "unlock_thing",
    ToolKind.WRITE,
    Phrases(
        english=("unlock group {thing_id}",),
        variants=(Phrasing(english=("unblock group {thing_id}",), is_shared=True),),
        references=REFERENCES,
    ),
    title="Unlock it",
)
TOYS = (LIST_THINGS, DELETE_THING, EXTEND_THING, ACTIVATE_THING, UNLOCK_THING)
