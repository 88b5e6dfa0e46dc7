"""The tool list of an assistant: tools by area with their kinds, ticked when released."""

from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final

from nicegui import events, ui

from nova_ui.components.badges import KIND_WORDS, Badge, kind_badge
from nova_ui.domain.tool import ToolKind
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.tool_ticks import ListedTool, ToolTicks

SEARCH_DEBOUNCE_MS: Final = 200
ANY_KIND: Final = ""


@dataclass(frozen=True, slots=True)
class _Line:
    """A drawn tool: the whole line, its box, and where a flow says what it still needs."""

    tool: ListedTool
    line: ui.element
    box: ui.checkbox
    missing: ui.label


class ToolListEditor(ui.element):
    """Draws a tool list; ticks and filters change the lines in place."""

    def __init__(self, presenter: ToolTicks, tr: Translator) -> None:
        super().__init__("section")
        self._presenter = presenter
        self._tr = tr
        self._titles = [tr(tool.title) for tool in presenter.tools]
        self._lines: list[_Line] = []
        self._areas: list[tuple[str, ui.label]] = []
        with self.classes("nova-tool-list"):
            with ui.element("div").classes("nova-tool-list__head"):
                ui.label(tr("Tools")).classes("nova-tool-list__title").props("role=heading aria-level=2")
                self._count = ui.label().classes("nova-hint").props("role=status")
                self._draw_filters()
            self._draw_above()
            self._notice = ui.element("div").classes("nova-slot")
            with ui.element("div").classes("nova-tool-list__lines"):
                self._draw_lines()
                self._none = ui.label(tr("No tool matches.")).classes("nova-hint nova-tool-list__none")
        self.show()
        presenter.tools_changed.subscribe(lambda _: self.show())

    def show(self) -> None:
        """Show count, notice and lines as the draft and the filter stand now."""
        presenter = self._presenter
        if self.is_deleted:
            return
        count, total = presenter.released_count, len(presenter.tools)
        self._count.text = self._tr("{count} of {total} released", count=count, total=total)
        self._notice.clear()
        with self._notice:
            self._draw_rule()
        shown = {tool.name for tool in presenter.shown_tools(self._titles)}
        for line in self._lines:
            line.line.visible = line.tool.name in shown
            line.box.value = presenter.is_released(line.tool.name)
            line.box.set_enabled(self._may_change(line.tool))
            missing = presenter.missing_inner(line.tool)
            line.missing.visible = bool(missing)
            line.missing.text = self._tr("Does not run without {tools}.", tools=self._tr.listed(missing))
        for area, heading in self._areas:
            heading.visible = any(line.line.visible for line in self._lines if line.tool.area == area)
        self._none.visible = not shown

    def _draw_filters(self) -> None:
        tr = self._tr
        search = ui.input(placeholder=tr("Find a tool"), on_change=self._searched).mark("find-tool")
        search.classes("nova-tool-list__search").props(f"debounce={SEARCH_DEBOUNCE_MS} clearable type=search")
        search.props["aria-label"] = tr("Find a tool")
        kinds = {ANY_KIND: tr("All kinds")} | {kind.value: tr(KIND_WORDS[kind]) for kind in ToolKind}
        kind = ui.select(kinds, value=ANY_KIND, label=tr("Kind"), on_change=self._kind_chosen).mark("kind")
        kind.classes("nova-tool-list__kind")
        only = ui.checkbox(tr("Only released"), on_change=self._only_released).props("dense")
        only.classes("nova-tool-list__only")

    def _draw_above(self) -> None:
        """Draw what stands between the filters and the lines."""

    def _draw_rule(self) -> None:
        """Draw what is to be known about this list as it stands now."""

    def _may_change(self, tool: ListedTool) -> bool:
        """Whether the tool can be ticked or unticked."""
        return self._presenter.may_tick(tool) or self._presenter.is_released(tool.name)

    def _draw_lines(self) -> None:
        ordered = sorted(self._presenter.tools, key=lambda tool: (self._tr(tool.area), tool.name))
        for area, tools in groupby(ordered, lambda tool: tool.area):
            words = ui.label(self._tr(area)).classes("nova-tool-list__area").props("role=heading aria-level=3")
            self._areas.append((area, words))
            self._lines.extend(self._draw_line(tool) for tool in tools)

    def _draw_line(self, tool: ListedTool) -> _Line:
        with ui.element("label").classes("nova-tool-list__line") as line:
            box = ui.checkbox(value=self._presenter.is_released(tool.name)).mark(f"release-{tool.name}")
            box.props["aria-label"] = f"{tool.name}: {self._tr(tool.title)}"
            box.on_value_change(lambda event: self._presenter.release(tool.name, released=event.value is True))
            with ui.element("span").classes("nova-tool-list__words"):
                ui.label(tool.name).classes("nova-tool-list__name")
                ui.label(self._tr(tool.summary)).classes("nova-tool-list__summary")
                missing = ui.label().classes("nova-tool-list__missing")
            with ui.element("span").classes("nova-tool-list__badges"):
                if tool.is_flow:
                    Badge(self._tr("flow"))
                if tool.self_service:
                    Badge(self._tr("self-service"))
                kind_badge(tool.kind, self._tr)
        return _Line(tool, line, box, missing)

    def _searched(self, event: events.ValueChangeEventArguments[str | None]) -> None:
        text = event.value if isinstance(event.value, str) else ""
        self._presenter.show_tools(replace(self._presenter.filter, q=text.strip()))

    def _kind_chosen(self, event: events.ValueChangeEventArguments[str | None]) -> None:
        kind = ToolKind(event.value) if event.value else None
        self._presenter.show_tools(replace(self._presenter.filter, kind=kind))

    def _only_released(self, event: events.ValueChangeEventArguments[bool | None]) -> None:
        self._presenter.show_tools(replace(self._presenter.filter, only_released=event.value is True))
