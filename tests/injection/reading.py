"""Somebody who lets a model read everything that it can, by every reading tool, through the engine and the API."""

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import AnyTool, ToolKind
from nova_ui.tools.registry import ALL_TOOLS
from nova_ui.tools.schema import schema_of
from tests.contract.stage import Stage
from tests.injection.obeying_model import ObeyingModel, Task
from tests.journeys.person import Event, Heard, read_events

EVERYBODY: Final = "everyone"  # the key of an assistant that has every tool and is for everybody
_MOST_MESSAGES: Final = 60
_ID: Final = re.compile(r"\^([a-z]{3})_")
_WORDS: Final = "q0"  # what a search asks for: the beginning of every mark
_READING: Final = tuple(tool for tool in ALL_TOOLS if tool.kind is ToolKind.READ)


async def add_assistant_for_everybody(stage: Stage) -> None:
    """Let an administrator make an assistant that lets everybody use every tool that their role may use."""
    body = {"key": EVERYBODY, "names": {"en": "All"}, "audience": "everyone", "tool_names": [t.name for t in ALL_TOOLS]}
    answer = await stage.send("POST /administration/assistants", "mara", content=json.dumps(body).encode())
    assert answer.is_success, answer.text


async def say(stage: Stage, who: str, assistant: str, text: str = "Read everything.") -> Heard:
    """Send one message as `who` and hear its turn to the end."""
    content = json.dumps({"text": text}).encode()
    answer = await stage.send(f"POST /ai/assistants/{assistant}/messages", who, content=content)
    assert answer.status_code == 200, answer.text
    return Heard(read_events(answer.text))


async def read_everything(
    stage: Stage, model: ObeyingModel, who: str, assistant: str, only: Collection[str] = ()
) -> Sequence[Event]:
    """Let `who` have every reading tool called, or `only` these, with every id on the stage; return all events."""
    ids = _ids(stage)
    model.agenda = [task for tool in _READING if not only or tool.name in only for task in tasks_for(tool, ids)]
    events: list[Event] = []
    for _ in range(_MOST_MESSAGES):
        if not model.agenda:
            return events
        events += (await say(stage, who, assistant)).events
    raise AssertionError(f"{len(model.agenda)} calls are left")


def tasks_for(tool: AnyTool, ids: Mapping[str, Sequence[str]]) -> Iterator[Task]:
    """Yield calls of a tool: one for each id or choice that it can't do without, and one where it needs none."""
    schema = schema_of(tool)
    properties: Any = schema["properties"]
    needed = [name for name in schema.get("required") or () if isinstance(name, str)]  # type: ignore[union-attr]
    is_list = "limit" in properties  # what narrows a list shows no more than the list
    for name, field in properties.items() if not needed else ():
        shape = _ID.match(field.get("pattern", ""))
        if shape and (not is_list or "in full" in field["description"]):
            for one in ids.get(shape[1], ()):
                yield tool.name, {name: one}
    values = {name: list(_values(properties[name], ids)) for name in needed}
    for place in range(max((len(one) for one in values.values()), default=1)):
        yield tool.name, {name: one[place % len(one)] for name, one in values.items()}


def _values(field: Mapping[str, Any], ids: Mapping[str, Sequence[str]]) -> Iterator[JsonValue]:
    if found := _ID.match(field.get("pattern", "")):
        yield from ids[found[1]]
    else:
        yield from field.get("enum", (_WORDS,))


def _ids(stage: Stage) -> Mapping[str, Sequence[str]]:
    """Return every id of the database by its prefix, those of rows that came later too."""
    found: dict[str, list[str]] = {}
    for rows in stage.snapshot().values():
        for row in rows.values():
            if row and isinstance(row[0], str) and re.fullmatch(r"[a-z]{3}_[0-9a-z]{20}", row[0]):
                found.setdefault(row[0][:3], []).append(row[0])
    found["log"] = [entry["id"] for entry in stage.entries() if _WORDS in _plain(entry["details"])]
    return found


def _plain(details: JsonObject) -> str:
    return json.dumps(details, ensure_ascii=False).replace("\u200b", "")


def cards_of(events: Sequence[Event]) -> Sequence[JsonObject]:
    """Return the cards that were shown."""
    return [event.data for event in events if event.name == "preview"]
