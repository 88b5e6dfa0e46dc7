"""One turn: what the person wrote, and everything that came of it, painted while it grows."""

import asyncio
from collections.abc import Callable
from typing import Final, Protocol

from nicegui import background_tasks, ui

from nova_ui.components.buttons import quiet_button
from nova_ui.components.confirmation_card import ConfirmationCard
from nova_ui.components.copy_button import CopyButton
from nova_ui.components.model_text import MAX_BLOCK_CHARS, ModelText
from nova_ui.components.notices import NoticeLine
from nova_ui.components.sent_dialog import SentDialog
from nova_ui.components.tool_line import ToolLine
from nova_ui.domain.chat import ConfirmMessage, Message, TextMessage, ToolMessage
from nova_ui.domain.tool import CallId, ToolKind
from nova_ui.presenters.call_words import main_arguments
from nova_ui.presenters.chat_panel import ChatPanelPresenter
from nova_ui.presenters.counts import asks_for_chart
from nova_ui.presenters.text_blocks import split_blocks
from nova_ui.presenters.turn_parts import AnswerText, CallLine, Card, NoticePart, Part, ProblemPart
from nova_ui.presenters.turn_view import TurnView
from nova_ui.presenters.visible import show_deceptive

PAINT_EVERY_S: Final = 0.15


class _Drawn(Protocol):
    """A part on the screen."""

    def refresh(self) -> None:
        """Show what has changed in it."""


class Answer(ui.element):
    """A model's words: finished blocks are drawn once, only the open end again; a very long one less and less often.

    Drawing takes time that everybody waits for.
    """

    def __init__(self, part: AnswerText, is_growing: Callable[[], bool]) -> None:
        super().__init__("div")
        self._part = part
        self._is_growing = is_growing
        self._drawn_chars = 0
        self._done = 0
        self.classes("nova-answer")
        with self:
            self._tail = ModelText()
        self.refresh()

    def refresh(self) -> None:
        """Draw what has been written since."""
        blocks, rest = split_blocks(self._part.text)
        if len(blocks) == self._done and self._may_wait(len(rest)):
            return
        with self:
            for block in blocks[self._done :]:
                self._tail.show(block)
                self._tail = ModelText()
        self._done = len(blocks)
        self._drawn_chars = len(rest)
        self._tail.show(rest)

    def _may_wait(self, chars: int) -> bool:
        return self._is_growing() and chars > MAX_BLOCK_CHARS and chars < self._drawn_chars * 1.2


class _Still:
    """A part that never changes once it is drawn."""

    def refresh(self) -> None:
        """Nothing to do."""


class TurnBox(ui.element):
    """Paints in a task of its own: the reader of events never waits for it, and it never falls behind for good.

    `announce` is told of a card that arrives while the person is looking.
    """

    def __init__(self, turn: TurnView, panel: ChatPanelPresenter) -> None:
        super().__init__("article")
        self.turn = turn
        self._panel = panel
        self._drawn: list[_Drawn] = []
        self._lines: dict[CallId, ToolLine] = {}
        self._dirty = asyncio.Event()
        self._was_running = turn.is_running
        self._has_foot = False
        self.classes("nova-turn").mark("turn")
        with self:
            with ui.element("div").classes("nova-turn__own"):
                ui.label(panel.tr("You:")).classes("nova-hidden")
                ui.label(own_words(turn.message, panel)).classes("nova-turn__words")
            self._parts = ui.element("div").classes("nova-turn__parts")
            self._working = ui.label(panel.tr("Nova is working …")).classes("nova-working")
            self._foot = ui.element("div").classes("nova-turn__foot")
        self._paint()
        if turn.is_running:
            self._unsubscribe = turn.changed.subscribe(lambda _: self._dirty.set())
            background_tasks.create(self._paint_on())

    async def _paint_on(self) -> None:
        while self.turn.is_running:
            await self._dirty.wait()
            self._dirty.clear()
            if self.is_deleted:
                break
            self._paint()
            await asyncio.sleep(PAINT_EVERY_S)
        self._unsubscribe()
        if not self.is_deleted:
            self._paint()

    def _paint(self) -> None:
        parts = self.turn.parts
        for drawn in self._drawn[-2:]:  # earlier ones are complete, save calls that run side by side
            drawn.refresh()
        for drawn in self._drawn[:-2]:
            if isinstance(drawn, ToolLine):
                drawn.refresh()
        for part in parts[len(self._drawn) :]:
            with self._parts:
                self._drawn.append(self._draw(part))
        self._working.visible = self.turn.is_running and not self._is_waiting()
        if not self.turn.is_running and not self._has_foot:
            self._has_foot = True
            self._draw_foot()

    def _draw(self, part: Part) -> _Drawn:
        match part:
            case AnswerText():
                return Answer(part, lambda: self.turn.is_running)
            case CallLine():
                line = self._lines[part.call_id] = ToolLine(
                    part, self.turn.names, self._panel.tr, wants_chart=wants_chart(self.turn.message)
                )
                if isinstance(self.turn.message, ToolMessage) and part.kind is ToolKind.READ:
                    line.open_up()
                return line
            case Card():
                card = ConfirmationCard(part, self._panel)
                self._tie(part)
                if self._was_running and not self.turn.is_from_elsewhere:
                    card.take_focus()
                    self._panel.card_arrived.emit(part)
            case NoticePart():
                NoticeLine(show_deceptive(part.text), "warning")
            case ProblemPart():
                reference = self._panel.tr("Reference: {reference}", reference=part.reference) if part.reference else ""
                NoticeLine(show_deceptive(part.text), "error", next_step=reference)
        return _Still()

    def _tie(self, card: Card) -> None:
        """Have the line of the call that waits say how the card was answered."""
        line = self._lines.get(card.call_id)
        if line is not None:
            line.settle(card.closed)
            card.changed.subscribe(lambda _: line.settle(card.closed))

    def _is_waiting(self) -> bool:
        """Whether a card asks for an answer, so that nothing is being worked on."""
        return any(card.closed is None for card in self.turn.cards)

    def _draw_foot(self) -> None:
        turn, tr = self.turn, self._panel.tr
        self._foot.clear()
        with self._foot:
            if turn.answer:
                CopyButton(self, tr)
            if turn.can_be_asked_again and turn is self._panel.turns[-1]:
                again = quiet_button(tr("Ask again"), lambda: self._panel.ask_again(turn), icon="refresh")
                again.classes("nova-button--small").mark("again")
                self._end_offer = self._panel.turn_added.subscribe(lambda _: self._take_back(again))
            if not isinstance(turn.message, ToolMessage):  # for the person's own call no model is asked
                self._draw_menu()
            if turn.model and turn.answer:
                ui.label(tr("Written by {model}", model=tr(turn.model))).classes("nova-turn__model")

    def _draw_menu(self) -> None:
        tr = self._panel.tr
        more = ui.button(icon="more_horiz", color=None).classes("nova-button nova-button--icon nova-turn__more")
        more.mark("turn-menu").props["aria-label"] = tr("More about this answer")
        with more.props("aria-haspopup=menu"), ui.menu().props("auto-close"):
            item = ui.menu_item(tr("What the model saw"), on_click=self._show_requests)
            item.props("role=menuitem").mark("what-model-saw")

    async def _show_requests(self) -> None:
        with self:  # not in the foot, which is drawn anew while an answer ends
            dialog = SentDialog(self._panel.requests_of(self.turn), self._panel.tr)
        await dialog.load()

    def _take_back(self, again: ui.button) -> None:
        """Offer to ask again for the last turn only."""
        self._end_offer()
        if not again.is_deleted:
            again.delete()


def wants_chart(message: Message) -> bool:
    """Whether the person asked to see numbers as a chart."""
    return isinstance(message, TextMessage) and asks_for_chart(message.text)


def own_words(message: Message, panel: ChatPanelPresenter) -> str:
    """Return what the person sent as text."""
    match message:
        case TextMessage(text=text):
            return show_deceptive(text)
        case ConfirmMessage():
            return panel.tr("Confirm and execute")
        case ToolMessage(tool_name=name, arguments=arguments):
            tool = panel.doors.tools.get(name)
            title = panel.tr(tool.title) if tool else name
            given = main_arguments(arguments, panel.names, panel.tr)
            return show_deceptive(f"/ {title}: {given}" if given else f"/ {title}")
