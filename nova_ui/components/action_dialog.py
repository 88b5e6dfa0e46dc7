"""The dialog of an action: its form, or for a destructive one what is now and what goes with it, then yes or no."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from nicegui import ui

from nova_ui.components.action_state import draw_consequences, draw_state
from nova_ui.components.buttons import danger_button, primary_button, quiet_button
from nova_ui.components.facts import heading
from nova_ui.components.form_control import Entry, Form
from nova_ui.components.fresh_sign_in import ask_fresh_sign_in
from nova_ui.components.notices import NoticeLine
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.tool import NovaAnswer
from nova_ui.errors import NovaProblem
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.actions import Action, Actions, NovaCalls, Prepared
from nova_ui.presenters.fields import text_at
from nova_ui.presenters.object_form import fill, fill_changes
from nova_ui.presenters.own_credentials import CredentialsPresenter
from nova_ui.presenters.problem_sentences import OVERTAKEN, problem_told
from nova_ui.presenters.visible import show_invisible

Done = Callable[[Action, NovaAnswer | None], Awaitable[None]]


class ActionDialogs:
    """Opens the dialog of an action; `done` is called when it was carried out."""

    def __init__(self, nova: NovaCalls, tr: Translator, done: Done) -> None:
        self._nova = nova
        self._actions = Actions(nova)
        self._tr = tr
        self._done = done

    async def open(self, action: Action, target: JsonObject) -> None:
        """Read the object anew, then show the dialog."""
        try:
            prepared = await self._actions.prepare(action, target)
        except NovaProblem as problem:
            told = problem_told(problem, self._tr)
            ui.notify(f"{told.text} {told.next_step}".strip(), type="negative", position="top")
            return
        if action.is_immediate:
            await self._run_at_once(prepared)
            return
        dialog = ActionDialog(self._nova, self._actions, prepared, self._tr)
        answer = await dialog
        result, was_overtaken = dialog.result, dialog.was_overtaken
        if dialog.is_deleted:  # with its page
            return
        dialog.delete()
        if answer == "done":
            self._tell(action, result)
            await self._done(action, result)
        elif was_overtaken and answer == "again":
            await self.open(action, target)

    async def _run_at_once(self, prepared: Prepared) -> None:
        action = prepared.action
        waiting = ui.notification(self._tr(action.sentence, subject=prepared.subject), spinner=True, timeout=None)
        waiting.position = "top"
        try:
            result = await self._actions.run(prepared, {})
        except NovaProblem as problem:
            told = problem_told(problem, self._tr)
            ui.notify(f"{told.text} {told.next_step}".strip(), type="negative", position="top")
            return
        finally:
            waiting.dismiss()
        self._tell(action, result)
        await self._done(action, result)

    def _tell(self, action: Action, result: NovaAnswer | None) -> None:
        answer = result.object if result is not None and isinstance(result.body, dict) else {}
        said = text_at(answer, action.told) if action.told else action.done_as(answer)
        is_bad = action.went_wrong(answer) if answer else False
        ui.notify(self._tr(said or action.done), type="negative" if is_bad else "positive", position="top")


class ActionDialog(ui.dialog):
    """One action. It stays open with everything typed when Nova refuses, and says why."""

    def __init__(self, nova: NovaCalls, actions: Actions, prepared: Prepared, tr: Translator) -> None:
        super().__init__(value=True)
        self._nova = nova
        self._actions = actions
        self._prepared = prepared
        self._tr = tr
        self.result: NovaAnswer | None = None
        self.was_overtaken = False
        self._entries: dict[str, Entry] = {}  # what a browser puts in is parsed by `fill`
        self._weighed: JsonObject | None = None  # what the form gave, once its consequences are on the screen
        with self, ui.card().classes("nova-dialog nova-action").mark("action-dialog") as card:
            self._draw_title(card)
            with ui.element("div").classes("nova-action__body"):
                self._body = ui.element("div").classes("nova-action__step")
                self._form = ui.element("div").classes("nova-action__step")
            with self._body:
                self._draw_body()
            with self._form:
                self._draw_form()
            self._show_step()
            self._problem = ui.element("div").props("role=alert")
            self._buttons = ui.element("div").classes("nova-dialog__buttons")
        self._draw_buttons()

    def _draw_title(self, card: ui.card) -> None:
        if self._prepared.action.is_destructive:
            card.classes("nova-action--destructive")
            with ui.element("div").classes("nova-row"):
                ui.icon("warning_amber").classes("nova-confirmation__sign")
                title = ui.label().classes("nova-dialog__title")
        else:
            title = ui.label().classes("nova-dialog__title")
        self._title = title
        title.props("role=heading aria-level=2")
        card.props["aria-labelledby"] = title.html_id
        self.props["aria-labelledby"] = title.html_id

    def _draw_body(self) -> None:
        prepared, tr = self._prepared, self._tr
        if prepared.action.weighs_form and self._weighed is None:
            return
        if prepared.action.is_destructive:
            heading(tr("Action"), 3)
            ui.label(self._sentence()).classes("nova-confirmation__action")
            if prepared.action.state:
                heading(tr("Current state"), 3)
        draw_state(prepared, tr)
        if prepared.action.is_destructive and prepared.refusal is None:
            draw_consequences(prepared.consequences, tr)
        if prepared.refusal is not None:
            told = problem_told(prepared.refusal, tr)
            NoticeLine(told.text, "error", next_step=told.next_step)

    def _draw_form(self) -> None:
        prepared = self._prepared
        if prepared.refusal is not None:
            return
        is_filled = prepared.action.is_patch or prepared.action.is_replacement
        form = Form(
            nova=self._nova,
            tr=self._tr,
            current=prepared.current if is_filled else {},
            is_change=prepared.action.is_patch,
            entered=lambda: {**prepared.current, **self._entered()},
        )
        for one in prepared.action.fields:
            self._entries[one.name] = form.add(one)

    def _show_step(self) -> None:
        """Show the form, or what comes of it."""
        weighs_first = self._prepared.action.weighs_form
        shows_end = self._prepared.action.is_destructive and not (weighs_first and self._weighed is None)
        self._title.set_text(self._tr("Confirmation required") if shows_end else self._sentence())
        self._form.set_visibility(bool(self._entries) and self._weighed is None)
        self._body.set_visibility(not weighs_first or self._weighed is not None)

    def _entered(self) -> dict[str, object]:
        return {name: entry.entered() for name, entry in self._entries.items()}

    def _draw_buttons(self) -> None:
        action, tr = self._prepared.action, self._tr
        self._buttons.clear()
        with self._buttons:
            quiet_button(tr("Cancel"), lambda: self.submit(None)).props("autofocus").mark("cancel-action")
            if self.was_overtaken:
                primary_button(tr("Show the current state"), lambda: self.submit("again")).mark("again")
            elif self._prepared.refusal is not None:
                return
            elif action.weighs_form and self._weighed is None:
                primary_button(tr("Show what goes with it"), self._weigh).mark("weigh-action")
            elif action.is_destructive:
                if action.weighs_form:
                    quiet_button(tr("Back"), self._back)
                danger_button(tr("Confirm and execute"), self._run).mark("run-action")
            else:
                words = tr("Save") if action.is_patch or action.is_replacement else tr(action.run_label or action.label)
                primary_button(words, self._run).mark("run-action")

    def _fill(self) -> JsonObject | None:
        """Return what the form gives, or None with the problems on the screen."""
        action, entered = self._prepared.action, self._entered()
        current = self._prepared.current
        filled = fill_changes(action.fields, entered, current) if action.is_patch else fill(action.fields, entered)
        self._show_errors({name: self._tr(text) for name, text in filled.problems.items()})
        return None if filled.problems else filled.body

    async def _weigh(self) -> None:
        body = self._fill()
        if body is None:
            return
        self._buttons.props("inert")
        try:
            self._prepared = await self._actions.weigh(self._prepared, {**self._prepared.target, **body})
        except NovaProblem as problem:
            self._refused(problem)
            return
        self._weighed = body
        self._draw_step()

    def _back(self) -> None:
        self._weighed = None
        self._prepared = replace(self._prepared, consequences=(), refusal=None)
        self._draw_step()

    def _draw_step(self) -> None:
        self._buttons.props(remove="inert")
        self._problem.clear()
        self._body.clear()
        with self._body:
            self._draw_body()
        self._show_step()
        self._draw_buttons()

    async def _run(self) -> None:
        body = self._fill() if self._weighed is None else self._weighed
        if body is None or not await self._may_go_on():
            return
        self._buttons.props("inert")  # a double click is one press; the key makes it one change all the same
        try:
            self.result = await self._actions.run(self._prepared, body)
        except NovaProblem as problem:
            self._refused(problem)
        else:
            self.submit("done")

    async def _may_go_on(self) -> bool:
        """Ask for the password where a session alone is not enough; return False where the person gave up."""
        if not self._prepared.action.asks_again(self._prepared.current):
            return True
        own = CredentialsPresenter(self._nova, self._tr)
        await own.load()
        return await ask_fresh_sign_in(own, asks_code="totp" in own.methods)

    def _refused(self, problem: NovaProblem) -> None:
        self.was_overtaken = problem.code == OVERTAKEN
        told = problem_told(problem, self._tr)
        named = (problem.field or "").split(".")  # of a body with kinds: the kind, the field, the place within it
        at = next((place for place, name in enumerate(named) if name in self._entries), None)
        said = told.next_step or told.text
        self._show_errors({} if at is None else {".".join(named[at:]): said})
        self._buttons.props(remove="inert")
        self._problem.clear()
        with self._problem:
            NoticeLine(told.text, "error", next_step=told.next_step)
        self._draw_buttons()

    def _show_errors(self, problems: dict[str, str]) -> None:
        for name, entry in self._entries.items():
            mine = {at: text for at, text in problems.items() if at.partition(".")[0] == name}
            entry.show({at.partition(".")[2]: text for at, text in mine.items()})

    def _sentence(self) -> str:
        other = show_invisible(text_at(self._prepared.target, "display_name"))
        return self._tr(self._prepared.action.sentence, subject=show_invisible(self._prepared.subject), other=other)
