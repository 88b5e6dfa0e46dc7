"""C12: a no counts also where its message does not: while the answer is being written, and when there were too many."""

import asyncio

import pytest

from nova_ui.chat.events import EventName
from nova_ui.chat.live_turns import LiveTurns
from nova_ui.domain.chat import PreviewId, TextMessage
from nova_ui.errors import NovaConflict, NovaTooMany
from storage.chat.message_rates import MessageRate
from tests.chat.cards import DELETE, a_card, why_not
from tests.chat.world import World
from tests.fakes.scripted_model import Answer, calls


@pytest.mark.parametrize(("reply", "reason"), [("No!", "cancelled"), ("Stopp", "cancelled"), ("What?", None)])
async def test_c12_a_no_while_the_answer_is_still_being_written_voids_the_card(
    world: World, reply: str, reason: str | None
) -> None:
    goes_on = asyncio.Event()
    world.model.queue(calls(DELETE), Answer(deltas=("Well, ",), holds_before_end=goes_on))
    started = await world.start(TextMessage(text="Delete the contractors"))
    await world.until_following(started.turn_id, EventName.PREVIEW)

    with pytest.raises(NovaConflict) as early:
        await world.say(reply)
    goes_on.set()
    shown = await world.hear(started)

    assert early.value.code == "turn_running"
    if reason is None:
        assert (await world.press(shown.preview_id)).outcomes == [("ok", None)]
    else:
        assert shown.closed == [(shown.preview_id, reason)]
        assert await why_not(world, shown.preview_id) == reason


async def test_c12_a_no_that_comes_too_soon_voids_the_card(world: World) -> None:
    world.live = LiveTurns(world.engine, worker=world.worker, rate=MessageRate(per_minute=1))
    preview_id: PreviewId = (await a_card(world)).preview_id

    with pytest.raises(NovaTooMany):
        await world.say("nein")
    world.live = LiveTurns(world.engine, worker=world.worker)

    assert await why_not(world, preview_id) == "cancelled"
    assert world.deeds.done == []
