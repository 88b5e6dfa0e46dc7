"""A turn's events on their way to a browser: signs of life, and an end with the session."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from nova_ui.api.event_stream import written
from nova_ui.chat.events import EventName, TurnEvent


async def test_a_quiet_stream_gives_a_sign_of_life_and_lets_go_of_its_turn() -> None:
    has_gone = asyncio.Event()

    async def events() -> AsyncIterator[TurnEvent]:
        try:
            yield TurnEvent(id=1, name=EventName.TURN, data={})
            await asyncio.Event().wait()
        finally:
            has_gone.set()

    async def is_signed_in() -> bool:
        return True

    stream = written(events(), is_signed_in, sign_of_life_s=0.01)

    assert await anext(stream) == b"id: 1\nevent: turn\ndata: {}\n\n"
    assert await anext(stream) == b": alive\n\n"
    await stream.aclose()
    assert has_gone.is_set()


@pytest.mark.parametrize("is_talkative", [True, False])
async def test_a2_a_stream_ends_with_the_session_that_asked_for_it(is_talkative: bool) -> None:  # noqa: FBT001
    sessions = ["ses_1"]

    async def events() -> AsyncIterator[TurnEvent]:
        yield TurnEvent(id=1, name=EventName.TURN, data={})
        while True:
            await asyncio.sleep(0 if is_talkative else 60)
            yield TurnEvent(id=2, name=EventName.TEXT, data={})

    async def is_signed_in() -> bool:
        return bool(sessions)

    stream = written(events(), is_signed_in, check_s=0.01)
    first = await anext(stream)
    sessions.clear()

    async with asyncio.timeout(5):
        rest = [one async for one in stream]

    assert first.startswith(b"id: 1\n")
    assert bool(rest) == is_talkative
