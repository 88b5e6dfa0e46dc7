"""A result starts with its counts, keeps ids beside names, tells times with weekdays, and explains an empty list."""

import pytest

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.errors import NovaForbidden, NovaInvalid, NovaProblem
from nova_ui.tools.results import list_rows, readable, readable_object
from tests.fakes.scripted_nova import Called, ScriptedNova


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("2026-03-02T09:00:00Z", "Mon 2026-03-02 09:00:00 UTC"),
        ("2026-03-02T00:30:00.123456+02:00", "Sun 2026-03-01 22:30:00 UTC"),
        ("2026-03-02", "2026-03-02"),
        ("at 2026-03-02T09:00:00Z", "at 2026-03-02T09:00:00Z"),
        ("9999-99-99T99:99:99Z", "9999-99-99T99:99:99Z"),
        ("0001-01-01T00:00:00+14:00", "0001-01-01T00:00:00+14:00"),
        (True, True),
        (0, 0),
    ],
)
def test_moments_are_told_in_utc_with_their_weekday(given: JsonValue, told: JsonValue) -> None:
    assert readable(given) == told


def test_what_says_nothing_is_left_out_and_what_is_false_or_zero_stays() -> None:
    value: JsonObject = {"a": None, "b": "", "c": [], "d": {}, "e": False, "f": 0, "g": [{"h": None, "i": 1}]}

    assert readable_object(value) == {"e": False, "f": 0, "g": [{"i": 1}]}


def test_chosen_fields_come_in_their_order() -> None:
    value: JsonObject = {"display_name": "Ada", "version": 3, "id": "idn_1"}

    assert list(readable_object(value, ("id", "display_name", "title"))) == ["id", "display_name"]


async def test_a_list_starts_with_its_counts() -> None:
    page: JsonObject = {"items": [{"id": "grp_1", "display_name": "A"}], "next_cursor": "abc", "total": 7}
    nova = ScriptedNova({"GET /groups": page})

    result = await list_rows(nova, "GET /groups", filters={"q": "a", "owner_id": None}, limit=1)

    assert list(result) == ["total", "shown", "next_cursor", "items"]
    assert (result["total"], result["shown"]) == (7, 1)
    assert nova.called[0].query == {"q": "a", "limit": 1}


async def test_a_capped_total_is_not_told_as_exact() -> None:
    page: JsonObject = {"items": [{"id": "log_1"}], "total": 1000, "total_is_capped": True}

    result = await list_rows(ScriptedNova({"GET /audit-log": page}), "GET /audit-log", filters={}, limit=1)

    assert list(result)[:3] == ["total", "shown", "total_means"]
    assert result["total_means"] == "at least"


async def test_an_empty_list_says_which_filter_emptied_it() -> None:
    def answering(called: Called) -> JsonObject:
        return {"items": [], "total": 0 if "department" in called.query else 12}

    nova = ScriptedNova({"GET /identities": answering})

    result = await list_rows(
        nova, "GET /identities", filters={"department": "Sles", "status": "active", "q": None}, limit=50
    )

    assert result == {
        "total": 0,
        "shown": 0,
        "items": [],
        "nothing_matches": [
            {"filter": "department", "value": "Sles", "matches_without_it": 12},
            {"filter": "status", "value": "active", "matches_without_it": 0},
        ],
    }


@pytest.mark.parametrize("refusal", [NovaInvalid("q is missing"), NovaForbidden("only with a filter")])
async def test_an_empty_list_is_no_failure_where_a_filter_may_not_be_left_out(refusal: NovaProblem) -> None:
    def answering(called: Called) -> JsonObject:
        if "q" not in called.query:
            raise refusal
        return {"items": [], "total": 3 if called.query["limit"] == 1 else 0}

    nova = ScriptedNova({"GET /directory": answering})

    alone = await list_rows(nova, "GET /directory", filters={"q": "nobody"}, limit=50)
    among_others = await list_rows(nova, "GET /directory", filters={"q": "nobody", "status": "active"}, limit=50)

    assert alone == {"total": 0, "shown": 0, "items": []}
    explained = {"filter": "status", "value": "active", "matches_without_it": 3}
    assert among_others == {"total": 0, "shown": 0, "items": [], "nothing_matches": [explained]}


async def test_an_empty_list_without_filters_needs_no_explanation() -> None:
    nova = ScriptedNova({"GET /groups": {"items": [], "total": 0}})

    result = await list_rows(nova, "GET /groups", filters={"q": None}, limit=50)

    assert result == {"total": 0, "shown": 0, "items": []}
    assert len(nova.called) == 1
