"""What happens in an identity's own chats, told at once to its open pages in this process."""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from nova_ui.chat.failures import log_failure
from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.chat import ChatId, Message, PreviewId, TurnId
from nova_ui.domain.identity import IdentityId
from nova_ui.domain.preview import CloseReason
from nova_ui.reactive import Event

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBegun:
    """A message was accepted, in whatever tab or by whatever script; `message` is as it is kept."""

    turn_id: TurnId
    chat_id: ChatId
    assistant_key: AssistantKey
    message: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewClosed:
    """A preview became void without a message."""

    preview_id: PreviewId
    reason: CloseReason


News = TurnBegun | PreviewClosed


class NewsByOwner:
    """One event per identity that somebody listens for; nobody hears of another's chats (rule G2)."""

    def __init__(self) -> None:
        self._events: dict[IdentityId, Event[News]] = {}
        self._listeners: dict[IdentityId, int] = {}

    def subscribe(self, owner: IdentityId, listener: Callable[[News], None]) -> Callable[[], None]:
        """Tell `listener` of what happens from now on; return what ends that."""
        end = self._events.setdefault(owner, Event()).subscribe(listener)
        self._listeners[owner] = self._listeners.get(owner, 0) + 1
        is_over = False

        def unsubscribe() -> None:
            nonlocal is_over
            if is_over:
                return
            is_over = True
            end()
            self._listeners[owner] -= 1
            if not self._listeners[owner]:
                del self._listeners[owner], self._events[owner]

        return unsubscribe

    def tell(self, owner: IdentityId, news: News) -> None:
        """Tell whoever listens; a page that fails harms no turn."""
        event = self._events.get(owner)
        if event is None:
            return
        try:
            event.emit(news)
        except Exception as error:  # noqa: BLE001 - the message is accepted, whatever a page makes of it
            log_failure(_log, "news.not_taken", error)
