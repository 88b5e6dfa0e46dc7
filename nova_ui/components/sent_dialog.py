"""What the model saw: the requests of one message, as they were sent, to read, copy and download."""

import json
from typing import Final

from nicegui import events, ui

from nova_ui.components.badges import BAD, GOOD, PLAIN, Badge
from nova_ui.components.buttons import icon_button, quiet_button
from nova_ui.components.copy_button import CopyFrom
from nova_ui.components.facts import Facts, data_block, heading
from nova_ui.components.notices import NoticeLine
from nova_ui.domain.sent_request import ANSWERED, SentRequest
from nova_ui.domain.text import mark
from nova_ui.errors import NovaUiError
from nova_ui.i18n.translator import Translator
from nova_ui.llm.port import Mode
from nova_ui.llm.sent_reading import ReadBody, ReadMessage, ReadPart, ReadTool
from nova_ui.presenters.assistant_words import MODE_TONES, SHORT_MODE_WORDS
from nova_ui.presenters.problem_words import told
from nova_ui.presenters.sent_requests import (
    OpenedRequest,
    SentRequestsPresenter,
    has_failed,
    outcome_words,
    where_to,
)
from nova_ui.presenters.visible import show_invisible

LONG_CHARS: Final = 600
_ROLES: Final = {"user": mark("You"), "assistant": mark("Model"), "tool": mark("Tool result")}


class SentDialog(ui.dialog):
    """Draws a request only once it is opened: a message may have twelve, each long."""

    def __init__(self, presenter: SentRequestsPresenter, tr: Translator) -> None:
        super().__init__(value=True)
        self._presenter = presenter
        self._tr = tr
        with self, ui.card().classes("nova-dialog nova-dialog--wide").mark("sent-dialog") as card:
            with ui.element("div").classes("nova-dialog__head"):
                title = ui.label(tr("What the model saw")).classes("nova-dialog__title")
                title.props("role=heading aria-level=2")
                icon_button("close", tr("Close"), self.close).mark("close-sent")
            self._body = ui.element("div").classes("nova-dialog__body nova-stack")
        card.props["aria-labelledby"] = self.props["aria-labelledby"] = title.html_id
        self.on_value_change(lambda event: None if event.value else self.delete())

    async def load(self) -> None:
        """Read the requests and draw them; the only one is opened at once."""
        tr = self._tr
        try:
            await self._presenter.load()
        except NovaUiError as error:
            with self._body:
                NoticeLine(told(error, tr).text, "error")
            return
        if self.is_deleted:
            return
        requests = self._presenter.requests
        with self._body:
            if not requests:
                ui.label(tr("For this message nothing is recorded that was sent to a model.")).classes("nova-hint")
                return
            words = tr(
                "Exactly what was sent for this message, secrets taken out before. Only you can see it, as long as the"
                " chat is kept."
            )
            ui.label(words).classes("nova-hint")
            reasons = self._presenter.reasons(tr)
            lines = [_RequestLine(one, self._presenter, tr, reasons.get(one.number, "")) for one in requests]
        if len(lines) == 1:
            await lines[0].open_up()


class _RequestLine(ui.element):
    """One request as a line that opens."""

    def __init__(self, sent: SentRequest, presenter: SentRequestsPresenter, tr: Translator, reason: str) -> None:
        super().__init__("details")
        self._sent = sent
        self._presenter = presenter
        self._tr = tr
        self._is_filled = False
        self.classes("nova-call").mark(f"sent-{sent.number}")
        mode = Mode(sent.mode)
        with self, ui.element("summary").classes("nova-call__line"):
            ui.icon("outbox").classes("nova-call__icon")
            ui.label(tr("Request {number}", number=sent.number)).classes("nova-call__title")
            ui.label(reason).classes("nova-call__arguments")
            Badge(tr(SHORT_MODE_WORDS[mode]), MODE_TONES[mode])
            tone = BAD if has_failed(sent) else GOOD if sent.outcome == ANSWERED else PLAIN
            Badge(outcome_words(sent, tr), tone)
            ui.icon("chevron_right").classes("nova-call__arrow")
        with self:
            self._body = ui.element("div").classes("nova-call__body")
        self.on("toggle", self._toggled, js_handler="(event) => emit(event.target.open)")

    async def open_up(self) -> None:
        """Open without being asked."""
        self.props["open"] = True
        await self._fill()

    async def _toggled(self, event: events.GenericEventArguments) -> None:
        if event.args is True:
            await self._fill()

    async def _fill(self) -> None:
        if self._is_filled:
            return
        self._is_filled = True
        try:
            opened = await self._presenter.open(self._sent.number)
        except NovaUiError as error:
            with self._body:
                NoticeLine(told(error, self._tr).text, "error")
            return
        if self.is_deleted:
            return
        with self._body:
            self._draw_facts()
            self._draw_notices()
            if opened is None:
                ui.label(self._tr("Its content was too long to be kept.")).classes("nova-hint")
                return
            self._draw_buttons(opened)
            _draw_content(opened.read, self._tr)

    def _draw_facts(self) -> None:
        sent, tr = self._sent, self._tr
        facts = Facts()
        facts.add(tr("Model"), tr(sent.model))
        facts.add(tr("Sent to"), where_to(sent, tr))
        facts.add(tr("Profile"), sent.profile)
        facts.add(tr("Sent at"), tr.moment(sent.sent_at))
        size = tr("{count} bytes", count=tr.number(sent.size_bytes))
        if sent.input_tokens or sent.output_tokens:
            tokens = tr(
                "{given} tokens read, {made} written",
                given=tr.number(sent.input_tokens),
                made=tr.number(sent.output_tokens),
            )
            size = f"{size}, {tokens}"
        facts.add(tr("Length"), size)

    def _draw_notices(self) -> None:
        sent, tr = self._sent, self._tr
        if sent.left_out:
            words = tr.plural(
                "{count} earlier message of this chat, with all that belongs to it, was left out.",
                "{count} earlier messages of this chat, with all that belongs to them, were left out.",
                sent.left_out,
            )
            NoticeLine(words, "warning")
        if sent.words_only:
            NoticeLine(tr("The model was asked for words only; no call would have counted."), "warning")

    def _draw_buttons(self, opened: OpenedRequest) -> None:
        tr, number = self._tr, self._sent.number
        with ui.element("div").classes("nova-row"):
            CopyFrom(self._presenter.address_of(number), tr("Copy as JSON"), tr)
            quiet_button(
                tr("Download as JSON"),
                lambda: ui.download.content(opened.body, f"request-{number}.json", "application/json"),
                icon="download",
            ).classes("nova-button--small").mark(f"download-{number}")


def _draw_content(read: ReadBody, tr: Translator) -> None:
    if read.system:
        heading(tr("What the server told the model"), 3)
        _long(read.system, tr)
    if read.messages:
        heading(tr("Conversation"), 3)
        with ui.element("div").classes("nova-sent"):
            for message in read.messages:
                _draw_message(message, tr)
    if read.tools:
        heading(tr.plural("{count} tool on offer", "{count} tools on offer", len(read.tools)), 3)
        with ui.element("div"):
            for tool in read.tools:
                _draw_tool(tool)
    if read.settings:
        heading(tr("Everything else"), 3)
        data_block(json.dumps(read.settings, ensure_ascii=False, indent=2))


def _draw_message(message: ReadMessage, tr: Translator) -> None:
    with ui.element("div").classes(f"nova-sent__message nova-sent__message--{message.role}"):
        ui.label(tr(_ROLES[message.role])).classes("nova-sent__role")
        for part in message.parts:
            _draw_part(part, tr)


def _draw_part(part: ReadPart, tr: Translator) -> None:
    match part.kind:
        case "call":
            ui.label(tr("Call: {name}", name=show_invisible(part.name))).classes("nova-sent__name")
        case "result" if part.name:
            ui.label(show_invisible(part.name)).classes("nova-sent__name")
        case _:
            pass
    _long(part.text, tr)


def _draw_tool(tool: ReadTool) -> None:
    with ui.element("details").classes("nova-sent__tool"):
        with ui.element("summary"):
            ui.label(tool.name).classes("nova-sent__name")
        ui.label(tool.description)
        data_block(json.dumps(tool.parameters, ensure_ascii=False, indent=2))


def _long(text: str, tr: Translator) -> None:
    """Draw foreign text as it is; of a long one the beginning, until it is opened."""
    shown = show_invisible(text).replace("⏎\n", "\n")
    if len(shown) <= LONG_CHARS:
        data_block(shown)
        return
    with ui.element("details").classes("nova-sent__long"):
        with ui.element("summary"):
            ui.label(shown[:LONG_CHARS].rstrip() + " …").classes("nova-data nova-sent__beginning")
            ui.label(tr("Show all {count} characters", count=tr.number(len(text)))).classes("nova-sent__more")
        data_block(shown)
