"""The JSON schema that a model fills for a tool: no references, nothing undeclared."""

from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import CONFIRMED_ARGUMENT, AnyTool, ToolKind, ToolOffer
from nova_ui.errors import ConfigurationError

CONFIRMED_HELP: Final = (
    "Leave out at first: the person is then shown what will happen. Send true only in the message right after, when "
    "the person has agreed in words, with all other arguments unchanged."
)
_REFERENCE_PREFIX: Final = "#/$defs/"
_DROPPED: Final = frozenset({"$defs", "title"})


def offer(tool: AnyTool) -> ToolOffer:
    """Return `tool` as a model is offered it."""
    return ToolOffer(tool=tool, description=_description(tool), schema=schema_of(tool))


def schema_of(tool: AnyTool) -> JsonObject:
    """Return the schema of the tool's arguments.

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
    if tool.kind is ToolKind.DESTRUCTIVE:
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


def _description(tool: AnyTool) -> str:
    if tool.kind is ToolKind.DESTRUCTIVE:
        return f"{tool.summary} Destructive: the person must confirm what is shown."
    return tool.summary
