"""Which names belong to which ids, as far as the results of a chat have told: so that a line need not show bare ids."""

import json
from collections.abc import Iterator
from typing import Final

from nova_ui.domain.json_value import JsonValue

_NAMES: Final = ("display_name", "display", "name")


def names_in(content: str) -> dict[str, str]:
    """Return id → name for every object in a result that has both; nothing for what is no JSON."""
    try:
        value: JsonValue = json.JSONDecoder().raw_decode(content.lstrip())[0]
    except (ValueError, RecursionError):
        return {}
    return names_of(value)


def names_of(value: JsonValue) -> dict[str, str]:
    """Return id → name for every object in `value` that has both."""
    return dict(_pairs(value))


def _pairs(value: JsonValue) -> Iterator[tuple[str, str]]:
    if isinstance(value, list):
        for item in value:
            yield from _pairs(item)
    if not isinstance(value, dict):
        return
    identifier = value.get("id")
    name = next((found for key in _NAMES if isinstance(found := value.get(key), str) and found), None)
    if isinstance(identifier, str) and name is not None:
        yield identifier, name
    for item in value.values():
        yield from _pairs(item)
