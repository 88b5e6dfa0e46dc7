"""The canonical form of a call: rule C6."""

import json
import re
from collections.abc import Callable
from datetime import date
from typing import Annotated, Self

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, model_validator

from nova_ui.domain.canonical import (
    MAX_ARGUMENT_BYTES,
    MAX_DEPTH,
    ArgumentsError,
    canonical_call,
    canonical_json,
    parse_arguments,
    take_confirmed,
    validated_arguments,
)
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import ToolArguments, ToolCall
from tests.builders import a_call, a_tool


class Everything(ToolArguments):
    name: str
    count: int = 1
    share: float = 0.5
    day: date | None = None
    flags: tuple[bool, ...] = ()
    inner: dict[str, int] = Field(default_factory=dict)


class Particular(ToolArguments):
    low: Annotated[int, Field(ge=0)] = 0
    high: int = 1

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.low > self.high:
            raise ValueError("low must not be above high")
        if self.low == 666:
            raise ValueError(f"{self.low} is out of the question")
        return self


TOOL = a_tool(arguments=Everything)


def call(text: str) -> ToolCall | ArgumentsError:
    parsed = parse_arguments(text)
    return parsed if isinstance(parsed, ArgumentsError) else canonical_call(TOOL, parsed)


def digest(text: str) -> str:
    made = call(text)
    assert isinstance(made, ToolCall), made
    return made.digest


def test_c6_defaults_are_filled_in_and_keys_sorted() -> None:
    made = call('{"name": "x"}')

    assert isinstance(made, ToolCall)
    assert made.canonical == '{"count":1,"day":null,"flags":[],"inner":{},"name":"x","share":0.5}'
    assert made.arguments == json.loads(made.canonical)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('{"name":"x","count":2}', ' {"count" : 2, "name": "\\u0078"} '),
        ('{"name":"x","count":2}', '{"name":"x","count":2.0}'),
        ('{"name":"x","count":200}', '{"name":"x","count":2e2}'),
        ('{"name":"x","share":1}', '{"name":"x","share":1.0}'),
        ('{"name":"x","share":0}', '{"name":"x","share":-0.0}'),
        ('{"name":"\\u00e9"}', '{"name":"e\\u0301"}'),
        ('{"name":"x"}', '{"name":"x","count":1,"day":null}'),
        ('{"name":"x","inner":{"a":1,"b":2}}', '{"name":"x","inner":{"b":2,"a":1.0}}'),
        ('{"name":"x","count":9007199254740993}', '{"name":"x","count":9007199254740993.0}'),
    ],
)
def test_c6_the_same_call_written_in_two_ways_has_one_digest(one: str, other: str) -> None:
    """Abuse case 38."""
    assert digest(one) == digest(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('{"name":"x"}', '{"name":"X"}'),
        ('{"name":"x"}', '{"name":"x "}'),
        ('{"name":"x"}', '{"name":"x\\u200b"}'),
        ('{"name":"x","count":9007199254740993}', '{"name":"x","count":9007199254740992}'),
        ('{"name":"x","flags":[true,false]}', '{"name":"x","flags":[false,true]}'),
    ],
)
def test_c6_different_calls_have_different_digests(one: str, other: str) -> None:
    assert digest(one) != digest(other)


def test_c6_the_tool_is_part_of_the_digest() -> None:
    assert a_call(a_tool("delete_group")).digest != a_call(a_tool("purge_group")).digest


@pytest.mark.parametrize(
    "arguments",
    [
        '{"name":"x","count":"1"}',
        '{"name":"x","count":true}',
        '{"name":"x","count":1.5}',
        '{"name":"x","count":null}',
        '{"name":"x","count":"0x7"}',
        '{"name":1}',
        '{"name":["x"]}',
        '{"name":"x","flags":[1]}',
        '{"name":"x","day":20260101}',
        '{"name":"x","inner":{"a":"1"}}',
        '{"name":"x","other":1}',
        "{}",
    ],
)
def test_c6_nothing_is_converted_by_guessing(arguments: str) -> None:
    """Abuse case 37."""
    made = call(arguments)

    assert isinstance(made, ArgumentsError)
    assert made.reason == "not_valid"


def test_c6_what_is_run_is_read_from_the_canonical_form() -> None:
    made = call('{"name":"e\\u0301","day":"2026-03-02","count":2.0}')
    assert isinstance(made, ToolCall)

    arguments = validated_arguments(TOOL, made)

    assert '"name":"\u00e9"' in made.canonical
    assert arguments == Everything(name="\u00e9", day=date(2026, 3, 2), count=2)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a": {"b": 1, "b": 2}}', "duplicate_key"),
        ('{"\\u00e9": 1, "e\\u0301": 2}', "duplicate_key"),
        ("{'a': 1}", "malformed"),
        ("{} {}", "malformed"),
        ("nothing", "malformed"),
        ("\ufeff{}", "malformed"),
        ('{"a": "line\nbreak"}', "malformed"),
        ("1", "not_an_object"),
        ("null", "not_an_object"),
        ('{"a": Infinity}', "not_a_number"),
        ('{"a": 1e400}', "number_out_of_range"),
        ('{"a": 1e-400}', "number_out_of_range"),
        ('{"a": 9223372036854775808}', "number_out_of_range"),
        ('{"a": 1e300}', "number_out_of_range"),
        ('{"a": 1.%s}' % ("1" * 500), "number_out_of_range"),
        ('{"a\\u0000": 1}', "nul_character"),
        ('{"a": ["\\udc00"]}', "lone_surrogate"),
        ('{"\\udc00": 1}', "lone_surrogate"),
        ('{"a": "%s"}' % ("ä" * (MAX_ARGUMENT_BYTES // 2)), "too_large"),
    ],
)
def test_c6_i3_what_has_no_canonical_form_is_an_error_with_a_reason(text: str, reason: str) -> None:
    """Abuse cases 36 and 41."""
    error = parse_arguments(text)

    assert isinstance(error, ArgumentsError)
    assert error.reason == reason
    assert re.fullmatch(r"[A-Z][^.]*[a-z]{2}[^.]*\.", error.detail)


@pytest.mark.parametrize("wrap", [lambda inner: {"a": inner}, lambda inner: [inner]])
def test_c6_i3_arguments_are_read_to_32_levels_and_not_one_more(wrap: Callable[[JsonValue], JsonValue]) -> None:
    inner: JsonValue = 1
    for _ in range(MAX_DEPTH - 1):
        inner = wrap(inner)

    assert parse_arguments(json.dumps({"a": inner})) == {"a": inner}
    assert parse_arguments(json.dumps({"a": wrap(inner)})) == ArgumentsError(
        reason="too_deep", detail="The arguments are nested deeper than 32 levels."
    )


@pytest.mark.parametrize("text", ["\u00a0", "\u2003", "\x0b"])
def test_c6_i3_no_arguments_are_an_empty_text_or_json_s_own_spaces(text: str) -> None:
    assert parse_arguments(" \t\r\n") == {}
    assert parse_arguments(text) == ArgumentsError(reason="malformed", detail="The arguments are not valid JSON.")


class Renamed(ToolArguments):
    since: str = Field(default="ever", alias="from")


def test_c6_a_parameter_with_a_name_of_its_own_is_canonical_under_that_name() -> None:
    tool = a_tool(arguments=Renamed)

    made = canonical_call(tool, {"from": "May"})

    assert isinstance(made, ToolCall)
    assert made.canonical == '{"from":"May"}'
    assert validated_arguments(tool, made) == Renamed.model_validate({"from": "May"})


@pytest.mark.parametrize("value", [float("inf"), float("nan"), 2**63, 1e300, "\0", "\ud800"])
def test_c6_i3_arguments_that_never_were_a_text_are_held_to_the_same(value: JsonValue) -> None:
    assert isinstance(canonical_call(TOOL, {"name": value}), ArgumentsError)


@pytest.mark.parametrize("text", ["", "  \n", "{}", " {} "])
def test_i3_no_arguments_are_an_empty_object(text: str) -> None:
    assert parse_arguments(text) == {}


def test_i3_thirty_two_levels_pass_and_one_more_does_not() -> None:
    assert isinstance(parse_arguments('{"a":' * 32 + "1" + "}" * 32), dict)
    assert isinstance(parse_arguments('{"a":' * 33 + "1" + "}" * 33), ArgumentsError)


@pytest.mark.parametrize(
    ("arguments", "taken"),
    [
        ({"a": 1}, (False, {"a": 1})),
        ({"a": 1, "confirmed": True}, (True, {"a": 1})),
        ({"confirmed": False}, (False, {})),
    ],
)
def test_c6_confirmed_is_taken_out(arguments: JsonObject, taken: tuple[bool, JsonObject]) -> None:
    assert take_confirmed(arguments) == taken


@pytest.mark.parametrize("value", [1, 0, "true", None, [], {}])
def test_c6_confirmed_is_exactly_a_boolean(value: JsonValue) -> None:
    assert isinstance(take_confirmed({"confirmed": value}), ArgumentsError)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"low": -1}, "low: Input should be greater than or equal to 0."),
        ({"low": 2}, "The arguments: low must not be above high."),
        ({"low": 666, "high": 700}, "The arguments: is not valid."),
        ({"other": "hunter2"}, "other: there is no such argument."),
        ({"a b": "hunter2"}, "(unreadable name): there is no such argument."),
    ],
)
def test_c6_what_is_wrong_is_named_without_its_value(arguments: JsonObject, words: str) -> None:
    error = canonical_call(a_tool(arguments=Particular), arguments)

    assert isinstance(error, ArgumentsError)
    assert error.detail == words


def test_c6_of_many_mistakes_the_first_five_are_named() -> None:
    error = canonical_call(a_tool(arguments=Particular), {f"x{number}": 1 for number in range(9)})

    assert isinstance(error, ArgumentsError)
    assert error.detail.count("no such argument") == 5
    assert error.detail.endswith("4 more.")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63) + 1, 2**63 - 1) | st.floats(-1e15, 1e15) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=15,
)


@given(value=st.dictionaries(st.text(max_size=8), json_values, max_size=4))
def test_c6_the_canonical_form_is_idempotent(value: JsonObject) -> None:
    parsed = parse_arguments(json.dumps(value))
    if isinstance(parsed, ArgumentsError):
        assert parsed.reason in {"duplicate_key", "nul_character"}
        return

    once = canonical_json(parsed)

    assert canonical_json(json.loads(once)) == once
    assert parse_arguments(once) == parsed


@given(
    count=st.integers(-(2**63) + 1, 2**63 - 1),
    name=st.text(alphabet=st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=30),
    share=st.floats(allow_nan=False, allow_infinity=False, min_value=-1e15, max_value=1e15),
    day=st.none() | st.dates(),
)
def test_c6_a_canonical_call_made_from_its_own_arguments_is_the_same_call(
    count: int, name: str, share: float, day: date | None
) -> None:
    given_arguments: JsonObject = {
        "count": count,
        "name": name,
        "share": share,
        "day": None if day is None else str(day),
    }

    made = canonical_call(TOOL, given_arguments)
    assert isinstance(made, ToolCall)

    assert canonical_call(TOOL, made.arguments) == made


@given(text=st.text(max_size=200))
def test_i3_any_text_gives_an_object_or_a_reason(text: str) -> None:
    assert isinstance(parse_arguments(text), dict | ArgumentsError)


def test_c6_i3_arguments_of_exactly_64_kb_are_read() -> None:
    text = json.dumps({"a": "x" * (MAX_ARGUMENT_BYTES - len('{"a": ""}'))})

    assert isinstance(parse_arguments(text), dict)
    assert parse_arguments(text + " ") == ArgumentsError(
        reason="too_large", detail=f"The arguments are larger than {MAX_ARGUMENT_BYTES} bytes."
    )
