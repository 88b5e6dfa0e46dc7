"""Exports: a stored extract of a list, by the same right and the same filter as the list itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.errors import NovaConflict, NovaForbidden, NovaProblem
from nova_ui.nova.audit_trail import Target
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core, load_reach, page_of
from nova_ui.nova.effects import Planned, weigh
from nova_ui.nova.export_files import COLUMNS
from nova_ui.nova.export_room import check_room
from nova_ui.nova.export_work import EXPORT_JOB, READY, ExportWork, ListReader, Source
from nova_ui.nova.identity_views import ref_of
from nova_ui.nova.job_runner import JobRunner
from nova_ui.nova.jobs import add_job
from nova_ui.nova.permissions import oversees, require_found
from nova_ui.nova.views import Done, ExportCreate, ExportQuery, ExportView, Impact, ObjectRef, Page
from nova_ui.nova.views.jobs import JobError
from storage.ids import new_id
from storage.nova.jobs import OPEN, jobs_by_id
from storage.nova.names import identity_names
from storage.nova.paging import Order, Wanted, read_slice
from storage.nova.schedule_tables import JobRow
from storage.nova.tables import ExportRow

LIFETIME: Final = timedelta(days=7)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFile:
    """A file to be handed out."""

    name: str
    media_type: str
    content: bytes


class Exports:
    """Extracts of lists. The caller sees its own; administrators and auditors see all."""

    def __init__(self, core: Core, sources: Mapping[str, Source], runner: JobRunner) -> None:
        self._core = core
        self._reader = ListReader(sources)
        self._runner = runner
        runner.register(EXPORT_JOB, ExportWork(core, self._reader).run)

    async def create(self, context: RequestContext, body: ExportCreate) -> ExportView:
        """Have a list read as the caller and kept as a file for 7 days; a job does it.

        Raises:
            NovaForbidden: the caller may not read the list.
            NovaInvalid: the filter is not one of the list's, or more than 20,000 rows match.
            NovaTooMany: as many as one may have are being made.
            NovaConflict: as many as one may have are kept.

        """
        target = Target("export", None, body.resource)
        try:
            await self._reader.check(context, body)
        except NovaProblem as problem:
            await self._core.writer.log_refusal(context, "export.created", target, problem)
            raise
        async with self._core.writer.writing(context, "export.created", target) as write:
            await check_room(write)
            export_id = new_id("exp")
            target = Target("export", export_id, body.resource)
            details = {"filter": body.filter, "format": body.format}
            entry = await write.log("export.created", target, details=details)
            job = await add_job(write, EXPORT_JOB, {"export_id": export_id, "caused_by": entry})
            row = ExportRow(
                id=export_id,
                resource=body.resource,
                query=dict(body.filter),
                format=body.format,
                status="queued",
                job_id=job.id,
                created_by=context.identity.id,
                origin=context.origin.name,
                created_at=write.now,
                expires_at=write.now + LIFETIME,
            )
            write.session.add(row)
            await write.session.flush()
            made = (await _views(write.session, [row], write.now))[0]
        self._runner.begin(job.id)
        return made

    async def list_page(self, context: RequestContext, query: ExportQuery) -> Page[ExportView]:
        """Return a page of exports."""
        now = self._core.clock.now()
        async with self._core.database.reading() as session:
            statement = select(ExportRow).where(col(ExportRow.expires_at) > now)
            if not oversees(context.identity):
                statement = statement.where(col(ExportRow.created_by) == context.identity.id)
            if query.resource is not None:
                statement = statement.where(col(ExportRow.resource) == query.resource)
            if query.q is not None:
                statement = statement.where(col(ExportRow.resource).contains(query.q, autoescape=True))
            found = await read_slice(
                session,
                statement,
                Order.by(ExportRow, query.sort, {"created_at": "created_at"}),
                Wanted.of(query, cursor=query.cursor, limit=query.limit),
            )
            return page_of(found, await _views(session, found.rows, now))

    async def get(self, context: RequestContext, export_id: str) -> ExportView:
        """Return one export without its content.

        Raises:
            NovaNotFound: there is none, it is gone, or it is not visible.

        """
        now = self._core.clock.now()
        async with self._core.database.reading() as session:
            return (await _views(session, [await _visible(session, context, export_id, now)], now))[0]

    async def download(self, context: RequestContext, export_id: str) -> ExportFile:
        """Hand the file out, with an entry in the audit log.

        Raises:
            NovaNotFound: there is none, it is gone, or it is not visible.
            NovaForbidden: the caller may no longer read everything that the list showed when the file was made.
            NovaConflict: it is not ready.

        """
        may_read = await self._may_still_read(context, export_id)
        async with self._core.writer.writing(context, "export.downloaded", Target("export", export_id)) as write:
            row = await _visible(write.session, context, export_id, write.now)
            write.target = Target("export", row.id, row.resource)
            if row.status != READY:
                raise NovaConflict("The export is not ready.", code="state_conflict")
            if not may_read:
                raise NovaForbidden("You may no longer read all that this export holds. Make it anew.")
            await write.log("export.downloaded", write.target, details={"sha256": row.sha256, "rows": row.rows})
            is_csv = row.format == "csv"
            return ExportFile(
                name=f"nova-{row.resource.replace('_', '-')}-{row.created_at:%Y-%m-%d}.{row.format}",
                media_type="text/csv; charset=utf-8" if is_csv else "application/jsonl; charset=utf-8",
                content=row.content,
            )

    async def impact_of_delete(self, context: RequestContext, export_id: str) -> Impact:
        """Return what deleting an export would do."""
        async with self._core.database.reading() as session:
            row = await _visible(session, context, export_id, self._core.clock.now())
            subject = ObjectRef(type="export", id=row.id, display=row.resource)
            return await weigh(subject, _plan_delete(context, row))

    async def delete(self, context: RequestContext, export_id: str) -> Done[ExportView]:
        """Delete an export before its time."""
        async with self._core.writer.writing(context, "export.deleted", Target("export", export_id)) as write:
            row = await _visible(write.session, context, export_id, write.now)
            write.target = Target("export", row.id, row.resource)
            await _plan_delete(context, row)
            last = (await _views(write.session, [row], write.now))[0]
            await write.session.delete(row)
            await write.log("export.deleted", write.target)
            return Done(object=last, effects=[])

    async def _may_still_read(self, context: RequestContext, export_id: str) -> bool:
        """Whether the caller may by now read everything that an export holds: whose data, and which records."""
        if oversees(context.identity):
            return True
        async with self._core.database.reading() as session:
            row = await _visible(session, context, export_id, self._core.clock.now())
            reach = await load_reach(session, context.identity)
        if row.reach is None or not reach.ids.issuperset(row.reach):
            return False
        return not row.record_ids or await self._reader.shows(context, row.resource, row.record_ids)


async def _visible(session: AsyncSession, context: RequestContext, export_id: str, now: datetime) -> ExportRow:
    row = await session.get(ExportRow, export_id)
    mine = row is not None and (row.created_by == context.identity.id or oversees(context.identity))
    return require_found(row if mine and row is not None and row.expires_at > now else None, "export")


async def _plan_delete(context: RequestContext, row: ExportRow) -> list[Planned]:
    if row.created_by != context.identity.id and not context.identity.is_administrator:
        raise NovaForbidden("Only whoever made an export, or an administrator, may delete it.")
    return []


async def _views(session: AsyncSession, rows: Sequence[ExportRow], now: datetime) -> list[ExportView]:
    names = await identity_names(session, (row.created_by for row in rows))
    jobs = await jobs_by_id(session, [row.job_id for row in rows if row.job_id is not None])
    return [
        ExportView(
            id=row.id,
            resource=row.resource,
            filter=row.query,
            columns=list(COLUMNS[row.resource]),
            format=row.format,
            rows=row.rows,
            sha256=row.sha256,
            status=_status(row, jobs, now),
            error=_error(jobs.get(row.job_id or "")),
            job_id=row.job_id,
            created_by=ref_of(row.created_by, names),
            origin=row.origin,
            content_path=f"/exports/{row.id}/content",
            created_at=row.created_at,
            expires_at=row.expires_at,
        )
        for row in rows
    ]


def _status(row: ExportRow, jobs: Mapping[str, JobRow], now: datetime) -> str:
    if row.expires_at <= now:
        return "expired"
    if row.status == READY:
        return READY
    job = jobs.get(row.job_id or "")
    return job.status if job is not None and job.status in OPEN else "failed"


def _error(job: JobRow | None) -> JobError | None:
    return (
        None if job is None or job.error_code is None else JobError(code=job.error_code, detail=job.error_detail or "")
    )
