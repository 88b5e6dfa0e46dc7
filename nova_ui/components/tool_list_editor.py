"""The tool list of an assistant: tools by area with their kinds, ticked when released."""

from dataclasses import replace
from itertools import groupby

from nicegui import events, ui

from nova_ui.components.badges import KIND_WORDS, Badge, kind_badge
from nova_ui.components.notices import NoticeLine
from nova_ui.domain.assistant import AudienceKind
from nova_ui.domain.tool import ToolKind
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.assistants_admin import AssistantsAdminPresenter, ListedTool

SEARCH_DEBOUNCE_MS = 200
ANY_KIND = ""


class ToolListEditor(ui.element):
    """Draws the tool list of the presenter's draft; the lists are redrawn when a tick changes others."""

    def __init__(self, presenter: AssistantsAdminPresenter, tr: Translator) -> None:
        super().__init__("section")
        self._presenter = presenter
        self._tr = tr
        self._titles = [tr(tool.title) for tool in presenter.tools]
        with self.classes("nova-tools"):
            with ui.element("div").classes("nova-tools__head"):
                ui.label(tr("Tools")).classes("nova-tools__title").props("role=heading aria-level=2")
                self._count = ui.label().classes("nova-hint")
                self._draw_filters()
            self._all = ui.switch(tr("Release all tools, also those of later versions"), on_change=self._all_switched)
            self._notice = ui.element("div")
            self._list = ui.element("div").classes("nova-tools__list")
        self.draw()
        presenter.tools_changed.subscribe(lambda _: self.draw())

    def draw(self) -> None:
        """Draw count, notice and list as the draft stands now."""
        draft = self._presenter.draft
        if self.is_deleted or draft is None:
            return
        count, total = self._presenter.released_count, len(self._presenter.tools)
        self._count.text = self._tr("{count} of {total} released", count=count, total=total)
        self._all.value = draft.all_tools
        self._all.set_enabled(
            not draft.is_preset and (draft.audience is AudienceKind.ADMINISTRATORS or draft.all_tools)
        )
        self._notice.clear()
        with self._notice:
            self._draw_notice()
        self._list.clear()
        with self._list:
            shown = self._presenter.shown_tools(self._titles)
            for area, tools in groupby(sorted(shown, key=lambda tool: self._tr(tool.area)), lambda tool: tool.area):
                ui.label(self._tr(area)).classes("nova-tools__area").props("role=heading aria-level=3")
                for tool in tools:
                    self._line(tool)
            if not shown:
                ui.label(self._tr("No tool matches.")).classes("nova-hint nova-tools__none")

    def _draw_filters(self) -> None:
        search = ui.input(placeholder=self._tr("Find a tool"), on_change=self._searched)
        search.classes("nova-tools__search").props(f"debounce={SEARCH_DEBOUNCE_MS} clearable type=search")
        search.props["aria-label"] = self._tr("Find a tool")
        kinds = {ANY_KIND: self._tr("All kinds")} | {kind.value: self._tr(KIND_WORDS[kind]) for kind in ToolKind}
        ui.select(kinds, value=ANY_KIND, label=self._tr("Kind"), on_change=self._kind_chosen).classes(
            "nova-tools__kind"
        )

    def _draw_notice(self) -> None:
        draft = self._presenter.draft
        if draft is None or draft.audience is AudienceKind.ADMINISTRATORS:
            return
        name = draft.names.get(self._tr.language) or draft.key or self._tr("This assistant")
        weight = "error" if draft.breaks_b3 else "warning"
        NoticeLine(
            self._tr("All tools can be released only for an assistant restricted to administrators."),
            weight,
            next_step=self._tr("{assistant} is open to others as well.", assistant=name),
        )

    def _line(self, tool: ListedTool) -> None:
        draft = self._presenter.draft
        is_fixed = draft is not None and draft.all_tools
        with ui.element("label").classes("nova-tools__line"):
            box = ui.checkbox(value=self._presenter.is_released(tool.name))
            box.props["aria-label"] = tool.name
            box.set_enabled(not is_fixed)
            box.on_value_change(lambda event: self._presenter.release(tool.name, released=event.value is True))
            with ui.element("span").classes("nova-tools__words"):
                ui.label(tool.name).classes("nova-tools__name")
                ui.label(f"{self._tr(tool.title)} – {self._tr(tool.summary)}").classes("nova-tools__summary")
            with ui.element("span").classes("nova-tools__badges"):
                if tool.is_flow:
                    Badge(self._tr("flow"))
                if tool.self_service:
                    Badge(self._tr("self-service"))
                kind_badge(tool.kind, self._tr)

    def _all_switched(self, event: events.ValueChangeEventArguments[bool | None]) -> None:
        draft = self._presenter.draft
        if draft is not None and draft.all_tools != (event.value is True):
            self._presenter.release_all(released=event.value is True)

    def _searched(self, event: events.ValueChangeEventArguments[str | None]) -> None:
        text = event.value if isinstance(event.value, str) else ""
        self._presenter.show_tools(replace(self._presenter.filter, q=text.strip()))

    def _kind_chosen(self, event: events.ValueChangeEventArguments[str | None]) -> None:
        kind = ToolKind(event.value) if event.value else None
        self._presenter.show_tools(replace(self._presenter.filter, kind=kind))
