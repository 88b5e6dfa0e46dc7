"""When a confirmation counts (rules C3 to C7, C15)."""

from datetime import datetime, timedelta
from typing import Final, assert_never
from unicodedata import category, normalize

from nova_ui.domain.assistant import Assistant
from nova_ui.domain.chat import ConfirmMessage, Message, TextMessage, ToolMessage, Turn
from nova_ui.domain.confirming import needs_confirmation
from nova_ui.domain.preview import Preview
from nova_ui.domain.tool import AnyTool, ToolCall
from nova_ui.guardrails.agreement import Reply, classify_reply
from nova_ui.guardrails.refusal import Code, Refusal
from nova_ui.guardrails.situation import Situation

CHANGED: Final = "changed"
NAME_DIFFERS: Final = "name_differs"
TURN_OVER: Final = "turn_over"

# A card from later than this by the clock that asks: it was set back, and nobody knows how old the card is.
_CLOCKS_APART: Final = timedelta(minutes=1)

_ADVICE: Final = {
    "foreign": "There is nothing to confirm here. Call the tool without confirmed to show the person a preview.",
    "same_message": "Only the person can confirm, in the next message. End this answer and wait for it.",
    "message_between": "The preview is void since another message came. Call the tool without confirmed for a new one.",
    "not_agreed": (
        "The person's reply was no clear agreement, so the preview is void. Answer the reply; if the action is still "
        "wanted, call the tool without confirmed for a new preview."
    ),
    "expired": "The preview was older than 10 minutes. Call the tool without confirmed for a new one.",
    "button_needed": "The person must press the button on the card. Call the tool without confirmed for a new one.",
    NAME_DIFFERS: "The name that was typed is not the object's.",
    CHANGED: "The call differs from the one shown.",
    TURN_OVER: "This answer has been ended, so nothing is shown any more, and nothing has run.",
    "used": "This preview was used already. Look at the current state before anything else.",
}


def must_be_confirmed(tool: AnyTool, situation: Situation) -> bool:
    """Whether a call of `tool` waits on a card as things stand (rules C1, C15).

    What was shown on a card that this message answers goes on to need it, even if that is no longer asked for: so an
    agreement runs one call once, whatever is switched on and off meanwhile.
    """
    assistant = situation.assistant
    answered = {card.call.tool_name for card in (situation.agreed, situation.voided) if card is not None}
    return tool.name in answered or needs_confirmation(
        tool, every_change=assistant is None or assistant.ask_before_changes
    )


def check_confirmation(preview: Preview, call: ToolCall, turn: Turn, now: datetime) -> Refusal | None:
    """Say why `call` may not run on the strength of `preview`, or None if it may.

    A `CHANGED` call is answered with a new preview by the gate; that the preview is used once only is the store's
    conditional write (rule C10).
    """
    refusal = _check_message(preview, turn)
    if refusal is not None:
        return refusal
    if not preview.shown_at - _CLOCKS_APART <= now <= preview.expires_at:
        return refuse_confirmation("expired")
    refusal = _check_way(turn.message, preview)  # late, since of a wrong name is said that the card still waits
    if refusal is not None:
        return refusal
    if call.digest != preview.call.digest:
        return refuse_confirmation(CHANGED)
    return None


def _check_message(preview: Preview, turn: Turn) -> Refusal | None:
    """Say why this turn's message is not the one that can confirm, or None if it is (rules C4, C7)."""
    if preview.identity_id != turn.identity.id:
        return refuse_confirmation("foreign")
    if preview.assistant_key != turn.assistant_key:
        return refuse_confirmation("foreign")
    if turn.number <= preview.turn_number:
        return refuse_confirmation("same_message")  # the model confirming itself
    if turn.number > preview.turn_number + 1:
        return refuse_confirmation("message_between")
    if not _agrees(turn.message, preview):
        return refuse_confirmation("not_agreed")
    return None


def _check_way(message: Message, preview: Preview) -> Refusal | None:
    """Say why an agreement did not come in the way that the assistant demands, or None if it did (rule C15)."""
    if isinstance(message, ConfirmMessage):
        names_it = preview.name_to_type is None or same_name(message.object_name, preview.name_to_type)
        return None if names_it else refuse_confirmation(NAME_DIFFERS)
    return None if preview.takes_words else refuse_confirmation("button_needed")


def demands_more(preview: Preview, assistant: Assistant, message: Message) -> bool:
    """Whether the assistant asks for more by now than its card did when `message` confirmed it (rules C11, C15)."""
    if preview.name_to_type is None and preview.call.tool_name in assistant.type_name_for:
        return True
    return assistant.button_only and not isinstance(message, ConfirmMessage)


def same_name(typed: str, shown: str) -> bool:
    """Whether a typed name is the one shown: by what can be seen of both, letter case included."""
    return _visible(typed) == _visible(shown) != ""


def _visible(name: str) -> str:
    return " ".join("".join(one for one in normalize("NFC", name) if category(one) not in {"Cf", "Cc"}).split())


def refuse_confirmation(reason: str) -> Refusal:
    """Return the no for a `reason` of this file."""
    return Refusal(code=Code.CONFIRMATION_INVALID, reason=reason, advice=_ADVICE[reason])


def _agrees(message: Message, preview: Preview) -> bool:
    """Whether the person's own message agrees; what a model makes of it plays no part (rule C7)."""
    match message:
        case ConfirmMessage(preview_id=preview_id):
            return preview_id == preview.id
        case TextMessage(text=text):
            return classify_reply(text) is Reply.AGREES
        case ToolMessage():
            return False
        case _:
            assert_never(message)
