"""Numbers by group as bars: a table of our own making, so that no foreign text reaches a chart library."""

from collections.abc import Sequence

from nicegui import ui

from nova_ui.i18n.translator import Translator
from nova_ui.presenters.counts import Bar
from nova_ui.presenters.visible import show_deceptive


class BarChart(ui.element):
    """Each row says its group, draws its bar and says its number; `label` is read aloud first."""

    def __init__(self, bars: Sequence[Bar], *, label: str, tr: Translator) -> None:
        super().__init__("table")
        self.classes("nova-bars").mark("chart")
        self.props["aria-label"] = label
        with self, ui.element("tbody"):
            for bar in bars:
                with ui.element("tr"):
                    with ui.element("th").props("scope=row"):
                        ui.label(show_deceptive(bar.label) or "–")
                    with ui.element("td").classes("nova-bars__place").props("aria-hidden=true"):
                        line = ui.element("div").classes("nova-bars__bar").style(f"width: {bar.share * 100:.1f}%")
                        if bar.count:  # what is small must still be seen, what is nothing must not
                            line.classes("nova-bars__bar--some")
                    with ui.element("td").classes("nova-bars__count"):
                        ui.label(tr.number(bar.count))
