import json

import pytest

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.presenters.counts import Bar, asks_for_chart, bars_of
from nova_ui.presenters.records import Records, read_content

GROUPED: JsonObject = {
    "total": 2010,
    "shown": 2,
    "group_by": "actor",
    "groups": [{"key": "idn_1", "label": "Mara König", "count": 60}, {"key": "", "label": "Nova", "count": 15}],
}


def _records(value: JsonValue) -> Records:
    reading = read_content(json.dumps(value))
    assert isinstance(reading, Records)
    return reading


def test_numbers_by_group_are_a_table_without_keys_and_a_total_of_their_own() -> None:
    records = _records(GROUPED)

    assert (records.columns, records.total) == (("label", "count"), None)


def test_each_group_is_a_bar_as_long_as_its_part_of_the_longest() -> None:
    assert bars_of(_records(GROUPED)) == (
        Bar(label="Mara König", count=60, share=1.0),
        Bar(label="Nova", count=15, share=0.25),
    )


@pytest.mark.parametrize("count", [None, "60", True, -1, 1.5])
def test_what_is_no_list_of_counts_is_no_chart(count: JsonValue) -> None:
    assert bars_of(_records([{"label": "a", "count": 1}, {"label": "b", "count": count}])) == ()


def test_other_lists_and_too_long_ones_are_no_chart() -> None:
    assert bars_of(_records([{"display_name": "Jonas"}])) == ()
    assert bars_of(_records([{"count": 1}])) == ()
    assert bars_of(_records([{"label": str(number), "count": number} for number in range(61)])) == ()


def test_nothing_counted_gives_bars_without_length() -> None:
    assert bars_of(_records([{"label": "a", "count": 0}])) == (Bar(label="a", count=0, share=0.0),)


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Show audit entries per day as a chart", True),
        ("Zeige Audit-Einträge pro Tag als Balkendiagramm", True),
        ("Als Grafik bitte", True),
        ("How many audit entries per day?", False),
        ("Delete the group photographers", False),
    ],
)
def test_a_chart_is_shown_where_words_ask_for_one(text: str, *, asks: bool) -> None:
    assert asks_for_chart(text) is asks
