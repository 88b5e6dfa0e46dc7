"""Jobs: long work that a request started, seen and cancelled by whoever started it."""

from collections.abc import Mapping, Sequence
from typing import Final

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.json_value import JsonValue
from nova_ui.errors import NovaConflict
from nova_ui.nova.audit_trail import Target
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core, page_of
from nova_ui.nova.identity_views import ref_of
from nova_ui.nova.permissions import require_found
from nova_ui.nova.views import Page
from nova_ui.nova.views.jobs import JobError, JobProgress, JobQuery, JobView
from nova_ui.nova.writing import Write, check_version
from storage.ids import new_id
from storage.nova.jobs import OPEN
from storage.nova.names import identity_names
from storage.nova.paging import Order, Wanted, read_slice
from storage.nova.rows import lock_row
from storage.nova.schedule_tables import NOBODY, JobRow

SORT_COLUMNS: Final = {"created_at": "created_at"}


class Jobs:
    """Jobs as the caller may see them: everybody their own, administrators all."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def list_page(self, context: RequestContext, query: JobQuery) -> Page[JobView]:
        """Return a page of jobs."""
        async with self._core.database.reading() as session:
            statement = select(JobRow)
            if not context.identity.is_administrator:
                statement = statement.where(col(JobRow.started_by) == context.identity.id)
            for column, value in ((JobRow.kind, query.kind), (JobRow.status, query.status)):
                if value is not None:
                    statement = statement.where(col(column) == value)
            found = await read_slice(
                session,
                statement,
                Order.by(JobRow, query.sort, SORT_COLUMNS),
                Wanted.of(query, cursor=query.cursor, limit=query.limit),
            )
            return page_of(found, await job_views(session, found.rows))

    async def get(self, context: RequestContext, job_id: str) -> JobView:
        """Return one job.

        Raises:
            NovaNotFound: there is none, or it is not visible.

        """
        async with self._core.database.reading() as session:
            return (await job_views(session, [_seen(context, await session.get(JobRow, job_id))]))[0]

    async def cancel(self, context: RequestContext, job_id: str, if_match: str | None) -> JobView:
        """End a job: a queued one at once, a running one after the step that it is at.

        Raises:
            NovaNotFound: there is none, or it is not visible.
            NovaConflict: it has ended.

        """
        async with self._core.writer.writing(context, "job.cancelled", Target("job", job_id)) as write:
            row = _seen(context, await lock_row(write.session, JobRow, job_id))
            write.target = Target("job", row.id, row.kind)
            check_version(row.version, if_match)
            if row.status not in OPEN:
                raise NovaConflict(f"The job is {row.status}.", code="state_conflict")
            ended = {"status": "cancelled", "finished_at": write.now} if row.status == "queued" else {}
            await write.change(row, {"cancel_wanted": True, **ended}, if_match)
            await write.log("job.cancelled", write.target)
            return (await job_views(write.session, [row]))[0]


async def add_job(write: Write, kind: str, parameters: Mapping[str, JsonValue]) -> JobRow:
    """Queue a job within the write that asks for it; hand its id to `JobRunner.begin` once that is committed."""
    asker = write.asker
    row = JobRow(
        id=new_id("job"),
        kind=kind,
        started_by=asker.identity.id,
        session_id=asker.session_id,
        ip=asker.ip,
        origin=asker.origin.name,
        request_id=asker.request_id,
        parameters=dict(parameters),
        created_at=write.now,
        updated_at=write.now,
    )
    write.session.add(row)
    await write.session.flush()
    return row


async def add_system_job(write: Write, kind: str, parameters: Mapping[str, JsonValue]) -> JobRow:
    """Queue a job that nobody began, within a write of a routine or the clock."""
    row = JobRow(
        id=new_id("job"),
        kind=kind,
        started_by=NOBODY,
        origin=write.context.origin.name,
        request_id=write.context.request_id,
        parameters=dict(parameters),
        created_at=write.now,
        updated_at=write.now,
    )
    write.session.add(row)
    await write.session.flush()
    return row


def _seen(context: RequestContext, row: JobRow | None) -> JobRow:
    is_mine = row is not None and (row.started_by == context.identity.id or context.identity.is_administrator)
    return require_found(row if is_mine else None, "job")


async def job_views(session: AsyncSession, rows: Sequence[JobRow]) -> list[JobView]:
    """Return jobs with the names of those who started them."""
    names = await identity_names(session, (row.started_by for row in rows))
    return [
        JobView(
            id=row.id,
            kind=row.kind,
            status=row.status,
            started_by=None if row.started_by == NOBODY else ref_of(row.started_by, names),
            origin=row.origin,
            request_id=row.request_id,
            progress=JobProgress(done=row.done, total=row.total),
            result=row.result,
            error=None if row.error_code is None else JobError(code=row.error_code, detail=row.error_detail or ""),
            cancel_wanted=row.cancel_wanted,
            version=row.version,
            created_at=row.created_at,
            started_at=row.started_at,
            finished_at=row.finished_at,
            updated_at=row.updated_at,
        )
        for row in rows
    ]
