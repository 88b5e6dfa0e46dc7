"""Administration › AI Assistants."""

from nicegui import ui

from nova_ui.components.assistant_file_dialog import AssistantFileDialog
from nova_ui.components.assistant_form import AssistantForm
from nova_ui.components.assistant_insight import AssistantInsight
from nova_ui.components.assistant_list import AssistantList
from nova_ui.components.assistant_tools import AssistantTools
from nova_ui.components.assistant_usage import AssistantUsage
from nova_ui.components.buttons import primary_button, quiet_button
from nova_ui.components.confirm_dialog import ask
from nova_ui.components.notices import NoticeLine
from nova_ui.components.self_test import SelfTest
from nova_ui.domain.clock import Clock
from nova_ui.errors import NovaProblem
from nova_ui.i18n.translator import Translator
from nova_ui.nova_client.origin import INTERFACE
from nova_ui.pages.frame import Frame
from nova_ui.pages.navigation import AI_USAGE, ASSISTANTS
from nova_ui.pages.page import page
from nova_ui.pages.visit import Visit
from nova_ui.presenters.assistant_file import NotAnAssistantFile
from nova_ui.presenters.assistant_insight import AssistantInsightPresenter
from nova_ui.presenters.assistant_preview import PromptPreview, preview_of
from nova_ui.presenters.assistant_problems import problem_words
from nova_ui.presenters.assistants_admin import AssistantsAdminPresenter
from nova_ui.presenters.self_test import SelfTestPresenter
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
        screen = AssistantsScreen(presenter, visit.tr)
        with frame.actions:
            quiet_button(visit.tr("Import"), screen.import_file, icon="upload_file").mark("import-assistant")
            quiet_button(visit.tr("New assistant"), screen.start_new, icon="add").mark("new-assistant")
        with ui.element("div").classes("nova-split"):
            AssistantList(presenter, visit.tr, screen.choose)
            AssistantEditor(presenter, visit, services.clock)
        await presenter.load(key or None)


class AssistantsScreen:
    """Ways from one assistant to another: what is not stored is not thrown away without asking."""

    def __init__(self, presenter: AssistantsAdminPresenter, tr: Translator) -> None:
        self._presenter = presenter
        self._tr = tr

    async def choose(self, key: str) -> None:
        """Open another assistant."""
        draft = self._presenter.draft
        is_open = draft is not None and not draft.is_new and draft.key == key
        if is_open or not await self._may_leave():
            return
        if not await self._presenter.choose(key):
            ui.notify(self._tr("This assistant has been deleted meanwhile."), type="warning", position="top")

    async def start_new(self) -> None:
        """Open an empty form."""
        if await self._may_leave():
            self._presenter.start_new()

    async def import_file(self) -> None:
        """Create an assistant from a file that is chosen now."""
        if not await self._may_leave():
            return
        content = await AssistantFileDialog(self._tr)
        if not isinstance(content, bytes):
            return
        tr = self._tr
        try:
            key = await self._presenter.import_file(content)
        except NotAnAssistantFile as broken:
            ui.notify(tr(broken.key), type="negative", position="top")
        except NovaProblem as problem:
            words = problem_words(problem)
            why = tr(words.text, **words.values)
            text = tr("The file was not accepted, and nothing was stored.")
            ui.notify(f"{text} {why}", type="negative", position="top", multi_line=True, timeout=12_000)
        else:
            done = tr("Imported under the key {key}, and switched off. Look through it, then switch it on.", key=key)
            ui.notify(done, type="positive", position="top", timeout=10_000)

    async def _may_leave(self) -> bool:
        if not self._presenter.has_changes:
            return True
        tr = self._tr
        return await ask(
            tr("Discard your changes?"), tr("What you changed in this form is not stored yet."), tr("Discard"), tr
        )


class AssistantEditor(ui.element):
    """The right side of the page: form, tool list and what is done with them."""

    def __init__(self, presenter: AssistantsAdminPresenter, visit: Visit, clock: Clock) -> None:
        super().__init__("div")
        self.classes("nova-split__main")
        self._presenter = presenter
        self._visit = visit
        self._clock = clock
        self._tr = visit.tr
        self._drawn: object = None
        self._insight: AssistantInsightPresenter | None = None
        with self:
            self._body = ui.element("div").classes("nova-stack")
            with ui.element("div").classes("nova-split__foot"):
                self._problem = ui.element("div").classes("nova-slot nova-split__problem").props("role=alert")
                self._buttons = ui.element("div").classes("nova-split__buttons")
        presenter.draft_changed.subscribe(lambda _: self._draw())

    def _draw(self) -> None:
        draft = self._presenter.draft
        if self.is_deleted or draft is None:
            return
        with self:  # whatever was pressed may be gone by now
            if draft is not self._drawn:  # a refusal leaves what was typed as it is
                self._drawn = draft
                self._body.clear()
                with self._body:
                    AssistantForm(self._presenter, draft, self._read_prompt, self._tr)
                    AssistantTools(self._presenter, self._tr)
                    insight = AssistantInsightPresenter(self._presenter)
                    AssistantInsight(insight, self._tr)
                    if not draft.is_new:
                        AssistantUsage(insight, self._tr, f"{self._visit.prefix}{AI_USAGE.path}")
                        SelfTest(SelfTestPresenter(self._presenter), self._tr)
                    self._insight = insight
                self._draw_buttons(is_new=draft.is_new, is_preset=draft.is_preset)
                ui.navigate.history.replace(self._address(draft.key if not draft.is_new else ""))
            self._problem.clear()
            with self._problem:
                self._draw_problem()

    def _address(self, key: str) -> str:
        return f"{self._visit.prefix}{ASSISTANTS.path}" + (f"?key={key}" if key else "")

    def _draw_buttons(self, *, is_new: bool, is_preset: bool) -> None:
        tr = self._tr
        self._buttons.clear()
        with self._buttons:
            primary_button(tr("Save"), self._save).mark("save")
            if is_new:
                quiet_button(tr("Cancel"), self._presenter.load)
                return
            quiet_button(tr("Copy"), self._presenter.copy, icon="content_copy").mark("copy")
            quiet_button(tr("Export"), self._export, icon="download").mark("export")
            if not is_preset:
                quiet_button(tr("Delete"), self._delete, icon="delete").classes("nova-button--delete").mark("delete")

    def _draw_problem(self) -> None:
        problem = self._presenter.problem
        if problem is None:
            return
        words = problem_words(problem)
        NoticeLine(self._tr(words.text, **words.values), "error", next_step=self._tr(words.next_step))
        if self._presenter.was_overtaken:
            quiet_button(self._tr("Load the stored version"), self._presenter.reload, icon="refresh").mark("reload")

    def _read_prompt(self, prompt: str) -> PromptPreview:
        return preview_of(prompt, self._visit.identity, self._clock.now())

    async def _export(self) -> None:
        made = await self._presenter.exported()
        if made is not None:
            name, content = made
            with self:
                ui.download.content(content, name, "application/json")

    async def _save(self) -> None:
        if await self._presenter.save():
            if self._insight is not None:  # whether the starters can be answered is known at once
                await self._insight.find_smallest()
            with self:
                ui.notify(self._tr("Stored. It counts from the next call on."), type="positive", position="top")

    async def _delete(self) -> None:
        draft = self._presenter.draft
        if draft is None:
            return
        name = draft.names.get(self._tr.language) or draft.key
        text = self._tr(
            "“{assistant}” can then no longer be used. Its chats stay with their owners, who can only delete them.",
            assistant=name,
        )
        if await ask(self._tr("Delete this assistant?"), text, self._tr("Delete"), self._tr):
            await self._presenter.delete()
