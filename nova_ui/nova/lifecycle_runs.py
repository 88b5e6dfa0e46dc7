"""Runs of routines: what is kept of them, and how it is read."""

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from sqlalchemy import func
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.identity import Language
from nova_ui.nova.audit_trail import Target
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core, page_of
from nova_ui.nova.identity_views import ref_of
from nova_ui.nova.permissions import require_found, require_overseer
from nova_ui.nova.views import Page, Ref
from nova_ui.nova.views.lifecycle import RunDetail, RunQuery, RunView, StepQuery, StepView
from nova_ui.nova.writing import Write
from storage.ids import new_id
from storage.nova.lifecycle_tables import LifecycleRoutineRow, LifecycleRunRow, LifecycleStepRow
from storage.nova.names import identity_names
from storage.nova.paging import Order, Wanted, read_slice

MAX_STEPS: Final = 200
SORT_COLUMNS: Final = {"started_at": "started_at"}


class LifecycleRuns:
    """Runs as administrators and auditors read them."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def list_page(self, context: RequestContext, query: RunQuery) -> Page[RunView]:
        """Return a page of runs, the newest first unless `sort` says otherwise.

        Raises:
            NovaForbidden: the caller oversees nothing.

        """
        require_overseer(context.identity)
        async with self._core.database.reading() as session:
            statement = select(LifecycleRunRow)
            exact = {
                LifecycleRunRow.routine_id: query.routine_id,
                LifecycleRunRow.status: query.status,
                LifecycleRunRow.dry_run: query.dry_run,
            }
            for column, value in exact.items():
                if value is not None:
                    statement = statement.where(col(column) == value)
            if query.q is not None:
                statement = statement.where(col(LifecycleRunRow.routine_key).contains(query.q, autoescape=True))
            found = await read_slice(
                session,
                statement,
                Order.by(LifecycleRunRow, query.sort, SORT_COLUMNS),
                Wanted.of(query, cursor=query.cursor, limit=query.limit),
            )
            return page_of(found, await run_views(session, found.rows, context.identity.language))

    async def get(self, context: RequestContext, run_id: str) -> RunDetail:
        """Return one run with its first 200 steps.

        Raises:
            NovaForbidden: the caller oversees nothing.
            NovaNotFound: there is none.

        """
        require_overseer(context.identity)
        async with self._core.database.reading() as session:
            row = require_found(await session.get(LifecycleRunRow, run_id), "lifecycle run")
            view = (await run_views(session, [row], context.identity.language))[0]
            steps = select(LifecycleStepRow).where(col(LifecycleStepRow.run_id) == row.id)
            first = (await session.exec(steps.order_by(col(LifecycleStepRow.position)).limit(MAX_STEPS))).all()
            return RunDetail(**view.model_dump(), items=[_step_view(step) for step in first])

    async def steps(self, context: RequestContext, run_id: str, query: StepQuery) -> Page[StepView]:
        """Return a page of the steps of a run.

        Raises:
            NovaForbidden: the caller oversees nothing.
            NovaNotFound: there is no such run.

        """
        require_overseer(context.identity)
        async with self._core.database.reading() as session:
            run = require_found(await session.get(LifecycleRunRow, run_id), "lifecycle run")
            statement = select(LifecycleStepRow).where(col(LifecycleStepRow.run_id) == run.id)
            if query.status is not None:
                statement = statement.where(col(LifecycleStepRow.status) == query.status)
            if query.q is not None:
                statement = statement.where(col(LifecycleStepRow.identity_display).contains(query.q, autoescape=True))
            found = await read_slice(
                session,
                statement,
                Order.by(LifecycleStepRow, query.sort, {"position": "position"}),
                Wanted.of(query, cursor=query.cursor, limit=query.limit),
            )
            return page_of(found, [_step_view(step) for step in found.rows])


async def is_running(session: AsyncSession, routine_id: str) -> bool:
    """Whether a run of a routine has not ended."""
    running = select(LifecycleRunRow.id).where(
        col(LifecycleRunRow.routine_id) == routine_id, col(LifecycleRunRow.status) == "running"
    )
    return (await session.exec(running.limit(1))).first() is not None


async def last_runs(session: AsyncSession, routine_ids: Collection[str], language: Language) -> Mapping[str, RunView]:
    """Return the newest run of each routine that has any."""
    if not routine_ids:
        return {}
    newest = (
        select(func.max(LifecycleRunRow.started_at), LifecycleRunRow.routine_id)
        .where(col(LifecycleRunRow.routine_id).in_(routine_ids))
        .group_by(col(LifecycleRunRow.routine_id))
    )
    moments = {routine_id: moment for moment, routine_id in (await session.exec(newest)).all()}
    found = select(LifecycleRunRow).where(
        col(LifecycleRunRow.routine_id).in_(moments), col(LifecycleRunRow.started_at).in_(set(moments.values()))
    )
    rows = [row for row in (await session.exec(found)).all() if row.started_at == moments[row.routine_id]]
    return {view.routine.id: view for view in await run_views(session, rows, language)}


def add_run(write: Write, routine: LifecycleRoutineRow, entry_id: str, *, dry_run: bool) -> LifecycleRunRow:
    """Add a run of a routine that has not begun yet."""
    run = LifecycleRunRow(
        id=new_id("lrn"),
        routine_id=routine.id,
        routine_key=routine.key,
        routine_names=dict(routine.names),
        started_by=write.context.actor.identity_id,
        dry_run=dry_run,
        max_affected=routine.max_affected,
        entry_id=entry_id,
        started_at=write.now,
        updated_at=write.now,
    )
    write.session.add(run)
    return run


def display_of(names: Mapping[str, str], key: str, language: Language = Language.ENGLISH) -> str:
    """Return the name in a language, else the English one, else whatever there is."""
    return names.get(language) or names.get(Language.ENGLISH) or next(iter(names.values()), key)


def name_of(routine: LifecycleRoutineRow) -> str:
    """Return what entries and notices call a routine."""
    return display_of(routine.names, routine.key)


def routine_target(routine: LifecycleRoutineRow) -> Target:
    """Return a routine as what an entry is about."""
    return Target("routine", routine.id, name_of(routine))


def run_target(run: LifecycleRunRow) -> Target:
    """Return the routine of a run as what an entry is about."""
    return Target("routine", run.routine_id, display_of(run.routine_names, run.routine_key))


async def steps_by_status(session: AsyncSession, run_ids: Collection[str]) -> Mapping[str, dict[str, int]]:
    """Return how many steps of each run are in which state."""
    counted = (
        select(LifecycleStepRow.run_id, LifecycleStepRow.status, func.count())
        .where(col(LifecycleStepRow.run_id).in_(run_ids))
        .group_by(col(LifecycleStepRow.run_id), col(LifecycleStepRow.status))
    )
    found: dict[str, dict[str, int]] = {}
    for run_id, status, count in (await session.exec(counted)).all():
        found.setdefault(run_id, {})[status] = count
    return found


async def run_views(session: AsyncSession, rows: Sequence[LifecycleRunRow], language: Language) -> list[RunView]:
    """Return runs with the counts of their steps; routines by their names in the reader's language."""
    names = await identity_names(session, (row.started_by for row in rows))
    counts = await steps_by_status(session, [row.id for row in rows])
    return [
        RunView(
            id=row.id,
            display_name=display_of(row.routine_names, row.routine_key, language),
            routine=Ref(id=row.routine_id, display_name=display_of(row.routine_names, row.routine_key, language)),
            routine_key=row.routine_key,
            job_id=row.job_id,
            started_by=None if row.started_by is None else ref_of(row.started_by, names),
            dry_run=row.dry_run,
            status=row.status,
            affected=row.affected,
            max_affected=row.max_affected,
            steps=counts.get(row.id, {}),
            error_code=row.error_code,
            error_detail=row.error_detail,
            version=row.version,
            started_at=row.started_at,
            finished_at=row.finished_at,
            updated_at=row.updated_at,
        )
        for row in rows
    ]


def _step_view(step: LifecycleStepRow) -> StepView:
    return StepView(
        id=step.id,
        identity=Ref(id=step.identity_id, display_name=step.identity_display),
        action=step.action.partition(":")[0],
        parameters=step.parameters,
        reason=step.reason,
        status=step.status,
        error_code=step.error_code,
        error_detail=step.error_detail,
        entry_id=step.entry_id,
        finished_at=step.finished_at,
    )
