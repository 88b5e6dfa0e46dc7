"""The tool that a trial offers, and what it asks: numbers of rooms that no model can know."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, cast

from pydantic import Field

from nova_ui.domain.canonical import ArgumentsError, parse_arguments
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.tool import AnyTool, Nova, RawCall, Tool, ToolArguments, ToolKind, ToolOffer
from nova_ui.llm.port import SystemMessage, UserMessage

ROOMS: Final[Mapping[str, str]] = MappingProxyType({"aurora": "7319", "borealis": "2846"})
SYSTEM: Final = SystemMessage(text="You are being tested. Follow the request exactly and be brief.")
FIRST: Final = UserMessage(text="Count from one to ten in words.")
ASKED: Final = UserMessage(
    text="What are the numbers of the rooms Aurora and Borealis? Call look_up_room_number for both at once, "
    "then tell both numbers."
)
AGAIN: Final = UserMessage(text="Call look_up_room_number for the room Aurora once more.")


class _LookUp(ToolArguments):
    room: str = Field(description="Name of the room.")


async def _never(_arguments: _LookUp, _nova: Nova) -> JsonValue:
    return None  # the trial answers the call itself; nothing of Nova is touched


_TOOL: Final = Tool(
    name="look_up_room_number",
    title="Look up a room number",
    summary="Return the number of a room by its name.",
    area="Test",
    icon="science",
    kind=ToolKind.READ,
    endpoints=(),
    arguments=_LookUp,
    run=_never,
)
OFFER: Final = ToolOffer(
    tool=cast("AnyTool", _TOOL),
    description=_TOOL.summary,
    schema={
        "type": "object",
        "properties": {"room": {"type": "string", "description": "Name of the room."}},
        "required": ["room"],
        "additionalProperties": False,
    },
)


def room_of(call: RawCall) -> str | None:
    """Return the room that a call asks for; None if it is not a usable call of the tool."""
    parsed = parse_arguments(call.arguments_text)
    if call.name != _TOOL.name or isinstance(parsed, ArgumentsError):
        return None
    asked = str(parsed.get("room")).lower()
    return next((room for room in ROOMS if room in asked), None)


def number_for(call: RawCall) -> str:
    """Return what the tool answers."""
    room = room_of(call)
    return "There is no such room." if room is None else f"The room number of {room.title()} is {ROOMS[room]}."
