"""Processes that die: their turns are closed, nothing runs again, and turns that live are left alone."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import delete
from sqlmodel import col

from nova_ui.chat.event_writer import EventWriter
from nova_ui.chat.events import EventName
from nova_ui.domain.chat import CallStatus, ConfirmMessage, TextMessage, TurnId, TurnState
from nova_ui.domain.preview import CloseReason, PreviewOutcome
from nova_ui.errors import NovaConflict, NovaUnavailable, NovaUnsaved
from storage.chat.tables import TurnEventRow
from storage.chat.turn_events import StoredEvent, TurnEventTable
from storage.chat.turns import TurnTable
from storage.database import Database
from storage.workers import Worker
from tests.chat.world import DESK, HELPDESK, ROOT, World
from tests.fakes.lock_waits import until_somebody_waits
from tests.fakes.scripted_model import call, calls, says

LIST = call("list_groups", group_id="grp_1")
DELETE = call("delete_group", group_id="grp_1")
ELSEWHERE = Worker(host="elsewhere", pid=7, token="second")


async def test_shutting_down_ends_running_turns_with_a_notice(world: World) -> None:
    hold = asyncio.Event()
    world.model.queue(replace(says("Half"), holds_before_end=hold))
    started = await world.start(TextMessage(text="Tell me"))
    await world.until_following(started.turn_id, EventName.TEXT)

    await world.live.shut_down()

    opened = await world.history.get_chat(ROOT.identity, started.chat_id)
    turn = opened.chat.turns[0]
    assert (turn.state, turn.steps[0].text, turn.notices[0].code) == (TurnState.STOPPED, "Half", "shut_down")
    with pytest.raises(NovaUnavailable):
        await world.start(TextMessage(text="One more"))


async def test_c10_after_a_crash_nothing_runs_again_and_the_outcome_is_unknown(world: World) -> None:
    """Abuse case 25: the process dies after the card was used up and before the result is known."""
    world.model.queue(calls(DELETE), says("Please confirm."))
    shown = await world.say("Delete it")
    running = asyncio.Event()

    async def never_answer() -> None:
        running.set()
        await asyncio.Event().wait()

    world.deeds.meanwhile["delete_group"] = never_answer
    started = await world.start(ConfirmMessage(preview_id=shown.preview_id))
    await running.wait()
    await world.until_following(started.turn_id, EventName.TOOL_CALL)
    successor = world.another(replace(world.worker, token="after"))

    await successor.live.start()
    heard = await successor.hear(started)
    opened = await successor.history.get_chat(ROOT.identity, started.chat_id)
    with pytest.raises(NovaConflict) as raised:
        await successor.press(shown.preview_id)
    await successor.live.shut_down()

    assert heard.notices == ["server_stopped", "outcome_unknown"]
    assert heard.closed == [(shown.preview_id, "executed")]
    assert heard.events[-1].name is EventName.DONE
    assert [event.id for event in heard.events] == list(range(1, len(heard.events) + 1))
    assert opened.chat.turns[-1].state is TurnState.FAILED
    assert opened.chat.turns[-1].steps[0].calls[0].status is CallStatus.UNKNOWN
    assert (opened.previews[0].closed, opened.previews[0].outcome) == (CloseReason.EXECUTED, PreviewOutcome.UNKNOWN)
    assert raised.value.extra["reason"] == "executed"
    assert world.deeds.names == ["delete_group"]
    await _kill(world)


async def test_c4_a_card_that_was_agreed_to_is_void_after_a_crash(world: World) -> None:
    world.model.queue(calls(DELETE), says("Please confirm."))
    shown = await world.say("Delete it")
    world.model.queue(replace(says("As you wish."), holds_before_end=asyncio.Event()))
    started = await world.start(TextMessage(text="yes"))
    await world.until_following(started.turn_id, EventName.TEXT)
    world.dead.add(world.worker.pid)
    successor = world.another(Worker(host=world.worker.host, pid=200, token="after"))

    await successor.live.start()
    heard = await successor.hear(started)
    opened = await successor.history.get_chat(ROOT.identity, shown.started.chat_id)
    await successor.live.shut_down()

    assert heard.closed == [(shown.preview_id, "message_between")]
    assert opened.open_preview_id is None
    assert opened.previews[0].closed is CloseReason.MESSAGE_BETWEEN
    assert world.deeds.names == []
    await _kill(world)


async def test_c3_a_card_that_was_stored_and_never_shown_is_void_after_a_crash(world: World) -> None:
    """The process dies between the card's row and the event that shows it: a yes can't mean what nobody saw."""
    hold = asyncio.Event()
    world.model.queue(calls(DELETE), replace(says("Please confirm."), holds_before_end=hold))
    started = await world.start(TextMessage(text="Delete it"))
    await world.until_following(started.turn_id, EventName.PREVIEW)
    async with world.database.transaction() as session:
        await session.exec(delete(TurnEventRow).where(col(TurnEventRow.name) == EventName.PREVIEW.value))
    world.dead.add(world.worker.pid)
    successor = world.another(Worker(host=world.worker.host, pid=200, token="after"))

    await successor.live.start()
    opened = await successor.history.get_chat(ROOT.identity, started.chat_id)
    await successor.live.shut_down()

    assert opened.open_preview_id is None
    assert opened.previews[0].closed is CloseReason.CANCELLED
    await _kill(world)


async def test_a_turn_of_a_dead_process_becomes_failed_and_keeps_what_was_said(world: World) -> None:
    world.model.queue(calls(LIST, text="I look."), replace(says("Half an"), holds_before_end=asyncio.Event()))
    started = await world.start(TextMessage(text="Look"))
    await _until_said(world, started.turn_id, "I look.Half an")
    world.dead.add(world.worker.pid)
    successor = world.another(Worker(host=world.worker.host, pid=200, token="after"))

    await successor.live.start()

    opened = await successor.history.get_chat(ROOT.identity, started.chat_id)
    turn = opened.chat.turns[0]
    assert (turn.state, turn.notices[0].code) == (TurnState.FAILED, "server_stopped")
    assert [step.text for step in turn.steps] == ["I look.", "Half an"]
    assert await successor.live.running(ROOT.identity.id, HELPDESK) is None
    await successor.live.shut_down()
    await _kill(world)


async def test_c10_a_writing_call_starts_only_when_the_chat_shows_it(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that dies during the call must leave its trace, however slow the database is."""
    storing, go_on = asyncio.Event(), asyncio.Event()
    store = EventWriter._store

    async def store_slowly(writer: EventWriter, rows: Sequence[StoredEvent]) -> Exception | None:
        storing.set()
        await go_on.wait()
        return await store(writer, rows)

    monkeypatch.setattr(EventWriter, "_store", store_slowly)
    world.model.queue(calls(call("update_group", group_id="grp_1")), says("Done."))
    started = await world.start(TextMessage(text="Change it"))
    await storing.wait()
    for _ in range(50):
        await asyncio.sleep(0)
    done_before = list(world.deeds.names)

    go_on.set()
    await world.hear(started)

    assert done_before == []
    assert world.deeds.names == ["update_group"]


async def test_c10_a_call_whose_trace_can_not_be_stored_does_not_start(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor is anything said of it that is not so: the person is told, and the next look closes the turn."""
    full = NovaUnsaved("No room.", code="database_full")

    async def store_nothing(_writer: EventWriter, _rows: Sequence[StoredEvent]) -> Exception | None:
        return full

    monkeypatch.setattr(EventWriter, "_store", store_nothing)
    world.model.queue(calls(call("update_group", group_id="grp_1")), says("Done."))
    started = await world.start(TextMessage(text="Change it"))

    with pytest.raises(NovaUnsaved) as told:
        await world.hear(started)
    await asyncio.gather(*world.live._tasks.values())
    closed = await world.live._watch.sweep()
    opened = await world.history.get_chat(ROOT.identity, started.chat_id)

    assert told.value is full
    assert world.deeds.names == []
    assert closed == 1
    assert [notice.code for notice in opened.chat.turns[0].notices] == ["server_stopped"]


async def test_a_process_that_lost_its_turn_starts_no_further_tool(world: World) -> None:
    running, go_on = asyncio.Event(), asyncio.Event()

    async def take_long() -> None:
        running.set()
        await go_on.wait()

    world.deeds.meanwhile["list_groups"] = take_long
    world.model.queue(calls(LIST, call("update_group", group_id="grp_1")), says("Never said."))
    started = await world.start(TextMessage(text="Look, then change it"))
    await running.wait()
    world.clock.move(timedelta(seconds=31))
    other = world.another(ELSEWHERE)
    await other.live.start()

    go_on.set()
    heard = await world.hear(started)
    await other.live.shut_down()

    assert world.deeds.names == ["list_groups"]
    assert heard.notices == ["server_stopped"]
    assert heard.events == (await other.hear(started)).events


@pytest.mark.postgresql
async def test_recovery_waits_for_what_a_killed_process_has_sent_to_the_database(
    postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL may still carry it out while another process recovers: the two must not take one number twice."""
    database = Database(postgresql_url)
    world = World(database)
    await world.add_usual_assistants()
    world.model.queue(replace(says("Half"), holds_before_end=asyncio.Event()))
    sent, arrive = asyncio.Event(), asyncio.Event()
    add_all = TurnEventTable.add_all

    async def add_and_linger(table: TurnEventTable, events: Sequence[StoredEvent]) -> None:
        await add_all(table, events)
        if any(event.data.get("delta") == "Half" for event in events):
            sent.set()
            await arrive.wait()

    monkeypatch.setattr(TurnEventTable, "add_all", add_and_linger)
    started = await world.start(TextMessage(text="Tell me"))
    await sent.wait()
    world.dead.add(world.worker.pid)
    successor = world.another(Worker(host=world.worker.host, pid=200, token="after"))

    recovering = asyncio.create_task(successor.live.start())
    await until_somebody_waits(database)
    arrive.set()
    await recovering
    assert await successor.live.running(ROOT.identity.id, HELPDESK) is None
    heard = await successor.hear(started)
    await successor.live.shut_down()

    assert heard.text == "Half"
    assert heard.notices == ["server_stopped"]
    assert [event.id for event in heard.events] == list(range(1, len(heard.events) + 1))
    await _kill(world)
    await database.close()


async def test_a_turn_that_can_not_be_closed_yet_holds_up_no_other(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server of an earlier version may write in between: the next sweep reads anew."""
    started = []
    for assistant in (HELPDESK, DESK):
        world.model.queue(replace(says("Half"), holds_before_end=asyncio.Event()))
        started.append(await world.start(TextMessage(text="Tell me"), assistant=assistant))
        await world.until_following(started[-1].turn_id, EventName.TEXT)
    list_after, misread = TurnEventTable.list_after, {started[0].turn_id}

    async def list_a_moment_too_early(
        table: TurnEventTable, turn_id: TurnId, after: int, limit: int
    ) -> tuple[StoredEvent, ...]:
        seen = await list_after(table, turn_id, after, limit)
        if turn_id not in misread:
            return seen
        misread.discard(turn_id)
        return seen[:-1]

    monkeypatch.setattr(TurnEventTable, "list_after", list_a_moment_too_early)
    world.dead.add(world.worker.pid)
    successor = world.another(Worker(host=world.worker.host, pid=200, token="after"))

    await successor.live.start()
    after_one = [await successor.live.running(ROOT.identity.id, key) for key in (HELPDESK, DESK)]
    await successor.live._watch.sweep()
    after_two = [await successor.live.running(ROOT.identity.id, key) for key in (HELPDESK, DESK)]
    await successor.live.shut_down()

    assert (after_one, after_two) == ([started[0], None], [None, None])
    await _kill(world)


@pytest.mark.parametrize(
    ("worker", "silent_s", "is_dead"),
    [
        (Worker(host="here", pid=100, token="new"), 0, True),
        (Worker(host="here", pid=200, token="new"), 0, False),
        (Worker(host="far", pid=100, token="new"), 30, False),
        (Worker(host="far", pid=100, token="new"), 31, True),
    ],
)
async def test_live_turns_of_other_processes_are_left_alone(
    world: World,
    worker: Worker,
    silent_s: int,
    is_dead: bool,  # noqa: FBT001
) -> None:
    hold = asyncio.Event()
    world.model.queue(replace(says("Long."), holds_before_end=hold))
    started = await world.start(TextMessage(text="Tell me"))
    await world.until_following(started.turn_id, EventName.TEXT)
    world.clock.move(timedelta(seconds=silent_s))
    other = world.another(worker)

    await other.live.start()

    assert (await other.live.running(ROOT.identity.id, HELPDESK) is None) is is_dead
    await other.live.shut_down()
    hold.set()
    await world.hear(started)


async def test_a_beating_process_is_not_taken_for_dead(world: World) -> None:
    hold = asyncio.Event()
    world.model.queue(replace(says("Long."), holds_before_end=hold))
    started = await world.start(TextMessage(text="Tell me"))
    world.clock.move(timedelta(seconds=60))
    await world.live._watch.beat()
    other = world.another(ELSEWHERE)

    await other.live.start()

    assert await other.live.running(ROOT.identity.id, HELPDESK) == started
    await other.live.shut_down()
    hold.set()
    await world.hear(started)


async def test_a_turn_that_this_process_no_longer_knows_is_closed(world: World) -> None:
    hold = asyncio.Event()
    world.model.queue(replace(says("Long."), holds_before_end=hold))
    started = await world.start(TextMessage(text="Tell me"))
    twin = world.another(world.worker)

    await twin.live.start()

    assert await twin.live.running(ROOT.identity.id, HELPDESK) is None
    await twin.live.shut_down()
    hold.set()
    assert (await world.hear(started)).notices == ["server_stopped"]


async def _until_said(world: World, turn_id: TurnId, text: str) -> None:
    said = ""
    async with asyncio.timeout(10):
        async for event in world.live.follow(ROOT.identity.id, turn_id):
            said += str(event.data.get("delta", ""))
            if said == text:
                return


async def _kill(world: World) -> None:
    """Take the tasks of a process away as a crash does: nothing of them is written any more."""
    for live in world.live._live.values():
        live.lose()
    for task in tuple(world.live._tasks.values()):
        task.cancel()
    await asyncio.gather(*world.live._tasks.values(), return_exceptions=True)


async def test_running_turns_are_known_to_the_database(world: World) -> None:
    hold = asyncio.Event()
    world.model.queue(replace(says("Long."), holds_before_end=hold))
    started = await world.start(TextMessage(text="Tell me"))

    async with world.database.reading() as session:
        running = await TurnTable(session).list_running()
    hold.set()
    await world.hear(started)

    assert [(one.id, one.worker) for one in running] == [(started.turn_id, world.worker.id)]
