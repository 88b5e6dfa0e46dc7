"""D2, D3: how deep and how far secrets are looked for; the gate asks with the marks of the tool's own endpoints."""

import json
from collections.abc import Callable

import pytest

from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.tool import ToolKind
from nova_ui.guardrails.marks import EndpointMarks
from nova_ui.guardrails.outcome import Refused
from nova_ui.guardrails.redaction import SECRET_PLACEHOLDER, redact, redact_text
from nova_ui.guardrails.refusal import Code
from nova_ui.guardrails.secrets_in import check_arguments
from tests.builders import a_raw_call, a_reading_tool, a_writing_tool
from tests.guardrails.doors import Counted, a_turnstile

PICTURE = "data:image/png;base64,iVBORw0KGgo="


def test_d3_a_secret_that_holds_another_is_hidden_as_a_whole_wherever_it_stands() -> None:
    """Abuse case 46. Eight characters are enough, if they mix."""
    value: dict[str, JsonValue] = {
        "password": "b3c4d5e6",
        "token": "ab3c4d5e6z",
        "pin": "zb3c4d5e6a",
        "passphrase": "b3c4d5e6-zz",
    }
    notes: JsonValue = ["b3c4d5e6", "ab3c4d5e6z", "zb3c4d5e6a", "b3c4d5e6-zz"]

    redacted = redact({**value, "notes": notes})

    assert isinstance(redacted, dict)
    assert redacted["notes"] == ["[secret]"] * 4


def test_d3_json_in_a_text_is_looked_at_as_deep_as_the_rest_and_keeps_its_letters() -> None:
    assert redact({"log": '[["client_secret","hunter2"], "Gr\u00fcn"]'}) == {
        "log": f'[["client_secret", "{SECRET_PLACEHOLDER}"], "Gr\u00fcn"]'
    }
    assert redact({"log": "[" * 98 + "1" + "]" * 98}) == {"log": "[" * 98 + "1" + "]" * 98}
    assert redact({"log": "[" * 99 + "1" + "]" * 99}) != {"log": "[" * 99 + "1" + "]" * 99}


def test_d3_json_in_a_text_of_up_to_a_million_characters_is_looked_at() -> None:
    longest = f'["{"x" * 199_900}",' * 5 + '["client_secret","hunter2"]' + "]" * 5
    longest += " " * (1_000_000 - len(longest))

    assert len(longest) == 1_000_000
    assert "hunter2" not in (seen := str(redact(longest)))
    assert "x" * 1_000 in seen
    assert redact(longest + " ") == SECRET_PLACEHOLDER


def test_d3_what_is_too_deep_to_look_at_is_too_deep_to_show() -> None:
    value: JsonValue = "hunter2"
    for _ in range(150):
        value = [value]

    assert "hunter2" not in json.dumps(redact(value))


NESTINGS: dict[str, tuple[Callable[[JsonValue], JsonValue], int]] = {
    "lists": (lambda inner: [inner], 1),
    "objects": (lambda inner: {"a": inner}, 1),
    "pairs": (lambda inner: [["a", inner]], 2),
}


@pytest.mark.parametrize("nesting", NESTINGS)
def test_d3_a_hundred_levels_are_looked_at_and_not_one_more(nesting: str) -> None:
    wrap, levels = NESTINGS[nesting]
    value: JsonValue = "harmless"
    for _ in range(100 // levels):
        value = wrap(value)

    assert "harmless" in json.dumps(redact(value))
    assert "harmless" not in json.dumps(redact([value]))


@pytest.mark.parametrize(
    "value",
    [{"qr_code": PICTURE}, {"qr_codes": [PICTURE]}, {"qr_codes": [["first", PICTURE]]}, {"qr_code": f'["{PICTURE}"]'}],
)
def test_d3_a_picture_that_enrols_a_second_factor_is_hidden_in_lists_too(value: JsonValue) -> None:
    assert PICTURE not in json.dumps(redact(value))
    assert PICTURE in json.dumps(redact({"photo": [PICTURE]}))


def test_d3_what_is_too_long_to_look_at_is_too_long_to_show() -> None:
    assert redact_text("x" * 200_000) == "x" * 200_000
    assert redact_text("x" * 200_001) == SECRET_PLACEHOLDER


@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ('{"a":', "}")])
def test_d2_arguments_are_looked_at_to_64_levels_texts_that_hold_json_included(
    opening: str, closing: str, *, text: bool
) -> None:
    """The object is one, the value in it the next, what a text holds one more."""
    deepest = 62 if text else 63

    def nested(levels: int) -> dict[str, JsonValue]:
        inner = opening * levels + "1" + closing * levels
        return {"note": inner if text else json.loads(inner)}

    assert check_arguments(nested(deepest)) is None
    refusal = check_arguments(nested(deepest + 1))
    assert refusal is not None
    assert refusal.reason == "too_deep"


async def test_d2_the_gate_refuses_a_field_that_nova_marks_for_the_tools_own_endpoint() -> None:
    tool = a_writing_tool()
    (endpoint,) = tool.endpoints
    marks = {endpoint: EndpointMarks(endpoint=endpoint, kind=ToolKind.WRITE, secret_fields=frozenset({"shade"}))}

    outcome = await a_turnstile(tool, marks=marks).pass_call(a_raw_call("update_group", {"shade": "blue"}))

    assert isinstance(outcome, Refused)
    assert (outcome.refusal.code, outcome.refusal.reason) == (Code.SECRET_ARGUMENT, "secret_field")


async def test_d3_a_result_s_field_that_nova_marks_is_hidden_at_the_gate() -> None:
    tool = a_reading_tool(run=Counted(answer={"shade": "blue", "name": "Ada"}))
    (endpoint,) = tool.endpoints
    marks = {
        endpoint: EndpointMarks(endpoint=endpoint, kind=ToolKind.READ, secret_fields=frozenset({"shade"})),
    }

    outcome = await a_turnstile(tool, marks=marks).pass_call(a_raw_call("list_groups"))

    assert json.loads(outcome.text) == {"shade": SECRET_PLACEHOLDER, "name": "Ada"}


@pytest.mark.parametrize("text", ["Cookie: theme", 'X-Auth-Token: "open sesame', "proxy-authorization = hunter"])
def test_d3_what_a_header_holds_is_hidden_whatever_it_reads_like(text: str) -> None:
    *_, word = text.split()

    assert word.strip('"') not in redact_text(text)
