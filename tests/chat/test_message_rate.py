"""Nobody sends messages faster than allowed: counted on the server, over all chats, tabs, assistants and processes."""

import asyncio
from datetime import timedelta

import pytest

from nova_ui.chat.live_turns import LiveTurns
from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.chat import TextMessage
from nova_ui.domain.identity import IdentityId
from nova_ui.errors import NovaTooMany
from storage.chat import message_rates
from storage.chat.message_rates import MessageRate
from storage.database import Database
from storage.workers import Worker
from tests.chat.world import ADA, BEN, Heard, World
from tests.fakes.moving_clock import MovingClock
from tests.fakes.scripted_model import call, calls, says

RATE = MessageRate(per_minute=3)


@pytest.fixture
def limited(world: World) -> World:
    world.live = LiveTurns(world.engine, worker=world.worker, rate=RATE)
    return world


async def _say(world: World, text: str, *, assistant: str = "helpdesk", key: str | None = None) -> Heard:
    world.model.queue(says("Yes."))
    started = await world.start(TextMessage(text=text), caller=ADA, assistant=AssistantKey(assistant), key=key)
    return await world.hear(started, caller=ADA)


async def test_so_many_at_once_then_one_by_one_as_time_goes_by(limited: World) -> None:
    for number in range(3):
        await _say(limited, f"{number}")

    with pytest.raises(NovaTooMany) as early:
        await _say(limited, "fourth", assistant="desk")
    limited.clock.move(timedelta(seconds=19.9))
    with pytest.raises(NovaTooMany) as still:
        await _say(limited, "fourth")
    limited.clock.move(timedelta(seconds=0.1))
    await _say(limited, "fourth")

    assert (early.value.code, early.value.extra) == ("too_many_messages", {"retry_after": 20})
    assert still.value.extra == {"retry_after": 1}
    with pytest.raises(NovaTooMany):
        await _say(limited, "fifth")


async def test_others_are_not_held_up_and_deleting_chats_frees_nothing(limited: World) -> None:
    for number in range(3):
        await _say(limited, f"{number}")
    await limited.history.clear_all(ADA.identity)

    with pytest.raises(NovaTooMany):
        await _say(limited, "again")
    limited.model.queue(says("Yes."))
    started = await limited.start(TextMessage(text="Hello"), caller=BEN)

    assert (await limited.hear(started, caller=BEN)).text == "Yes."


async def test_a_message_sent_again_under_its_key_does_not_count(limited: World) -> None:
    for number in range(3):
        await _say(limited, f"{number}", key=f"key {number}")

    again = await limited.start(TextMessage(text="2"), caller=ADA, key="key 2")

    assert (await limited.hear(again, caller=ADA)).text == "Yes."


async def test_c4_a_message_that_comes_too_early_leaves_the_card_as_it_is(limited: World) -> None:
    limited.live = LiveTurns(limited.engine, worker=limited.worker, rate=MessageRate(per_minute=1))
    limited.model.queue(calls(call("delete_group", group_id="grp_1")), says("Shall I?"))
    heard = await limited.hear(await limited.start(TextMessage(text="Delete it")))

    with pytest.raises(NovaTooMany):
        await limited.start(TextMessage(text="What is the weather?"))
    limited.clock.move(timedelta(seconds=60))
    limited.model.queue(says("Done."))
    pressed = await limited.press(heard.preview_id)

    assert limited.deeds.names == ["delete_group"]
    assert pressed.text == "Done."


async def test_two_processes_count_together(limited: World) -> None:
    other = limited.another(Worker(host="elsewhere", pid=7, token="second"))
    other.live = LiveTurns(other.engine, worker=other.worker, rate=RATE)
    outcomes = []
    for number in range(6):
        try:
            await _say((limited, other)[number % 2], f"{number}")
            outcomes.append("counted")
        except NovaTooMany:
            outcomes.append("too early")

    assert outcomes == ["counted"] * 3 + ["too early"] * 3


async def test_a_hundred_at_once_are_counted_one_by_one(database: Database) -> None:
    now = MovingClock().now()

    async def one() -> int:
        async with database.transaction() as session:
            return await message_rates.count(session, IdentityId("idn_ada"), MessageRate(per_minute=30), now)

    early = await asyncio.gather(*(one() for _ in range(100)))

    assert sum(one == 0 for one in early) == 30
    assert {one for one in early if one} == {2_000}
