"""Runs jobs in the background: each by the process that claims it, with its starter's rights as they are then."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from nova_ui.domain.clock import Clock
from nova_ui.domain.identity import Caller, SessionId
from nova_ui.domain.json_value import JsonObject
from nova_ui.errors import NovaForbidden, NovaProblem
from nova_ui.nova.context import RequestContext
from nova_ui.nova_client.origin import Origin, origin_named
from storage.database import Database
from storage.nova import jobs as stored
from storage.nova.present_identities import find_active
from storage.nova.schedule_tables import NOBODY, JobRow
from storage.workers import Worker, is_process_alive

log = logging.getLogger(__name__)

MAX_ATTEMPTS: Final = 3
_INTERRUPTED: Final = ("interrupted", "The server was stopped while this ran, more than once. Start it again.")
_INTERNAL: Final = ("internal", "Something went wrong on the server. Its log tells more.")


class JobCancelledError(Exception):
    """Somebody wants the job to end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningJob:
    """A job for its handler; entries that `context` writes carry the origin of the request that began it (rule F1)."""

    id: str
    parameters: Mapping[str, object]
    context: RequestContext | None
    request_id: str
    origin: Origin
    progress: Callable[[int, int | None], Awaitable[None]]

    @property
    def asker(self) -> RequestContext:
        """The request of whoever began it, with the rights of now.

        Raises:
            TypeError: Nova itself began it.

        """
        if self.context is None:
            raise TypeError("nobody began this job")
        return self.context


# A handler may be cut off anywhere and begun again: what it has done already it must not do twice.
Handler = Callable[[RunningJob], Awaitable[JsonObject]]


class JobRunner:
    """Claims queued jobs and works on them."""

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
        self._handlers: dict[str, Handler] = {}
        self._running: dict[str, asyncio.Task[None]] = {}
        self._starting: set[asyncio.Task[None]] = set()
        self._is_closing = False

    def register(self, kind: str, handler: Handler) -> None:
        """Say who works on jobs of a kind.

        Raises:
            ValueError: the kind is registered already.

        """
        if kind in self._handlers:
            raise ValueError(f"{kind} is registered already")
        self._handlers[kind] = handler

    def begin(self, job_id: str) -> None:
        """Begin a job that was just committed, here and at once unless another process is quicker."""
        if self._is_closing:
            return  # it stays queued for the next start
        starting = asyncio.create_task(self._start(job_id))
        self._starting.add(starting)
        starting.add_done_callback(self._starting.discard)

    async def tick(self) -> None:
        """Take up what other processes left, and begin what is queued."""
        await self._sweep()
        async with self._database.reading() as session:
            queued = await stored.list_queued(session)
        for job_id in queued:
            await self._start(job_id)

    async def settle(self) -> None:
        """Wait for what this process is working on."""
        while waiting := [*self._starting, *self._running.values()]:
            await asyncio.wait(waiting)

    async def shut_down(self) -> None:
        """Stop; what was being worked on is queued again for another process."""
        self._is_closing = True
        for task in [*self._starting, *self._running.values()]:
            task.cancel()
        await self.settle()
        await self._sweep()  # a task that had not begun yet could put nothing back itself

    async def _start(self, job_id: str) -> None:
        try:
            async with self._database.transaction() as session:
                job = await stored.claim(session, job_id, self._worker.id, self._clock.now())
        except Exception:
            log.exception("job.not_claimed", extra={"job": job_id})  # it stays queued
            return
        if job is not None:
            self._running[job_id] = task = asyncio.create_task(self._run(job))
            task.add_done_callback(partial(self._forget, job_id))

    async def _run(self, job: JobRow) -> None:
        try:
            await self._work(job)
        except Exception:
            log.exception("job.not_noted", extra={"job": job.id})  # left as running: the next sweep finds it

    def _forget(self, job_id: str, _task: asyncio.Task[None]) -> None:
        self._running.pop(job_id, None)

    async def _work(self, job: JobRow) -> None:
        try:
            result = await self._handler_of(job)(await self._running_job(job))
        except asyncio.CancelledError:
            await self._put_back(job)
        except JobCancelledError:
            await self._finish(job, "cancelled")
        except NovaProblem as problem:
            await self._finish(job, "failed", error=(problem.code, problem.detail))
        except Exception:
            log.exception("job.failed", extra={"job": job.id, "kind": job.kind})
            await self._finish(job, "failed", error=_INTERNAL)
        else:
            await self._finish(job, "done", result=result)

    def _handler_of(self, job: JobRow) -> Handler:
        if job.cancel_wanted:
            raise JobCancelledError
        handler = self._handlers.get(job.kind)
        if handler is None:
            raise NovaForbidden(f"This version of Nova knows no jobs of the kind {job.kind}.")
        return handler

    async def _running_job(self, job: JobRow) -> RunningJob:
        origin = origin_named(job.origin)
        context = None if job.started_by == NOBODY else await self._asker_of(job, origin)

        async def progress(done: int, total: int | None) -> None:
            async with self._database.transaction() as session:
                goes_on = await stored.change_running(
                    session, job.id, self._worker.id, {"done": done, "total": total}, self._clock.now()
                )
                now = await session.get(JobRow, job.id, populate_existing=True)
            if not goes_on or now is None or now.cancel_wanted:
                raise JobCancelledError

        return RunningJob(
            id=job.id,
            parameters=job.parameters,
            context=context,
            request_id=job.request_id,
            origin=origin,
            progress=progress,
        )

    async def _asker_of(self, job: JobRow, origin: Origin) -> RequestContext:
        async with self._database.reading() as session:
            identity = await find_active(session, job.started_by)
        if identity is None:
            raise NovaForbidden("Whoever started this is no longer active.")
        caller = Caller(session_id=SessionId(job.session_id or ""), identity=identity)
        return RequestContext(caller=caller, origin=origin, request_id=job.request_id, ip=job.ip)

    async def _finish(
        self, job: JobRow, status: str, *, result: JsonObject | None = None, error: tuple[str, str] | None = None
    ) -> None:
        async with self._database.transaction() as session:
            await stored.finish(session, job, status, self._clock.now(), result=result, error=error)

    async def _put_back(self, job: JobRow) -> None:
        async with self._database.transaction() as session:
            if job.attempts >= MAX_ATTEMPTS:
                await stored.finish(session, job, "failed", self._clock.now(), error=_INTERRUPTED)
            else:
                await stored.requeue(session, job, self._clock.now())

    async def _sweep(self) -> None:
        async with self._database.reading() as session:
            running = await stored.list_running(session)
        if not running:
            return
        now = self._clock.now()
        async with self._database.transaction() as session:
            await stored.beat(session, list(self._running), now)
        for job in running:
            if job.id not in self._running and self._is_dead(job):
                log.warning("job.recovered", extra={"job": job.id, "worker": job.claimed_by})
                await self._put_back(job)

    def _is_dead(self, job: JobRow) -> bool:
        if job.claimed_by is None or job.heartbeat_at is None or job.claimed_by == self._worker.id:
            return True
        return self._worker.finds_dead(job.claimed_by, job.heartbeat_at, self._clock.now(), self._is_alive)
