"""Jobs: begun by a request, worked on once by whoever claims them, with the rights that their starter has by then."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import timedelta

import pytest
from sqlmodel import col, select

from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.identity import Caller, SessionId
from nova_ui.domain.json_value import JsonObject
from nova_ui.errors import NovaConflict
from nova_ui.nova.audit_trail import Target
from nova_ui.nova.context import RequestContext
from nova_ui.nova.job_runner import MAX_ATTEMPTS, Handler, JobRunner, RunningJob
from nova_ui.nova.jobs import add_job
from nova_ui.nova.writing import Writer
from nova_ui.nova_client.origin import INTERFACE, Origin
from nova_ui.reactive import Event
from storage.database import Database
from storage.nova import jobs as stored
from storage.nova.present_identities import find_active
from storage.nova.schedule_tables import JobRow
from storage.nova.tables import AuditEntryRow, IdentityRow
from storage.workers import Worker
from tests.api.site import NOW, SetClock, an_identity

CHAT = Origin(assistant_key=AssistantKey("helper"))


@dataclass
class Office:
    """One database, one starter, and processes that work on jobs."""

    database: Database
    clock: SetClock
    writer: Writer
    mara: IdentityRow
    alive: set[int] = field(default_factory=set)
    runners: list[JobRunner] = field(default_factory=list)

    def process(self, pid: int, handler: Handler) -> JobRunner:
        self.alive.add(pid)
        worker = Worker(host="here", pid=pid, token=f"t{pid}")
        runner = JobRunner(self.database, self.clock, worker, is_alive=self.alive.__contains__)
        runner.register("count", handler)
        self.runners.append(runner)
        return runner

    async def start(self, kind: str = "count", origin: Origin = INTERFACE, **parameters: int) -> str:
        async with self.database.reading() as session:
            identity = await find_active(session, self.mara.id)
        assert identity is not None
        caller = Caller(session_id=SessionId("ses_1"), identity=identity)
        context = RequestContext(caller=caller, origin=origin, request_id="rid_1")
        async with self.writer.writing(context, "job.started", Target("job", None)) as write:
            return (await add_job(write, kind, parameters)).id

    async def job(self, job_id: str) -> JobRow:
        async with self.database.reading() as session:
            return await session.get_one(JobRow, job_id)


@pytest.fixture
async def office(database: Database) -> AsyncIterator[Office]:
    clock = SetClock()
    mara = an_identity("mara", nova_roles=["administrator"])
    async with database.transaction() as session:
        session.add(mara)
    opened = Office(database=database, clock=clock, writer=Writer(database, clock, Event()), mara=mara)
    yield opened
    for runner in opened.runners:
        await runner.shut_down()


async def count(job: RunningJob) -> JsonObject:
    await job.progress(1, 2)
    return {"counted": 2}


async def hang(_job: RunningJob) -> JsonObject:
    await asyncio.Event().wait()
    return {}


async def look(*runners: JobRunner) -> None:
    for runner in runners:
        await runner.tick()
        await runner.settle()


async def test_a_job_is_worked_on_and_keeps_its_result(office: Office) -> None:
    job_id = await office.start()

    await look(office.process(1, count))

    job = await office.job(job_id)
    assert (job.status, job.result, job.done, job.total) == ("done", {"counted": 2}, 1, 2)


async def test_it_begins_at_once_in_the_process_that_was_asked(office: Office) -> None:
    runner = office.process(1, count)
    job_id = await office.start()

    runner.begin(job_id)
    await runner.settle()

    assert (await office.job(job_id)).status == "done"


async def test_of_several_processes_one_works(office: Office) -> None:
    worked: list[str] = []

    async def note(job: RunningJob) -> JsonObject:
        worked.append(job.id)
        return {}

    first, second = office.process(1, note), office.process(2, note)
    job_id = await office.start()

    await asyncio.gather(first.tick(), second.tick())
    await asyncio.gather(first.settle(), second.settle())

    assert worked == [job_id]


async def test_f1_what_a_job_writes_carries_the_origin_of_the_request_that_began_it(office: Office) -> None:
    """Abuse case 56."""

    async def write(job: RunningJob) -> JsonObject:
        async with office.writer.writing(job.asker, "thing.done", Target("thing", "1")) as writing:
            return {"entry": await writing.log("thing.done", writing.target)}

    job_id = await office.start(origin=CHAT)
    await look(office.process(1, write))

    result = (await office.job(job_id)).result
    assert result is not None
    async with office.database.reading() as session:
        entries = (await session.exec(select(AuditEntryRow).where(col(AuditEntryRow.id) == result["entry"]))).all()
    assert [(entry.via, entry.request_id, entry.actor_id) for entry in entries] == [
        ("ai_chat:helper", "rid_1", office.mara.id)
    ]


async def test_who_is_no_longer_active_gets_nothing_done(office: Office) -> None:
    job_id = await office.start()
    async with office.database.transaction() as session:
        (await session.get_one(IdentityRow, office.mara.id)).status = "disabled"

    await look(office.process(1, count))

    job = await office.job(job_id)
    assert (job.status, job.error_code) == ("failed", "forbidden")


async def test_rights_are_those_of_the_moment_at_which_it_runs(office: Office) -> None:
    roles: list[bool] = []

    async def note(job: RunningJob) -> JsonObject:
        roles.append(job.asker.identity.is_administrator)
        return {}

    await office.start()
    async with office.database.transaction() as session:
        (await session.get_one(IdentityRow, office.mara.id)).nova_roles = []
    await look(office.process(1, note))

    assert roles == [False]


async def test_a_problem_and_a_fault_end_a_job_without_words_of_the_fault(office: Office) -> None:
    async def refuse(_job: RunningJob) -> JsonObject:
        raise NovaConflict("Too many.")

    async def fail(_job: RunningJob) -> JsonObject:
        raise RuntimeError("secret words")

    refused, failed = await office.start(), None
    await look(office.process(1, refuse))
    failed = await office.start()
    await look(office.process(2, fail))

    assert (await office.job(refused)).error_detail == "Too many."
    job = await office.job(failed)
    assert job.error_code == "internal"
    assert "secret" not in str(job.error_detail)


async def test_what_a_dead_process_left_is_begun_again_but_not_for_ever(office: Office) -> None:
    job_id = await office.start()
    for pid in range(1, MAX_ATTEMPTS + 1):
        await office.process(pid, hang).tick()
        assert (await office.job(job_id)).claimed_by == f"here:{pid}:t{pid}"
        office.alive.discard(pid)  # kill -9

    await look(office.process(9, count))

    job = await office.job(job_id)
    assert (job.status, job.error_code, job.attempts) == ("failed", "interrupted", MAX_ATTEMPTS)


async def test_a_job_that_a_living_process_works_on_is_left_alone(office: Office) -> None:
    job_id = await office.start()
    first = office.process(1, hang)
    await first.tick()

    await look(office.process(2, count))

    assert (await office.job(job_id)).status == "running"
    await first.shut_down()


async def test_what_is_shut_down_is_queued_for_the_next_start(office: Office) -> None:
    job_id = await office.start()
    first = office.process(1, hang)
    await first.tick()

    await first.shut_down()
    before = (await office.job(job_id)).status
    await look(office.process(2, count))

    assert (before, (await office.job(job_id)).status) == ("queued", "done")


async def test_a_cancelled_job_ends_after_its_step(office: Office) -> None:
    async def two_steps(job: RunningJob) -> JsonObject:
        async with office.database.transaction() as session:
            (await session.get_one(JobRow, job.id)).cancel_wanted = True
        await job.progress(1, 2)
        return {"both": True}

    job_id = await office.start()
    await look(office.process(1, two_steps))

    job = await office.job(job_id)
    assert (job.status, job.result) == ("cancelled", None)


async def test_a_kind_that_nobody_works_on_fails(office: Office) -> None:
    job_id = await office.start(kind="unheard_of")

    await look(office.process(1, count))

    assert (await office.job(job_id)).status == "failed"


async def test_old_jobs_are_forgotten_and_open_ones_kept(office: Office) -> None:
    old, waiting = await office.start(), None
    await look(office.process(1, count))
    waiting = await office.start()
    async with office.database.transaction() as session:
        await stored.purge(session, NOW + timedelta(days=31))

    async with office.database.reading() as session:
        assert await session.get(JobRow, old) is None
        assert await session.get(JobRow, waiting) is not None
