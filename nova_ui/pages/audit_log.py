"""Monitoring › Audit Log."""

from typing import Final

from nicegui import events, ui

from nova_ui.components.audit_entry import AuditEntryView
from nova_ui.components.audit_filter_bar import AuditFilterBar
from nova_ui.components.audit_table import AuditTable
from nova_ui.components.buttons import quiet_button
from nova_ui.components.detail_drawer import DetailDrawer
from nova_ui.components.empty import EmptyState
from nova_ui.components.notices import NoticeLine
from nova_ui.domain.text import mark
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
TOO_MANY: Final = mark("These are too many entries for one export. Narrow the filters and try again.")


def register(services: Services) -> None:
    """Add the page."""

    @page(services, AUDIT_LOG.path, title=AUDIT_LOG.label, section=AUDIT_LOG.section, roles=AUDIT_LOG.roles)
    async def audit_log_page(visit: Visit, frame: Frame) -> None:
        filters = AuditFilters.from_address(ui.context.client.request.query_params)
        nova = services.nova.open(visit.caller, INTERFACE)
        presenter = AuditLogPresenter(nova, services.clock, filters, visit.tr.timezone)
        AuditScreen(presenter, visit, frame)
        await presenter.load()


class AuditScreen:
    """The parts of the page, and what a press of each does."""

    def __init__(self, presenter: AuditLogPresenter, visit: Visit, frame: Frame) -> None:
        self._presenter = presenter
        self._visit = visit
        self._tr = visit.tr
        with frame.actions:
            self._draw_actions()
        with ui.element("div").classes("nova-stack"):
            self._bar = AuditFilterBar(presenter, self._tr, self._use)
            self._problem = ui.element("div").classes("nova-slot")
            with ui.element("div").classes("nova-beside nova-audit"):
                with ui.element("div").classes("nova-stack"):
                    self._empty = ui.element("div").classes("nova-slot")
                    self._table = AuditTable(self._tr, self._open).mark("entries")
                    self._draw_pager()
                self._drawer = DetailDrawer(self._tr, on_close=lambda: self._table.mark_opened(""))
        presenter.changed.subscribe(self._show)

    def _draw_actions(self) -> None:
        self._count = ui.label().classes("nova-hint nova-audit__count").props("role=status").mark("count")
        # Other processes write entries too, so there is no event to wait for; asked for, and only while it is on.
        self._timer = ui.timer(TAIL_SECONDS, self._presenter.follow, active=False, immediate=True)
        self._live = ui.switch(self._tr("Live"), on_change=self._live_switched).props("dense").mark("live")
        with self._live:
            ui.tooltip(self._tr("Show new entries as they are written"))
        export = quiet_button(self._tr("Export"), icon="download").props("aria-haspopup=menu")
        with export.mark("export"), ui.menu().props("auto-close"):
            ui.menu_item("CSV", lambda: self._export("csv")).props("role=menuitem").mark("export-csv")
            ui.menu_item("JSON Lines", lambda: self._export("jsonl")).props("role=menuitem").mark("export-jsonl")

    def _draw_pager(self) -> None:
        with ui.element("nav").classes("nova-row nova-audit__pager") as self._pager:
            self._pager.props["aria-label"] = self._tr("Older and newer entries")
            self._newer = quiet_button(self._tr("Newer"), self._presenter.newer, icon="chevron_left")
            self._older = quiet_button(self._tr("Older"), self._turn_older, icon="chevron_right")

    def _show(self, shown: AuditPage) -> None:
        if self._table.is_deleted:
            return
        self._table.show(shown.entries)
        self._table.visible = bool(shown.entries)
        self._pager.visible = shown.has_newer or shown.has_older
        self._newer.set_enabled(shown.has_newer)
        self._older.set_enabled(shown.has_older)
        self._count.text = "" if shown.problem else self._counted(shown)
        self._bar.show()
        self._empty.clear()
        self._problem.clear()
        if shown.problem is not None:
            with self._problem:
                NoticeLine(self._tr(shown.problem.key), "error", next_step=self._tr("Please try again in a moment."))
        elif not shown.entries:
            with self._empty:
                EmptyState("fact_check", self._tr("No entries"), self._tr("Nothing in the log matches these filters."))

    def _counted(self, shown: AuditPage) -> str:
        if shown.total_is_capped:
            return self._tr("more than {number} entries", number=shown.total)
        return self._tr.plural("{count} entry", "{count} entries", shown.total)

    def _live_switched(self, event: events.ValueChangeEventArguments[bool | None]) -> None:
        self._timer.active = event.value is True

    async def _turn_older(self) -> None:
        self._live.value = False  # following goes back to the newest entries
        await self._presenter.older()

    async def _use(self, filters: AuditFilters) -> None:
        await self._presenter.use(filters)
        ui.navigate.history.replace(f"{self._visit.prefix}{AUDIT_LOG.path}{self._presenter.filters.address}")

    async def _open(self, entry_id: str) -> None:
        try:
            opened = await self._presenter.open(entry_id)
        except NovaProblem as problem:
            self._apologise(problem.key)
            return
        if self._table.is_deleted:
            return
        with self._drawer.open(opened.entry.action, self._tr.precise(opened.entry.time)):
            AuditEntryView(opened, self._tr, self._open)
        self._table.mark_opened(entry_id)

    async def _export(self, file_format: str) -> None:
        try:
            path = await self._presenter.export(file_format)
        except NovaProblem as problem:
            self._apologise(TOO_MANY if problem.field == "filter" else problem.key)
            return
        ui.navigate.to(f"{self._visit.prefix}{API_PATH}{path}")

    def _apologise(self, message: str) -> None:
        with self._table:
            ui.notify(self._tr(message), type="negative", position="top")
