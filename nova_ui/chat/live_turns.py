"""Running turns: they belong to the server, not to a tab."""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from nova_ui.chat.events import TurnEvent
from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.chat import ChatId, Message, PreviewId, TurnId
from nova_ui.domain.identity import Caller, IdentityId, SessionId


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStarted:
    """Where a message went."""

    turn_id: TurnId
    chat_id: ChatId


class LiveTurns:
    """Accepts messages, runs their turns as tasks of the process, and lets anybody entitled follow them."""

    async def send(
        self,
        caller: Caller,
        assistant_key: AssistantKey,
        message: Message,
        *,
        chat_id: ChatId | None = None,
        idempotency_key: str | None = None,
    ) -> TurnStarted:
        """Accept a message in one transaction and start its turn.

        Raises:
            NovaNotFound: no such assistant, chat or preview for this identity.
            NovaConflict: `turn_running`, `confirmation_invalid` (`extra["reason"]`) or `idempotency_key_reused`.
            NovaInvalid: the message itself is not acceptable.

        """
        raise NotImplementedError

    def follow(self, owner: IdentityId, turn_id: TurnId, *, after: int = 0) -> AsyncIterator[TurnEvent]:
        """Yield the turn's events after the id `after`, then live ones; ends after `done` or `error`.

        Raises:
            NovaNotFound: at the first step, if the turn is not the owner's.

        """
        raise NotImplementedError

    async def stop(self, owner: IdentityId, turn_id: TurnId) -> None:
        """Stop a turn: no tool starts afterwards, what was written stays. One that has ended stays as it is.

        Raises:
            NovaNotFound: the turn is not the owner's.

        """
        raise NotImplementedError

    async def cancel_preview(self, owner: IdentityId, preview_id: PreviewId) -> None:
        """Make a preview void (rule C12). One that is closed already stays as it is.

        Raises:
            NovaNotFound: the preview is not the owner's.

        """
        raise NotImplementedError

    async def running(self, owner: IdentityId, assistant_key: AssistantKey) -> TurnStarted | None:
        """Return the running turn of this identity and assistant, in whatever process, or None."""
        raise NotImplementedError

    def session_ended(self, session_ids: frozenset[SessionId]) -> None:
        """Stop the running turns of these sessions at once (rule A2)."""
        raise NotImplementedError

    async def start(self) -> None:
        """Close what dead processes left running, and keep doing so."""
        raise NotImplementedError

    async def shut_down(self) -> None:
        """End the running turns with a notice and write everything down."""
        raise NotImplementedError
