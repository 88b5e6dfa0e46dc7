from typing import Final

import pytest

from nova_ui.domain.json_value import JsonObject
from nova_ui.presenters.identity_actions import IDENTITY_ACTIONS
from nova_ui.presenters.object_form import (
    NEEDED,
    NO_CHOICE,
    NO_DATE,
    NO_NUMBER,
    TOO_LONG,
    TOO_SHORT,
    Cleared,
    Control,
    FormField,
    fill,
    fill_changes,
)

TIM: Final[JsonObject] = {
    "display_name": "Tim Vogt",
    "given_name": "Tim",
    "email": "tim@a.example",
    "emails": [
        {"value": "tim@a.example", "type": "work", "primary": True},
        {"value": "tim@home.example", "type": "home", "primary": False},
    ],
    "department": "Sales",
    "manager": {"id": "idn_lea", "display_name": "Lea Brandt"},
    "start_date": "2024-08-13",
    "title": None,
}
FIELDS: Final = (
    FormField(name="display_name", required=True, clears=False),
    FormField(name="given_name", emptied=""),
    FormField(name="department"),
    FormField(name="manager_id", control=Control.ONE, of="person", at="manager"),
    FormField(name="start_date", control=Control.DAY),
)
AS_IT_IS: Final = {
    "display_name": "Tim Vogt",
    "given_name": "Tim",
    "department": "Sales",
    "manager_id": "idn_lea",
    "start_date": "2024-08-13",
}


def test_a_form_that_was_not_touched_changes_nothing() -> None:
    assert fill_changes(FIELDS, AS_IT_IS, TIM).body == {}


def test_only_what_differs_is_sent_and_emptied_fields_are_cleared() -> None:
    entered = {**AS_IT_IS, "given_name": " ", "department": "", "manager_id": None, "start_date": "2024-09-01"}

    changes = fill_changes(FIELDS, entered, TIM)

    assert changes.body == {"given_name": "", "department": None, "manager_id": None, "start_date": "2024-09-01"}


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        (FormField(name="x", required=True), " ", NEEDED),
        (FormField(name="x", required=True, control=Control.SEVERAL), [], NEEDED),
        (FormField(name="x", required=True), {"a": 1}, NEEDED),
        (FormField(name="x"), "y" * 5000, TOO_LONG),
        (FormField(name="x", min_chars=10), "short", TOO_SHORT),
        (FormField(name="x", control=Control.NUMBER), "-3", NO_NUMBER),
        (FormField(name="x", control=Control.DAY), "30.11.2026", NO_DATE),
        (FormField(name="x", control=Control.CHOICE, choices={"a": "A"}), "b", NO_CHOICE),
        (FormField(name="x", control=Control.YES_NO), "true", NO_CHOICE),
        (FormField(name="x"), True, NO_CHOICE),
    ],
)
def test_what_a_browser_may_send_is_said_at_its_field(field: FormField, value: object, problem: str) -> None:
    filled = fill((field,), {"x": value})

    assert (filled.problems, filled.body) == ({"x": problem}, {})


def test_another_address_takes_the_place_of_the_primary_one_only() -> None:
    edit = IDENTITY_ACTIONS[0]

    body = edit.shape({"email": "t.vogt@a.example", "title": "Lead"}, TIM)

    assert body == {
        "title": "Lead",
        "emails": [
            {"value": "t.vogt@a.example", "type": "work", "primary": True},
            {"value": "tim@home.example", "type": "home", "primary": False},
        ],
    }


SECRET_FIELD = FormField(name="token", control=Control.SECRET)


@pytest.mark.parametrize(
    ("entered", "body"),
    [("", {}), (None, {}), (" kept as typed ", {"token": " kept as typed "}), (Cleared.CLEARED, {"token": None})],
)
def test_a_secret_is_kept_replaced_or_cleared(entered: object, body: dict[str, object]) -> None:
    assert fill((SECRET_FIELD,), {"token": entered}).body == body


def test_a_secret_is_never_taken_from_what_is_stored() -> None:
    assert SECRET_FIELD.present({"token": "stored"}) is None


def test_lines_become_a_list() -> None:
    field = FormField(name="uris", control=Control.LINES)

    assert fill((field,), {"uris": " https://a.example/ \n\nhttps://b.example/\n"}).body == {
        "uris": ["https://a.example/", "https://b.example/"]
    }
    assert fill((field,), {"uris": "x\n" * 101}).problems != {}
