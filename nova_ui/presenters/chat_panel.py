"""The chat panel: which assistant, which chat, its turns, and what the person may do next."""

import asyncio
from collections.abc import Sequence
from typing import assert_never

from nova_ui.chat.events import EventName
from nova_ui.chat.live_turns import TurnStarted
from nova_ui.chat.message import kept_message
from nova_ui.chat.news import News, PreviewClosed, TurnBegun
from nova_ui.domain.assistant import Assistant, AssistantKey
from nova_ui.domain.chat import ChatId, ConfirmMessage, Message, PreviewId, TextMessage, ToolMessage
from nova_ui.domain.confirming import needs_confirmation
from nova_ui.domain.identity import Caller, Identity
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.preview import CloseReason
from nova_ui.domain.tool import AnyTool
from nova_ui.errors import NovaConflict, NovaNotFound, NovaUiError
from nova_ui.i18n.translator import Translator
from nova_ui.llm.fallback import ModelPlace
from nova_ui.presenters.chat_doors import ChatDoors
from nova_ui.presenters.problem_words import Told, told
from nova_ui.presenters.sent_requests import SentRequestsPresenter
from nova_ui.presenters.shown_turns import ShownTurns
from nova_ui.presenters.turn_parts import Card, close_reason, text_of
from nova_ui.presenters.turn_view import TurnView
from nova_ui.reactive import Event


class ChatPanelPresenter:
    """State and actions of the panel for one visit.

    `rearranged` fires when assistant or chat change; `turn_added` for each new turn, which then has to be followed;
    `composer_changed` when sending or stopping becomes possible; `told` with what a person has to know;
    `card_arrived` when something waits for a confirmation while the person looks. `elsewhere` is a turn of the same
    assistant that runs in another chat; `begun_elsewhere` asks to have it followed.
    """

    def __init__(self, doors: ChatDoors, caller: Caller, tr: Translator) -> None:
        self.doors = doors
        self.tr = tr
        self.assistants: tuple[Assistant, ...] = ()
        self.assistant: Assistant | None = None
        self.chat_id: ChatId | None = None
        self.elsewhere: TurnStarted | None = None
        self.begun_elsewhere: Event[TurnStarted] = Event()
        self.rearranged: Event[None] = Event()
        self.turn_added: Event[TurnView] = Event()
        self.composer_changed: Event[None] = Event()
        self.told: Event[Told] = Event()
        self.card_arrived: Event[Card] = Event()
        self._caller = caller
        self._shown = ShownTurns(doors, tr)
        self._sending = asyncio.Lock()  # what other tabs do is taken in before or after a message, never during

    @property
    def identity(self) -> Identity:
        """Who chats."""
        return self._caller.identity

    @property
    def turns(self) -> Sequence[TurnView]:
        """The turns that are shown, oldest first."""
        return self._shown.all

    @property
    def names(self) -> dict[str, str]:
        """What objects are called, by their ids, as far as it is known here."""
        return self._shown.names

    @property
    def running(self) -> TurnView | None:
        """The turn that is being answered, if there is one."""
        return self._shown.running

    @property
    def can_send(self) -> bool:
        """Whether a message may be sent now."""
        return self.assistant is not None and not self._sending.locked() and self.running is None

    @property
    def last_text(self) -> str:
        """The person's last typed message, for taking it back."""
        return self._shown.last_text

    def waits(self, tool: AnyTool) -> bool:
        """Whether a call of `tool` waits on a card in the chosen assistant."""
        asks = self.assistant is not None and self.assistant.ask_before_changes
        return needs_confirmation(tool, every_change=asks)

    @property
    def tools(self) -> Sequence[AnyTool]:
        """The tools that the person has in the chosen assistant."""
        return self.doors.tools_for(self.assistant, self.identity) if self.assistant else ()

    @property
    def places(self) -> Sequence[ModelPlace]:
        """Every place that the data of this chat may go to, in the order in which they are asked."""
        return self.doors.places_of(self.assistant) if self.assistant else ()

    def requests_of(self, turn: TurnView) -> SentRequestsPresenter:
        """Return what the model saw for a message."""
        return SentRequestsPresenter(self.doors.sent, self.identity, turn.turn_id)

    async def load(self, *, assistant_key: str = "", chat_id: str = "") -> None:
        """Open a stored chat, else the one whose answer is running, else an empty one with the assistant asked for."""
        self.assistants = await self.doors.assistants.visible_to(self.identity)
        if chat_id and await self._open(ChatId(chat_id)):
            return
        if chat_id:
            self.told.emit(
                Told(
                    text=self.tr("This chat does not exist any more, or is not open to you."),
                    next_step=self.tr("Here is a new one."),
                )
            )
        await self.choose(self._find(assistant_key) or next(iter(self.assistants), None))

    async def choose(self, assistant: Assistant | None) -> None:
        """Turn to an assistant: to its running answer if there is one, else to an empty chat."""
        self.assistant = assistant
        running = await self._running_turn()
        if running is not None and await self._open(running.chat_id):
            return
        self.new_chat()

    async def choose_key(self, key: str) -> None:
        """Turn to the assistant called `key`, if the person has it."""
        found = self._find(key)
        if found is not None and found != self.assistant:
            await self.choose(found)

    def new_chat(self) -> None:
        """Begin an empty chat with the same assistant; an answer that is being written goes on in its own chat."""
        left = self.elsewhere
        if self.running is not None and self.chat_id is not None:
            left = TurnStarted(turn_id=self.running.turn_id, chat_id=self.chat_id)
        self.chat_id = None
        self._show([])
        self._watch(left)

    async def send_text(self, text: str) -> bool:
        """Send what was typed; False means that it was not accepted and must be kept."""
        return bool(text.strip()) and await self._send(TextMessage(text=text.strip()))

    async def send_tool(self, tool_name: str, arguments: JsonObject) -> bool:
        """Make the person's own call from the `/` menu."""
        return await self._send(ToolMessage(tool_name=tool_name, arguments=arguments))

    async def ask_again(self, turn: TurnView) -> None:
        """Send the same words again, if their turn changed nothing."""
        if turn.can_be_asked_again and isinstance(turn.message, TextMessage):
            await self._send(turn.message)

    async def confirm(self, card: Card, object_name: str = "") -> None:
        """Send the card's id, and the object's name where it must be typed (rules C8, C15); twice is once."""
        if not card.can_be_confirmed:
            return
        card.wait(pending=True)
        sent = await self._send(ConfirmMessage(preview_id=card.preview_id, object_name=object_name), card=card)
        if not sent and card.closed is None:
            card.wait(pending=False)

    async def cancel(self, card: Card) -> None:
        """Make the card void (rule C12)."""
        if not card.can_be_confirmed:
            return
        card.wait(pending=True)
        try:
            await self.doors.live_turns.cancel_preview(self.identity.id, card.preview_id)
        except NovaUiError as error:
            card.wait(pending=False)
            self.told.emit(told(error, self.tr))
        else:
            card.close(CloseReason.CANCELLED)

    async def open_elsewhere(self) -> None:
        """Turn to the chat in which the answer is being written."""
        if self.elsewhere is not None:
            await self._open(self.elsewhere.chat_id)

    def expire(self, card: Card) -> None:
        """Take the buttons away once the time is over; the server refuses in any case (rule C5)."""
        if card.can_be_confirmed and self.doors.clock.now() > card.expires_at:
            card.close(CloseReason.EXPIRED)

    async def stop(self) -> None:
        """Stop the running answer, here or in another chat; what was written stays."""
        running = self.running or self.elsewhere
        if running is None:
            return
        try:
            await self.doors.live_turns.stop(self.identity.id, running.turn_id)
        except NovaUiError as error:
            self.told.emit(told(error, self.tr))

    async def follow(self, turn: TurnView) -> None:
        """Read the turn's events until its end; the page runs this as a task of its own."""
        is_left = False
        try:
            async for event in self.doors.live_turns.follow(self.identity.id, turn.turn_id, after=turn.last_event_id):
                turn.apply(event)
                self._shown.close_cards(turn.closed_previews, elsewhere=turn.is_from_elsewhere)
        except asyncio.CancelledError:
            is_left = True  # the page shows something else, or is gone; the turn goes on in the server
            raise
        except NovaUiError as error:
            words = told(error, self.tr)
            turn.lose(f"{words.text} {words.next_step}".strip())
        finally:
            if turn.is_running and not is_left:
                turn.lose(self.tr("The answer broke off. What was written so far is kept in the chat history."))
            self.composer_changed.emit(None)

    async def follow_elsewhere(self, started: TurnStarted) -> None:
        """Read a turn of another chat: it may make cards of this one void, and its end frees the assistant."""
        try:
            async for event in self.doors.live_turns.follow(self.identity.id, started.turn_id):
                if event.name is EventName.PREVIEW_CLOSED:
                    closed = {PreviewId(text_of(event.data, "preview_id")): close_reason(event.data.get("reason"))}
                    self._shown.close_cards(closed, elsewhere=True)
        except NovaUiError:
            return  # the next message says whether the assistant is free
        finally:
            if self.elsewhere == started:
                self.elsewhere = None
                self.composer_changed.emit(None)

    async def take(self, news: News) -> None:
        """Take in what happened in any tab or script of this person, this one included."""
        async with self._sending:
            match news:
                case PreviewClosed(preview_id=preview_id, reason=reason):
                    self._shown.close_cards({preview_id: reason}, elsewhere=True)
                case TurnBegun():
                    self._take_turn(news)
                case _:
                    assert_never(news)

    async def look(self) -> None:
        """Take in what no news told: what other processes did to this chat since it was opened."""
        if self.assistant is None or self._sending.locked():
            return
        async with self._sending:
            running = await self._running_turn()
            if self.chat_id is not None:
                await self._look_at(self.chat_id)
            self._watch(running)

    async def _look_at(self, chat_id: ChatId) -> None:
        try:
            opened = await self.doors.history.get_chat(self.identity, chat_id)
        except NovaNotFound:
            return  # deleted in another tab; what is on the screen may still be read
        for record in opened.chat.turns:
            if not self._shown.holds(record.id):
                self._add(self._shown.stored(record, opened.previews, is_from_elsewhere=True))
        closed = {preview.id: preview.closed for preview in opened.previews if preview.closed is not None}
        self._shown.close_cards(closed, elsewhere=True)

    def _take_turn(self, begun: TurnBegun) -> None:
        if self.assistant is None or begun.assistant_key != self.assistant.key or self._shown.holds(begun.turn_id):
            return
        if begun.chat_id == self.chat_id:
            self._add(self._shown.new(begun.turn_id, begun.message, is_from_elsewhere=True))
        else:
            self._watch(TurnStarted(turn_id=begun.turn_id, chat_id=begun.chat_id))

    def _watch(self, started: TurnStarted | None) -> None:
        """Have a turn of another chat followed, if there is one."""
        if started is None or started == self.elsewhere or self._shown.holds(started.turn_id):
            return
        self.elsewhere = started
        self.begun_elsewhere.emit(started)
        self.composer_changed.emit(None)

    async def _send(self, message: Message, card: Card | None = None) -> bool:
        if self.assistant is None or not self.can_send:
            if self.running is not None:
                self.told.emit(told(NovaConflict(code="turn_running"), self.tr))
            return False
        key = self.assistant.key
        async with self._sending:
            try:
                started = await self.doors.live_turns.send(self._caller, key, message, chat_id=self.chat_id)
            except NovaUiError as error:
                self._not_sent(error, card)
                return False
            self.chat_id = started.chat_id
            self._add(self._shown.new(started.turn_id, kept_message(message)))
        return True

    def _not_sent(self, error: NovaUiError, card: Card | None) -> None:
        if card is not None and isinstance(error, NovaConflict) and error.code == "confirmation_invalid":
            card.close(close_reason(error.extra.get("reason")), elsewhere=True)
            return  # the card itself says why
        self.told.emit(told(error, self.tr))

    async def _open(self, chat_id: ChatId) -> bool:
        """Show a stored chat with all its turns, a running one included."""
        try:
            opened = await self.doors.history.get_chat(self.identity, chat_id)
        except NovaNotFound:
            return False
        self.assistant = self._find(opened.chat.assistant_key)
        if self.assistant is None:
            return False
        running = await self._running_turn()
        self.chat_id = opened.chat.id
        self._show([self._shown.stored(record, opened.previews) for record in opened.chat.turns])
        for turn in self.turns:
            if turn.is_running or (running is not None and turn.turn_id == running.turn_id):
                self.turn_added.emit(turn)
        self._watch(running)
        return True

    def _show(self, turns: list[TurnView]) -> None:
        self._shown.all = turns
        self.elsewhere = None
        self.rearranged.emit(None)

    async def _running_turn(self) -> TurnStarted | None:
        if self.assistant is None:
            return None
        return await self.doors.live_turns.running(self.identity.id, self.assistant.key)

    def _add(self, turn: TurnView) -> None:
        self._shown.all.append(turn)
        self.turn_added.emit(turn)
        self.composer_changed.emit(None)

    def _find(self, key: AssistantKey | str) -> Assistant | None:
        return next((one for one in self.assistants if one.key == key), None)
