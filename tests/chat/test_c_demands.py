"""C15: an administrator demands the button, or that the object's name be typed, through the whole engine."""

import pytest

from nova_ui.chat.events import EventName
from nova_ui.domain.chat import ConfirmMessage
from nova_ui.domain.preview import CloseReason
from nova_ui.errors import NovaConflict
from tests.builders import an_assistant
from tests.chat.cards import CONFIRMED, a_card
from tests.chat.world import World
from tests.fakes.scripted_model import calls, says


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
