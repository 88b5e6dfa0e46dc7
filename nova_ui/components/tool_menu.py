"""The `/` menu: the tools that this person has in this assistant, each with a form made from its parameters."""

from itertools import groupby

from nicegui import ui

from nova_ui.components.badges import kind_badge
from nova_ui.components.buttons import icon_button
from nova_ui.components.tool_form import ToolForm
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.tool import AnyTool
from nova_ui.presenters.chat_panel import ChatPanelPresenter
from nova_ui.presenters.object_search import ObjectSearch


class ToolMenu(ui.dialog):
    """Opens on the list; a chosen tool shows its form, which sends the person's own call."""

    def __init__(self, panel: ChatPanelPresenter, search: ObjectSearch) -> None:
        super().__init__()
        self._panel = panel
        self._objects = search
        self._search = ""
        tr = panel.tr
        self.props["aria-label"] = tr("Tools")
        with self, ui.card().classes("nova-dialog nova-dialog--tools"):
            with ui.element("div").classes("nova-dialog__head"):
                self._title = ui.label().classes("nova-dialog__title").props("role=heading aria-level=2")
                icon_button("close", tr("Close"), self.close)
            self._body = ui.element("div").classes("nova-dialog__body")

    def show_list(self) -> None:
        """Open the list of tools."""
        tr = self._panel.tr
        self._title.text = tr("Tools")
        self._search = ""
        self._body.clear()
        with self._body:
            box = ui.input(placeholder=tr("Find a tool"), on_change=lambda change: self._find(change.value))
            box.props("autofocus clearable debounce=150").classes("nova-stretch").mark("find-tool")
            box.props["aria-label"] = tr("Find a tool")
            self._list = ui.element("div").classes("nova-tools")
        self._draw_list()
        self.open()

    def _find(self, text: object) -> None:
        self._search = text.casefold().strip() if isinstance(text, str) else ""
        self._draw_list()

    def _draw_list(self) -> None:
        tr = self._panel.tr
        self._list.clear()
        shown = sorted((tool for tool in self._panel.tools if self._matches(tool)), key=lambda tool: tool.area)
        with self._list:
            for area, tools in groupby(shown, key=lambda tool: tool.area):
                ui.label(tr(area)).classes("nova-part-heading")
                for tool in tools:
                    self._entry(tool)
            if not shown:
                ui.label(tr("No tool matches. You have the tools of this assistant that your role may use."))

    def _matches(self, tool: AnyTool) -> bool:
        words = f"{tool.name} {self._panel.tr(tool.title)} {self._panel.tr(tool.summary)}".casefold()
        return all(part in words for part in self._search.split())

    def _entry(self, tool: AnyTool) -> None:
        tr = self._panel.tr
        with ui.element("button").classes("nova-tools__entry").props("type=button").mark(f"tool-{tool.name}") as entry:
            entry.on("click", lambda: self._show_form(tool))
            ui.icon(tool.icon)
            with ui.element("span").classes("nova-tools__words"):
                ui.label(tr(tool.title)).classes("nova-tools__title")
                ui.label(tr(tool.summary)).classes("nova-tools__summary")
            kind_badge(tool.kind, tr)

    def _show_form(self, tool: AnyTool) -> None:
        self._title.text = self._panel.tr(tool.title)
        self._body.clear()
        with self._body:
            ToolForm(
                tool,
                self._panel.tr,
                self._objects,
                lambda arguments: self._send(tool, arguments),
                self.show_list,
                waits=self._panel.waits(tool),
            )

    async def _send(self, tool: AnyTool, arguments: JsonObject) -> None:
        if await self._panel.send_tool(tool.name, arguments):
            self.close()
