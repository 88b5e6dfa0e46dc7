"""A tool call as one line that opens to its arguments and its result."""

from collections.abc import Mapping
from typing import Final

from nicegui import events, ui

from nova_ui.components.argument_facts import ArgumentFacts
from nova_ui.components.badges import kind_badge
from nova_ui.components.bar_chart import BarChart
from nova_ui.components.buttons import quiet_button
from nova_ui.components.data_table import ROW_KEY, Column, DataTable
from nova_ui.components.facts import Facts, data_block, heading
from nova_ui.domain.chat import CallStatus
from nova_ui.domain.preview import CloseReason
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.argument_words import argument_lines
from nova_ui.presenters.call_words import STATUS_ICONS, main_arguments, outcome_text
from nova_ui.presenters.counts import Bar, bars_of
from nova_ui.presenters.field_words import field_label, field_value
from nova_ui.presenters.records import OneObject, PlainText, Records, as_csv, cell_words, read_content
from nova_ui.presenters.turn_parts import CallLine
from nova_ui.presenters.visible import show_invisible

ROWS_PER_PAGE: Final = 10


class ToolLine(ui.element):
    """Draws arguments and result only once it is opened: a chat may hold many, and few are looked at.

    With `wants_chart` a result that holds numbers by group opens by itself, as a chart.
    """

    def __init__(self, line: CallLine, names: Mapping[str, str], tr: Translator, *, wants_chart: bool = False) -> None:
        super().__init__("details")
        self._line = line
        self._names = names
        self._tr = tr
        self._wants_chart = wants_chart
        self._drawn_status: CallStatus | None = None
        self._is_filled = False
        self.classes("nova-call").mark("tool-line")
        with self, ui.element("summary").classes("nova-call__line"):
            self._icon = ui.icon(STATUS_ICONS[None]).classes("nova-call__icon")
            ui.label(tr(line.title)).classes("nova-call__title")
            ui.label(show_invisible(main_arguments(line.arguments, names, tr))).classes("nova-call__arguments")
            self._outcome = ui.label().classes("nova-call__outcome")
            if line.kind is not None:
                kind_badge(line.kind, tr)
            self._time = ui.label().classes("nova-call__time")
            ui.icon("chevron_right").classes("nova-call__arrow")
        with self:
            self._body = ui.element("div").classes("nova-call__body")
        self.on("toggle", self._toggled, js_handler="(event) => emit(event.target.open)")
        self.refresh()

    def open_up(self) -> None:
        """Show the result without being asked: nobody puts it into words."""
        self.props["open"] = True
        self._is_filled = True
        self._fill()

    def settle(self, closed: CloseReason | None) -> None:
        """Show what became of a call that waited for its confirmation."""
        if closed is not None and not self.is_deleted:
            self.classes(remove="nova-call--previewed")
            self.classes("nova-call--ok" if closed is CloseReason.EXECUTED else "nova-call--void")
            self._icon.name = "check" if closed is CloseReason.EXECUTED else "block"
            self._outcome.text = self._tr("confirmed") if closed is CloseReason.EXECUTED else self._tr("not executed")

    def refresh(self) -> None:
        """Show what became of the call since it was last drawn."""
        line = self._line
        self._outcome.text = outcome_text(line, self._tr)
        if line.status is None or line.status is self._drawn_status:
            return
        self._drawn_status = line.status
        self._icon.name = STATUS_ICONS[line.status]
        self.classes(f"nova-call--{line.status.value}")
        if line.status is not CallStatus.PREVIEWED:
            self._time.text = self._tr.seconds(line.duration_ms)
        if self._wants_chart and line.status is CallStatus.OK and self._bars():
            self.open_up()
        elif self._is_filled:
            self._fill()

    def _toggled(self, event: events.GenericEventArguments) -> None:
        if event.args is True and not self._is_filled:
            self._is_filled = True
            self._fill()

    def _fill(self) -> None:
        self._body.clear()
        tr, line = self._tr, self._line
        with self._body:
            ui.label(line.tool_name).classes("nova-call__name")
            if line.arguments:
                heading(tr("Arguments"))
                ArgumentFacts(argument_lines(line.arguments, self._names, tr), tr)
            if line.content:
                heading(tr("Tool result"))
                self._result()

    def _result(self) -> None:
        tr, line = self._tr, self._line
        match read_content(line.content):
            case Records() as records:
                self._records(records)
            case OneObject(fields=fields):
                Facts((field_label(name, tr), field_value(name, value, tr)) for name, value in fields.items())
            case PlainText(text=text):
                data_block(show_invisible(text).replace("⏎\n", "\n"))
        if line.truncated:
            ui.label(tr("The result was longer and has been cut.")).classes("nova-call__note")

    def _bars(self) -> tuple[Bar, ...]:
        reading = read_content(self._line.content)
        return bars_of(reading) if isinstance(reading, Records) else ()

    def _records(self, records: Records) -> None:
        bars = bars_of(records)
        if not bars:
            self._table(records)
            return
        tr = self._tr
        with ui.element("div") as place:
            pass

        def show(*, chart: bool) -> None:
            place.clear()
            with place:
                if chart:
                    BarChart(bars, label=tr(self._line.title), tr=tr)
                    quiet_button(tr("Show as table"), lambda: show(chart=False), icon="table_rows")
                else:
                    self._table(records)
                    quiet_button(tr("Show as chart"), lambda: show(chart=True), icon="bar_chart").mark("show-chart")

        show(chart=self._wants_chart)

    def _table(self, records: Records) -> None:
        tr = self._tr
        columns = [Column(name=name, label=field_label(name, tr), sortable=True) for name in records.shown_columns]
        rows = [
            {
                ROW_KEY: str(number),
                **{column.name: cell_words(column.name, row.get(column.name), tr) for column in columns},
            }
            for number, row in enumerate(records.rows)
        ]
        paged = ROWS_PER_PAGE if len(rows) > ROWS_PER_PAGE else 0
        DataTable(columns, rows, label=tr(self._line.title), rows_per_page=paged)
        with ui.element("div").classes("nova-row"):
            shown = len(records.rows)
            total = max(records.total or shown, shown)
            words = tr.plural("{shown} of {count} record", "{shown} of {count} records", total, shown=shown)
            ui.label(words).classes("nova-call__note")
            quiet_button(tr("Download as CSV"), lambda: self._download(records), icon="download")

    def _download(self, records: Records) -> None:
        ui.download.content(as_csv(records).encode("utf-8-sig"), f"{self._line.tool_name}.csv", "text/csv")
