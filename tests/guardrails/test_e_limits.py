"""E: limits per message."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nova_ui.domain.json_value import JsonValue
from nova_ui.guardrails.envelope import overhead_chars, unwrap
from nova_ui.guardrails.limits import (
    MAX_MODEL_CALLS,
    MAX_RESULT_CHARS,
    MAX_SAME_CALL,
    MAX_TURN_RESULT_CHARS,
    TurnLedger,
)
from nova_ui.guardrails.outcome import Failed, Ran, Refused
from nova_ui.guardrails.refusal import Code
from nova_ui.guardrails.shortening import shorten, shorten_text
from tests.builders import a_raw_call, a_reading_tool, a_writing_tool
from tests.guardrails.doors import Counted, Turnstile, a_turnstile

LONG = "x" * 30_000


def reading(answer: JsonValue) -> tuple[Turnstile, Counted]:
    run = Counted(answer=answer)
    return a_turnstile(a_reading_tool(run=run)), run


def test_the_limits_are_those_of_the_specification() -> None:
    limits = (MAX_MODEL_CALLS, MAX_SAME_CALL, MAX_RESULT_CHARS, MAX_TURN_RESULT_CHARS)

    assert limits == (12, 3, 12_000, 60_000)


def test_e1_twelve_requests_go_to_the_model_and_the_last_asks_for_words_only() -> None:
    ledger, words_only = TurnLedger(), []

    while ledger.check_model_call() is None:
        words_only.append(ledger.is_last_model_call)
        ledger.count_model_call()

    assert words_only == [False] * 11 + [True]


async def test_e1_calls_in_the_answer_to_the_last_request_are_refused() -> None:
    turnstile, run = reading("ok")
    for _ in range(11):
        turnstile.ledger.count_model_call()
    before = await turnstile.pass_call(a_raw_call("list_groups"))

    turnstile.ledger.count_model_call()
    after = await turnstile.pass_call(a_raw_call("list_groups"))

    assert isinstance(before, Ran)
    assert isinstance(after, Refused)
    assert after.refusal.code is Code.LIMIT_MODEL_CALLS
    assert run.runs == 1


async def test_e3_the_same_call_runs_three_times_however_it_is_written() -> None:
    """Abuse case 38."""
    turnstile, run = reading("ok")
    same = [
        a_raw_call("list_groups", text='{"group_id": "grp_1", "limit": 50}'),
        a_raw_call("list_groups", text='{"limit":5e1,"group_id":"\\u0067rp_1"}'),
        a_raw_call("list_groups", text='{"group_id": "grp_1"}'),
    ]
    for raw in same:
        assert isinstance(await turnstile.pass_call(raw), Ran)
    other = await turnstile.pass_call(a_raw_call("list_groups", {"group_id": "grp_2"}))

    fourth = await turnstile.pass_call(same[0])

    assert isinstance(other, Ran)
    assert isinstance(fourth, Refused)
    assert fourth.refusal.code is Code.LIMIT_REPEATED_CALL
    assert fourth.refusal.params == {"count": 3}
    assert run.runs == 4


async def test_e3_refused_calls_are_no_runs() -> None:
    turnstile, run = reading("ok")
    for _ in range(5):
        await turnstile.pass_call(a_raw_call("list_groups", {"group_id": "no"}))

    outcome = await turnstile.pass_call(a_raw_call("list_groups"))

    assert isinstance(outcome, Ran)
    assert run.runs == 1


async def test_e4_one_result_has_at_most_12000_characters_its_envelope_and_note_included() -> None:
    turnstile, _ = reading(LONG)

    outcome = await turnstile.pass_call(a_raw_call("list_groups"))

    assert isinstance(outcome, Ran)
    assert outcome.truncated
    assert len(outcome.content) == MAX_RESULT_CHARS
    assert outcome.text.endswith("[cut: 30000 characters in all]")
    assert unwrap(outcome.content) == outcome.text


async def test_e4_a_list_is_cut_at_whole_records_and_stays_json() -> None:
    rows: list[JsonValue] = [{"id": f"grp_{number}", "note": "n" * 300} for number in range(200)]
    turnstile, _ = reading({"total": 900, "shown": 200, "next_cursor": "abc", "items": rows})

    outcome = await turnstile.pass_call(a_raw_call("list_groups"))
    result = json.loads(outcome.text)

    assert len(outcome.content) <= MAX_RESULT_CHARS
    assert result["items"] == rows[: len(result["items"])]
    assert (result["total"], result["shown"]) == (900, len(result["items"]))
    assert 30 < result["shown"] < 40
    assert "of these 200 items" in result["truncated"]
    assert "next_cursor" not in result


async def test_e4_a_bare_list_is_cut_at_whole_records_too() -> None:
    turnstile, _ = reading([{"note": "n" * 500} for _ in range(100)])

    outcome = await turnstile.pass_call(a_raw_call("list_groups"))
    result = json.loads(outcome.text)

    assert (result["total"], result["shown"]) == (100, len(result["items"]))
    assert result["shown"] > 20


async def test_e4_the_longest_list_of_an_object_is_cut_first() -> None:
    effects: list[JsonValue] = [{"id": str(number), "display": "d" * 100} for number in range(500)]
    turnstile, _ = reading({"object": {"id": "grp_1"}, "roles": ["a", "b"], "effects": effects})

    outcome = await turnstile.pass_call(a_raw_call("list_groups"))
    result = json.loads(outcome.text)

    assert (result["object"], result["roles"], result["total"]) == ({"id": "grp_1"}, ["a", "b"], 500)
    assert result["effects"] == effects[: result["shown"]]


@pytest.mark.parametrize("room", range(60, 110))
def test_e4_d3_no_cut_goes_through_a_placeholder(room: int) -> None:
    text = shorten_text("[secret] and [secret] and so on [secret], [secret] [secret] [secret] end " * 3, room)

    assert len(text) <= room
    body, _, _ = text.partition("…")
    assert body.replace("[secret]", "").count("[") == 0


@pytest.mark.parametrize(
    ("text", "room", "shown"),
    [
        ("x" * 50, 50, "x" * 50),
        ("x" * 51, 50, "x" * 21 + "… [cut: 51 characters in all]"),
        ("abc" * 20, 30, "a… [cut: 60 characters in all]"),
        ("abc" * 20, 29, "… [cut: 60 characters in all]"),
        ("abc" * 20, 9, "… [cut: 6"),
        ("[secret] " * 8, 34, "… [cut: 72 characters in all]"),
        ('"\\u00' + "x" * 60, 34, '"… [cut: 65 characters in all]'),
    ],
)
def test_e4_a_text_is_cut_to_the_character(text: str, room: int, shown: str) -> None:
    assert shorten_text(text, room) == shown
    assert shorten(text, room).truncated is (text != shown)


def test_e4_letters_are_counted_and_not_their_escapes() -> None:
    assert shorten({"name": "Grün"}, 15).text == '{"name":"Grün"}'


async def test_e4_d3_a_secret_across_the_limit_is_replaced_before_the_cut() -> None:
    """Abuse case 47."""
    secret = "ghp_0123456789abcdefghij0123456789abcdef"
    for position in range(11_800, 12_010, 7):
        turnstile, _ = reading(f"{'x' * (position - 1)} {secret} {'y' * 500}")

        outcome = await turnstile.pass_call(a_raw_call("list_groups"))

        assert "ghp_" not in outcome.content
        assert "0123456789abc" not in outcome.content


@pytest.mark.parametrize("left", [200, 199])
async def test_e5_a_result_that_finds_no_useful_room_is_left_out_and_crosses(left: int) -> None:
    turnstile, _ = reading(LONG)
    turnstile.ledger.count_result("x" * (MAX_TURN_RESULT_CHARS - overhead_chars("list_groups") - left))

    outcome = await turnstile.pass_call(a_raw_call("list_groups"))

    assert outcome.truncated
    assert (outcome.content == "No room is left for this result; answer from what you have.") is (left < 200)
    assert turnstile.ledger.check_any_call() is not None


def test_e5_what_was_not_cut_crosses_nothing() -> None:
    ledger = TurnLedger()
    ledger.count_result("x" * (MAX_TURN_RESULT_CHARS - MAX_RESULT_CHARS + 1))
    ledger.count_result("x")

    assert ledger.check_any_call() is None
    assert ledger.room_chars == MAX_RESULT_CHARS - 2


async def test_e5_the_result_that_crosses_is_cut_to_what_is_left_and_then_nothing_runs() -> None:
    turnstile, run = reading(LONG)
    lengths = [
        len((await turnstile.pass_call(a_raw_call("list_groups", {"group_id": f"grp_{number}"}))).content)
        for number in range(5)
    ]
    assert lengths == [12_000] * 5

    outcome = await turnstile.pass_call(a_raw_call("list_groups", {"group_id": "grp_9"}))

    assert isinstance(outcome, Refused)
    assert (outcome.refusal.code, outcome.content) == (Code.LIMIT_TOOL_RESULTS, "")
    assert (run.runs, turnstile.ledger.result_chars) == (5, MAX_TURN_RESULT_CHARS)


@pytest.mark.parametrize("left", [1, 50, 150, 300, 5_000])
async def test_e5_what_is_left_bounds_the_next_result(left: int) -> None:
    turnstile, _ = reading(LONG)
    turnstile.ledger.count_result("x" * (MAX_TURN_RESULT_CHARS - left))

    outcome = await turnstile.pass_call(a_raw_call("list_groups"))

    assert isinstance(outcome, Ran)
    assert outcome.truncated
    assert 0 < len(outcome.content) <= left


@pytest.mark.parametrize(("left", "is_refused"), [(5_000, True), (MAX_RESULT_CHARS, False)])
async def test_e5_after_the_result_that_crosses_no_call_runs_though_whole_records_leave_room(
    left: int, *, is_refused: bool
) -> None:
    turnstile, run = reading([{"id": f"grp_{number}", "note": "x" * 400} for number in range(100)])
    turnstile.ledger.count_result("x" * (MAX_TURN_RESULT_CHARS - left))

    crossing = await turnstile.pass_call(a_raw_call("list_groups", {"group_id": "grp_1"}))
    after = await turnstile.pass_call(a_raw_call("list_groups", {"group_id": "grp_2"}))

    assert crossing.truncated
    assert turnstile.ledger.result_chars < MAX_TURN_RESULT_CHARS
    assert isinstance(after, Refused) is is_refused
    assert run.runs == (1 if is_refused else 2)


async def test_e5_refusals_and_errors_count_as_results() -> None:
    turnstile = a_turnstile(a_reading_tool(run=Counted(error=RuntimeError())), a_writing_tool())

    refused = await turnstile.pass_call(a_raw_call("unknown"))
    failed = await turnstile.pass_call(a_raw_call("list_groups"))

    assert isinstance(refused, Refused)
    assert isinstance(failed, Failed)
    assert turnstile.ledger.result_chars == len(refused.content) + len(failed.content)


async def test_e5_counted_is_what_the_model_really_gets() -> None:
    turnstile, _ = reading({"note": "<tool_result>" * 500})

    outcome = await turnstile.pass_call(a_raw_call("list_groups"))

    assert turnstile.ledger.result_chars == len(outcome.content)


records = st.lists(
    st.dictionaries(st.sampled_from(["id", "display_name", "note"]), st.text(max_size=200), min_size=1), max_size=40
)


@given(items=records, room=st.integers(0, 4_000), total=st.integers(0, 10_000))
def test_e4_a_shortened_list_never_exceeds_its_room_and_stays_valid(
    items: list[dict[str, str]], room: int, total: int
) -> None:
    rows: list[JsonValue] = [dict(item) for item in items]

    short = shorten({"total": total, "shown": len(items), "items": rows}, room)

    assert len(short.text) <= room
    if short.text.startswith("{") and not short.text.endswith("in all]") and room >= 300:
        result = json.loads(short.text)
        assert result["items"] == rows[: result["shown"]]
        assert short.truncated is (len(result["items"]) < len(items) or "truncated" in result)


def test_e4_as_many_of_the_first_records_are_kept_as_there_is_room_for() -> None:
    rows: list[JsonValue] = [{"id": f"grp_{number:05}"} for number in range(30)]

    for room in range(150, 560):
        text = shorten({"total": 30, "items": rows}, room).text
        kept = json.loads(text)["shown"]
        one_more = len(',{"id":"grp_00000"}') + 2 * (kept == 9) - (kept == 0)
        assert len(text) <= room < len(text) + one_more, room


def test_e4_a_list_that_was_not_enough_is_left_empty_and_the_next_one_is_cut() -> None:
    whole: JsonValue = {"items": [{"id": 1}], "names": ["x" * 50] * 20, "total": 5, "shown": 20}

    short = shorten(whole, 200)
    result = json.loads(short.text)

    assert (result["items"], result["total"]) == ([{"id": 1}], 5)
    assert 0 < len(result["names"]) == result["shown"] < 20
    both = json.loads(shorten({"a": ["x" * 90], "b": ["y" * 80], "c": "z" * 20}, 150).text)
    assert (both["a"], both["b"]) == ([], [])


@given(text=st.text(max_size=600), room=st.integers(0, 500))
def test_e4_a_shortened_text_never_exceeds_its_room(text: str, room: int) -> None:
    short = shorten(text, room)

    assert len(short.text) <= room
    assert short.truncated or len(short.text) >= len(text)
