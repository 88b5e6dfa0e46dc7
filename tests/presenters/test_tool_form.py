from enum import StrEnum

import pytest
from pydantic import Field

from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.tool import ToolArguments
from nova_ui.presenters import tool_form
from nova_ui.presenters.tool_form import FieldKind, fields_of, fill
from nova_ui.tools.arguments import Day, IdentityRef
from nova_ui.tools.schema import schema_of
from tests.builders import a_tool


class State(StrEnum):
    ACTIVE = "active"
    STAGED = "staged"


class ManyArguments(ToolArguments):
    note: str | None = Field(None, description="Why.", max_length=2000)
    state: State | None = Field(None, description="State.")
    name: str = Field(description="Name.", max_length=100)
    limit: int = Field(50, description="At most.")
    share: float | None = Field(None, description="Share.")
    wanted: bool | None = Field(None, description="Whether.")
    ids: list[str] = Field(default_factory=list, description="Ids.")
    parts: list[dict[str, int]] = Field(default_factory=list, description="Parts.")


FIELDS = fields_of(schema_of(a_tool(arguments=ManyArguments)))


def test_each_argument_has_its_control_and_required_ones_come_first() -> None:
    assert {one.name: one.kind for one in FIELDS} == {
        "name": FieldKind.TEXT,
        "note": FieldKind.LONG_TEXT,
        "state": FieldKind.CHOICE,
        "limit": FieldKind.INTEGER,
        "share": FieldKind.NUMBER,
        "wanted": FieldKind.YES_NO,
        "ids": FieldKind.LIST,
        "parts": FieldKind.JSON,
    }
    assert (FIELDS[0].name, FIELDS[0].required) == ("name", True)


def test_the_reserved_confirmation_is_no_field() -> None:
    assert "confirmed" not in {one.name for one in FIELDS}


def test_what_was_entered_becomes_arguments_and_empty_fields_are_left_out() -> None:
    entered = {
        "name": "Sales",
        "note": " ",
        "limit": "7",
        "share": 0.5,
        "wanted": True,
        "ids": "a\n\n b ",
        "parts": "[]",
    }

    filled = fill(FIELDS, entered)

    assert filled.problems == {}
    assert filled.arguments == {
        "name": "Sales",
        "limit": 7,
        "share": 0.5,
        "wanted": True,
        "ids": ["a", "b"],
        "parts": [],
    }


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("name", "", tool_form.NEEDED),
        ("name", {"a": 1}, tool_form.NEEDED),
        ("name", "x" * 10_001, tool_form.TOO_LONG),
        ("state", "gone", tool_form.NO_CHOICE),
        ("limit", "seven", tool_form.NO_NUMBER),
        ("limit", "1.5", tool_form.NO_NUMBER),
        ("limit", "nan", tool_form.NO_NUMBER),
        ("share", "inf", tool_form.NO_DECIMAL),
        ("wanted", "yes", tool_form.NO_CHOICE),
        ("parts", "{", tool_form.NO_JSON),
    ],
)
def test_what_a_browser_may_send_is_parsed(name: str, value: object, problem: str) -> None:
    filled = fill(FIELDS, {"name": "Sales", name: value})

    assert filled.problems == {name: problem}
    assert name not in filled.arguments


@pytest.mark.parametrize(("text", "given"), [("2026-11-30", "2026-11-30"), ("30.11.2026", None)])
def test_a_day_is_written_as_the_endpoints_want_it(text: str, given: JsonValue) -> None:
    field = fields_of({"properties": {"day": {"type": "string", "format": "date"}}})

    assert fill(field, {"day": text}).arguments.get("day") == given


class Referring(ToolArguments):
    identity_id: IdentityRef = Field(description="Who.")
    owner_ids: list[IdentityRef] | None = Field(None, description="Owners.")
    until: Day | None = Field(None, description="Until.")
    cursor: str | None = Field(None, description="For a model.")


def test_ids_are_chosen_by_name_and_days_from_a_calendar() -> None:
    fields = fields_of(schema_of(a_tool(arguments=Referring)))

    assert {one.name: (one.kind, one.prefix) for one in fields} == {
        "identity_id": (FieldKind.OBJECT, "idn"),
        "owner_ids": (FieldKind.OBJECTS, "idn"),
        "until": (FieldKind.DATE, ""),
    }


def test_chosen_objects_become_ids_and_none_chosen_is_left_out() -> None:
    fields = fields_of(schema_of(a_tool(arguments=Referring)))

    chosen = fill(fields, {"identity_id": "idn_1", "owner_ids": ["idn_2", "idn_3"]})
    none = fill(fields, {"identity_id": None, "owner_ids": []})

    assert chosen.arguments == {"identity_id": "idn_1", "owner_ids": ["idn_2", "idn_3"]}
    assert (none.arguments, none.problems) == ({}, {"identity_id": tool_form.NEEDED})
