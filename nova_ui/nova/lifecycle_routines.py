"""Lifecycle routines: kept by administrators in the interface, read and previewed by auditors too."""

from collections import Counter
from typing import Final, Literal

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.lifecycle import RoutineAction
from nova_ui.errors import NovaConflict
from nova_ui.nova.audit_trail import Target, changes_between
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core, page_of
from nova_ui.nova.effects import Planned, weigh
from nova_ui.nova.identity_endings import plan_by_itself
from nova_ui.nova.job_runner import JobRunner
from nova_ui.nova.jobs import add_job
from nova_ui.nova.lifecycle_checks import check_routine
from nova_ui.nova.lifecycle_runs import add_run, is_running, name_of, routine_target, run_views
from nova_ui.nova.lifecycle_selection import Proposed, propose
from nova_ui.nova.lifecycle_views import routine_views
from nova_ui.nova.lifecycle_work import LIFECYCLE_JOB
from nova_ui.nova.permissions import require_administrator, require_found, require_overseer
from nova_ui.nova.views import Done, Impact, ObjectRef, Page, Ref
from nova_ui.nova.views.lifecycle import (
    PreviewItem,
    PreviewView,
    RoutineCreate,
    RoutinePatch,
    RoutineQuery,
    RoutineView,
    RunStarted,
)
from nova_ui.nova.writing import Write, check_version
from storage.ids import new_id
from storage.nova.lifecycle_tables import LifecycleRoutineRow
from storage.nova.paging import Order, Wanted, read_slice
from storage.nova.rows import lock_row

MAX_ITEMS: Final = 200
SORT_COLUMNS: Final = {"key": "key", "created_at": "created_at"}


class LifecycleRoutines:
    """Routines as administrators keep them."""

    def __init__(self, core: Core, runner: JobRunner) -> None:
        self._core = core
        self._runner = runner

    async def list_page(self, context: RequestContext, query: RoutineQuery) -> Page[RoutineView]:
        """Return a page of routines, each with its last run.

        Raises:
            NovaForbidden: the caller oversees nothing.

        """
        require_overseer(context.identity)
        async with self._core.database.reading() as session:
            statement = select(LifecycleRoutineRow)
            for column, value in (
                (LifecycleRoutineRow.type, query.type),
                (LifecycleRoutineRow.status, query.status),
            ):
                if value is not None:
                    statement = statement.where(col(column) == value)
            if query.q is not None:
                statement = statement.where(col(LifecycleRoutineRow.key).contains(query.q, autoescape=True))
            found = await read_slice(
                session,
                statement,
                Order.by(LifecycleRoutineRow, query.sort, SORT_COLUMNS),
                Wanted.of(query, cursor=query.cursor, limit=query.limit),
            )
            return page_of(
                found, await routine_views(session, found.rows, self._core.clock.now(), context.identity.language)
            )

    async def get(self, context: RequestContext, routine_id: str) -> RoutineView:
        """Return one routine.

        Raises:
            NovaForbidden: the caller oversees nothing.
            NovaNotFound: there is none.

        """
        require_overseer(context.identity)
        async with self._core.database.reading() as session:
            row = require_found(await session.get(LifecycleRoutineRow, routine_id), "lifecycle routine")
            return (await routine_views(session, [row], self._core.clock.now(), context.identity.language))[0]

    async def create(self, context: RequestContext, body: RoutineCreate) -> RoutineView:
        """Add a routine, disabled.

        Raises:
            NovaForbidden: the caller is no administrator.
            NovaInvalid: it can't work so; names the field.
            NovaConflict: the key is taken.

        """
        async with self._core.writer.writing(context, "routine.created", Target("routine", None, body.key)) as write:
            require_administrator(context.identity)
            values = body.model_dump(mode="json")
            await check_routine(write.session, values, write.now)
            taken = select(LifecycleRoutineRow.id).where(col(LifecycleRoutineRow.key) == body.key)
            if (await write.session.exec(taken)).first() is not None:
                raise NovaConflict("A routine with this key exists already.", field="key")
            moments = {"created_at": write.now, "updated_at": write.now}
            row = LifecycleRoutineRow.model_validate({"id": new_id("rtn"), **values, **moments})
            write.session.add(row)
            await write.session.flush()
            await write.log("routine.created", routine_target(row), details={"changes": changes_between({}, values)})
            return (await routine_views(write.session, [row], write.now, context.identity.language))[0]

    async def update(
        self, context: RequestContext, routine_id: str, body: RoutinePatch, if_match: str | None
    ) -> RoutineView:
        """Change a routine; the whole of it must still make sense.

        Raises:
            NovaForbidden: the caller is no administrator.
            NovaInvalid: it can't work so; names the field.
            NovaPreconditionFailed: it is no longer what `if_match` names.

        """
        async with self._core.writer.writing(context, "routine.updated", Target("routine", routine_id)) as write:
            row = await _locked(write, routine_id, if_match)
            before = row.model_dump()
            given = body.model_dump(mode="json", exclude_unset=True)
            changed: dict[str, object] = {name: value for name, value in given.items() if before[name] != value}
            await check_routine(write.session, {**before, **changed}, write.now)
            if changed:
                moved = {"scheduled_from": write.now} if changed.keys() & {"schedule", "timezone"} else {}
                await write.change(row, {**changed, **moved}, if_match)
                details = {"changes": changes_between(before, changed)}
                await write.log("routine.updated", routine_target(row), details=details)
            return (await routine_views(write.session, [row], write.now, context.identity.language))[0]

    async def enable(self, context: RequestContext, routine_id: str, if_match: str | None) -> RoutineView:
        """Let a routine run by its schedule; what happened before is not its business."""
        return await self._switch(context, routine_id, "enabled", if_match)

    async def disable(self, context: RequestContext, routine_id: str, if_match: str | None) -> RoutineView:
        """Let a routine rest; a run that is under way goes on."""
        return await self._switch(context, routine_id, "disabled", if_match)

    async def impact_of_delete(self, context: RequestContext, routine_id: str) -> Impact:
        """Return what deleting would do, or the refusal it would give."""
        require_overseer(context.identity)
        async with self._core.database.reading() as session:
            row = require_found(await session.get(LifecycleRoutineRow, routine_id), "lifecycle routine")
            subject = ObjectRef(type="routine", id=row.id, display=name_of(row))
            return await weigh(subject, _plan_delete(session, context, row))

    async def delete(self, context: RequestContext, routine_id: str, if_match: str | None) -> Done[RoutineView]:
        """Delete a routine that is disabled; its runs stay.

        Raises:
            NovaForbidden: the caller is no administrator.
            NovaConflict: it is enabled, or a run of it is under way.

        """
        async with self._core.writer.writing(context, "routine.deleted", Target("routine", routine_id)) as write:
            row = await _locked(write, routine_id, if_match)
            await _plan_delete(write.session, context, row)
            last = (await routine_views(write.session, [row], write.now, context.identity.language))[0]
            await write.session.delete(row)
            await write.log("routine.deleted", write.target)
            return Done(object=last, effects=[])

    async def run(
        self, context: RequestContext, routine_id: str, *, dry_run: bool | None, if_match: str | None
    ) -> RunStarted:
        """Begin a run now, as a job.

        Raises:
            NovaForbidden: the caller is no administrator.
            NovaConflict: a run of it is under way.

        """
        async with self._core.writer.writing(context, "routine.started", Target("routine", routine_id)) as write:
            row = await _locked(write, routine_id, if_match)
            if await is_running(write.session, row.id):
                raise NovaConflict("A run of this routine is under way.", code="state_conflict")
            rehearses = row.dry_run if dry_run is None else dry_run
            entry = await write.log("routine.started", write.target, details={"dry_run": rehearses})
            run = add_run(write, row, entry, dry_run=rehearses)
            await write.session.flush()
            job = await add_job(write, LIFECYCLE_JOB, {"run_id": run.id})
            run.job_id = job.id
            await write.session.flush()
            started = RunStarted(
                job_id=job.id, run=(await run_views(write.session, [run], context.identity.language))[0]
            )
        self._runner.begin(job.id)
        return started

    async def preview(self, context: RequestContext, routine_id: str) -> PreviewView:
        """Return what a run would do now, and why; nothing is changed.

        Raises:
            NovaForbidden: the caller oversees nothing.
            NovaNotFound: there is none.

        """
        require_overseer(context.identity)
        now = self._core.clock.now()
        async with self._core.database.reading() as session:
            row = require_found(await session.get(LifecycleRoutineRow, routine_id), "lifecycle routine")
            steps = await propose(session, row, now)
            affected = len({step.identity.id for step in steps})
            return PreviewView(
                affected=affected,
                max_affected=row.max_affected,
                would_stop=affected > row.max_affected,
                actions=dict(Counter(step.action for step in steps)),
                total=len(steps),
                items=[await self._item(session, step) for step in steps[:MAX_ITEMS]],
            )

    async def _item(self, session: AsyncSession, step: Proposed) -> PreviewItem:
        refusal = None
        if step.action in {RoutineAction.SUSPEND, RoutineAction.DISABLE}:
            ending: Literal["suspend", "disable"] = "suspend" if step.action == RoutineAction.SUSPEND else "disable"
            try:
                await plan_by_itself(session, step.identity, ending, self._core.clock.now())
            except NovaConflict as problem:
                refusal = problem.code
        return PreviewItem(
            identity=Ref(id=step.identity.id, display_name=step.identity.display_name),
            action=step.action,
            parameters=dict(step.parameters),
            reason=dict(step.reason),
            refusal=refusal,
        )

    async def _switch(
        self, context: RequestContext, routine_id: str, status: Literal["enabled", "disabled"], if_match: str | None
    ) -> RoutineView:
        async with self._core.writer.writing(context, f"routine.{status}", Target("routine", routine_id)) as write:
            row = await _locked(write, routine_id, if_match)
            if row.status == status:
                raise NovaConflict(f"The routine is {status} already.", code="state_conflict")
            if status == "enabled":
                await check_routine(write.session, row.model_dump(), write.now)
            begins = {"counts_from": write.now, "scheduled_from": write.now} if status == "enabled" else {}
            changes = changes_between({"status": row.status}, {"status": status})
            await write.change(row, {"status": status, **begins}, if_match)
            await write.log(f"routine.{status}", write.target, details={"changes": changes})
            return (await routine_views(write.session, [row], write.now, context.identity.language))[0]


async def _locked(write: Write, routine_id: str, if_match: str | None) -> LifecycleRoutineRow:
    require_administrator(write.asker.identity)
    found = await lock_row(write.session, LifecycleRoutineRow, routine_id)
    row = require_found(found, "lifecycle routine")
    write.target = routine_target(row)
    check_version(row.version, if_match)
    return row


async def _plan_delete(session: AsyncSession, context: RequestContext, row: LifecycleRoutineRow) -> list[Planned]:
    require_administrator(context.identity)
    if row.status == "enabled":
        raise NovaConflict("The routine is enabled. Disable it first.", code="state_conflict")
    if await is_running(session, row.id):
        raise NovaConflict("A run of this routine is under way.", code="state_conflict")
    return []
