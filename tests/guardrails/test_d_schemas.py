"""D1: what a schema may not take, and the sentence that says so; references, choices and lists are looked into."""

import pytest

from nova_ui.domain.json_value import JsonObject
from nova_ui.guardrails.secret_names import SecretFields
from nova_ui.guardrails.secret_schema import find_in_schema

CLOSED: JsonObject = {"type": "object", "additionalProperties": False}
WORDS: JsonObject = {"type": "string", "enum": ["name", "client_secret", "owner"]}


def _found(schema: JsonObject, *names: str) -> list[str]:
    return list(find_in_schema(schema, SecretFields(names=frozenset(names))))


def _with(name: str, schema: JsonObject, **definitions: JsonObject) -> JsonObject:
    return {**CLOSED, "properties": {name: schema}, "$defs": dict(definitions)}


@pytest.mark.parametrize(
    ("schema", "sentence"),
    [
        ({"type": "string", "writeOnly": True}, "takes a value that is marked as secret"),
        ({"type": "object", "additionalProperties": True}, "takes an object of any fields"),
        ({"type": "object", "additionalProperties": {}}, "takes an object of any fields"),
        ({"type": "object"}, "takes an object that does not forbid undeclared fields"),
        ({"type": "array", "items": {}}, "takes a list of anything"),
        ({}, "takes x as a value of any kind"),
        ({"anyOf": [{"type": "string"}, {}]}, "takes x as a value of any kind"),
        (
            {"type": "object", "additionalProperties": {"type": "string"}, "propertyNames": WORDS},
            "takes a dictionary with client_secret, which names a secret",
        ),
    ],
)
def test_d1_what_would_let_a_secret_in_is_said_in_one_sentence(schema: JsonObject, sentence: str) -> None:
    assert _found(_with("x", schema)) == [sentence]


@pytest.mark.parametrize("name", ["password", "client_secret"])
@pytest.mark.parametrize("kind", ["string", "integer", "number", "array"])
def test_d1_a_value_under_a_secret_s_name_is_refused_whatever_its_type(name: str, kind: str) -> None:
    assert _found(_with(name, {"type": kind})) == [f"takes {name}, which names a secret"]


@pytest.mark.parametrize("kind", ["boolean", "null"])
def test_d1_whether_there_is_one_is_no_secret(kind: str) -> None:
    assert _found(_with("password", {"type": kind})) == []


@pytest.mark.parametrize("kind", ["boolean", "null", "integer", "number"])
def test_d1_a_number_of_tokens_is_no_secret(kind: str) -> None:
    assert _found(_with("tokens", {"type": kind})) == []
    assert _found(_with("tokens", {"anyOf": [{"type": kind}, {"type": "string"}]})) != []


def test_d1_what_nova_marks_is_a_secret_whatever_its_name() -> None:
    assert _found(_with("shade", {"type": "string"}), "shade") == ["takes shade, which names a secret"]
    assert _found(_with("shade", {"type": "string"})) == []


def test_d1_references_are_followed_by_their_own_name() -> None:
    reference: JsonObject = {"$ref": "#/$defs/Count"}

    assert _found(_with("tokens", reference, Count={"type": "integer"})) == []
    assert _found(_with("tokens", reference, Count={"type": "string"})) == ["takes tokens, which names a secret"]
    assert _found(_with("tokens", reference, Other={"type": "integer"})) == [
        "takes tokens, which names a secret",
        "takes tokens as a value of any kind",
    ]


@pytest.mark.parametrize(
    "schema",
    [
        WORDS,
        {"const": "client_secret"},
        {"type": "array", "items": WORDS},
        {"anyOf": [{"type": "null"}, WORDS]},
        {"oneOf": [{"type": "array", "items": {"anyOf": [WORDS, {"type": "null"}]}}]},
        {"$ref": "#/$defs/Words"},
        {"type": "array", "items": {"$ref": "#/$defs/Words"}},
    ],
)
@pytest.mark.parametrize("name", ["field", "remove_fields", "clear", "attribute_names"])
def test_d1_no_choice_of_a_field_names_a_secret(name: str, schema: JsonObject) -> None:
    assert _found(_with(name, schema, Words=WORDS)) == [f"lets {name} choose client_secret, which names a secret"]


def test_d1_a_choice_that_is_no_field_s_may_have_such_a_word() -> None:
    assert _found(_with("method", WORDS)) == []
    assert _found(_with("field", {"type": "string", "enum": ["name", "owner"]})) == []


def test_d1_a_finding_does_not_end_the_search() -> None:
    schema: JsonObject = {
        **CLOSED,
        "title": {"type": "object"},
        "properties": {"password": {"type": "string"}, "inner": {**CLOSED, "properties": {"pin": {"type": "integer"}}}},
        "allOf": [{"properties": {"x": {"type": "array", "items": [{"type": "object"}]}}}],
    }

    assert _found(schema) == [
        "takes password, which names a secret",
        "takes pin, which names a secret",
        "takes an object that does not forbid undeclared fields",
    ]
