"""How an export is made: the list read page by page as whoever asked, then kept as a file."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pydantic import ValidationError

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.validation_words import plain
from nova_ui.errors import NovaForbidden, NovaInvalid, NovaNotFound, NovaProblem
from nova_ui.nova.audit_trail import Target
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core, load_reach
from nova_ui.nova.export_files import COLUMNS, write_csv, write_lines
from nova_ui.nova.job_runner import RunningJob
from nova_ui.nova.permissions import Reach
from nova_ui.nova.views import ExportCreate, Page
from nova_ui.nova.views.common import Query, View
from storage.nova.rows import lock_row
from storage.nova.tables import ExportRow

EXPORT_JOB: Final = "export"
READY: Final = "ready"
MAX_ROWS: Final = 20_000
PAGE_ROWS: Final = 200

ReadPage = Callable[[RequestContext, Query], Awaitable[Page[View]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A list that can be exported: its query and how a page of it is read."""

    query: type[Query]
    read: ReadPage


class ListReader:
    """Reads whole lists as somebody may see them."""

    def __init__(self, sources: Mapping[str, Source]) -> None:
        self._sources = sources

    async def check(self, context: RequestContext, wanted: ExportCreate) -> None:
        """Refuse what can't become an export, before anything is queued.

        Raises:
            NovaForbidden: the list may not be read.
            NovaInvalid: the filter is not one of the list's, or too many rows match.

        """
        source = self._sources[wanted.resource]
        await _read(source, context, wanted, None)

    async def read(
        self, context: RequestContext, wanted: ExportCreate, progress: Callable[[int, int | None], Awaitable[None]]
    ) -> list[JsonObject]:
        """Return every record of a list; tell `progress` after each page."""
        source = self._sources[wanted.resource]
        records: list[JsonObject] = []
        cursor: str | None = None
        while True:
            page = await _read(source, context, wanted, cursor)
            records.extend(view.model_dump(mode="json") for view in page.items)
            if len(records) > MAX_ROWS:
                raise _too_many()
            await progress(len(records), None if page.total_is_capped else page.total)
            cursor = page.next_cursor
            if cursor is None:
                return records

    async def shows(self, context: RequestContext, resource: str, record_ids: Collection[str]) -> bool:
        """Whether all of `record_ids` are on the list as it is now, whatever it was filtered by."""
        source, missing = self._sources[resource], set(record_ids)
        cursor: str | None = None
        while missing:
            query = source.query.model_validate({"cursor": cursor, "limit": PAGE_ROWS})
            try:
                page = await source.read(context, query)
            except NovaForbidden:
                return False
            missing.difference_update(_id_of(view.model_dump(mode="json")) for view in page.items)
            cursor = page.next_cursor
            if cursor is None:
                break
        return not missing


class ExportWork:
    """What a job of the kind `export` does."""

    def __init__(self, core: Core, reader: ListReader) -> None:
        self._core = core
        self._reader = reader

    async def run(self, job: RunningJob) -> JsonObject:
        """Make the file; one that is there already is left as it is.

        Raises:
            NovaProblem: the list can't be read any more, or the export was deleted meanwhile.

        """
        export_id = str(job.parameters["export_id"])
        async with self._core.database.reading() as session:
            row = await session.get(ExportRow, export_id)
            # Before the records: they can't show more than it says.
            reach = await load_reach(session, job.asker.identity)
        if row is None:
            raise NovaNotFound("The export was deleted.")
        target = Target("export", row.id, row.resource)
        wanted = ExportCreate.model_validate({"resource": row.resource, "filter": row.query, "format": row.format})
        try:
            records = await self._reader.read(job.asker, wanted, job.progress)
        except NovaProblem as problem:
            await self._core.writer.log_refusal(job.asker, "export.ready", target, problem)
            raise
        render = write_csv if row.format == "csv" else write_lines
        content = await asyncio.to_thread(render, COLUMNS[row.resource], records)
        return await self._keep(job, row.id, reach, records, content)

    async def _keep(
        self, job: RunningJob, export_id: str, reach: Reach, records: Sequence[JsonObject], content: bytes
    ) -> JsonObject:
        digest = hashlib.sha256(content).hexdigest()
        target = Target("export", export_id)
        async with self._core.writer.writing(job.asker, "export.ready", target) as write:
            row = await lock_row(write.session, ExportRow, export_id)
            if row is None:
                raise NovaNotFound("The export was deleted.")
            if row.status != READY:
                row.status, row.rows, row.sha256, row.content = READY, len(records), digest, content
                row.reach = None if reach.everybody else sorted(reach.ids)
                row.record_ids = None if reach.everybody else [_id_of(record) for record in records]
                write.session.add(row)
                cause = job.parameters.get("caused_by")
                details = {"rows": row.rows, "sha256": row.sha256}
                target = Target("export", row.id, row.resource)
                await write.log("export.ready", target, details=details, caused_by=str(cause) if cause else None)
            return {"export_id": row.id, "rows": row.rows, "sha256": row.sha256}


async def _read(source: Source, context: RequestContext, wanted: ExportCreate, cursor: str | None) -> Page[View]:
    page = await source.read(context, _query(source, wanted, cursor))
    if cursor is None and page.total > MAX_ROWS:
        raise _too_many()
    return page


def _too_many() -> NovaInvalid:
    return NovaInvalid(f"More than {MAX_ROWS} rows match. Narrow the filter.", field="filter")


def _id_of(record: Mapping[str, JsonValue]) -> str:
    return str(record.get("id"))


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
