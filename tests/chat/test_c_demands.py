"""C15: an administrator demands the button, or that the object's name be typed, through the whole engine."""

import pytest

from nova_ui.chat.events import EventName
from nova_ui.domain.chat import ConfirmMessage
from nova_ui.domain.preview import CloseReason
from nova_ui.errors import NovaConflict
from tests.builders import an_assistant
from tests.chat.cards import CONFIRMED, a_card, why_not
from tests.chat.world import World
from tests.fakes.scripted_model import call, calls, says


async def demand(world: World, *, button_only: bool = False, names: frozenset[str] = frozenset()) -> None:
    await world.add(an_assistant(*world.tools, key="helpdesk", button_only=button_only, type_name_for=names))


@pytest.mark.parametrize("by_name", [False, True])
async def test_c15_a_typed_yes_does_not_count_where_the_button_is_demanded(world: World, *, by_name: bool) -> None:
    await demand(world, button_only=not by_name, names=frozenset({"delete_group"} if by_name else ()))
    await a_card(world)
    world.model.queue(calls(CONFIRMED), says("It needs the button."))

    heard = await world.say("yes, delete")

    assert world.deeds.names == []
    assert heard.outcomes == [("refused", "confirmation_invalid")]
    closed = heard.all(EventName.PREVIEW_CLOSED)
    assert [event["reason"] for event in closed] == [CloseReason.BUTTON_NEEDED.value]


async def test_c15_the_button_counts_where_it_is_demanded(world: World) -> None:
    await demand(world, button_only=True)
    shown = await a_card(world)

    heard = await world.press(shown.preview_id)

    assert heard.outcomes == [("ok", None)]
    assert shown.all(EventName.PREVIEW)[0]["button_only"] is True


@pytest.mark.parametrize("typed", ["", "contractors", "Contractor", "Contractors2", "grp_1"])
async def test_c15_a_wrong_name_runs_nothing_and_the_card_still_waits(world: World, typed: str) -> None:
    await demand(world, names=frozenset({"delete_group"}))
    shown = await a_card(world)
    name = shown.all(EventName.PREVIEW)[0]["name_to_type"]
    assert isinstance(name, str)
    assert typed != name

    with pytest.raises(NovaConflict) as refused:
        await world.start(ConfirmMessage(preview_id=shown.preview_id, object_name=typed))
    right = await world.start(ConfirmMessage(preview_id=shown.preview_id, object_name=f" {name}\u200b "))
    heard = await world.hear(right)

    assert refused.value.code == "name_differs"
    assert heard.outcomes == [("ok", None)]
    assert world.deeds.names == ["delete_group"]


async def test_c15_tools_that_are_not_named_need_no_name(world: World) -> None:
    await demand(world, names=frozenset({"disable_group"}))
    shown = await a_card(world)

    heard = await world.press(shown.preview_id)

    assert heard.outcomes == [("ok", None)]
    assert shown.all(EventName.PREVIEW)[0]["name_to_type"] is None


async def test_c15_a_card_keeps_what_was_demanded_when_it_was_shown(world: World) -> None:
    await demand(world, button_only=True)
    await a_card(world)
    await demand(world)
    world.model.queue(calls(CONFIRMED), says("It needs the button."))

    await world.say("yes")

    assert world.deeds.names == []


@pytest.mark.parametrize("by_name", [False, True])
async def test_c15_what_is_demanded_since_the_card_was_shown_counts_for_a_typed_yes(
    world: World, *, by_name: bool
) -> None:
    await a_card(world)
    await demand(world, button_only=not by_name, names=frozenset({"delete_group"} if by_name else ()))
    world.model.queue(calls(CONFIRMED), says("Once more, please."))

    heard = await world.say("yes, delete")

    assert world.deeds.names == []
    assert heard.one(EventName.PREVIEW)["button_only"] is True


async def test_c15_what_is_demanded_since_the_card_was_shown_counts_for_the_button(world: World) -> None:
    shown = await a_card(world)
    await demand(world, names=frozenset({"delete_group"}))

    heard = await world.press(shown.preview_id)

    assert world.deeds.names == []
    assert heard.closed == [(shown.preview_id, "cancelled")]
    assert heard.one(EventName.PREVIEW)["name_to_type"] == "Contractors"


UPDATE = call("update_group", group_id="grp_1")
UPDATE_CONFIRMED = call("update_group", group_id="grp_1", confirmed=True)


async def ask_about_every_change(world: World, *, button_only: bool = False, asks: bool = True) -> None:
    await world.add(an_assistant(*world.tools, key="helpdesk", ask_before_changes=asks, button_only=button_only))


@pytest.mark.parametrize("by_words", [False, True])
async def test_c15_a_change_runs_once_the_person_confirmed_it(world: World, *, by_words: bool) -> None:
    await ask_about_every_change(world)
    shown = await a_card(world, UPDATE)
    before = list(world.deeds.names)
    world.model.queue(*([calls(UPDATE_CONFIRMED)] if by_words else []), says("Done."))

    heard = await (world.say("yes") if by_words else world.press(shown.preview_id))

    assert before == []
    assert heard.outcomes == [("ok", None)]
    assert world.deeds.names == ["update_group"]


async def test_c15_another_message_voids_the_card_of_a_change(world: World) -> None:
    await ask_about_every_change(world)
    shown = await a_card(world, UPDATE)
    world.model.queue(says("It is Monday."))
    await world.say("What day is it?")

    assert await why_not(world, shown.preview_id) == "message_between"
    assert world.deeds.names == []


async def test_c15_the_button_is_demanded_for_changes_too(world: World) -> None:
    await ask_about_every_change(world, button_only=True)
    await a_card(world, UPDATE)
    world.model.queue(calls(UPDATE_CONFIRMED), says("It needs the button."))

    heard = await world.say("yes")

    assert heard.outcomes == [("refused", "confirmation_invalid")]
    assert world.deeds.names == []


async def test_c15_the_model_is_told_that_every_change_waits(world: World) -> None:
    await ask_about_every_change(world)

    await a_card(world, UPDATE)

    request = world.model.requests[0]
    waiting = {one.tool.name for one in request.tools if "confirmed" in str(one.schema)}
    assert waiting == set(world.tools) - {"list_groups"}
    assert "A tool that changes something does not run when you call it" in str(request.messages[0])


async def test_c15_switched_on_it_counts_within_a_running_turn(world: World) -> None:
    """Also a model that was offered the tool before is shown a card, from the next call on."""
    world.deeds.meanwhile["list_groups"] = lambda: ask_about_every_change(world)
    world.model.queue(calls(call("list_groups", group_id="grp_1")), calls(UPDATE), says("Please confirm."))

    heard = await world.say("Rename it")

    assert heard.outcomes == [("ok", None), ("refused", "confirmation_required")]
    assert heard.preview_id
    assert world.deeds.names == ["list_groups"]


async def test_c15_switched_off_after_the_card_the_typed_yes_runs_it_once(world: World) -> None:
    await ask_about_every_change(world)
    await a_card(world, UPDATE)
    await ask_about_every_change(world, asks=False)
    world.model.queue(calls(UPDATE_CONFIRMED), calls(UPDATE_CONFIRMED), calls(UPDATE), says("Done."))

    heard = await world.say("yes")

    assert world.deeds.names == ["update_group"]
    assert [status for status, _ in heard.outcomes] == ["ok", "refused", "refused"]
