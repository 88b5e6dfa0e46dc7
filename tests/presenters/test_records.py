import json

import pytest

from nova_ui.domain.json_value import JsonValue
from nova_ui.presenters.known_names import names_in
from nova_ui.presenters.records import OneObject, PlainText, Records, as_csv, cell_value, read_content

ROWS = [
    {"id": "idn_1", "display_name": "Jonas Weber", "manager": {"id": "idn_2", "display_name": "Lea Brandt"}},
    {"id": "idn_3", "display_name": "=HYPERLINK(1)", "accounts": 4},
]


def test_a_list_of_objects_is_a_table_with_all_columns() -> None:
    found = read_content(json.dumps({"total": 7, "items": ROWS}))

    assert isinstance(found, Records)
    assert found.columns == ("id", "display_name", "manager", "accounts")
    assert found.shown_columns == ("display_name", "manager", "accounts")
    assert (len(found.rows), found.total) == (2, 7)


def test_rows_of_ids_only_show_their_ids() -> None:
    found = read_content('[{"id": "a", "role_id": "b"}]')

    assert isinstance(found, Records)
    assert found.shown_columns == ("id", "role_id")


def test_a_note_after_the_json_does_not_hide_the_table() -> None:
    assert isinstance(read_content(json.dumps(ROWS) + "\n(shortened)"), Records)


@pytest.mark.parametrize(
    "content", ["just words", '{"items": [{"a": 1}, {"a"', "7", "[1, 2]", '[{"a": 1}, 2]', "[" * 9999]
)
def test_anything_else_stays_text(content: str) -> None:
    assert read_content(content) == PlainText(text=content)


def test_one_object_is_shown_as_such() -> None:
    assert read_content('{"id": "x"}') == OneObject(fields={"id": "x"})


def test_a_download_holds_no_formulas() -> None:
    rows = tuple({"name": value} for value in ("=1+1", "+1", "-1", "@x", "\tx", "ok", -1))

    lines = as_csv(Records(columns=("name",), rows=rows)).splitlines()

    assert lines == ["name", "'=1+1", "'+1", "'-1", "'@x", "'\tx", "ok", "-1"]


def test_cells_show_names_lists_and_truth() -> None:
    values: list[JsonValue] = [{"display_name": "Lea"}, ["a", 1], True, None, 1.5]

    assert [cell_value(value) for value in values] == [
        "Lea",
        "a, 1",
        "true",
        "",
        1.5,
    ]


def test_names_are_learnt_at_any_depth() -> None:
    assert names_in(json.dumps({"items": ROWS})) == {
        "idn_1": "Jonas Weber",
        "idn_2": "Lea Brandt",
        "idn_3": "=HYPERLINK(1)",
    }
    assert names_in("no JSON") == {}
