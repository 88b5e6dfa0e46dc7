"""Reports for those who oversee: one statement for the rows of a page, one for the figures above them."""

from collections.abc import Mapping
from typing import Final

from sqlalchemy import func

from nova_ui.errors import NovaInvalid
from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core
from nova_ui.nova.offset_pages import fingerprint_of, read_cursor, write_cursor
from nova_ui.nova.permissions import require_overseer
from nova_ui.nova.report_access import DORMANT_ENTITLEMENTS, EXPIRING_ACCESS, PRIVILEGED_ACCESS
from nova_ui.nova.report_events import FAILED_SIGN_INS, OPEN_REQUESTS
from nova_ui.nova.report_people import INACTIVE_IDENTITIES, MFA_COVERAGE
from nova_ui.nova.report_shape import TOTAL, Asked, Report, cells_of
from nova_ui.nova.views import ReportCount, ReportKey, ReportQuery, ReportView

REPORTS: Final[Mapping[ReportKey, Report]] = {
    report.key: report
    for report in (
        INACTIVE_IDENTITIES,
        EXPIRING_ACCESS,
        PRIVILEGED_ACCESS,
        MFA_COVERAGE,
        OPEN_REQUESTS,
        FAILED_SIGN_INS,
        DORMANT_ENTITLEMENTS,
    )
}


class Reports:
    """What administrators and auditors look at again and again."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def run(self, context: RequestContext, key: ReportKey, query: ReportQuery) -> ReportView:
        """Return a page of a report; pages are counted, so that rows may move when the data changes meanwhile.

        Raises:
            NovaForbidden: the caller oversees nothing.
            NovaInvalid: the report has no such parameter, or the cursor belongs to another one.

        """
        require_overseer(context.identity)
        report = REPORTS[key]
        parameters = _parameters(report, query)
        fingerprint = fingerprint_of(key, parameters)
        offset = read_cursor(query.cursor, fingerprint)
        asked = Asked.of(parameters, self._core.clock.now())
        async with self._core.database.reading() as session:
            connection = await session.connection()
            page = report.rows(asked).add_columns(func.count().over().label(TOTAL))
            rows = (await connection.execute(page.offset(offset).limit(query.limit + 1))).mappings().all()
            counts = (await connection.execute(report.figures(asked))).mappings().one() if report.figures else {}
            shown = await report.finish(session, [cells_of(row) for row in rows[: query.limit]], asked)
        total = int(rows[0][TOTAL]) if rows else 0
        more = len(rows) > query.limit
        return ReportView(
            key=key,
            parameters=parameters,
            generated_at=asked.now,
            counts=[
                ReportCount(key="total", count=total),
                *(_figure(str(name), value) for name, value in counts.items()),
            ],
            columns=list(report.columns),
            items=[{name: row.get(name) for name in report.columns} for row in shown],
            next_cursor=write_cursor(fingerprint, offset + query.limit) if more else None,
            total=total,
        )


def _parameters(report: Report, query: ReportQuery) -> dict[str, str | int]:
    """Return the parameters in force, defaults filled in."""
    given = query.model_dump(include={"days", "department", "application_id"}, exclude_none=True)
    for name in given:
        if name not in report.parameters:
            raise NovaInvalid(f"{name}: the report {report.key} has no such parameter", field=name)
    return {name: value for name, value in {**report.parameters, **given}.items() if value is not None}


def _figure(name: str, value: object) -> ReportCount:
    return ReportCount(key=name, count=value if isinstance(value, int) else 0)
