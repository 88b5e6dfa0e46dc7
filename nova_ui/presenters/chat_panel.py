"""The chat panel: which assistant, which chat, its turns, and what the person may do next."""

from collections.abc import Mapping, Sequence

from nova_ui.chat.live_turns import TurnStarted
from nova_ui.domain.assistant import Assistant, AssistantKey
from nova_ui.domain.chat import ChatId, ConfirmMessage, Message, PreviewId, TextMessage, ToolMessage, TurnId, TurnRecord
from nova_ui.domain.identity import Caller, Identity
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.preview import CloseReason, Preview
from nova_ui.domain.tool import AnyTool
from nova_ui.errors import NovaConflict, NovaNotFound, NovaUiError
from nova_ui.i18n.translator import Translator
from nova_ui.llm.port import Mode
from nova_ui.presenters.chat_doors import ChatDoors
from nova_ui.presenters.problem_words import Told, told
from nova_ui.presenters.replay import events_of
from nova_ui.presenters.turn_parts import Card, close_reason
from nova_ui.presenters.turn_view import TurnView
from nova_ui.reactive import Event


class ChatPanelPresenter:
    """State and actions of the panel for one visit.

    `rearranged` fires when assistant or chat change; `turn_added` for each new turn, which then has to be followed;
    `composer_changed` when sending or stopping becomes possible; `told` with what a person has to know;
    `card_arrived` when something waits for a confirmation while the person looks.
    """

    def __init__(self, doors: ChatDoors, caller: Caller, tr: Translator) -> None:
        self.doors = doors
        self.tr = tr
        self.assistants: tuple[Assistant, ...] = ()
        self.assistant: Assistant | None = None
        self.chat_id: ChatId | None = None
        self.turns: list[TurnView] = []
        self.rearranged: Event[None] = Event()
        self.turn_added: Event[TurnView] = Event()
        self.composer_changed: Event[None] = Event()
        self.told: Event[Told] = Event()
        self.card_arrived: Event[Card] = Event()
        self._caller = caller
        self._is_sending = False
        self._names: dict[str, str] = {}

    @property
    def identity(self) -> Identity:
        """Who chats."""
        return self._caller.identity

    @property
    def running(self) -> TurnView | None:
        """The turn that is being answered, if there is one."""
        return next((turn for turn in reversed(self.turns) if turn.is_running), None)

    @property
    def can_send(self) -> bool:
        """Whether a message may be sent now."""
        return self.assistant is not None and not self._is_sending and self.running is None

    @property
    def last_text(self) -> str:
        """The person's last typed message, for taking it back."""
        typed = (turn.message.text for turn in reversed(self.turns) if isinstance(turn.message, TextMessage))
        return next(typed, "")

    @property
    def tools(self) -> Sequence[AnyTool]:
        """The tools that the person has in the chosen assistant."""
        return self.doors.tools_for(self.assistant, self.identity) if self.assistant else ()

    @property
    def mode(self) -> Mode | None:
        """Where the data of this chat goes."""
        return self.doors.mode_of(self.assistant) if self.assistant else None

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
        """Begin an empty chat with the same assistant."""
        self.chat_id = None
        self.turns = []
        self.rearranged.emit(None)

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

    async def confirm(self, card: Card) -> None:
        """Send the card's id and nothing else (rule C8); a double click is one confirmation."""
        if not card.can_be_confirmed:
            return
        card.wait(pending=True)
        sent = await self._send(ConfirmMessage(preview_id=card.preview_id), card=card)
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

    def expire(self, card: Card) -> None:
        """Take the buttons away once the time is over; the server refuses in any case (rule C5)."""
        if card.can_be_confirmed and self.doors.clock.now() > card.expires_at:
            card.close(CloseReason.EXPIRED)

    async def stop(self) -> None:
        """Stop the running answer; what was written stays."""
        running = self.running
        if running is None:
            return
        try:
            await self.doors.live_turns.stop(self.identity.id, running.turn_id)
        except NovaUiError as error:
            self.told.emit(told(error, self.tr))

    async def follow(self, turn: TurnView) -> None:
        """Read the turn's events until its end; the page runs this as a task of its own."""
        try:
            async for event in self.doors.live_turns.follow(self.identity.id, turn.turn_id, after=turn.last_event_id):
                turn.apply(event)
                self._close_cards(turn)
        except NovaUiError as error:
            turn.lose(told(error, self.tr).text)
        finally:
            if turn.is_running:
                turn.lose(self.tr("The answer broke off. What was written so far is kept in the chat history."))
            self.composer_changed.emit(None)

    async def _send(self, message: Message, card: Card | None = None) -> bool:
        if self.assistant is None or not self.can_send:
            if self.running is not None:
                self.told.emit(told(NovaConflict(code="turn_running"), self.tr))
            return False
        self._is_sending = True
        try:
            started = await self.doors.live_turns.send(self._caller, self.assistant.key, message, chat_id=self.chat_id)
        except NovaUiError as error:
            self._not_sent(error, card)
            return False
        finally:
            self._is_sending = False
        self.chat_id = started.chat_id
        self._add(self._new_view(started.turn_id, message))
        return True

    def _not_sent(self, error: NovaUiError, card: Card | None) -> None:
        if card is not None and isinstance(error, NovaConflict) and error.code == "confirmation_invalid":
            card.close(close_reason(error.extra.get("reason")))
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
        previews = {preview.id: preview for preview in opened.previews}
        self.turns = [self._stored(record, previews) for record in opened.chat.turns]
        self.rearranged.emit(None)
        for turn in self.turns:
            if turn.is_running or (running is not None and turn.turn_id == running.turn_id):
                self.turn_added.emit(turn)
        return True

    def _stored(self, record: TurnRecord, previews: Mapping[PreviewId, Preview]) -> TurnView:
        view = self._new_view(record.id, record.message)
        if record.finished_at is not None:
            for event in events_of(record, previews, self.doors.tools, self.tr, self.doors.notice_text):
                view.apply(event)
        return view

    def _new_view(self, turn_id: TurnId, message: Message) -> TurnView:
        view = TurnView(turn_id, message, self.doors.tools, self.tr)
        view.names = self._names
        return view

    async def _running_turn(self) -> TurnStarted | None:
        if self.assistant is None:
            return None
        return await self.doors.live_turns.running(self.identity.id, self.assistant.key)

    def _add(self, turn: TurnView) -> None:
        self.turns.append(turn)
        self.turn_added.emit(turn)
        self.composer_changed.emit(None)

    def _close_cards(self, turn: TurnView) -> None:
        """Close the cards of earlier turns that this reply used up or made void."""
        for other in self.turns:
            for card in other.cards:
                reason = turn.closed_previews.get(card.preview_id)
                if reason is not None and card.closed is None:
                    card.close(reason)

    def _find(self, key: AssistantKey | str) -> Assistant | None:
        return next((one for one in self.assistants if one.key == key), None)
