"""Which preview a message confirms or closes, and how the gate keeps previews (rules C4, C7, C8, C10, C12)."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import assert_never

from nova_ui.chat.events import EventName
from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.chat import ConfirmMessage, PreviewId, TextMessage, ToolMessage, Turn
from nova_ui.domain.identity import IdentityId
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.preview import CloseReason, Preview, PreviewOutcome
from nova_ui.errors import NovaConflict, NovaNotFound
from nova_ui.guardrails.agreement import Reply, classify_reply
from nova_ui.guardrails.confirmation import NAME_DIFFERS, check_confirmation
from storage.chat.previews import PreviewTable
from storage.chat.turns import TurnTable
from storage.database import Database

Emit = Callable[[EventName, JsonObject], None]


async def get_pressed(
    previews: PreviewTable, owner_id: IdentityId, assistant_key: AssistantKey, preview_id: PreviewId
) -> Preview:
    """Return the preview whose button was pressed: look up, compare, only then use up.

    Raises:
        NovaNotFound: there is no such preview of this identity with this assistant.

    """
    preview = await previews.find(owner_id, preview_id)
    if preview is None or preview.assistant_key != assistant_key:
        raise NovaNotFound("There is no such preview.")
    return preview


def check_pressed(preview: Preview, turn: Turn, now: datetime) -> None:
    """Let a press pass that confirms `preview`.

    Raises:
        NovaConflict: `confirmation_invalid`; `extra["reason"]` says why, as a stable word.

    """
    reason = why_dead(preview, turn, now)
    if reason is not None:
        raise confirmation_invalid(reason)


async def consume_pressed(previews: PreviewTable, preview: Preview, turn: Turn, now: datetime) -> None:
    """Use up a preview in the transaction that accepts the press; the turn's row has been stored before in it.

    Raises:
        NovaConflict: `confirmation_invalid`, since somebody was quicker.

    """
    if not await previews.consume(preview, turn.id, now):
        raise confirmation_invalid(CloseReason.EXECUTED.value)


def why_dead(preview: Preview, turn: Turn, now: datetime) -> str | None:
    """Say why `preview` can't be confirmed by this turn's message, or None if it can."""
    if preview.closed is not None:
        return preview.closed.value
    refusal = check_confirmation(preview, preview.call, turn, now)
    return None if refusal is None else refusal.reason


def confirmation_invalid(reason: str) -> NovaConflict:
    """Return the answer to a press that does not count; after a wrong name the card can still be pressed."""
    if reason == NAME_DIFFERS:
        return NovaConflict(
            "The name that was typed is not the object's. Nothing was executed; the card still waits.", code=reason
        )
    return NovaConflict(
        "This card can no longer be confirmed. Ask again for a new one.",
        code="confirmation_invalid",
        extra={"reason": reason},
    )


def why_closed(preview: Preview, turn: Turn, now: datetime) -> CloseReason | None:
    """Say why this turn's message makes an open `preview` void, or None if the message agrees to it.

    Whether the person agreed is decided here, from the person's own whole words, and by no model (rule C7).
    """
    if now > preview.expires_at:
        return CloseReason.EXPIRED
    if turn.number != preview.turn_number + 1:
        return CloseReason.MESSAGE_BETWEEN
    match turn.message:
        case ConfirmMessage() | ToolMessage():
            return CloseReason.MESSAGE_BETWEEN
        case TextMessage(text=text):
            return _by_words(text, preview)
        case _:
            assert_never(turn.message)


def _by_words(text: str, preview: Preview) -> CloseReason | None:
    match classify_reply(text):
        case Reply.AGREES:
            return None if preview.takes_words else CloseReason.BUTTON_NEEDED
        case Reply.REFUSES:
            return CloseReason.CANCELLED
        case Reply.OTHER:
            return CloseReason.MESSAGE_BETWEEN


def closed_event(preview_id: PreviewId, reason: CloseReason) -> JsonObject:
    """Return the data of a `preview_closed` event."""
    return {"preview_id": preview_id, "reason": reason.value}


class StoredPreviews:
    """The gate's previews, kept in the database for one turn; satisfies `guardrails.gate.PreviewStore`."""

    def __init__(self, database: Database, turn: Turn, emit: Emit) -> None:
        self._database = database
        self._turn = turn
        self._emit = emit
        self._recorded: set[PreviewId] = set()

    def has_outcome_of(self, preview_id: PreviewId) -> bool:
        """Whether it was recorded what became of a preview that this turn used up."""
        return preview_id in self._recorded

    async def store(self, preview: Preview) -> bool:
        """Make `preview` the one open preview of its identity and assistant; others are superseded.

        Not once the turn is stopped, ended or deleted, in whatever process: its card would be open and never shown.
        """
        async with self._database.transaction() as session:
            if not await TurnTable(session).hold(self._turn.id):
                return False
            table = PreviewTable(session)
            others = await table.list_open(preview.identity_id, preview.assistant_key)
            superseded, _ = await close_all(table, others, lambda _: CloseReason.SUPERSEDED)
            await table.add(preview)
        for other in superseded:
            self._emit(EventName.PREVIEW_CLOSED, closed_event(other.id, CloseReason.SUPERSEDED))
        return True

    async def consume(self, preview: Preview, now: datetime) -> bool:
        """Use up a preview for this turn; durable before it returns, and True for exactly one caller."""
        async with self._database.transaction() as session:
            return await PreviewTable(session).consume(preview, self._turn.id, now)

    async def record_outcome(self, preview: Preview, outcome: PreviewOutcome) -> None:
        """Note what became of the call, and tell the followers."""
        async with self._database.transaction() as session:
            await PreviewTable(session).record_outcome(preview, outcome)
        self._recorded.add(preview.id)
        reason = CloseReason.CANCELLED if outcome is PreviewOutcome.REFUSED else CloseReason.EXECUTED
        self._emit(EventName.PREVIEW_CLOSED, closed_event(preview.id, reason))


async def close_all(
    previews: PreviewTable, open_ones: Sequence[Preview], why: Callable[[Preview], CloseReason | None]
) -> tuple[tuple[Preview, ...], Preview | None]:
    """Close what a message makes void; return those, closed now, and the one that the message agrees to."""
    closed: list[Preview] = []
    agreed: Preview | None = None
    for preview in open_ones:
        reason = why(preview)
        if reason is None:
            agreed = preview
        elif await previews.close(preview.identity_id, preview.id, reason):
            closed.append(replace(preview, closed=reason))
    return tuple(closed), agreed
