"""The chat itself: its turns in order, or what to do with an empty one."""

import asyncio
from collections.abc import Callable, Coroutine

from nicegui import background_tasks, ui

from nova_ui.chat.live_turns import TurnStarted
from nova_ui.chat.news import News
from nova_ui.components.returning import Returning
from nova_ui.components.turn_box import TurnBox
from nova_ui.domain.assistant_icons import DEFAULT_ICON
from nova_ui.presenters.assistant_words import description_text, starters_of
from nova_ui.presenters.chat_panel import ChatPanelPresenter
from nova_ui.presenters.confirmation import ConfirmationWords
from nova_ui.presenters.turn_parts import Card
from nova_ui.presenters.turn_view import TurnView


class ChatView(ui.element):
    """Keeps to the newest words while the person is at the end, by the order of its layout alone.

    `fill_composer` is where a starter goes that the person has to complete. Each running turn is read by a task that
    ends with the page; the turn itself goes on in the server.
    """

    def __init__(self, panel: ChatPanelPresenter) -> None:
        super().__init__("div")
        self._panel = panel
        self.fill_composer: Callable[[str], None] = lambda _: None
        self._readers: list[asyncio.Task[None]] = []
        self.classes("nova-chat").props("tabindex=0")
        self.props["aria-label"] = panel.tr("Chat")
        with self:
            self._list = ui.element("div").classes("nova-chat__list").props("role=log aria-live=polite")
            Returning(panel.look)
        self._announcement = ui.label().classes("nova-hidden").props("role=alert aria-live=assertive")
        panel.rearranged.subscribe(lambda _: self._draw())
        panel.turn_added.subscribe(self._add)
        panel.begun_elsewhere.subscribe(self._follow_elsewhere)
        panel.card_arrived.subscribe(self._announce)
        end_news = panel.doors.live_turns.subscribe(panel.identity.id, self._take)
        ui.context.client.on_delete(self._stop_reading)
        ui.context.client.on_delete(end_news)

    def _draw(self) -> None:
        if self.is_deleted:
            return
        self._stop_reading()
        self._list.clear()
        with self._list:
            if not self._panel.turns:
                self._empty()
            for turn in self._panel.turns:
                TurnBox(turn, self._panel)

    def _add(self, turn: TurnView) -> None:
        if self.is_deleted:
            return
        if turn is self._panel.turns[-1] and not self._is_drawn(turn):
            with self._list:
                if len(self._panel.turns) == 1:
                    self._list.clear()
                TurnBox(turn, self._panel)
        if turn.is_running:
            self._read(self._panel.follow(turn))

    def _follow_elsewhere(self, started: TurnStarted) -> None:
        if not self.is_deleted:
            self._read(self._panel.follow_elsewhere(started))

    def _take(self, news: News) -> None:
        """Take in what another tab did, as a task of this page: whoever told must not wait for it."""
        if not self.is_deleted:
            background_tasks.create(self._panel.take(news), context=self, name="take news")

    def _read(self, reading: Coroutine[None, None, None]) -> None:
        self._readers = [task for task in self._readers if not task.done()]
        self._readers.append(background_tasks.create(reading, context=self, name="follow turn"))

    def _is_drawn(self, turn: TurnView) -> bool:
        return any(isinstance(child, TurnBox) and child.turn is turn for child in self._list.default_slot.children)

    def _empty(self) -> None:
        panel, tr = self._panel, self._panel.tr
        with ui.element("div").classes("nova-start"):
            ui.icon(DEFAULT_ICON if panel.assistant is None else panel.assistant.icon).classes("nova-start__icon")
            if panel.assistant is None:
                ui.label(tr("No assistant is open to you.")).classes("nova-start__title")
                ui.label(tr("An administrator can open one to you.")).classes("nova-start__text")
                return
            ui.label(panel.assistant.name_in(tr.language)).classes("nova-start__title").props(
                "role=heading aria-level=2"
            )
            ui.label(description_text(panel.assistant, tr)).classes("nova-start__text")
            with ui.element("div").classes("nova-start__list"):
                for starter in starters_of(panel.assistant, tr):
                    self._starter(starter)

    def _starter(self, text: str) -> None:
        with ui.element("button").classes("nova-start__entry").props("type=button").mark("starter") as entry:
            ui.label(text)
            ui.icon("north_east")
        if "…" in text:  # to be completed by the person
            entry.on("click", lambda: self.fill_composer(text.split("…", maxsplit=1)[0]))
        else:
            entry.on("click", lambda: self._panel.send_text(text))

    def _announce(self, card: Card) -> None:
        if not self.is_deleted:
            tr = self._panel.tr
            action = ConfirmationWords(card, tr).action
            self._announcement.text = tr("Confirmation required: {action}", action=action)

    def _stop_reading(self) -> None:
        for task in self._readers:
            task.cancel()
        self._readers.clear()
