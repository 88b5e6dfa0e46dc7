"""Each due moment is worked on once, whatever processes and clocks do."""

import asyncio
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
from sqlmodel import col, select

from nova_ui.domain.schedule import Cron, Interval
from nova_ui.nova.scheduler import Scheduler, Work
from storage.database import Database
from storage.nova import scheduled_runs
from storage.nova.schedule_tables import ScheduledRunRow
from storage.workers import SILENT_FOR, Worker
from tests.fakes.moving_clock import MovingClock

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)


@dataclass
class Office:
    """One database and one clock, and processes that look at them; `alive` are the numbers of those that run."""

    database: Database
    clock: MovingClock
    alive: set[int] = field(default_factory=set)
    worked: list[str] = field(default_factory=list)

    def process(self, pid: int, work: Work | None = None, when: int | str = 3600) -> Scheduler:
        self.alive.add(pid)

        async def note() -> None:
            self.worked.append(f"{pid} at {self.clock.now():%d %H:%M}")

        worker = Worker(host="here", pid=pid, token=f"t{pid}")
        made = Scheduler(self.database, self.clock, worker, is_alive=self.alive.__contains__)
        made.every("tidy", when, work or note)
        return made

    async def outcomes(self) -> list[str]:
        async with self.database.reading() as session:
            return [
                row.outcome
                for row in (await session.exec(select(ScheduledRunRow).order_by(col(ScheduledRunRow.id)))).all()
            ]


@pytest.fixture
def office(database: Database) -> Office:
    return Office(database=database, clock=MovingClock(START))


async def look(*processes: Scheduler) -> None:
    for process in processes:
        await process.tick()
        await process.settle()


async def test_work_begins_at_the_first_moment_after_it_was_first_seen(office: Office) -> None:
    process = office.process(1)

    await look(process, process)
    office.clock.move(HOUR)
    await look(process, process)

    assert office.worked == ["1 at 02 10:00"]
    assert await office.outcomes() == ["first_seen", "done"]


async def test_of_several_processes_one_works(office: Office) -> None:
    first, second = office.process(1), office.process(2)
    await look(first)
    office.clock.move(HOUR)

    await asyncio.gather(first.tick(), second.tick())
    await asyncio.gather(first.settle(), second.settle())

    assert len(office.worked) == 1


async def test_another_process_that_starts_later_does_not_work_again(office: Office) -> None:
    await look(office.process(1))
    office.clock.move(HOUR)
    await look(office.process(1))

    await look(office.process(2))

    assert office.worked == ["1 at 02 10:00"]


async def test_missed_moments_are_made_up_for_once(office: Office) -> None:
    await look(office.process(1))
    office.clock.move(7 * HOUR + timedelta(minutes=20))

    again = office.process(2)
    await look(again, again)

    assert office.worked == ["2 at 02 16:20"]


async def test_a_cron_expression_is_due_at_its_hour(office: Office) -> None:
    process = office.process(1, when="0 2 * * *")
    await look(process)
    for _ in range(48):
        office.clock.move(HOUR)
        await look(process)

    assert office.worked == ["1 at 03 02:00", "1 at 04 02:00"]


async def test_a_clock_that_goes_back_repeats_nothing(office: Office) -> None:
    process, other = office.process(1), office.process(2)
    await look(process)
    office.clock.move(3 * HOUR)  # ten and eleven are skipped
    await look(process)
    office.clock.move(-2 * HOUR)
    await look(process, other)
    office.clock.move(3 * HOUR)
    await look(process, other)

    assert office.worked == ["1 at 02 12:00", "1 at 02 13:00"]


async def test_a_clock_that_was_years_ahead_holds_nothing_up(office: Office) -> None:
    process = office.process(1)
    await look(process)
    office.clock.move(timedelta(days=4000))
    await look(process)
    office.clock.move(-timedelta(days=4000))
    await look(process)
    office.clock.move(HOUR)
    await look(process)

    assert office.worked[-1] == "1 at 02 10:00"


async def test_a_run_whose_process_died_is_noted_as_stopped_and_the_next_moment_is_worked_on(office: Office) -> None:
    hang = asyncio.Event()
    dying = office.process(1, work=hang.wait)
    await look(dying)
    office.clock.move(HOUR)
    await dying.tick()
    office.alive.discard(1)  # kill -9
    other = office.process(2)

    await look(other)
    assert office.worked == []
    office.clock.move(HOUR)
    await look(other)

    assert office.worked == ["2 at 02 11:00"]
    assert await office.outcomes() == ["first_seen", "stopped", "done"]
    hang.set()
    await dying.settle()
    assert await office.outcomes() == ["first_seen", "stopped", "done"]


async def test_a_process_elsewhere_is_dead_when_it_is_silent(office: Office) -> None:
    await look(office.process(1))
    async with office.database.transaction() as session:
        row = await scheduled_runs.claim(session, "tidy", START + HOUR, worker="there:9:t", now=START + HOUR)
        assert row is not None
    office.clock.move(HOUR)
    await look(office.process(2))
    before = await office.outcomes()
    office.clock.move(SILENT_FOR + timedelta(seconds=1))
    await look(office.process(2))

    assert (before[-1], (await office.outcomes())[-1]) == ("running", "stopped")


async def test_nothing_is_begun_while_the_moment_before_is_still_worked_on(office: Office) -> None:
    goes_on = asyncio.Event()
    slow = office.process(1, work=goes_on.wait)
    await look(slow)
    office.clock.move(HOUR)
    await slow.tick()
    office.clock.move(HOUR)
    await slow.tick()  # says that it lives
    other = office.process(2)
    await look(other)
    assert office.worked == []
    goes_on.set()
    await slow.settle()

    await look(other)

    assert office.worked == ["2 at 02 11:00"]


async def test_a_failure_is_noted_and_the_next_moment_is_tried(office: Office) -> None:
    async def fail() -> None:
        raise RuntimeError("secret words")

    process = office.process(1, work=fail)
    await look(process)
    for _ in range(2):
        office.clock.move(HOUR)
        await look(process)

    assert await office.outcomes() == ["first_seen", "failed", "failed"]


async def test_what_is_shut_down_is_noted_as_stopped(office: Office) -> None:
    process = office.process(1, work=asyncio.Event().wait)
    await look(process)
    office.clock.move(HOUR)
    await process.tick()

    await process.shut_down()

    assert await office.outcomes() == ["first_seen", "stopped"]


async def test_a_moment_is_claimed_together_with_what_is_written_for_it(office: Office) -> None:
    process, schedule = office.process(1), Cron("0 9 * * *")
    office.clock.move(timedelta(minutes=5))

    async def claim(since: datetime) -> datetime | None:
        async with office.database.transaction() as session:
            return await process.claim_moment(session, "routine", schedule, since=since)

    with pytest.raises(RuntimeError):
        await _claim_and_fail(office, process, schedule)

    assert await claim(START) is None, "a moment before the schedule was made does not count"
    assert await claim(START - HOUR) == START
    assert await claim(START - HOUR) is None


async def _claim_and_fail(office: Office, process: Scheduler, schedule: Cron) -> None:
    async with office.database.transaction() as session:
        await process.claim_moment(session, "routine", schedule, since=START - HOUR)
        raise RuntimeError


async def test_old_runs_are_forgotten_but_not_the_last_one(office: Office) -> None:
    process = office.process(1)
    for _ in range(3):
        await look(process)
        office.clock.move(HOUR)
    office.clock.move(timedelta(days=30))
    async with office.database.transaction() as session:
        await scheduled_runs.purge(session, office.clock.now())

    assert await office.outcomes() == ["done"]


def test_a_name_is_registered_once(office: Office) -> None:
    process = office.process(1)

    with pytest.raises(ValueError, match="tidy"):
        process.every("tidy", Interval(1), asyncio.Event().wait)
