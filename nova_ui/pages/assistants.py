"""Administration › AI Assistants."""

from nicegui import ui

from nova_ui.components.assistant_form import AssistantForm
from nova_ui.components.assistant_list import AssistantList
from nova_ui.components.buttons import danger_button, primary_button, quiet_button
from nova_ui.components.confirm_dialog import ask
from nova_ui.components.notices import NoticeLine
from nova_ui.components.tool_list_editor import ToolListEditor
from nova_ui.nova_client.origin import INTERFACE
from nova_ui.pages.frame import Frame
from nova_ui.pages.navigation import ASSISTANTS
from nova_ui.pages.page import page
from nova_ui.pages.visit import Visit
from nova_ui.presenters.assistants_admin import AssistantsAdminPresenter
from nova_ui.services import Services


def register(services: Services) -> None:
    """Add the page."""

    @page(
        services,
        ASSISTANTS.path,
        title=ASSISTANTS.label,
        section=ASSISTANTS.section,
        roles=ASSISTANTS.roles,
        fills_screen=True,
    )
    async def assistants_page(visit: Visit, frame: Frame, key: str = "") -> None:
        presenter = AssistantsAdminPresenter(services.nova.open(visit.caller, INTERFACE))
        with frame.actions:
            quiet_button(visit.tr("New assistant"), presenter.start_new, icon="add")
        with ui.element("div").classes("nova-split"):
            AssistantList(presenter, visit.tr)
            AssistantEditor(presenter, visit)
        await presenter.load(key or None)


class AssistantEditor(ui.element):
    """The right side of the page: form, tool list and what is done with them."""

    def __init__(self, presenter: AssistantsAdminPresenter, visit: Visit) -> None:
        super().__init__("div")
        self.classes("nova-split__main")
        self._presenter = presenter
        self._visit = visit
        self._tr = visit.tr
        self._drawn: object = None
        with self:
            self._body = ui.element("div").classes("nova-stack")
            self._problem = ui.element("div").props("role=alert")
            self._buttons = ui.element("div").classes("nova-split__buttons")
        presenter.draft_changed.subscribe(lambda _: self._draw())

    def _draw(self) -> None:
        draft = self._presenter.draft
        if self.is_deleted or draft is None:
            return
        if draft is not self._drawn:  # a refusal leaves what was typed as it is
            self._drawn = draft
            self._body.clear()
            with self._body:
                AssistantForm(self._presenter, draft, self._tr)
                ToolListEditor(self._presenter, self._tr)
            self._draw_buttons(is_new=draft.is_new, is_preset=draft.is_preset)
            ui.navigate.history.replace(self._address(draft.key if not draft.is_new else ""))
        self._problem.clear()
        with self._problem:
            self._draw_problem()

    def _address(self, key: str) -> str:
        return f"{self._visit.prefix}{ASSISTANTS.path}" + (f"?key={key}" if key else "")

    def _draw_buttons(self, *, is_new: bool, is_preset: bool) -> None:
        self._buttons.clear()
        with self._buttons:
            primary_button(self._tr("Save"), self._save)
            if not is_new:
                quiet_button(self._tr("Copy"), self._presenter.copy, icon="content_copy")
            if not is_new and not is_preset:
                danger_button(self._tr("Delete"), self._delete)

    def _draw_problem(self) -> None:
        problem = self._presenter.problem
        if problem is None:
            return
        if self._presenter.was_overtaken:
            NoticeLine(
                self._tr("Somebody else has changed this assistant meanwhile, so nothing was stored."),
                "error",
                next_step=self._tr("Load the stored version, then make your change again."),
            )
            quiet_button(self._tr("Load the stored version"), self._presenter.reload, icon="refresh")
            return
        NoticeLine(self._tr(problem.key), "error", next_step=problem.detail)

    async def _save(self) -> None:
        if await self._presenter.save():
            ui.notify(self._tr("Stored. It counts from the next call on."), position="top")

    async def _delete(self) -> None:
        draft = self._presenter.draft
        if draft is None:
            return
        name = draft.names.get(self._tr.language) or draft.key
        text = self._tr("{assistant} can no longer be used; its chats can then only be deleted.", assistant=name)
        if await ask(self._tr("Delete this assistant?"), text, self._tr("Delete"), self._tr):
            await self._presenter.delete()
