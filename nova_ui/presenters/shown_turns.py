"""The turns of the chat that is shown, and the cards in them."""

from collections.abc import Mapping, Sequence

from nova_ui.domain.chat import Message, PreviewId, TextMessage, TurnId, TurnRecord
from nova_ui.domain.preview import CloseReason, Preview
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.chat_doors import ChatDoors
from nova_ui.presenters.replay import events_of
from nova_ui.presenters.turn_view import TurnView


class ShownTurns:
    """In the order of the chat. All share what is known of names, so that a later turn need not show a bare id."""

    def __init__(self, doors: ChatDoors, tr: Translator) -> None:
        self.all: list[TurnView] = []
        self.names: dict[str, str] = {}
        self._doors = doors
        self._tr = tr

    @property
    def running(self) -> TurnView | None:
        """The turn that is being answered, if there is one."""
        return next((turn for turn in reversed(self.all) if turn.is_running), None)

    @property
    def last_text(self) -> str:
        """The person's last typed message."""
        typed = (turn.message.text for turn in reversed(self.all) if isinstance(turn.message, TextMessage))
        return next(typed, "")

    def holds(self, turn_id: TurnId) -> bool:
        """Whether this turn is shown."""
        return any(turn.turn_id == turn_id for turn in self.all)

    def new(self, turn_id: TurnId, message: Message, *, is_from_elsewhere: bool = False) -> TurnView:
        """Return a turn that has had no events yet; it is not shown before it is added."""
        view = TurnView(turn_id, message, self._doors.tools, self._tr)
        view.names = self.names
        view.is_from_elsewhere = is_from_elsewhere
        return view

    def stored(self, record: TurnRecord, previews: Sequence[Preview], *, is_from_elsewhere: bool = False) -> TurnView:
        """Return a turn of the history, with all that happened in it if it has ended."""
        view = self.new(record.id, record.message, is_from_elsewhere=is_from_elsewhere)
        if record.finished_at is not None:
            by_id = {preview.id: preview for preview in previews}
            for event in events_of(record, by_id, self._doors.tools, self._tr, self._doors.notice_text):
                view.apply(event)
        return view

    def close_cards(self, closed: Mapping[PreviewId, CloseReason], *, elsewhere: bool = False) -> None:
        """Close those cards that are void by now; what closed a card first stays."""
        for turn in self.all:
            for card in turn.cards:
                reason = closed.get(card.preview_id)
                if reason is not None and card.closed is None:
                    card.close(reason, elsewhere=elsewhere)
