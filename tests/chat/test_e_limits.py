"""E: the limits of one message, through the whole engine with a model that never stops."""

import pytest

from nova_ui.chat.asking import MAX_RETRIES
from nova_ui.chat.events import EventName
from nova_ui.domain.tool import CallId, RawCall
from nova_ui.errors import RETRYABLE, FailureKind
from nova_ui.llm.port import FinishReason
from tests.chat.world import World
from tests.fakes.scripted_model import Answer, call, calls, fails, says

LIST = call("list_groups", group_id="grp_1")


def _different(count: int) -> list[RawCall]:
    return [call("list_groups", call_id=f"c_{number}", group_id=f"grp_{number}") for number in range(count)]


async def test_e1_after_twelve_model_calls_the_turn_ends_with_a_closing_notice(world: World) -> None:
    """Abuse case 51."""
    world.model.queue(*(calls(one) for one in _different(20)))

    heard = await world.say("Never stop")

    assert len(world.model.requests) == 12
    assert [request.words_only for request in world.model.requests] == [False] * 11 + [True]
    assert heard.outcomes == [*[("ok", None)] * 11, ("refused", "limit_model_calls")]
    assert heard.notices == ["limit_model_calls"]
    assert heard.one(EventName.DONE)["model_calls"] == 12


async def test_e1_retries_count_and_run_no_tool_twice(world: World) -> None:
    """Abuse case 51: the provider answers with 429 between the calls."""
    busy = fails(FailureKind.RATE_LIMIT)
    for one in _different(20):
        world.model.queue(busy, calls(one))

    heard = await world.say("Never stop")

    assert len(world.model.requests) == 12
    assert len(world.deeds.done) == len(set(map(str, world.deeds.done))) == 5
    assert heard.notices == ["limit_model_calls"]


async def test_e1_a_provider_that_stays_busy_is_asked_a_few_times_and_then_told(world: World) -> None:
    world.model.queue(*[fails(FailureKind.RATE_LIMIT)] * 20)

    heard = await world.say("Are you there?")

    assert len(world.model.requests) == MAX_RETRIES + 1
    assert heard.notices == ["model_failed"]
    assert heard.events[-1].name is EventName.DONE


async def test_e1_retries_of_the_last_model_call_count_as_well(world: World) -> None:
    world.model.queue(*(calls(one) for one in _different(11)), *[fails(FailureKind.RATE_LIMIT)] * 5)

    await world.say("Never stop")

    assert len(world.model.requests) == 12


@pytest.mark.parametrize("kind", sorted(set(FailureKind) - RETRYABLE))
async def test_a_failure_that_no_retry_mends_is_told_at_once(world: World, kind: FailureKind) -> None:
    world.model.queue(fails(kind))

    heard = await world.say("Are you there?")

    assert len(world.model.requests) == 1
    assert heard.notices == ["model_failed"]


@pytest.mark.parametrize("kind", sorted(RETRYABLE))
async def test_nothing_is_asked_again_once_something_has_arrived(world: World, kind: FailureKind) -> None:
    world.model.queue(fails(kind, after="Half an answer"))

    heard = await world.say("Are you there?")

    assert len(world.model.requests) == 1
    assert heard.text == "Half an answer"
    assert heard.notices == ["model_failed"]


async def test_a_retry_waits_as_long_as_asked_but_not_longer_than_a_few_seconds(world: World) -> None:
    world.model.queue(fails(FailureKind.RATE_LIMIT, retry_after_s=3.0), says("Here."))
    patient = await world.say("Hello")
    world.model.queue(fails(FailureKind.RATE_LIMIT, retry_after_s=60.0), says("Never said."))

    impatient = await world.say("Hello")

    assert world.pauses == [3.0]
    assert patient.text == "Here."
    assert impatient.notices == ["model_failed"]


async def test_e2_and_e3_and_e5_hold_between_five_hundred_calls_of_one_answer(world: World) -> None:
    """Abuse case 52."""
    world.deeds.result = {"note": "x" * 5_000}
    made = [call("list_groups", call_id=f"c_{number}", group_id=f"grp_{number % 50}") for number in range(500)]
    world.model.queue(calls(*made), says("Enough."))

    heard = await world.say("Everything")

    done = heard.one(EventName.DONE)
    assert done["tool_calls"] == 500
    assert done["tool_result_characters"] == 60_000
    assert len(world.deeds.done) < 20
    assert heard.outcomes[-1] == ("refused", "limit_tool_results")
    assert heard.notices == ["limit_tool_results"]
    assert heard.text == "Enough."


async def test_e3_the_same_call_runs_three_times_in_whatever_spelling(world: World) -> None:
    """Abuse cases 38 and 53."""
    spellings = (
        '{"group_id":"grp_1","limit":5}',
        '{"limit":5,"group_id":"grp_1"}',
        '{ "limit" : 5.0, "group_id" : "grp_\\u0031" }',
        '{"group_id":"grp_1","limit":5,"note":null}',
    )
    same = [
        RawCall(call_id=CallId(f"c_{place}"), name="list_groups", arguments_text=one)
        for place, one in enumerate(spellings)
    ]
    world.model.queue(calls(same[0], LIST, same[1]), calls(same[2], same[3]), says("Over."))

    heard = await world.say("Again and again")

    assert heard.outcomes[-2:] == [("ok", None), ("refused", "limit_repeated_call")]
    assert len(world.deeds.done) == 4


async def test_e3_a_new_message_starts_at_zero(world: World) -> None:
    """Abuse case 53."""
    world.model.queue(*[calls(LIST)] * 3, says("Over."), calls(LIST), says("Over."))
    await world.say("Again and again")

    heard = await world.say("Once more")

    assert heard.outcomes == [("ok", None)]


async def test_e5_the_result_that_crosses_is_cut_and_then_nothing_runs(world: World) -> None:
    """Abuse case 54."""
    world.deeds.result = {"items": [{"id": f"grp_{number}", "text": "x" * 200} for number in range(500)]}
    world.model.queue(calls(*_different(20)), says("Enough."))

    heard = await world.say("Everything")

    lengths = [data["characters"] for data in heard.all(EventName.TOOL_RESULT)]
    assert all(isinstance(one, int) and one <= 12_000 for one in lengths)
    assert heard.outcomes[-1] == ("refused", "limit_tool_results")
    assert world.model.requests[-1].words_only


async def test_a_silent_model_is_spoken_for(world: World) -> None:
    world.model.queue(says())

    heard = await world.say("Hello")

    assert heard.text == ""
    assert heard.notices == ["no_answer"]


async def test_i3_calls_of_an_answer_that_was_cut_off_do_not_run(world: World) -> None:
    world.model.queue(Answer(calls=tuple(_different(2)), reason=FinishReason.LENGTH), says("Over."))

    heard = await world.say("Many calls")

    assert world.deeds.done == []
    assert heard.outcomes == [("refused", "invalid_arguments")] * 2


async def test_i3_two_calls_with_one_id_are_both_refused(world: World) -> None:
    """Abuse case 63."""
    twin = call("list_groups", call_id="twin", group_id="grp_1")
    other = call("list_groups", call_id="twin", group_id="grp_2")
    world.model.queue(calls(twin, LIST, other), says("Over."))

    heard = await world.say("Twins")

    assert world.deeds.names == ["list_groups"]
    assert heard.outcomes == [("refused", "invalid_arguments"), ("ok", None), ("refused", "invalid_arguments")]
    ids = [data["call_id"] for data in heard.all(EventName.TOOL_CALL)]
    assert len(set(map(str, ids))) == 3


async def test_words_that_were_cut_off_are_shown_and_said_to_be(world: World) -> None:
    world.model.queue(Answer(deltas=("Once upon",), reason=FinishReason.LENGTH))

    heard = await world.say("Tell me")

    assert heard.text == "Once upon"
    assert heard.notices == ["answer_cut_off"]


async def test_an_answer_that_a_filter_withheld_says_so_and_none_of_its_calls_runs(world: World) -> None:
    world.model.queue(
        Answer(deltas=("Well",), reason=FinishReason.FILTERED),
        Answer(calls=(call("list_groups", group_id="grp_1"),), reason=FinishReason.FILTERED),
        says("Sorry."),
    )

    withheld = await world.say("Tell me")
    acted = await world.say("Look")

    assert withheld.notices == ["answer_filtered"]
    assert (world.deeds.names, acted.outcomes) == ([], [("refused", "invalid_arguments")])


async def test_a_turn_that_never_stops_talking_is_ended(world: World) -> None:
    """Abuse case 62."""
    world.model.queue(says(*["word " * 1_000] * 40))

    heard = await world.say("Talk")

    assert len(heard.text) <= 110_000
    assert heard.notices == ["turn_text"]
