"""Monitoring › AI usage: messages, requests, tokens and cost, as a table and a chart."""

from collections.abc import Awaitable, Callable
from typing import Final

from nicegui import events, ui

from nova_ui.components.bar_chart import BarChart
from nova_ui.components.buttons import quiet_button
from nova_ui.components.chips import FilterChip, fact_chip
from nova_ui.components.data_table import ROW_KEY, Column, DataTable
from nova_ui.components.empty import EmptyState
from nova_ui.components.facts import heading
from nova_ui.components.notices import NoticeLine
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.text import mark
from nova_ui.errors import NovaProblem
from nova_ui.nova_client.origin import INTERFACE
from nova_ui.pages.frame import Frame
from nova_ui.pages.navigation import AI_USAGE
from nova_ui.pages.page import page
from nova_ui.pages.visit import Visit
from nova_ui.presenters.ai_usage import BY, DAYS, FILTERS, MEASURES, AiUsagePresenter, UsageLine
from nova_ui.presenters.records import as_csv
from nova_ui.presenters.visible import show_deceptive
from nova_ui.services import Services

_KINDS: Final = {"": mark("Chats and AI routines"), "chat": mark("Chats"), "routine": mark("AI routines")}
_KIND_OF_LINE: Final = {"chat": mark("chat"), "routine": mark("AI routine")}
Chosen = events.ValueChangeEventArguments[str | int | None]


def register(services: Services) -> None:
    """Add the page."""

    @page(services, AI_USAGE.path, title=AI_USAGE.label, section=AI_USAGE.section, roles=AI_USAGE.roles)
    async def ai_usage_page(visit: Visit, frame: Frame) -> None:
        nova = services.nova.open(visit.caller, INTERFACE)
        given = ui.context.client.request.query_params
        screen = AiUsageScreen(AiUsagePresenter(nova, visit.tr, given), visit)
        with frame.actions:
            quiet_button(visit.tr("Export"), screen.export, icon="download").mark("export")
        await screen.presenter.load()


class AiUsageScreen:
    """The choices above, totals, chart and lines below."""

    def __init__(self, presenter: AiUsagePresenter, visit: Visit) -> None:
        self.presenter = presenter
        self._visit = visit
        tr = visit.tr
        with ui.element("div").classes("nova-stack"):
            with ui.element("div").classes("nova-row nova-report__choices"):
                self._select("by", tr("By"), {key: tr(words) for key, words in BY.items()}, presenter.by)
                days = {one: tr.plural("{count} day", "{count} days", one) for one in DAYS}
                self._select("days", tr("Days"), days, presenter.days)
                self._kind = self._select("kind", tr("Kind"), {k: tr(w) for k, w in _KINDS.items()}, presenter.kind)
                measures = {key: tr(words) for key, words in MEASURES.items()}
                self._select("measure", tr("Chart"), measures, presenter.measure)
            self._filters = ui.element("div").classes("nova-row")
            self._body = ui.element("div").classes("nova-stack")
        presenter.changed.subscribe(lambda _: self._show())

    async def export(self) -> None:
        """Hand all lines out as CSV, safe for spreadsheets."""
        try:
            records = await self.presenter.all_rows()
        except NovaProblem as problem:
            ui.notify(self._visit.tr(type(problem).key), type="negative", position="top")
            return
        ui.download.content(as_csv(records).encode("utf-8-sig"), f"ai_usage_by_{self.presenter.by}.csv", "text/csv")

    def _select(self, name: str, label: str, options: dict[str, str] | dict[int, str], value: str | int) -> ui.select:
        async def chosen(event: Chosen) -> None:
            if event.value is not None and event.value != getattr(self.presenter, name):
                await self.presenter.look(**{name: event.value})

        select = ui.select(options, label=label, value=value, on_change=chosen).mark(f"usage-{name}")
        if name == "by":
            self._by = select
        return select.classes("nova-usage__select")

    def _show(self) -> None:
        presenter, tr = self.presenter, self._visit.tr
        if self._body.is_deleted:
            return
        ui.navigate.history.replace(f"{self._visit.prefix}{AI_USAGE.path}{presenter.address}")
        self._by.value, self._kind.value = presenter.by, presenter.kind
        self._draw_filters()
        self._body.clear()
        with self._body:
            if presenter.problem is not None:
                NoticeLine(tr(type(presenter.problem).key), "error", next_step=tr("Please try again in a moment."))
            elif not presenter.lines:
                EmptyState("query_stats", tr("Nothing was used"), tr("In these days no message was sent."))
            else:
                self._draw()

    def _draw_filters(self) -> None:
        presenter, tr = self.presenter, self._visit.tr
        self._filters.clear()
        with self._filters:
            for name in presenter.filters:
                chip = FilterChip(tr(FILTERS[name]), self._widener(name), tr)
                chip.show(presenter.filters[name], show_deceptive(presenter.name_of_filter(name)))
                chip.mark(f"filter-{name}")

    def _draw(self) -> None:
        presenter, tr, totals = self.presenter, self._visit.tr, self.presenter.totals
        with ui.element("div").classes("nova-row").props("role=status").mark("totals"):
            fact_chip(tr.plural("{count} message", "{count} messages", totals.messages))
            fact_chip(tr.plural("{count} model request", "{count} model requests", totals.requests))
            fact_chip(tr("{count} tokens in", count=totals.input_tokens))
            fact_chip(tr("{count} tokens out", count=totals.output_tokens))
            fact_chip(presenter.money(totals.cost))
            if totals.estimated:
                fact_chip(tr("estimated for {count} requests", count=totals.estimated))
        self._draw_table()
        self._draw_chart()
        ui.label(
            tr("Counted by day ({zone}), without what was written; deleting chats changes nothing.", zone=self._zone)
        ).classes("nova-hint")

    def _draw_chart(self) -> None:
        presenter, tr = self.presenter, self._visit.tr
        with ui.element("section").classes("nova-panel"):
            measure = tr(MEASURES[presenter.measure])
            unit = tr("Cost in cents, {currency}", currency=presenter.currency)
            label = unit if presenter.measure == "cost" else measure
            heading(label)
            BarChart(presenter.bars(), label=label, tr=tr)

    def _draw_table(self) -> None:
        presenter, tr = self.presenter, self._visit.tr
        can_narrow = presenter.by in {"assistant", "identity", "profile"}
        if can_narrow:
            ui.label(tr("Press a line to look at it alone.")).classes("nova-hint")
        table = DataTable(
            self._columns(),
            [self._row(one) for one in presenter.lines],
            label=tr("AI usage"),
            on_open=self._narrow if can_narrow else None,
        )
        table.mark("usage-table")
        if presenter.has_previous or presenter.has_next:
            with ui.element("nav").classes("nova-row") as pager:
                pager.props["aria-label"] = tr("Pages of the report")
                back = quiet_button(tr("Back"), presenter.previous, icon="chevron_left")
                back.set_enabled(presenter.has_previous)
                quiet_button(tr("Next"), presenter.following, icon="chevron_right").set_enabled(presenter.has_next)

    @property
    def _zone(self) -> str:
        return str(self.presenter.shown.get("time_zone") or "")

    def _columns(self) -> list[Column]:
        tr = self._visit.tr
        numbers = {
            "messages": tr("Messages"),
            "requests": tr("Model requests"),
            "input_tokens": tr("Tokens in"),
            "output_tokens": tr("Tokens out"),
            "cost": tr("Cost"),
        }
        return [
            Column(name="name", label=tr(BY[self.presenter.by]), strong=True),
            *(Column(name=name, label=label, numeric=True) for name, label in numbers.items()),
        ]

    def _row(self, line: UsageLine) -> dict[str, JsonValue]:
        tr, name = self._visit.tr, show_deceptive(line.name)
        kind = _KIND_OF_LINE.get(line.kind)
        about = "≈ " if line.estimated else ""  # in part estimated: a provider did not tell
        return {
            ROW_KEY: line.place,
            "name": f"{name} · {tr(kind)}" if kind == _KIND_OF_LINE["routine"] else name,
            "messages": tr.number(line.messages),
            "requests": tr.number(line.requests),
            "input_tokens": about + tr.number(line.input_tokens),
            "output_tokens": about + tr.number(line.output_tokens),
            "cost": about + self.presenter.money(line.cost),
        }

    def _widener(self, name: str) -> Callable[[str | None], Awaitable[None]]:
        async def widen(_chosen: str | None) -> None:
            await self.presenter.widen(name)

        return widen

    async def _narrow(self, key: str) -> None:
        await self.presenter.narrow(key)
