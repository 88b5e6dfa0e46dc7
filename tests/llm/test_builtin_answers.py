"""What the built-in model says about results: counts first, tables, nothing of the data as Markdown."""

import json

import pytest

from nova_ui.domain.identity import Language
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.i18n.translator import Translator, Translators
from nova_ui.llm.builtin.answers import answer_to
from nova_ui.llm.builtin.conversation import Done, State
from nova_ui.llm.builtin.tables import MAX_ROWS, cell, facts_of, table_of
from tests.llm.toy_tools import DELETE_THING, LIST_THINGS

ENGLISH: Translator = Translators().for_language(Language.ENGLISH)
GERMAN: Translator = Translators().for_language(Language.GERMAN)


def _ran(value: JsonValue, **arguments: JsonValue) -> Done:
    return Done(name="list_things", arguments=arguments, state=State.RAN, value=value)


def test_a_list_begins_with_its_count_and_its_filters() -> None:
    rows: list[JsonValue] = [{"id": "x", "display_name": "Tim Vogt", "status": "suspended", "department": "Sales"}]
    done = _ran({"total": 1234, "shown": 1, "items": rows}, status="suspended", limit=5, role_id="rol_1")

    text = answer_to(done, LIST_THINGS, GERMAN)

    assert text.startswith("list_things (Status: gesperrt): **1.234** Treffer.".replace("_", "_"))
    assert "| Name | Abteilung | Status |" in text
    assert "| Tim Vogt | Sales | gesperrt |" in text
    assert "die ersten 1" in text


def test_an_empty_list_says_which_filter_emptied_it() -> None:
    why: list[JsonValue] = [{"filter": "department", "value": "Vertrieb", "matches_without_it": 118}]

    text = answer_to(_ran({"total": 0, "items": [], "nothing_matches": why}), LIST_THINGS, ENGLISH)

    assert "**0** matches." in text
    assert "Without “Department” there would be 118." in text


def test_a_table_has_at_most_twenty_rows_and_five_columns() -> None:
    row: JsonObject = dict.fromkeys(
        ("display_name", "user_name", "department", "title", "status", "risk", "source"), "x"
    )

    lines = table_of([row] * 50, ENGLISH).split("\n")

    assert len(lines) == MAX_ROWS + 2
    assert lines[0].count("|") == 6


@pytest.mark.parametrize(
    ("value", "english", "german"),
    [
        ("Wed 2026-03-18 14:05:00 UTC", "18 Mar 2026", "18.03.2026"),
        ("2026-03-18T14:05:00Z", "18 Mar 2026", "18.03.2026"),
        ("2026-12-31", "31 Dec 2026", "31.12.2026"),
        (True, "yes", "ja"),
        (1234, "1,234", "1.234"),
        ({"id": "idn_1", "display_name": "Tim Vogt"}, "Tim Vogt", "Tim Vogt"),
        ([{"display_name": "A"}, {"role": {"display_name": "B"}}], "A, B", "A, B"),
        (None, "–", "–"),
        ("2026-99-99", "2026-99-99", "2026-99-99"),
    ],
)
def test_values_read_as_people_read_them(value: JsonValue, english: str, german: str) -> None:
    assert cell(value, ENGLISH).startswith(english)
    assert cell(value, GERMAN).startswith(german)


@pytest.mark.parametrize(
    "text",
    ["a | b", "# head", "[link](http://x)", "![i](http://x)", "<script>", "`code`", "**bold**", "a\nb\n| c |", "~~x~~"],
)
def test_nothing_in_a_cell_is_markdown(text: str) -> None:
    shown = cell(text, ENGLISH)

    assert "\n" not in shown
    for mark in "|#[]<>`*~!":
        assert shown.count(mark) == shown.count(f"\\{mark}")


def test_a_very_long_value_is_cut() -> None:
    assert len(cell("x" * 5000, ENGLISH)) <= 120


def test_what_went_with_a_destructive_action_is_listed() -> None:
    value: JsonObject = {
        "object": {"display_name": "contractors"},
        "effects": [{"type": "membership", "id": "x", "display": "Tim Vogt", "result": "removed"}],
    }

    text = answer_to(_ran(value), DELETE_THING, ENGLISH)

    assert "Done." in text
    assert "contractors" in text
    assert "1 object went with it" in text
    assert "Tim Vogt" in text


def test_counts_by_group_are_a_table() -> None:
    value: JsonObject = {
        "total": 7,
        "group_by": "day",
        "groups": [{"key": "2026-03-18", "label": "2026-03-18", "count": 7}],
    }

    text = answer_to(_ran(value), LIST_THINGS, ENGLISH)

    assert text.startswith("**7** matches.")
    assert "| 18 Mar 2026 | 7 |" in text


def test_an_object_is_shown_by_its_main_fields_and_its_lists() -> None:
    value: JsonObject = {
        "id": "grp_1",
        "display_name": "on-call",
        "member_count": 1,
        "members": {"total": 1, "items": [{"id": "idn_1", "display_name": "Ravi Menon"}]},
    }

    text = answer_to(_ran(value), LIST_THINGS, ENGLISH)

    assert "| Name | on-call |" in text
    assert "Ravi Menon" in text


@pytest.mark.parametrize(
    ("state", "code", "expected"),
    [
        (State.REFUSED, "not_permitted", "not permitted"),
        (State.REFUSED, "limit_destructive", "Only one action that needs a confirmation"),
        (State.FAILED, "conflict", "It owns 2 groups"),
        (State.FAILED, "not_found", "no such object"),
        (State.FAILED, "outcome_unknown", "check before you repeat"),
    ],
)
def test_a_no_is_told_with_its_reason(state: State, code: str, expected: str) -> None:
    done = Done(name="x", arguments={}, state=state, code=code, detail="It owns 2 groups.")

    assert expected in answer_to(done, DELETE_THING, ENGLISH)


@pytest.mark.parametrize("value", ["plain words", 7, None, [], ["a"], {}, {"items": "none", "total": 3}, {"object": 3}])
def test_any_result_has_an_answer(value: JsonValue) -> None:
    assert answer_to(_ran(value), LIST_THINGS, ENGLISH)
    assert json.dumps(value) is not None


def test_a_flow_that_stopped_says_where() -> None:
    value: JsonObject = {"complete": False, "steps": 5, "steps_done": 2, "failed": {"detail": "It is protected."}}

    text = answer_to(_ran(value), DELETE_THING, ENGLISH)

    assert "2 of 5" in text
    assert "It is protected" in text


def test_an_object_without_main_fields_is_told_setting_by_setting_and_without_ids() -> None:
    policy: JsonObject = {
        "id": "pol_1",
        "session": {"idle_minutes": 60, "max_hours": 12},
        "methods": ["password", "totp"],
        "networks": [],
        "shared_total": 3,
        "shared": [{"display_name": "CRM User"}],
    }

    assert facts_of(policy, ENGLISH).split("\n")[2:] == [
        "| Session: minutes without use | 60 |",
        "| Session: hours at most | 12 |",
        "| Methods | password, authenticator app |",
        "| Networks | – |",
    ]


def test_a_column_of_lists_of_records_is_left_out_of_a_table() -> None:
    rows: list[JsonObject] = [{"display_name": "CRM User", "right": [{"source": "direct"}]}]

    assert table_of(rows, ENGLISH).split("\n")[0] == "| Name |"
