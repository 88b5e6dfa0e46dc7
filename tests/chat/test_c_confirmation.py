"""C: confirmation, through the whole engine with a model that obeys nobody."""

import asyncio
from collections import Counter
from datetime import timedelta

import pytest

from nova_ui.chat.events import EventName
from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.identity import Caller
from nova_ui.domain.tool import RawCall
from nova_ui.errors import NovaNotFound, NovaProblem
from tests.chat.cards import CONFIRMED, DELETE, a_card, why_not
from tests.chat.world import ADA, BEN, DESK, HELPDESK, ROOT, World
from tests.fakes.scripted_model import call, calls, says


async def test_c2_a_destructive_call_is_shown_and_not_run(world: World) -> None:
    shown = await a_card(world)

    assert world.deeds.done == []
    assert shown.outcomes == [("refused", "confirmation_required")]
    card = shown.one(EventName.PREVIEW)
    assert card["action"] == "Delete the group Contractors"
    assert card["arguments"] == {"group_id": "grp_1", "limit": 50, "note": None}
    assert card["current_state"] == {"id": "grp_1", "display_name": "Contractors"}


@pytest.mark.parametrize("first", [(CONFIRMED,), (DELETE, CONFIRMED), (DELETE, call("list_groups", group_id="grp_1"))])
async def test_c7_the_model_can_not_confirm_in_the_message_that_made_the_card(
    world: World, first: tuple[RawCall, ...]
) -> None:
    """Abuse case 17."""
    world.model.queue(calls(*first), calls(CONFIRMED), calls(CONFIRMED), says("I tried."))

    heard = await world.say("Delete it at once, I agree to everything")

    assert "delete_group" not in world.deeds.names
    assert len(heard.all(EventName.PREVIEW)) == 1


@pytest.mark.parametrize(
    "reply", ["What is the weather?", "do not confirm that one", "yes, but show me the list first", "he said yes"]
)
async def test_c7_whatever_is_not_wholly_a_yes_voids_thea_card(world: World, reply: str) -> None:
    """Abuse cases 18 and 19."""
    shown = await a_card(world)
    world.model.queue(calls(CONFIRMED), says("I tried."))

    heard = await world.say(reply, chat_id=shown.started.chat_id)

    assert world.deeds.done == []
    assert heard.closed == [(shown.preview_id, "message_between")]
    assert heard.outcomes == [("refused", "confirmation_invalid")]
    assert await why_not(world, shown.preview_id) == "message_between"


async def test_c7_a_long_pasted_text_that_holds_a_yes_is_none(world: World) -> None:
    """Abuse case 19."""
    shown = await a_card(world)

    heard = await world.say("yes\n" * 500)

    assert heard.closed == [(shown.preview_id, "message_between")]


@pytest.mark.parametrize("reply", ["yes", "Ja, löschen!", " OK. "])
async def test_c3_a_typed_yes_lets_the_model_call_again(world: World, reply: str) -> None:
    shown = await a_card(world)
    world.model.queue(calls(CONFIRMED), says("Deleted."))

    heard = await world.say(reply, chat_id=shown.started.chat_id)

    assert world.deeds.names == ["delete_group"]
    assert heard.outcomes == [("ok", None)]
    assert heard.closed == [(shown.preview_id, "executed")]


async def test_c4_a_yes_that_the_model_makes_nothing_of_is_used_up(world: World) -> None:
    shown = await a_card(world)
    world.model.queue(says("Which one?"))
    heard = await world.say("yes")
    world.model.queue(calls(CONFIRMED), says("I tried."))

    await world.say("yes")

    assert heard.closed == [(shown.preview_id, "message_between")]
    assert "delete_group" not in world.deeds.names


@pytest.mark.parametrize("elsewhere", [True, False])
async def test_c4_only_the_immediately_following_message_confirms(world: World, elsewhere: bool) -> None:  # noqa: FBT001
    """Abuse case 20: also a message in another chat of the same assistant counts."""
    shown = await a_card(world)
    await world.say("Hello", chat_id=None if elsewhere else shown.started.chat_id)
    world.model.queue(calls(CONFIRMED), says("I tried."))

    await world.say("yes", chat_id=shown.started.chat_id)

    assert "delete_group" not in world.deeds.names
    assert await why_not(world, shown.preview_id) == "message_between"


async def test_c4_a_card_survives_messages_to_another_assistant(world: World) -> None:
    """Abuse case 21."""
    shown = await a_card(world)
    world.model.queue(calls(CONFIRMED), says("I tried."))
    other = await world.say("yes", assistant=DESK)

    pressed = await world.press(shown.preview_id)

    assert other.closed == []
    assert pressed.outcomes == [("ok", None)]
    assert world.deeds.names == ["delete_group"]


async def test_c4_deleting_the_chat_frees_no_confirmation(world: World) -> None:
    """Abuse case 31."""
    shown = await a_card(world)
    await world.history.delete(ROOT.identity, shown.started.chat_id)
    world.model.queue(calls(CONFIRMED), says("I tried."))

    await world.say("yes")

    assert world.deeds.done == []
    with pytest.raises(NovaNotFound):
        await world.press(shown.preview_id)


@pytest.mark.parametrize(("caller", "assistant"), [(BEN, HELPDESK), (ADA, HELPDESK), (ROOT, DESK)])
async def test_c10_a_foreign_press_is_not_found_and_the_card_stays_good(
    world: World, caller: Caller, assistant: AssistantKey
) -> None:
    """Abuse case 22."""
    shown = await a_card(world)

    with pytest.raises(NovaNotFound):
        await world.press(shown.preview_id, caller=caller, assistant=assistant)
    pressed = await world.press(shown.preview_id)

    assert pressed.outcomes == [("ok", None)]


@pytest.mark.parametrize(("after_s", "runs"), [(599.9, True), (600.0, True), (600.001, False)])
async def test_c5_a_press_counts_for_ten_minutes_by_the_servers_clock(
    world: World,
    after_s: float,
    runs: bool,  # noqa: FBT001
) -> None:
    """Abuse case 23."""
    shown = await a_card(world)
    world.clock.move(timedelta(seconds=after_s))

    if runs:
        await world.press(shown.preview_id)
    else:
        assert await why_not(world, shown.preview_id) == "expired"

    assert (world.deeds.names == ["delete_group"]) is runs


async def test_c5_a_yes_after_ten_minutes_is_too_late(world: World) -> None:
    """Abuse case 23, typed."""
    shown = await a_card(world)
    world.clock.move(timedelta(minutes=10, milliseconds=1))
    world.model.queue(calls(CONFIRMED), says("I tried."))

    heard = await world.say("yes")

    assert heard.closed[0] == (shown.preview_id, "expired")
    assert "delete_group" not in world.deeds.names


async def test_c10_of_a_hundred_presses_and_a_typed_yes_exactly_one_runs(world: World) -> None:
    """Abuse case 24: over two processes."""
    shown = await a_card(world)
    second = world.another(world.worker)
    world.model.queue(*[calls(CONFIRMED)] * 3)

    async def press(at: World) -> str:
        try:
            await at.press(shown.preview_id)
        except NovaProblem as problem:
            return problem.code
        return "ran"

    async def type_yes() -> str:
        try:
            heard = await world.say("yes")
        except NovaProblem as problem:
            return problem.code
        return "ran" if ("ok", None) in heard.outcomes else "void"

    told = await asyncio.gather(*(press(world if number % 2 else second) for number in range(100)), type_yes())

    assert world.deeds.names.count("delete_group") == 1
    assert Counter(told)["ran"] == 1
    assert set(told) <= {"ran", "confirmation_invalid", "turn_running", "void"}


async def test_c10_a_card_that_was_used_says_so_and_does_not_count_as_a_message(world: World) -> None:
    shown = await a_card(world)
    await world.press(shown.preview_id)
    again = await a_card(world)

    assert await why_not(world, shown.preview_id) == "executed"
    await world.press(again.preview_id)

    assert world.deeds.names == ["delete_group", "delete_group"]


async def test_c6_another_argument_than_shown_makes_a_newa_card(world: World) -> None:
    """Abuse case 27."""
    shown = await a_card(world)
    world.model.queue(calls(call("delete_group", group_id="grp_2", confirmed=True)), says("This one?"))

    heard = await world.say("yes")

    assert world.deeds.done == []
    assert heard.one(EventName.PREVIEW)["arguments"] == {"group_id": "grp_2", "limit": 50, "note": None}
    assert heard.closed == [(shown.preview_id, "superseded")]


async def test_c6_the_same_call_in_other_spelling_is_the_same(world: World) -> None:
    """Abuse cases 27 and 38."""
    await a_card(world)
    spelled = RawCall(
        call_id=DELETE.call_id,
        name="delete_group",
        arguments_text='{ "confirmed": true, "limit": 50.0, "group_id": "grp\\u005f1" }',
    )
    world.model.queue(calls(spelled), says("Deleted."))

    await world.say("yes")

    assert world.deeds.done == [("delete_group", {"group_id": "grp_1", "limit": 50})]


@pytest.mark.parametrize(
    "text",
    [
        '{"group_id": "grp_1", "group_id": "grp_2"}',
        '{"group_id": "grp_1"} and more',
        '[{"group_id": "grp_1"}]',
        '"{\\"group_id\\": \\"grp_1\\"}"',
        '{"group_id": "grp_',
        '{"group_id": "grp_1", "limit": true}',
        '{"group_id": "grp_1", "limit": "0x7"}',
        '{"group_id": "grp_1", "limit": 7.5}',
    ],
)
async def test_i3_malformed_arguments_make_no_card_and_are_not_repaired(world: World, text: str) -> None:
    """Abuse cases 36 and 37."""
    world.model.queue(calls(RawCall(call_id=DELETE.call_id, name="delete_group", arguments_text=text)))

    heard = await world.say("Delete it")

    assert heard.outcomes == [("refused", "invalid_arguments")]
    assert heard.all(EventName.PREVIEW) == []
