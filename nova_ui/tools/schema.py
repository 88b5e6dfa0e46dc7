"""The JSON schema that a model fills for a tool: no references, nothing undeclared."""

from typing import Final

from nova_ui.domain.confirming import needs_confirmation
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import CONFIRMED_ARGUMENT, AnyTool, ToolKind, ToolOffer
from nova_ui.errors import ConfigurationError

CONFIRMED_HELP: Final = (
    "Leave out at first: the person is then shown what will happen. Send true only in the message right after, when "
    "the person has agreed in words, with all other arguments unchanged."
)
_REFERENCE_PREFIX: Final = "#/$defs/"
_DROPPED: Final = frozenset({"$defs", "title"})


def offer(tool: AnyTool, *, waits: bool | None = None) -> ToolOffer:
    """Return `tool` as a model is offered it; `waits` says whether its calls wait on a card, None: as by itself."""
    if waits is None:
        waits = needs_confirmation(tool)
    return ToolOffer(tool=tool, description=_description(tool, waits=waits), schema=schema_of(tool, waits=waits))


def schema_of(tool: AnyTool, *, waits: bool = False) -> JsonObject:
    """Return the schema of the tool's arguments; with `waits`, what a confirmed call says is among them.

    Raises:
        ConfigurationError: the arguments refer to themselves.

    """
    raw: JsonObject = tool.arguments.model_json_schema()
    definitions = raw.get("$defs")
    schema = _inlined(raw, definitions if isinstance(definitions, dict) else {}, (), tool.name)
    if not isinstance(schema, dict):
        raise ConfigurationError(f"the arguments of {tool.name} have no schema")
    schema.pop("description", None)  # the docstring of the class speaks to programmers
    schema["additionalProperties"] = False
    if waits:
        properties = schema.get("properties")
        confirmed: JsonObject = {CONFIRMED_ARGUMENT: {"type": "boolean", "description": CONFIRMED_HELP}}
        schema["properties"] = (properties if isinstance(properties, dict) else {}) | confirmed
    return schema


def _inlined(value: JsonValue, definitions: JsonObject, within: tuple[str, ...], tool_name: str) -> JsonValue:
    if isinstance(value, list):
        return [_inlined(item, definitions, within, tool_name) for item in value]
    if not isinstance(value, dict):
        return value
    reference = value.get("$ref")
    if isinstance(reference, str):
        if reference in within:
            raise ConfigurationError(f"the arguments of {tool_name} refer to themselves")
        target = _inlined(
            definitions.get(reference.removeprefix(_REFERENCE_PREFIX)), definitions, (*within, reference), tool_name
        )
        beside = {name: item for name, item in value.items() if name != "$ref"}
        return target | beside if isinstance(target, dict) else target
    return _without_null(
        {
            name: _inlined_properties(item, definitions, within, tool_name)
            if name == "properties"
            else _inlined(item, definitions, within, tool_name)
            for name, item in value.items()
            if name not in _DROPPED
        }
    )


def _inlined_properties(
    value: JsonValue, definitions: JsonObject, within: tuple[str, ...], tool_name: str
) -> JsonValue:
    """Inline under `properties`, where `title` is an argument's name and no keyword."""
    if not isinstance(value, dict):
        return value
    return {name: _inlined(item, definitions, within, tool_name) for name, item in value.items()}


def _without_null(schema: JsonObject) -> JsonObject:
    """Write "X or null, by default null" as an optional X: shorter, and no model then sends null as a word."""
    choices = schema.get("anyOf")
    if not isinstance(choices, list) or schema.get("default", "") is not None:
        return schema
    kept = [choice for choice in choices if choice != {"type": "null"}]
    if len(kept) != 1 or not isinstance(kept[0], dict):
        return schema
    return kept[0] | {name: item for name, item in schema.items() if name not in {"anyOf", "default"}}


def _description(tool: AnyTool, *, waits: bool) -> str:
    if not waits:
        return tool.summary
    what = "Destructive: the" if tool.kind is ToolKind.DESTRUCTIVE else "The"
    return f"{tool.summary} {what} person must confirm what is shown."
