"""Monitoring › Audit Log."""

from typing import Final

from nicegui import ui

from nova_ui.components.audit_filter_bar import AuditFilterBar
from nova_ui.components.audit_table import audit_columns, audit_row, draw_entry
from nova_ui.components.buttons import quiet_button
from nova_ui.components.data_table import DataTable
from nova_ui.components.detail_drawer import DetailDrawer
from nova_ui.components.empty import EmptyState
from nova_ui.components.notices import NoticeLine
from nova_ui.errors import NovaProblem
from nova_ui.nova_client.origin import INTERFACE
from nova_ui.pages.frame import Frame
from nova_ui.pages.navigation import AUDIT_LOG
from nova_ui.pages.page import page
from nova_ui.pages.visit import Visit
from nova_ui.presenters.audit_filters import AuditFilters
from nova_ui.presenters.audit_log import AuditLogPresenter, AuditPage
from nova_ui.services import Services

TAIL_SECONDS: Final = 3.0
API_PATH: Final = "/api/v1"


def register(services: Services) -> None:
    """Add the page."""

    @page(services, AUDIT_LOG.path, title=AUDIT_LOG.label, section=AUDIT_LOG.section, roles=AUDIT_LOG.roles)
    async def audit_log_page(visit: Visit, frame: Frame) -> None:
        filters = AuditFilters.from_address(ui.context.client.request.query_params)
        nova = services.nova.open(visit.caller, INTERFACE)
        presenter = AuditLogPresenter(nova, services.clock, filters)
        screen = AuditScreen(presenter, visit, frame)
        await presenter.load()
        screen.bar.draw()


class AuditScreen:
    """The parts of the page, and what a press of each does."""

    def __init__(self, presenter: AuditLogPresenter, visit: Visit, frame: Frame) -> None:
        self._presenter = presenter
        self._visit = visit
        self._tr = visit.tr
        with frame.actions:
            self._draw_actions()
        self.bar = AuditFilterBar(presenter, self._tr, self._use)
        self._problem = ui.element("div")
        with ui.element("div").classes("nova-beside nova-audit"):
            with ui.element("div").classes("nova-stack"):
                self._empty = ui.element("div")
                self._table = DataTable(audit_columns(self._tr), [], label=self._tr("Audit log"), on_open=self._open)
                self._draw_pager()
            self._drawer = DetailDrawer(self._tr)
        presenter.changed.subscribe(self._show)

    def _draw_actions(self) -> None:
        self._count = ui.label().classes("nova-hint nova-audit__count")
        tail = ui.switch(self._tr("Live")).props("dense")
        # Other processes write entries too, so there is no event to wait for; asked for, and only while it is on.
        tail.bind_value_to(ui.timer(TAIL_SECONDS, self._presenter.reload, active=False), "active")
        with quiet_button(self._tr("Export"), icon="download"), ui.menu().props("auto-close"):
            ui.menu_item("CSV", lambda: self._export("csv"))
            ui.menu_item("JSON Lines", lambda: self._export("jsonl"))

    def _draw_pager(self) -> None:
        with ui.element("div").classes("nova-row"):
            self._newer = quiet_button(self._tr("Newer"), self._presenter.newer, icon="chevron_left")
            self._older = quiet_button(self._tr("Older"), self._presenter.older, icon="chevron_right")

    def _show(self, shown: AuditPage) -> None:
        if self._table.is_deleted:
            return
        self._table.show([audit_row(entry, self._tr) for entry in shown.entries])
        self._table.visible = bool(shown.entries)
        self._newer.set_enabled(shown.has_newer)
        self._older.set_enabled(shown.has_older)
        count = self._tr.number(shown.total) + ("+" if shown.total_is_capped else "")
        self._count.text = self._tr("{number} entries", number=count)
        self._empty.clear()
        self._problem.clear()
        if shown.problem is not None:
            with self._problem:
                NoticeLine(self._tr(shown.problem.key), "error", next_step=shown.problem.detail)
        elif not shown.entries:
            with self._empty:
                EmptyState("fact_check", self._tr("No entries"), self._tr("Nothing in the log matches these filters."))

    async def _use(self, filters: AuditFilters) -> None:
        await self._presenter.use(filters)
        self._remember()  # first: drawing the bar deletes the menu whose press this is
        self.bar.draw()

    def _remember(self) -> None:
        ui.navigate.history.replace(f"{self._visit.prefix}{AUDIT_LOG.path}{self._presenter.filters.address}")

    async def _open(self, entry_id: str) -> None:
        try:
            opened = await self._presenter.open(entry_id)
        except NovaProblem as problem:
            ui.notify(self._tr(problem.key), type="negative", position="top")
            return
        body = self._drawer.open(opened.entry.action, self._tr.precise(opened.entry.time))
        with body:
            draw_entry(opened, self._tr)

    async def _export(self, file_format: str) -> None:
        try:
            path = await self._presenter.export(file_format)
        except NovaProblem as problem:
            ui.notify(self._tr(problem.key), type="negative", position="top")
            return
        ui.navigate.to(f"{self._visit.prefix}{API_PATH}{path}")
