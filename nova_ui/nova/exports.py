"""Exports: a stored extract of a list, by the same right and the same filter as the list itself."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from pydantic import ValidationError
from sqlalchemy import delete
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.validation_words import plain
from nova_ui.errors import NovaForbidden, NovaInvalid, NovaProblem
from nova_ui.nova.audit_trail import Target
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core, load_reach, page_of
from nova_ui.nova.effects import Planned, weigh
from nova_ui.nova.export_files import COLUMNS, write_csv, write_lines
from nova_ui.nova.identity_views import ref_of
from nova_ui.nova.permissions import Reach, oversees, require_found
from nova_ui.nova.views import Done, ExportCreate, ExportQuery, ExportView, Impact, ObjectRef, Page
from nova_ui.nova.views.common import Query, View
from storage.ids import new_id
from storage.nova.names import identity_names
from storage.nova.paging import Order, Wanted, read_slice
from storage.nova.tables import ExportRow

LIFETIME: Final = timedelta(days=7)
MAX_ROWS: Final = 20_000
PAGE_ROWS: Final = 200

ReadPage = Callable[[RequestContext, Query], Awaitable[Page[View]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A list that can be exported: its query and how a page of it is read."""

    query: type[Query]
    read: ReadPage


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFile:
    """A file to be handed out."""

    name: str
    media_type: str
    content: bytes


class Exports:
    """Extracts of lists. The caller sees its own; administrators and auditors see all."""

    def __init__(self, core: Core, sources: Mapping[str, Source]) -> None:
        self._core = core
        self._sources = sources

    async def create(self, context: RequestContext, body: ExportCreate) -> ExportView:
        """Read the whole list as the caller and keep it as a file for 7 days.

        Raises:
            NovaForbidden: the caller may not read the list.
            NovaInvalid: the filter is not one of the list's, or more than 20,000 rows match.

        """
        target = Target("export", None, body.resource)
        try:
            reach = await self._reach(context)  # before the records: they can't show more than it says
            records = await self._records(context, body)  # before the transaction: a long list must hold no lock
        except NovaProblem as problem:
            await self._core.writer.log_refusal(context, "export.created", target, problem)
            raise
        columns = COLUMNS[body.resource]
        render = write_csv if body.format == "csv" else write_lines
        content = await asyncio.to_thread(render, columns, records)
        async with self._core.writer.writing(context, "export.created", target) as write:
            await write.session.exec(delete(ExportRow).where(col(ExportRow.expires_at) <= write.now))
            row = ExportRow(
                id=new_id("exp"),
                resource=body.resource,
                query=dict(body.filter),
                format=body.format,
                rows=len(records),
                sha256=hashlib.sha256(content).hexdigest(),
                content=content,
                created_by=context.identity.id,
                reach=None if reach.everybody else sorted(reach.ids),
                origin=context.origin.name,
                created_at=write.now,
                expires_at=write.now + LIFETIME,
            )
            write.session.add(row)
            await write.session.flush()
            details = {"filter": row.query, "format": row.format, "rows": row.rows, "sha256": row.sha256}
            await write.log("export.created", Target("export", row.id, row.resource), details=details)
            return (await _views(write.session, [row], write.now))[0]

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

        """
        async with self._core.writer.writing(context, "export.downloaded", Target("export", export_id)) as write:
            row = await _visible(write.session, context, export_id, write.now)
            write.target = Target("export", row.id, row.resource)
            if not _still_covers(await load_reach(write.session, context.identity), row):
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

    async def _reach(self, context: RequestContext) -> Reach:
        async with self._core.database.reading() as session:
            return await load_reach(session, context.identity)

    async def _records(self, context: RequestContext, body: ExportCreate) -> list[JsonObject]:
        source = self._sources[body.resource]
        records: list[JsonObject] = []
        cursor: str | None = None
        while True:
            page = await source.read(context, _query(source, body, cursor))
            records.extend(view.model_dump(mode="json") for view in page.items)
            if len(records) > MAX_ROWS or (cursor is None and page.total > MAX_ROWS):
                raise NovaInvalid(f"More than {MAX_ROWS} rows match. Narrow the filter.", field="filter")
            cursor = page.next_cursor
            if cursor is None:
                return records


def _query(source: Source, body: ExportCreate, cursor: str | None) -> Query:
    paging = {"cursor", "limit", "fields"} & set(body.filter)
    if paging:
        raise NovaInvalid(
            "An export takes the whole list: no cursor, no limit, no fields.", field=f"filter.{min(paging)}"
        )
    try:
        return source.query.model_validate({**body.filter, "cursor": cursor, "limit": PAGE_ROWS})
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        place = str(first["loc"][0]) if first["loc"] else ""
        name = place if place.isidentifier() else "unknown"
        known = first["type"] != "extra_forbidden"
        detail = plain(first["msg"]) if known else f"is not a filter of {body.resource}"
        raise NovaInvalid(f"filter.{name}: {detail}", field=f"filter.{name}") from None


async def _visible(session: AsyncSession, context: RequestContext, export_id: str, now: datetime) -> ExportRow:
    row = await session.get(ExportRow, export_id)
    mine = row is not None and (row.created_by == context.identity.id or oversees(context.identity))
    return require_found(row if mine and row is not None and row.expires_at > now else None, "export")


def _still_covers(reach: Reach, row: ExportRow) -> bool:
    """Whether whoever has `reach` may still read what an export was made from."""
    return reach.everybody or (row.reach is not None and reach.ids.issuperset(row.reach))


async def _plan_delete(context: RequestContext, row: ExportRow) -> list[Planned]:
    if row.created_by != context.identity.id and not context.identity.is_administrator:
        raise NovaForbidden("Only whoever made an export, or an administrator, may delete it.")
    return []


async def _views(session: AsyncSession, rows: Sequence[ExportRow], now: datetime) -> list[ExportView]:
    names = await identity_names(session, (row.created_by for row in rows))
    return [
        ExportView(
            id=row.id,
            resource=row.resource,
            filter=row.query,
            columns=list(COLUMNS[row.resource]),
            format=row.format,
            rows=row.rows,
            sha256=row.sha256,
            status=row.status if row.expires_at > now else "expired",
            created_by=ref_of(row.created_by, names),
            origin=row.origin,
            content_path=f"/exports/{row.id}/content",
            created_at=row.created_at,
            expires_at=row.expires_at,
        )
        for row in rows
    ]
