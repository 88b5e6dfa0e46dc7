"""Arguments for a tool's call that mean something on the stage, found by the names of its parameters."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from nova_ui.domain.canonical import ArgumentsError, canonical_call
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import AnyTool
from nova_ui.self_test.organisation import (
    APPLICATIONS,
    ASSIGNMENTS,
    ENTITLEMENTS,
    GROUPS,
    MARKER,
    ROLES,
    SPARE_SESSIONS,
    VICTIMS,
)

_PLACES: Final[Mapping[str, Sequence[str]]] = {
    "group": GROUPS,
    "identity": VICTIMS,
    "beneficiary": VICTIMS,
    "colleague": VICTIMS,
    "left": VICTIMS,
    "from": VICTIMS,
    "assignment": ASSIGNMENTS,
    "application": APPLICATIONS,
    "role": ROLES,
    "entitlement": ENTITLEMENTS,
    "session": SPARE_SESSIONS,
}
_OTHERS: Final[Mapping[str, Sequence[str]]] = {"successor": VICTIMS, "right": VICTIMS, "to": VICTIMS}
# Without these a call of the tool would be turned down for being empty.
_NEEDED: Final[Mapping[str, JsonObject]] = {
    "assign_role": {"role_id": ROLES[1]},
    "update_group": {"description": "Renewed"},
    "update_identity": {"title": "Renewed"},
    "update_role": {"description": "Renewed"},
    "update_my_profile": {"theme": "dark"},
    "move_identity": {"department": "Renewed"},
    "get_identity": {"identity_id": VICTIMS[0]},
    "get_identity_access": {"identity_id": VICTIMS[0]},
    "explain_access": {"identity_id": VICTIMS[0], "role_id": ROLES[0]},
    "request_access": {"role_ids": [ROLES[1]]},
    "request_access_for": {"role_ids": [ROLES[1]]},
}
_WORDS: Final[Mapping[str, JsonValue]] = {
    "valid_until": "2099-01-01",
    "user_name": "new.person",
    "q": MARKER,
}


def arguments_for(tool: AnyTool, *, other: bool = False) -> JsonObject | None:
    """Return usable arguments, with `other` those of another object; None where none could be found.

    Tools that are added later are served as well, as long as their parameters are named like those there are.
    """
    properties = tool.arguments.model_json_schema().get("properties", {})
    needed = {name for name, field in tool.arguments.model_fields.items() if field.is_required()}
    found: JsonObject = {name: _value(name, properties.get(name, {}), other=other) for name in sorted(needed)}
    found |= {name: value for name, value in _NEEDED.get(tool.name, {}).items() if name not in found}
    return None if isinstance(canonical_call(tool, found), ArgumentsError) else found


def text_parameter(tool: AnyTool) -> str | None:
    """Return a parameter of the tool that takes any words, or None."""
    properties = tool.arguments.model_json_schema().get("properties", {})
    free = (name for name, schema in properties.items() if _is_free_text(schema))
    return next((name for name in free if not name.endswith(("_id", "_ids", "cursor"))), None)


def id_parameter(tool: AnyTool) -> str | None:
    """Return a required parameter that names an object by its id, or None."""
    fields = tool.arguments.model_fields.items()
    return next((name for name, field in fields if field.is_required() and name.endswith("_id")), None)


def _value(name: str, schema: Mapping[str, Any], *, other: bool) -> JsonValue:
    stem = name.removesuffix("s").removesuffix("_id")
    if name.endswith(("_id", "_ids")):
        places = _PLACES.get(stem)
        chosen = _OTHERS.get(stem, ("",))[-1] if places is None else places[1 if other else 0]
        return [chosen] if name.endswith("_ids") else chosen
    if "enum" in schema:
        return str(schema["enum"][0])
    if "const" in schema:
        return str(schema["const"])
    return _WORDS.get(name, "Trial by the self-test")


def _is_free_text(schema: Mapping[str, Any]) -> bool:
    choices = [schema, *schema.get("anyOf", ())]
    return any(one.get("type") == "string" and not {"pattern", "enum", "const", "format"} & set(one) for one in choices)
