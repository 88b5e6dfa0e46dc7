"""Work that comes round: every due moment is worked on once, by whichever process claims it first."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final

from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.clock import Clock
from nova_ui.domain.schedule import Cron, Interval, Schedule
from storage.database import Database
from storage.nova import scheduled_runs
from storage.workers import Worker, is_process_alive

log = logging.getLogger(__name__)

Work = Callable[[], Awaitable[object]]
MAX_ERROR_CHARS: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    schedule: Schedule
    work: Work


class Scheduler:
    """Registered work by name. A moment that all processes slept through is made up for once, by the latest one.

    Work must bear to be cut off anywhere: a run whose process died is noted as stopped and not begun again before the
    next moment.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        worker: Worker,
        *,
        is_alive: Callable[[int], bool] = is_process_alive,
    ) -> None:
        self._database = database
        self._clock = clock
        self._worker = worker
        self._is_alive = is_alive
        self._entries: dict[str, _Entry] = {}
        self._settled: dict[str, datetime] = {}
        self._running: dict[int, asyncio.Task[None]] = {}

    def every(self, name: str, when: int | str | Schedule, work: Work) -> None:
        """Register `work` for every so many seconds, for a cron expression in UTC, or for a schedule.

        Raises:
            BadSchedule: the expression is none.
            ValueError: the name is taken.

        """
        if name in self._entries:
            raise ValueError(f"{name} is registered already")
        if isinstance(when, int):
            when = Interval(when)
        schedule = Cron(when) if isinstance(when, str) else when
        self._entries[name] = _Entry(schedule=schedule, work=work)

    async def claim_moment(
        self, session: AsyncSession, name: str, schedule: Schedule, *, since: datetime
    ) -> datetime | None:
        """Claim the latest due moment after `since` within the caller's transaction; None if there is nothing to do.

        For schedules that are kept as data: what is to happen is written in the same transaction, so that moment and
        work are there together or not at all.
        """
        now = self._clock.now()
        due = schedule.latest(now)
        if due is None or due <= since:
            return None
        row = await scheduled_runs.claim(session, name, due, worker=self._worker.id, now=now, since=since)
        if row is None:
            return None
        await scheduled_runs.finish(session, row.id, worker=self._worker.id, outcome="done", now=now)
        return due

    async def tick(self) -> list[str]:
        """Begin whatever is due and not claimed yet; return its names."""
        await self._sweep()
        begun = []
        for name, entry in list(self._entries.items()):
            due = entry.schedule.latest(self._clock.now())
            if due is None or self._settled.get(name) == due:
                continue
            if await self._begin(name, entry, due):
                begun.append(name)
        return begun

    async def settle(self) -> None:
        """Wait for what this process is working on."""
        while self._running:
            await asyncio.wait(list(self._running.values()))

    async def shut_down(self) -> None:
        """Stop what this process is working on; it is noted as stopped."""
        cut_off = dict(self._running)
        for task in cut_off.values():
            task.cancel()
        await self.settle()
        for run_id in cut_off:  # a task that had not begun yet could note nothing itself
            await self._note(run_id, "stopped")

    async def _begin(self, name: str, entry: _Entry, due: datetime) -> bool:
        now = self._clock.now()
        async with self._database.transaction() as session:
            row = await scheduled_runs.claim(session, name, due, worker=self._worker.id, now=now)
            is_held_up = row is None and await _is_running(session, name)
        if row is None or row.id is None:
            if not is_held_up:  # then there is nothing to do before the next moment
                self._settled[name] = due
            return False
        self._settled[name] = due
        self._running[row.id] = task = asyncio.create_task(self._run(name, entry.work, row.id))
        task.add_done_callback(partial(self._forget, row.id))
        return True

    async def _run(self, name: str, work: Work, run_id: int) -> None:
        outcome, error = "done", None
        try:
            await work()
        except asyncio.CancelledError:
            outcome = "stopped"
        except Exception as problem:
            log.exception("schedule.failed", extra={"schedule": name})
            outcome, error = "failed", type(problem).__name__[:MAX_ERROR_CHARS]
        await self._note(run_id, outcome, error)

    async def _note(self, run_id: int, outcome: str, error: str | None = None) -> None:
        now, worker = self._clock.now(), self._worker.id
        try:
            async with self._database.transaction() as session:
                await scheduled_runs.finish(session, run_id, worker=worker, outcome=outcome, now=now, error=error)
        except Exception:
            log.exception("schedule.not_noted", extra={"run": run_id})  # left as running: the next look closes it

    def _forget(self, run_id: int, _task: asyncio.Task[None]) -> None:
        self._running.pop(run_id, None)

    async def _sweep(self) -> None:
        """Note that own runs live, and close those whose process died."""
        now = self._clock.now()
        async with self._database.reading() as session:
            running = await scheduled_runs.list_running(session)
        if not running:
            return
        dead = [
            row for row in running if row.id not in self._running and self._is_dead(row.claimed_by, row.heartbeat_at)
        ]
        async with self._database.transaction() as session:
            await scheduled_runs.beat(session, list(self._running), now)
            for row in dead:
                if await scheduled_runs.finish(session, row.id, worker=row.claimed_by, outcome="stopped", now=now):
                    log.warning("schedule.recovered", extra={"schedule": row.name, "worker": row.claimed_by})

    def _is_dead(self, worker_id: str, heartbeat_at: datetime) -> bool:
        # A run of this very process that it is not working on was never begun, or could not be noted as finished.
        if worker_id == self._worker.id:
            return True
        return self._worker.finds_dead(worker_id, heartbeat_at, self._clock.now(), self._is_alive)


async def _is_running(session: AsyncSession, name: str) -> bool:
    return any(row.name == name for row in await scheduled_runs.list_running(session))
