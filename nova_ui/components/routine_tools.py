"""The tools of an AI routine assistant, to be ticked and stored."""

from nicegui import ui

from nova_ui.components.buttons import primary_button
from nova_ui.components.notices import NoticeLine
from nova_ui.components.tool_list_editor import ToolListEditor
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.problem_sentences import problem_told
from nova_ui.presenters.routine_tools import RoutineToolsPresenter


class RoutineTools(ToolListEditor):
    """Draws the tool list of a routine; destructive tools are not even offered (rule C2)."""

    def __init__(self, presenter: RoutineToolsPresenter, tr: Translator) -> None:
        self._routine = presenter
        super().__init__(presenter, tr)
        with self:
            self._told = ui.element("div").classes("nova-slot").props("role=alert")
            with ui.element("div").classes("nova-row"):
                self._save_button = primary_button(tr("Save tools"), self._save).mark("save-tools")
        self.show()

    def _draw_rule(self) -> None:
        words = (
            self._tr("This routine only reads: writing tools can be ticked once “Only reads” is off.")
            if self._routine.read_only
            else self._tr("This routine may write, and nobody confirms it. Tick as few writing tools as possible.")
        )
        more = self._tr("Destructive tools never run in a routine.")
        NoticeLine(words, "info" if self._routine.read_only else "warning", next_step=more)

    def show(self) -> None:
        """Show the list, and what was wrong with the last attempt to store it."""
        super().show()
        if self.is_deleted or not hasattr(self, "_save_button"):
            return
        self._save_button.set_enabled(self._routine.has_changes)
        self._told.clear()
        if self._routine.problem is not None:
            told = problem_told(self._routine.problem, self._tr)
            with self._told:
                NoticeLine(told.text, "error", next_step=told.next_step)

    async def _save(self) -> None:
        if await self._routine.save():
            with self:
                ui.notify(self._tr("Stored. It counts from the next call on."), type="positive", position="top")
