"""A form for a tool, made from the JSON schema of its arguments; the gate validates again whatever it gives."""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import CONFIRMED_ARGUMENT
from nova_ui.presenters.object_search import prefix_of

MAX_TEXT_CHARS: Final = 10_000
LONG_TEXT_CHARS: Final = 300

NEEDED: Final = mark("Please fill this in.")
NO_NUMBER: Final = mark("Please enter a whole number.")
NO_DECIMAL: Final = mark("Please enter a number.")
NO_DATE: Final = mark("Please enter a date such as 2026-11-30.")
NO_CHOICE: Final = mark("Please choose one of the values offered.")
NO_JSON: Final = mark("Please enter valid JSON.")
TOO_LONG: Final = mark("This text is too long.")


class FieldKind(StrEnum):
    """With what a value is entered."""

    TEXT = "text"
    LONG_TEXT = "long_text"
    INTEGER = "integer"
    NUMBER = "number"
    DATE = "date"
    YES_NO = "yes_no"
    CHOICE = "choice"
    LIST = "list"
    OBJECT = "object"
    OBJECTS = "objects"
    JSON = "json"


@dataclass(frozen=True, slots=True, kw_only=True)
class FormField:
    """One argument to fill; a `LIST` is entered one value a line, an object is found by name among `prefix` ids."""

    name: str
    kind: FieldKind
    help: str = ""
    required: bool = False
    choices: tuple[str, ...] = ()
    default: JsonValue = None
    prefix: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """What a form gave: arguments, and by field the message id of what is wrong."""

    arguments: JsonObject = field(default_factory=dict)
    problems: Mapping[str, str] = field(default_factory=dict)


_FOR_MODELS: Final = frozenset({CONFIRMED_ARGUMENT, "cursor"})
_DAY_PATTERN: Final = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
_BY_TYPE: Final[Mapping[str, FieldKind]] = {
    "integer": FieldKind.INTEGER,
    "number": FieldKind.NUMBER,
    "boolean": FieldKind.YES_NO,
}


class _Unusable(ValueError):
    """Carries the message id of what is wrong with a value."""


def fields_of(schema: JsonObject) -> tuple[FormField, ...]:
    """Return the fields of a tool's schema in their order, required ones first; what only a model needs is none."""
    properties, required = schema.get("properties"), schema.get("required")
    needed = {name for name in required if isinstance(name, str)} if isinstance(required, list) else set()
    if not isinstance(properties, dict):
        return ()
    found = [
        _field(name, described, required=name in needed)
        for name, described in properties.items()
        if name not in _FOR_MODELS and isinstance(described, dict)
    ]
    return tuple(sorted(found, key=lambda one: not one.required))


def _field(name: str, described: JsonObject, *, required: bool) -> FormField:
    choices = described.get("enum")
    text = described.get("description")
    return FormField(
        name=name,
        kind=_kind(described),
        help=text if isinstance(text, str) else "",
        required=required,
        choices=tuple(str(choice) for choice in choices) if isinstance(choices, list) else (),
        default=described.get("default"),
        prefix=prefix_of(described.get("pattern")) or prefix_of(_items(described).get("pattern")),
    )


def _kind(described: JsonObject) -> FieldKind:
    if isinstance(described.get("enum"), list):
        return FieldKind.CHOICE
    schema_type = described.get("type")
    if schema_type == "string":
        return _text_kind(described)
    if schema_type == "array":
        return _list_kind(_items(described))
    return _BY_TYPE.get(str(schema_type), FieldKind.JSON)


def _text_kind(described: JsonObject) -> FieldKind:
    pattern = described.get("pattern")
    if described.get("format") == "date" or pattern == _DAY_PATTERN:
        return FieldKind.DATE
    if prefix_of(pattern):
        return FieldKind.OBJECT
    longest = described.get("maxLength")
    return FieldKind.LONG_TEXT if isinstance(longest, int) and longest > LONG_TEXT_CHARS else FieldKind.TEXT


def _list_kind(items: JsonObject) -> FieldKind:
    if prefix_of(items.get("pattern")):
        return FieldKind.OBJECTS
    return FieldKind.LIST if items.get("type") == "string" else FieldKind.JSON


def _items(described: JsonObject) -> JsonObject:
    items = described.get("items")
    return items if isinstance(items, dict) else {}


def fill(fields: tuple[FormField, ...], entered: Mapping[str, object]) -> Filled:
    """Turn what was entered into arguments; fields left empty are left out. `entered` may hold anything at all."""
    arguments: JsonObject = {}
    problems: dict[str, str] = {}
    for one in fields:
        value = entered.get(one.name)
        if value is None or value == [] or (isinstance(value, str) and not value.strip()):
            if one.required:
                problems[one.name] = NEEDED
            continue
        try:
            arguments[one.name] = _parsed(one, value)
        except _Unusable as unusable:
            problems[one.name] = str(unusable)
    return Filled(arguments=arguments, problems=problems)


def _parsed(one: FormField, value: object) -> JsonValue:
    if one.kind is FieldKind.YES_NO:
        if not isinstance(value, bool):
            raise _Unusable(NO_CHOICE)
        return value
    if one.kind is FieldKind.OBJECTS and isinstance(value, (list, tuple)):
        return [str(item) for item in value]
    text = str(value) if isinstance(value, (str, int, float)) else ""
    if not text:
        raise _Unusable(NEEDED)
    if len(text) > MAX_TEXT_CHARS:
        raise _Unusable(TOO_LONG)
    if one.kind is FieldKind.CHOICE and text not in one.choices:
        raise _Unusable(NO_CHOICE)
    parse = _PARSERS.get(one.kind)
    return parse(text) if parse else text


def _whole(text: str) -> int:
    number = _decimal(text, NO_NUMBER)
    if not number.is_integer():
        raise _Unusable(NO_NUMBER)
    return int(number)


def _decimal(text: str, problem: str = NO_DECIMAL) -> float:
    try:
        number = float(text)
    except ValueError:
        raise _Unusable(problem) from None
    if not math.isfinite(number):
        raise _Unusable(problem)
    return number


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text.strip()).isoformat()
    except ValueError:
        raise _Unusable(NO_DATE) from None


def _lines(text: str) -> list[JsonValue]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _json(text: str) -> JsonValue:
    try:
        value: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        raise _Unusable(NO_JSON) from None
    return value


_PARSERS: Final[Mapping[FieldKind, Callable[[str], JsonValue]]] = {
    FieldKind.INTEGER: _whole,
    FieldKind.NUMBER: _decimal,
    FieldKind.DATE: _day,
    FieldKind.LIST: _lines,
    FieldKind.JSON: _json,
}
