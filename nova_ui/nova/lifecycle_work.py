"""A run of a routine: planned whole, then step by step, each in one transaction with what it does."""

from collections.abc import Mapping
from typing import Final

from sqlalchemy import Update, update
from sqlmodel import col, select

from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.schedule import Cron
from nova_ui.errors import NovaConflict, NovaNotFound, NovaProblem
from nova_ui.nova.context import Actor, Unattended
from nova_ui.nova.core import Core
from nova_ui.nova.job_runner import JobCancelledError, RunningJob
from nova_ui.nova.jobs import add_system_job
from nova_ui.nova.lifecycle_actions import Deed, NothingToDoError, do
from nova_ui.nova.lifecycle_runs import add_run, is_running, name_of, routine_target, run_target, steps_by_status
from nova_ui.nova.lifecycle_selection import Proposed, propose
from nova_ui.nova.notices import Notice, NoticeKind, notify
from nova_ui.nova.permissions import require_administrator
from nova_ui.nova.scheduler import Scheduler
from nova_ui.nova.writing import Write
from nova_ui.nova_client.origin import INTERFACE
from storage.ids import new_id
from storage.nova.identities import lock_administrators, other_administrators
from storage.nova.lifecycle_tables import LifecycleRoutineRow, LifecycleRunRow, LifecycleStepRow
from storage.nova.rows import lock_row
from storage.nova.tables import IdentityRow

LIFECYCLE_JOB: Final = "lifecycle_run"
LOOK_EVERY_S: Final = 60


class LifecycleWork:
    """Begins runs that are due and works on runs."""

    def __init__(self, core: Core, scheduler: Scheduler) -> None:
        self._core = core
        self._scheduler = scheduler

    async def start_due(self) -> list[str]:
        """Begin a run of each enabled routine whose moment has come; return the jobs that were queued.

        The moment is claimed in the transaction that makes run and job: all of it is there, or nothing.
        """
        async with self._core.database.reading() as session:
            enabled = select(LifecycleRoutineRow.id).where(col(LifecycleRoutineRow.status) == "enabled")
            routine_ids = (await session.exec(enabled)).all()
        return [job for routine_id in routine_ids if (job := await self._start_one(routine_id)) is not None]

    async def _start_one(self, routine_id: str) -> str | None:
        async with self._core.database.reading() as session:
            routine = await session.get(LifecycleRoutineRow, routine_id)
        if routine is None:
            return None
        async with self._core.writer.unattended(_context(routine, new_id("rid"))) as write:
            row = await lock_row(write.session, LifecycleRoutineRow, routine_id)
            if row is None or row.status != "enabled" or await is_running(write.session, row.id):
                return None
            since = row.scheduled_from or row.created_at
            schedule = Cron(row.schedule, row.timezone)
            if await self._scheduler.claim_moment(write.session, f"routine:{row.id}", schedule, since=since) is None:
                return None
            entry = await write.log("routine.started", routine_target(row), details={"dry_run": row.dry_run})
            run = add_run(write, row, entry, dry_run=row.dry_run)
            job = await add_system_job(write, LIFECYCLE_JOB, {"run_id": run.id})
            run.job_id = job.id
            await write.session.flush()
            return job.id

    async def run(self, job: RunningJob) -> JsonObject:
        """Work on a run from where it stands; what is done already is not done again.

        Raises:
            NovaProblem: the run or its routine is gone, or whoever started it is no administrator any more.
            JobCancelledError: somebody wants it to end.

        """
        run, routine = await self._load(str(job.parameters["run_id"]))
        context = _context(routine, job.request_id, job)
        try:
            if job.context is not None:
                require_administrator(job.context.identity)
            if not run.is_planned:
                run = await self._plan(run, routine, context)
            if run.status == "running":
                await self._work(job, run, routine, context)
        except JobCancelledError:
            await self._close(run.id, context, "stopped", ("cancelled", "An administrator ended the run."))
            raise
        except NovaProblem as problem:
            await self._close(run.id, context, "failed", (problem.code, problem.detail))
            raise
        except Exception:
            await self._close(run.id, context, "failed", ("internal", "Something went wrong. The log tells more."))
            raise
        if run.status == "running":
            await self._close(run.id, context, "done")
        return {"run_id": run.id}

    async def _load(self, run_id: str) -> tuple[LifecycleRunRow, LifecycleRoutineRow]:
        async with self._core.database.reading() as session:
            run = await session.get(LifecycleRunRow, run_id)
            routine = None if run is None else await session.get(LifecycleRoutineRow, run.routine_id)
        if run is None or routine is None:
            raise NovaNotFound("The routine was deleted.")
        return run, routine

    async def _plan(self, run: LifecycleRunRow, routine: LifecycleRoutineRow, context: Unattended) -> LifecycleRunRow:
        """Store every step, or stop when more identities are concerned than the routine allows."""
        async with self._core.writer.unattended(context) as write:
            current = await lock_row(write.session, LifecycleRunRow, run.id)
            if current is None:
                raise NovaNotFound("The run is gone.")
            steps = await propose(write.session, routine, write.now)
            affected = len({step.identity.id for step in steps})
            current.is_planned, current.affected, current.updated_at = True, affected, write.now
            if affected > routine.max_affected:
                await self._stop(write, current, routine)
            else:
                write.session.add_all(_step_row(current, number, step) for number, step in enumerate(steps))
            write.session.add(current)
            await write.session.flush()
            return current

    async def _stop(self, write: Write, run: LifecycleRunRow, routine: LifecycleRoutineRow) -> None:
        run.status, run.finished_at, run.error_code = "stopped", write.now, "max_affected"
        run.error_detail = f"{run.affected} identities are concerned, at most {routine.max_affected} may be."
        counts = {"affected": run.affected, "max_affected": routine.max_affected}
        await write.log("routine.stopped", routine_target(routine), details=counts, caused_by=run.entry_id)
        values = {"routine": name_of(routine), **{name: str(value) for name, value in counts.items()}}
        notice = Notice(kind=NoticeKind.ROUTINE_STOPPED, values=values, link=f"/administration/routines/{routine.id}")
        await notify(write, await other_administrators(write.session, ""), notice)

    async def _work(
        self, job: RunningJob, run: LifecycleRunRow, routine: LifecycleRoutineRow, context: Unattended
    ) -> None:
        async with self._core.database.reading() as session:
            mine = select(LifecycleStepRow).where(col(LifecycleStepRow.run_id) == run.id)
            steps = (await session.exec(mine.order_by(col(LifecycleStepRow.position)))).all()
        for number, step in enumerate(steps):
            await job.progress(number, len(steps))
            if step.status == "planned":
                await self._step(step, run, routine, context)
        await job.progress(len(steps), len(steps))

    async def _step(
        self, step: LifecycleStepRow, run: LifecycleRunRow, routine: LifecycleRoutineRow, context: Unattended
    ) -> None:
        if run.dry_run:
            await self._note(step, context, {"status": "rehearsed"})
            return
        try:
            async with self._core.writer.unattended(context) as write:
                if not await _take(write, step, {"status": "done"}):
                    return  # another process has done it
                entry = await _do(write, step, run, routine)
                if entry is not None:
                    await write.session.exec(_change(step, {"entry_id": entry}))
        except NothingToDoError:
            await self._note(step, context, {"status": "skipped"})
        except NovaProblem as problem:
            failed = {"status": "failed", "error_code": problem.code, "error_detail": problem.detail}
            await self._note(step, context, {**failed, "occasion": None})

    async def _note(self, step: LifecycleStepRow, context: Unattended, values: dict[str, object]) -> None:
        async with self._core.writer.unattended(context) as write:
            await _take(write, step, values)

    async def _close(self, run_id: str, context: Unattended, status: str, error: tuple[str, str] | None = None) -> None:
        code, detail = error or (None, None)
        async with self._core.writer.unattended(context) as write:
            run = await lock_row(write.session, LifecycleRunRow, run_id)
            if run is None or run.status != "running":
                return
            run.status, run.error_code, run.error_detail = status, code, detail
            run.finished_at = run.updated_at = write.now
            write.session.add(run)
            # What was not begun has not happened for its reason: it may come again.
            left = update(LifecycleStepRow).where(
                col(LifecycleStepRow.run_id) == run.id, col(LifecycleStepRow.status) == "planned"
            )
            await write.session.exec(left.values(status="skipped", occasion=None))
            counts = await steps_by_status(write.session, [run.id])
            target = run_target(run)
            details = {"status": status, "steps": counts.get(run.id, {}), **({"code": code} if code else {})}
            await write.log("routine.finished", target, details=details, caused_by=run.entry_id)


async def _take(write: Write, step: LifecycleStepRow, values: dict[str, object]) -> bool:
    """Move a planned step on; True for exactly one caller."""
    planned = _change(step, {**values, "finished_at": write.now}).where(col(LifecycleStepRow.status) == "planned")
    return (await write.session.exec(planned)).rowcount == 1


def _change(step: LifecycleStepRow, values: Mapping[str, object]) -> Update:
    mine = update(LifecycleStepRow).where(col(LifecycleStepRow.id) == step.id).values(**values)
    return mine.execution_options(synchronize_session=False)


async def _do(write: Write, step: LifecycleStepRow, run: LifecycleRunRow, routine: LifecycleRoutineRow) -> str | None:
    await lock_administrators(write.session)
    row = await lock_row(write.session, IdentityRow, step.identity_id)
    if row is None or row.protected:
        raise NovaConflict("The identity is gone, or protected by now.", code="state_conflict")
    deed = Deed(
        action=step.action.partition(":")[0],
        parameters=step.parameters,
        row=row,
        reason=step.reason,
        routine=name_of(routine),
        cause=run.entry_id,
    )
    return await do(write, deed)


def _step_row(run: LifecycleRunRow, position: int, step: Proposed) -> LifecycleStepRow:
    return LifecycleStepRow(
        id=new_id("lst"),
        run_id=run.id,
        routine_id=run.routine_id,
        position=position,
        identity_id=step.identity.id,
        identity_display=step.identity.display_name,
        action=step.key,
        parameters=dict(step.parameters),
        occasion=None if run.dry_run else step.occasion,
        reason=dict(step.reason),
    )


def _context(routine: LifecycleRoutineRow, request_id: str, job: RunningJob | None = None) -> Unattended:
    actor = Actor(type="routine", id=routine.id, display=name_of(routine))
    return Unattended(actor=actor, request_id=request_id, origin=INTERFACE if job is None else job.origin)
