"""The tool list of an assistant: with all tools at once, for administrators' assistants only (rule B3)."""

from typing import Final

from nicegui import events, ui

from nova_ui.components.notices import NoticeLine
from nova_ui.components.tool_list_editor import ToolListEditor
from nova_ui.domain.assistant import AudienceKind
from nova_ui.domain.text import mark
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.assistants_admin import AssistantsAdminPresenter
from nova_ui.presenters.tool_ticks import ListedTool

_OPEN_TO: Final = {
    AudienceKind.ROLES: mark("{assistant} is open to certain roles."),
    AudienceKind.GROUPS: mark("{assistant} is open to members of certain groups."),
    AudienceKind.EVERYONE: mark("{assistant} is open to everyone."),
}


class AssistantTools(ToolListEditor):
    """Draws the tool list of the presenter's draft."""

    def __init__(self, presenter: AssistantsAdminPresenter, tr: Translator) -> None:
        self._assistants = presenter
        super().__init__(presenter, tr)

    def show(self) -> None:
        """Show count, notice and lines as the draft and the filter stand now."""
        draft = self._assistants.draft
        if self.is_deleted or draft is None:
            return
        self._all.value = draft.all_tools
        is_closed = draft.audience is AudienceKind.ADMINISTRATORS
        self._all.set_enabled(not draft.is_preset and (is_closed or draft.all_tools))
        super().show()

    def _draw_above(self) -> None:
        words = self._tr("Release all tools, also those of later versions")
        self._all = ui.switch(words, on_change=self._all_switched).props("dense").mark("all-tools")

    def _may_change(self, tool: ListedTool) -> bool:
        del tool
        draft = self._assistants.draft
        return draft is not None and not draft.all_tools

    def _draw_rule(self) -> None:
        draft = self._assistants.draft
        if draft is None or draft.audience is AudienceKind.ADMINISTRATORS:
            return
        name = draft.names.get(self._tr.language) or draft.key or self._tr("This assistant")
        open_to = self._tr(_OPEN_TO[draft.audience], assistant=name)
        words = self._tr("All tools can be released only for an assistant restricted to administrators.")
        NoticeLine(words, "error" if draft.breaks_b3 else "warning", next_step=open_to)

    def _all_switched(self, event: events.ValueChangeEventArguments[bool | None]) -> None:
        self._assistants.release_all(released=event.value is True)
