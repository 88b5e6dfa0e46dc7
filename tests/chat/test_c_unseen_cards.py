"""C2, C3: a card that nobody can have seen is not open, so no yes can mean it, whatever ended its turn meanwhile."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from nova_ui.chat import live_turns
from nova_ui.chat.live_turns import TurnStarted
from nova_ui.domain.chat import TextMessage
from storage.chat.chats import ChatTable
from storage.chat.previews import PreviewTable
from storage.chat.turns import TurnTable
from storage.workers import Worker
from tests.chat.cards import CONFIRMED, DELETE
from tests.chat.world import HELPDESK, ROOT, World
from tests.fakes.scripted_model import calls, says

SECOND = Worker(host="here", pid=101, token="second")
End = Callable[[World, TurnStarted], Awaitable[object]]


async def _nothing(world: World, started: TurnStarted) -> None:
    del world, started


async def _delete(world: World, started: TurnStarted) -> None:
    await world.history.delete(ROOT.identity, started.chat_id)


async def _delete_under_its_hands(world: World, started: TurnStarted) -> None:
    async with world.database.transaction() as session:
        await ChatTable(session).delete(ROOT.identity.id, [started.chat_id])


async def _stop(world: World, started: TurnStarted) -> None:
    await world.live.stop(ROOT.identity.id, started.turn_id)


async def _stop_elsewhere(world: World, started: TurnStarted) -> None:
    async with world.database.transaction() as session:
        await TurnTable(session).request_stop(ROOT.identity.id, started.turn_id)


async def _sweep_elsewhere(world: World, started: TurnStarted) -> None:
    del started
    world.dead.add(world.worker.pid)
    assert await world.another(SECOND).live._watch.sweep() == 1


@pytest.mark.parametrize(
    ("end", "is_open"),
    [
        (_nothing, True),
        (_delete, False),
        (_delete_under_its_hands, False),
        (_stop, False),
        (_stop_elsewhere, False),
        (_sweep_elsewhere, False),
    ],
)
async def test_c2_a_card_is_not_opened_once_its_turn_is_over(
    world: World, monkeypatch: pytest.MonkeyPatch, end: End, *, is_open: bool
) -> None:
    monkeypatch.setattr(live_turns, "END_TURNS_S", 0.05)
    has_begun, may_go_on = asyncio.Event(), asyncio.Event()

    async def look_up_slowly() -> None:
        has_begun.set()
        await may_go_on.wait()

    world.deeds.meanwhile["show"] = look_up_slowly
    world.model.queue(calls(DELETE))
    started = await world.start(TextMessage(text="Delete the contractors"))
    await has_begun.wait()
    await end(world, started)
    may_go_on.set()
    await world.live.shut_down()

    later = world.another(SECOND)
    async with later.database.reading() as session:
        waiting = await PreviewTable(session).list_open(ROOT.identity.id, HELPDESK)
    later.model.queue(calls(CONFIRMED), says("Deleted."))
    await later.say("yes")
    await later.live.shut_down()

    assert bool(waiting) is is_open
    assert bool(world.deeds.done) is is_open
