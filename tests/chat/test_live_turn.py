"""What happens in a turn is gathered for a moment, and stored together."""

import asyncio
from collections.abc import Sequence

import pytest

from nova_ui.chat import live_turn
from nova_ui.chat.event_writer import EventSink, EventWriter
from nova_ui.chat.events import EventName, TurnEvent
from nova_ui.chat.live_turn import LiveTurn
from tests.builders import a_turn


class NotedWriter(EventWriter):
    """Notes what is to be stored together, and stores nothing before it is told to."""

    def __init__(self) -> None:
        self.put_together: list[list[str]] = []
        self._unpublished: list[TurnEvent] = []

    def put(self, sink: EventSink, events: Sequence[TurnEvent]) -> None:
        del sink
        self.put_together.append([event.name.value for event in events])
        self._unpublished.extend(events)

    def publish(self, live: LiveTurn) -> None:
        live.publish(tuple(self._unpublished))
        self._unpublished.clear()


@pytest.fixture
def writer() -> NotedWriter:
    return NotedWriter()


@pytest.fixture
def live(writer: NotedWriter) -> LiveTurn:
    return LiveTurn(a_turn(), writer, ())


async def test_what_happens_within_a_moment_is_stored_together_in_its_order(
    live: LiveTurn, writer: NotedWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_turn, "GATHER_FOR_S", 0.001)

    live.say("I look")
    live.say(" it up.")
    live.emit(EventName.TOOL_CALL, {})
    live.emit(EventName.TOOL_RESULT, {})
    await asyncio.sleep(0.01)
    live.say("Done.")
    await asyncio.sleep(0.01)

    assert writer.put_together == [["text", "tool_call", "tool_result"], ["text"]]


async def test_what_must_not_wait_is_stored_at_once(live: LiveTurn, writer: NotedWriter) -> None:
    live.say("I change it.")
    live.emit(EventName.TOOL_CALL, {})

    live.send_now()

    assert writer.put_together == [["text", "tool_call"]]


async def test_the_last_events_bring_along_what_was_still_gathered(live: LiveTurn, writer: NotedWriter) -> None:
    live.emit(EventName.TOOL_CALL, {})
    live.send_now()
    live.emit(EventName.TOOL_RESULT, {})
    settling = asyncio.create_task(live.settle())
    await asyncio.sleep(0)

    waits_for_what_is_being_stored = not settling.done()
    writer.publish(live)
    await settling
    live.say("Said while it ends.")
    last = live.last_events([(EventName.DONE, {})])

    assert waits_for_what_is_being_stored
    assert [(event.id, event.name.value) for event in last] == [(2, "tool_result"), (3, "text"), (4, "done")]
    assert live.last_events([(EventName.DONE, {})]) == last, "the transaction may have to be tried again"
    assert writer.put_together == [["tool_call"]]
