"""What the canonical form of a call is: parsed once, strictly validated, the same text for the same call (rule C6)."""

import hashlib
import json
import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from pydantic import ValidationError

from nova_ui.domain.json_value import JsonMapping, JsonObject, JsonValue
from nova_ui.domain.tool import CONFIRMED_ARGUMENT, AnyTool, ToolArguments, ToolCall
from nova_ui.domain.validation_words import describe

MAX_ARGUMENT_BYTES: Final = 64 * 1024
MAX_DEPTH: Final = 32
MAX_INTEGER: Final = 2**63 - 1
_MAX_NUMBER_CHARS: Final = 400
_MAX_INTEGER_DIGITS: Final = 19
_NUL: Final = "\0"
_WHITE_SPACE: Final = " \t\r\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentsError:
    """Why arguments are not usable; a value, since a model's mistake is a normal answer.

    `reason` is a stable word; `detail` is short English that names fields but never repeats a value.
    """

    reason: str
    detail: str


class _Broken(ValueError):
    """Leaves the JSON parser's hooks; never leaves this file."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason)
        self.error = ArgumentsError(reason=reason, detail=detail)


def parse_arguments(text: str) -> JsonObject | ArgumentsError:
    """Parse what a model sent as arguments: one JSON object, or empty for no arguments.

    Nothing is repaired: doubled keys, `NaN`, numbers out of range, nesting beyond 32, NUL, lone surrogates and more
    than 64 kB are errors. Strings come out in NFC, whole numbers as integers. Source: rules C6, I3.
    """
    try:
        _check_size(text)
        normal = normalise(_parse(text)) if text.strip(_WHITE_SPACE) else {}
    except _Broken as broken:
        return broken.error
    except RecursionError:
        return _too_deep().error
    except ValueError:
        return ArgumentsError(reason="malformed", detail="The arguments are not valid JSON.")
    if not isinstance(normal, dict):
        return ArgumentsError(reason="not_an_object", detail="The arguments must be one JSON object.")
    return normal


def take_confirmed(arguments: JsonMapping) -> tuple[bool, JsonObject] | ArgumentsError:
    """Take the reserved argument out: whether it was true, and the arguments without it."""
    rest = {name: value for name, value in arguments.items() if name != CONFIRMED_ARGUMENT}
    confirmed = arguments.get(CONFIRMED_ARGUMENT, False)
    if not isinstance(confirmed, bool):
        return ArgumentsError(reason="confirmed_not_boolean", detail=f"{CONFIRMED_ARGUMENT} must be true or false.")
    return confirmed, rest


def canonical_call(tool: AnyTool, arguments: JsonMapping) -> ToolCall | ArgumentsError:
    """Return the canonical form of a call: strictly validated, defaults filled in, keys sorted.

    `arguments` come from `parse_arguments`, without `confirmed`.
    """
    try:
        text = canonical_json(arguments)
        validated = tool.arguments.model_validate_json(text, strict=True)
        canonical = canonical_json(validated.model_dump(mode="json", by_alias=True))
    except _Broken as broken:
        return broken.error
    except ValidationError as error:
        return ArgumentsError(reason="not_valid", detail=describe(error))
    digest = hashlib.sha256(f"{tool.name}\n{canonical}".encode()).hexdigest()
    return ToolCall(tool_name=tool.name, arguments=json.loads(canonical), canonical=canonical, digest=digest)


def validated_arguments(tool: AnyTool, call: ToolCall) -> ToolArguments:
    """Return the arguments that `tool` is run with: read from the canonical form and from nothing else.

    Raises:
        ValidationError: the call is not one of this tool's.

    """
    return tool.arguments.model_validate_json(call.canonical, strict=True)


def canonical_json(value: JsonValue | JsonMapping) -> str:
    """Return the one text for a value: sorted keys, no spaces, NFC, numbers by value."""
    return json.dumps(normalise(value), sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def normalise(value: JsonValue | JsonMapping, depth: int = 0) -> JsonValue:
    """Return `value` with strings in NFC and whole numbers as integers.

    Raises:
        ValueError: something in it has no canonical form.

    """
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int):
        return _bounded(value)
    if isinstance(value, float):
        return _normal_float(value)
    if depth >= MAX_DEPTH:
        raise _too_deep()
    if isinstance(value, Sequence):
        return [normalise(item, depth + 1) for item in value]
    return _object([(name, normalise(item, depth + 1)) for name, item in value.items()])


def _too_deep() -> _Broken:
    return _Broken("too_deep", f"The arguments are nested deeper than {MAX_DEPTH} levels.")


def _out_of_range() -> _Broken:
    return _Broken("number_out_of_range", "A number in the arguments is out of range.")


def _check_size(text: str) -> None:
    if len(text.encode("utf-8", "surrogatepass")) > MAX_ARGUMENT_BYTES:
        raise _Broken("too_large", f"The arguments are larger than {MAX_ARGUMENT_BYTES} bytes.")


def _parse(text: str) -> JsonValue:
    parsed: JsonValue = json.loads(
        text, object_pairs_hook=_object, parse_int=_integer, parse_float=_number, parse_constant=_refuse_constant
    )
    return parsed


def _object(pairs: Sequence[tuple[str, JsonValue]]) -> JsonObject:
    found: JsonObject = {}
    for raw_name, value in pairs:
        name = _text(raw_name)
        if name in found:
            raise _Broken("duplicate_key", "A key stands twice in the arguments.")
        found[name] = value
    return found


def _text(value: str) -> str:
    if _NUL in value:
        raise _Broken("nul_character", "The arguments hold a NUL character.")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise _Broken("lone_surrogate", "The arguments hold half a character.") from None
    return unicodedata.normalize("NFC", value)


def _integer(digits: str) -> int:
    if len(digits.lstrip("-")) > _MAX_INTEGER_DIGITS:
        raise _out_of_range()
    return _bounded(int(digits))


def _number(literal: str) -> int | float:
    """Read a number by its value: `1.0` and `1e2` are whole, and are taken as written, not as the nearest float."""
    if len(literal) > _MAX_NUMBER_CHARS:
        raise _out_of_range()
    exact, nearest = Decimal(literal), float(literal)
    if not math.isfinite(nearest) or (nearest == 0) != exact.is_zero():
        raise _out_of_range()
    if exact.adjusted() < _MAX_INTEGER_DIGITS and exact == exact.to_integral_value():
        return _bounded(int(exact))
    return _normal_float(nearest)


def _normal_float(value: float) -> int | float:
    if not math.isfinite(value):
        raise _out_of_range()
    return _bounded(int(value)) if value.is_integer() else value


def _bounded(value: int) -> int:
    if abs(value) > MAX_INTEGER:
        raise _out_of_range()
    return value


def _refuse_constant(_name: str) -> JsonValue:
    raise _Broken("not_a_number", "NaN and Infinity are not JSON.")
