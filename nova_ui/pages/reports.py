"""Monitoring › Reports: a report is chosen, its figures and its rows shown."""

from nicegui import events, ui

from nova_ui.components.buttons import quiet_button
from nova_ui.components.chips import fact_chip
from nova_ui.components.empty import EmptyState
from nova_ui.components.notices import NoticeLine
from nova_ui.components.object_table import ObjectTable
from nova_ui.errors import NovaProblem
from nova_ui.nova_client.origin import INTERFACE
from nova_ui.pages.directory import links_of
from nova_ui.pages.frame import Frame
from nova_ui.pages.navigation import REPORTS
from nova_ui.pages.page import page
from nova_ui.pages.visit import Visit
from nova_ui.presenters.records import as_csv
from nova_ui.presenters.reports import DAYS, REPORT_KINDS, ReportPage, ReportsPresenter
from nova_ui.services import Services


def register(services: Services) -> None:
    """Add the page."""

    @page(services, REPORTS.path, title=REPORTS.label, section=REPORTS.section, roles=REPORTS.roles)
    async def reports_page(visit: Visit, frame: Frame) -> None:
        nova = services.nova.open(visit.caller, INTERFACE)
        screen = ReportsScreen(ReportsPresenter(nova, ui.context.client.request.query_params), visit)
        with frame.actions:
            quiet_button(visit.tr("Export"), screen.export, icon="download").mark("export")
        await screen.presenter.load()


class ReportsScreen:
    """The choices above, the rows below, drawn anew for each report."""

    def __init__(self, presenter: ReportsPresenter, visit: Visit) -> None:
        self.presenter = presenter
        self._visit = visit
        tr = visit.tr
        with ui.element("div").classes("nova-stack"):
            with ui.element("div").classes("nova-row nova-report__choices"):
                names = {kind.key: tr(kind.label) for kind in REPORT_KINDS}
                self._report = ui.select(names, label=tr("Report"), value=presenter.kind.key, on_change=self._chosen)
                self._report.mark("report").classes("nova-report__select")
                days = {number: tr.plural("{count} day", "{count} days", number) for number in DAYS}
                self._days = ui.select(days, label=tr("Days"), value=presenter.days, on_change=self._looked_at)
                self._days.mark("days")
            self._about = ui.label().classes("nova-hint")
            self._body = ui.element("div").classes("nova-stack")
        presenter.changed.subscribe(self._show)

    async def export(self) -> None:
        """Hand the whole report out as CSV, safe for spreadsheets."""
        try:
            records = await self.presenter.all_rows()
        except NovaProblem as problem:
            ui.notify(self._visit.tr(type(problem).key), type="negative", position="top")
            return
        ui.download.content(as_csv(records).encode("utf-8-sig"), f"{self.presenter.kind.key}.csv", "text/csv")

    async def _chosen(self, event: events.ValueChangeEventArguments[str | None]) -> None:
        if event.value is not None and event.value != self.presenter.kind.key:
            await self.presenter.choose(event.value)
            self._keep_address()

    async def _looked_at(self, event: events.ValueChangeEventArguments[int | None]) -> None:
        if event.value is not None and event.value != self.presenter.days:
            await self.presenter.look_at(event.value)
            self._keep_address()

    def _keep_address(self) -> None:
        ui.navigate.history.replace(f"{self._visit.prefix}{REPORTS.path}{self.presenter.address}")

    def _show(self, shown: ReportPage) -> None:
        if self._body.is_deleted:
            return
        tr, kind = self._visit.tr, self.presenter.kind
        self._days.visible = kind.days is not None
        self._days.value = self.presenter.days
        self._about.text = tr(kind.about)
        self._body.clear()
        with self._body:
            if shown.problem is not None:
                NoticeLine(tr(type(shown.problem).key), "error", next_step=tr("Please try again in a moment."))
            elif not shown.rows:
                EmptyState("task_alt", tr("Nothing found"), tr("There is nothing to report."))
            else:
                self._draw(shown)

    def _draw(self, shown: ReportPage) -> None:
        tr, kind = self._visit.tr, self.presenter.kind
        with ui.element("div").classes("nova-row").props("role=status"):
            fact_chip(tr("{number} in total", number=tr.number(shown.total)))
            for word, count in shown.figures:
                fact_chip(f"{tr.number(count)} {tr(word)}")
        table = ObjectTable(kind.columns, tr, links_of(self._visit), label=tr(kind.label))
        table.fill(shown.rows)
        if shown.has_previous or shown.has_next:
            with ui.element("nav").classes("nova-row") as pager:
                pager.props["aria-label"] = tr("Pages of the report")
                quiet_button(tr("Back"), self.presenter.previous, icon="chevron_left").set_enabled(shown.has_previous)
                quiet_button(tr("Next"), self.presenter.following, icon="chevron_right").set_enabled(shown.has_next)
