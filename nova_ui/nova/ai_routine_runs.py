"""Runs of AI routine assistants: each moment once, in a session of its own, delivered when it has ended."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete, update
from sqlmodel import col, select

from nova_ui.domain.ai_routine import AiRoutine, RunId, RunOrder, RunResult, RunState, Trigger
from nova_ui.domain.chat import Notice
from nova_ui.domain.identity import Caller
from nova_ui.domain.schedule import BadSchedule, Cron
from nova_ui.errors import NovaConflict
from nova_ui.nova.ai_routine_ends import end_run
from nova_ui.nova.ai_routine_views import name_of, routine_of, run_views
from nova_ui.nova.audit_trail import Target
from nova_ui.nova.context import Actor, RequestContext, Unattended
from nova_ui.nova.core import Core, page_of
from nova_ui.nova.permissions import oversees, require_found, require_interface, require_overseer
from nova_ui.nova.scheduler import Scheduler
from nova_ui.nova.technical_sessions import open_session
from nova_ui.nova.views import Page
from nova_ui.nova.views.ai_routines import AiRoutineRunQuery, AiRoutineRunView
from nova_ui.nova.writing import Write
from storage.ids import new_id
from storage.nova.ai_tables import AiRoutineRow, AiRoutineRunRow
from storage.nova.folded import contains_words
from storage.nova.paging import Order, Wanted, read_slice
from storage.nova.present_identities import find_active
from storage.nova.rows import lock_row
from storage.workers import Worker, is_process_alive

_log = logging.getLogger(__name__)

SORT_COLUMNS: Final = {"started_at": "started_at"}
LOOK_EVERY_S: Final = 30
BEAT_S: Final = 10.0
SETTLE_S: Final = 10.0
RUNS_KEPT: Final = timedelta(days=180)
_RUNNING: Final = RunState.RUNNING.value

Carry = Callable[[RunOrder], Awaitable[RunResult]]


class AiRoutineRuns:
    """Begins, watches and shows runs. How one is carried out is the chat engine's matter: see `connect`."""

    def __init__(
        self,
        core: Core,
        scheduler: Scheduler,
        worker: Worker,
        *,
        is_alive: Callable[[int], bool] = is_process_alive,
    ) -> None:
        self._core = core
        self._scheduler = scheduler
        self._worker = worker
        self._is_alive = is_alive
        self._carry: Carry | None = None
        self._running: dict[str, asyncio.Task[None]] = {}
        scheduler.every("nova.ai_routines", LOOK_EVERY_S, self.look)

    def connect(self, carry: Carry) -> None:
        """Say who carries runs out; before that none begins."""
        self._carry = carry

    async def list_page(self, context: RequestContext, query: AiRoutineRunQuery) -> Page[AiRoutineRunView]:
        """Return a page of runs, for those who oversee."""
        require_overseer(context.identity)
        async with self._core.database.reading() as session:
            statement = select(AiRoutineRunRow)
            if query.routine_key is not None:
                statement = statement.where(col(AiRoutineRunRow.routine_key) == query.routine_key)
            if query.status is not None:
                statement = statement.where(col(AiRoutineRunRow.status) == query.status.value)
            if query.q is not None:
                statement = statement.where(contains_words(AiRoutineRunRow.routine_key, query.q))
            found = await read_slice(
                session,
                statement,
                Order.by(AiRoutineRunRow, query.sort, SORT_COLUMNS),
                Wanted.of(query, cursor=query.cursor, limit=query.limit),
            )
            return page_of(found, await run_views(session, found.rows))

    async def get(self, context: RequestContext, run_id: str) -> AiRoutineRunView:
        """Return one run: to those who oversee with its calls, to those whom it was delivered to without.

        Raises:
            NovaNotFound: there is none, or it is not visible.

        """
        is_overseer = oversees(context.identity)
        async with self._core.database.reading() as session:
            row = await session.get(AiRoutineRunRow, run_id)
            sees = row is not None and (is_overseer or context.identity.id in row.delivered_to)
            row = require_found(row if sees else None, "run")
            return (await run_views(session, [row], with_calls=is_overseer))[0]

    async def run_now(self, context: RequestContext, key: str) -> AiRoutineRunView:
        """Begin a run at once, also of a disabled routine, so that it can be tried.

        Raises:
            NovaNotFound: there is no such routine.
            NovaConflict: a run of it is under way, or the identity that it acts as is not active.

        """
        async with self._core.writer.writing(context, "ai_routine.run", Target("ai_routine", key)) as write:
            require_interface(context)
            found = (await write.session.exec(select(AiRoutineRow).where(col(AiRoutineRow.key) == key))).one_or_none()
            known = require_found(found, "AI routine assistant")
            row = require_found(await lock_row(write.session, AiRoutineRow, known.id), "AI routine assistant")
            write.target = Target("ai_routine", key, name_of(row.names, key))
            if await _is_running(write, row.id):
                raise NovaConflict("A run of this routine is under way.", code="state_conflict")
            run, order = await self._add(write, row, Trigger.MANUAL, write.now, started_by=context.identity.id)
            if order is None:
                raise NovaConflict("The identity whose rights it uses is not active.", code="state_conflict")
            await write.log("ai_routine.run", write.target, details={"run": run.id})
            shown = (await run_views(write.session, [run]))[0]
        self._begin(order)
        return shown

    async def look(self) -> int:
        """Begin what is due and close what dead processes left; return how many runs were begun."""
        await self._sweep()
        async with self._core.database.reading() as session:
            enabled = select(AiRoutineRow.id).where(col(AiRoutineRow.enabled).is_(True))
            routine_ids = (await session.exec(enabled.order_by(col(AiRoutineRow.key)))).all()
        orders = [order for routine_id in routine_ids if (order := await self._claim(routine_id)) is not None]
        for order in orders:
            self._begin(order)
        return len(orders)

    async def settle(self) -> None:
        """Wait for the runs of this process; cut off what takes too long."""
        if not self._running:
            return
        _, late = await asyncio.wait(self._running.values(), timeout=SETTLE_S)
        for task in late:
            task.cancel()
        if late:
            await asyncio.wait(late)

    async def purge(self) -> None:
        """Delete runs that ended long ago."""
        old = self._core.clock.now() - RUNS_KEPT
        async with self._core.database.transaction() as session:
            await session.exec(delete(AiRoutineRunRow).where(col(AiRoutineRunRow.finished_at) < old))

    async def _claim(self, routine_id: str) -> RunOrder | None:
        """Claim the moment and write the run in one transaction: both are there, or neither."""
        if self._carry is None:
            return None
        async with self._core.writer.unattended(_as_routine(routine_id, "")) as write:
            row = await lock_row(write.session, AiRoutineRow, routine_id)
            if row is None or not row.enabled:
                return None
            try:
                schedule = Cron(row.schedule, row.timezone)
            except BadSchedule:
                _log.exception("ai_routine.bad_schedule", extra={"routine": row.key})
                return None
            name, since = f"ai_routine:{row.id}", row.scheduled_since
            due = await self._scheduler.claim_moment(write.session, name, schedule, since=since)
            if due is None or await _is_running(write, row.id):
                return None
            run, order = await self._add(write, row, Trigger.SCHEDULE, due)
            if order is None:
                result = RunResult(state=RunState.FAILED, notices=(Notice(code="acts_as_inactive"),))
                await end_run(write, run, result)
            return order

    async def _add(
        self, write: Write, row: AiRoutineRow, cause: Trigger, due_at: datetime, *, started_by: str | None = None
    ) -> tuple[AiRoutineRunRow, RunOrder | None]:
        """Store a run with its session; no order if the identity that it acts as is not active (rule A2)."""
        identity = await find_active(write.session, row.acts_as)
        run = AiRoutineRunRow(
            id=new_id("arn"),
            routine_id=row.id,
            routine_key=row.key,
            names=row.names,
            cause=cause.value,
            due_at=due_at,
            started_by=started_by,
            acts_as=row.acts_as,
            worker=self._worker.id,
            heartbeat_at=write.now,
            started_at=write.now,
        )
        write.session.add(run)
        await write.session.flush()
        if identity is None:
            return run, None
        note = f"AI routine assistant {row.key}"
        session_id = await open_session(write.session, identity.id, write.now, note=note)
        run.session_id = session_id
        await write.session.flush()
        caller = Caller(session_id=session_id, identity=identity)
        return run, RunOrder(run_id=RunId(run.id), routine=routine_of(row), caller=caller)

    def _begin(self, order: RunOrder) -> None:
        task = asyncio.create_task(self._run(order))
        self._running[order.run_id] = task
        task.add_done_callback(lambda _task: self._running.pop(order.run_id, None))

    async def _run(self, order: RunOrder) -> None:
        beating = asyncio.create_task(self._beat(order.run_id))
        try:
            result = await self._carried(order)
            await self._end(order.run_id, order.routine, result)
        except Exception:  # noqa: BLE001 - the row stays as running, and the next look closes it
            _log.exception("ai_routine.not_ended", extra={"run": order.run_id})
        finally:
            beating.cancel()
            with suppress(asyncio.CancelledError):
                await beating

    async def _carried(self, order: RunOrder) -> RunResult:
        if self._carry is None:
            return RunResult(state=RunState.FAILED, notices=(Notice(code="internal"),))
        try:
            return await self._carry(order)
        except asyncio.CancelledError:
            return RunResult(state=RunState.STOPPED, notices=(Notice(code="shut_down"),))
        except Exception:  # noqa: BLE001 - whatever broke, the run ends and says so
            _log.exception("ai_routine.broke", extra={"run": order.run_id})
            return RunResult(state=RunState.FAILED, notices=(Notice(code="internal"),))

    async def _end(self, run_id: str, routine: AiRoutine, result: RunResult) -> None:
        async with self._core.writer.unattended(
            _as_routine(
                run_id, name_of({language.value: name for language, name in routine.names.items()}, routine.key)
            )
        ) as write:
            run = await lock_row(write.session, AiRoutineRunRow, run_id)
            if run is not None and run.status == _RUNNING and run.worker == self._worker.id:
                await end_run(write, run, result)

    async def _beat(self, run_id: str) -> None:
        while True:
            await asyncio.sleep(BEAT_S)
            async with self._core.database.transaction() as session:
                alive = update(AiRoutineRunRow).where(
                    col(AiRoutineRunRow.id) == run_id, col(AiRoutineRunRow.status) == _RUNNING
                )
                await session.exec(alive.values(heartbeat_at=self._core.clock.now()))

    async def _sweep(self) -> None:
        """Close runs whose process died; none is begun again."""
        async with self._core.database.reading() as session:
            found = select(AiRoutineRunRow).where(col(AiRoutineRunRow.status) == _RUNNING)
            running = (await session.exec(found)).all()
        for one in running:
            if not self._is_dead(one):
                continue
            async with self._core.writer.unattended(_as_routine(one.routine_id, one.routine_key)) as write:
                run = await lock_row(write.session, AiRoutineRunRow, one.id)
                if run is not None and run.status == _RUNNING:
                    result = RunResult(state=RunState.FAILED, notices=(Notice(code="server_stopped"),))
                    await end_run(write, run, result)

    def _is_dead(self, run: AiRoutineRunRow) -> bool:
        if run.worker == self._worker.id:
            return run.id not in self._running
        return self._worker.finds_dead(run.worker, run.heartbeat_at, self._core.clock.now(), self._is_alive)


def _as_routine(key: str, display: str) -> Unattended:
    return Unattended(actor=Actor(type="routine", id=key, display=display), request_id=new_id("rid"))


async def _is_running(write: Write, routine_id: str) -> bool:
    running = select(AiRoutineRunRow.id).where(
        col(AiRoutineRunRow.routine_id) == routine_id, col(AiRoutineRunRow.status) == _RUNNING
    )
    return (await write.session.exec(running.limit(1))).first() is not None
