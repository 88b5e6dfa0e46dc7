"""Requesting access for oneself or one's reports: find a role or entitlement in the catalogue, say why, send."""

import secrets

from nicegui import events, ui

from nova_ui.components.badges import GOOD, PLAIN, Badge
from nova_ui.components.buttons import primary_button, quiet_button
from nova_ui.components.notices import NoticeLine
from nova_ui.components.object_select import ObjectSelect
from nova_ui.domain.json_value import JsonObject
from nova_ui.errors import NovaProblem
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.actions import NovaCalls
from nova_ui.presenters.catalogue_items import CatalogueItem, read_catalogue, request_body
from nova_ui.presenters.directory_words import APPROVALS, tone_of, word_for
from nova_ui.presenters.object_form import Control, FormField, fill
from nova_ui.presenters.problem_sentences import problem_told

SEARCH_DEBOUNCE_MS = 300
LIMIT = 30
MIN_REASON = 10
_FIELDS = (
    FormField(name="justification", control=Control.LONG_TEXT, required=True, min_chars=MIN_REASON),
    FormField(name="valid_until", control=Control.DAY),
)


class RequestDialog(ui.dialog):
    """Two steps: choose, then give the reason. Answers `sent` once the request is filed.

    With `for_others` it may be for somebody else whom the person sees.
    """

    def __init__(self, nova: NovaCalls, tr: Translator, *, for_others: bool) -> None:
        super().__init__(value=True)
        self._for_others = for_others
        self._whom: str | None = None
        self._whom_name = ""
        self._searched = ""
        self._nova = nova
        self._tr = tr
        self._key = secrets.token_hex(16)
        self._search_number = 0
        with self, ui.card().classes("nova-dialog nova-action").mark("request-dialog") as card:
            title = ui.label(tr("Request access")).classes("nova-dialog__title").props("role=heading aria-level=2")
            card.props["aria-labelledby"] = self.props["aria-labelledby"] = title.html_id
            self._body = ui.element("div").classes("nova-action__body")
            self._problem = ui.element("div").props("role=alert")
            self._buttons = ui.element("div").classes("nova-dialog__buttons")
        self._draw_search()

    async def search(self, text: str = "") -> None:
        """Show the roles that hold `text`; an answer that was overtaken is dropped."""
        self._search_number += 1
        number, self._searched = self._search_number, text
        query = {"q": text.strip()[:200] or None, "limit": LIMIT, "for": self._whom}
        try:
            found: JsonObject = (await self._nova.call("GET /catalog", query=query)).object
        except NovaProblem as problem:
            self._tell(problem)
            return
        if number == self._search_number and not self.is_deleted:
            self._draw_found(read_catalogue(found))

    def _draw_search(self) -> None:
        self._body.clear()
        self._problem.clear()
        self._buttons.clear()
        with self._body:
            if self._for_others:
                self._draw_whom()
            box = ui.input(placeholder=self._tr("Search in the catalogue"), on_change=self._typed)
            box.props(f"debounce={SEARCH_DEBOUNCE_MS} clearable autofocus type=search").classes("nova-stretch")
            box.props["aria-label"] = self._tr("Search in the catalogue")
            self._list = ui.element("div").classes("nova-catalogue")
        with self._buttons:
            quiet_button(self._tr("Cancel"), lambda: self.submit(None))

    def _draw_whom(self) -> None:
        tr = self._tr
        chosen = {self._whom: self._whom_name} if self._whom else {}
        label, hint = tr("For whom? Left empty: for yourself"), tr("Type two letters to search")
        whom = ObjectSelect(self._nova, "identity", label=label, chosen=chosen, several=False, hint=hint)
        whom.classes("nova-stretch").mark("for-whom")

        async def choose(event: events.ValueChangeEventArguments[object]) -> None:
            self._whom = event.value if isinstance(event.value, str) else None
            self._whom_name = whom.name_of(event.value)
            await self.search(self._searched)

        whom.on_value_change(choose)

    async def _typed(self, event: events.ValueChangeEventArguments[str | None]) -> None:
        await self.search(event.value if isinstance(event.value, str) and event.value.isprintable() else "")

    def _draw_found(self, items: tuple[CatalogueItem, ...]) -> None:
        self._list.clear()
        with self._list:
            if not items:
                ui.label(self._tr("Nothing in the catalogue matches.")).classes("nova-hint")
            for item in items:
                self._line(item)

    def _line(self, item: CatalogueItem) -> None:
        tr = self._tr
        with ui.element("div").classes("nova-lines__line"):
            with ui.element("div").classes("nova-lines__words"):
                with ui.element("div").classes("nova-row"):
                    ui.label(item.name).classes("nova-tools__title")
                    Badge(word_for("risk", item.risk, tr), tone_of(item.risk))
                    if item.is_held:
                        Badge(tr("held already") if self._whom else tr("you hold it"), GOOD)
                    if item.is_asked_for:
                        Badge(tr("already requested"), PLAIN)
                words = (item.application, item.description, self._approval(item))
                ui.label(" · ".join(word for word in words if word)).classes("nova-lines__hint")
            if item.can_be_asked_for:
                word = tr("Extend") if item.is_held else tr("Request it")
                button = quiet_button(word, lambda: self._choose(item)).mark(
                    f"choose-{item.role_id or item.entitlement_id}"
                )
                button.props["aria-label"] = f"{word}: {item.name}"

    def _approval(self, item: CatalogueItem) -> str:
        if item.approval == "none":
            return self._tr("given at once")
        who = self._tr(APPROVALS[item.approval]) if item.approval in APPROVALS else item.approval
        return self._tr("decided by {who}", who=who)

    def _choose(self, item: CatalogueItem) -> None:
        tr = self._tr
        self._body.clear()
        self._buttons.clear()
        with self._body:
            ui.label(item.name).classes("nova-confirmation__action")
            ui.label(" · ".join(filter(None, (item.application, item.description)))).classes("nova-hint")
            if self._whom:
                ui.label(tr("For {name}", name=self._whom_name))
            why = tr("Why is it needed?") if self._whom else tr("Why do you need it?")
            reason = ui.textarea(f"{why} *").props("autogrow autofocus")
            reason.classes("nova-stretch").mark("justification")
            until = ui.input(tr("Until, if you need it for a time only")).props("type=date stack-label")
            until.classes("nova-stretch").mark("valid-until")
            if item.max_days is not None:
                days = tr.plural("For {count} day at most.", "For {count} days at most.", item.max_days)
                until.props["hint"] = days

        async def send() -> None:
            filled = fill(_FIELDS, {"justification": reason.value, "valid_until": until.value})
            for name, control in (("justification", reason), ("valid_until", until)):
                control.props["error"] = name in filled.problems
                control.props["error-message"] = tr(filled.problems[name]) if name in filled.problems else ""
                control.update()
            if not filled.problems:
                day = filled.body.get("valid_until")
                until_day = day if isinstance(day, str) else None
                await self._send(request_body(item, str(filled.body["justification"]), until_day, self._whom))

        with self._buttons:
            quiet_button(tr("Back"), self._back)
            primary_button(tr("Send the request"), send).mark("send-request")

    async def _back(self) -> None:
        self._draw_search()
        await self.search()

    async def _send(self, body: JsonObject) -> None:
        try:
            await self._nova.call("POST /access-requests", body=body, idempotency_key=self._key)
        except NovaProblem as problem:
            self._key = secrets.token_hex(16)
            self._tell(problem)
        else:
            self.submit("sent")

    def _tell(self, problem: NovaProblem) -> None:
        told = problem_told(problem, self._tr)
        self._problem.clear()
        with self._problem:
            NoticeLine(told.text, "error", next_step=told.next_step)
