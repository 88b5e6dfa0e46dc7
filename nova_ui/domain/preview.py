"""What a preview is: a stored destructive call that waits for its confirmation."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.chat import ChatId, PreviewId, TurnId
from nova_ui.domain.identity import IdentityId
from nova_ui.domain.tool import CallId, Shown, ToolCall

CONFIRMATION_LIFETIME: Final = timedelta(minutes=10)
SUBJECT: Final = "{subject}"  # where the object stands in an action's sentence, so that its name can be set apart


class CloseReason(StrEnum):
    """Why a preview can no longer be confirmed."""

    EXECUTED = "executed"
    SUPERSEDED = "superseded"
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    MESSAGE_BETWEEN = "message_between"
    BUTTON_NEEDED = "button_needed"


class PreviewOutcome(StrEnum):
    """What became of a confirmed call; `UNKNOWN` until its answer is stored."""

    UNKNOWN = "unknown"
    DONE = "done"
    FAILED = "failed"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """A destructive call as its card shows it; `shown` holds no secret (rule D3).

    `by_person` tells a call from the `/` menu from one of the model. `shown_digest` is equal as long as what the
    card shows is still true (rule C14). With `button_only` no typed reply agrees to it; `name_to_type` is the name that
    must be typed beside the button (rule C15).
    """

    id: PreviewId
    identity_id: IdentityId
    assistant_key: AssistantKey
    chat_id: ChatId
    turn_id: TurnId
    turn_number: int
    call_id: CallId
    call: ToolCall
    shown: Shown
    shown_digest: str
    shown_at: datetime
    button_only: bool = False
    name_to_type: str | None = None
    by_person: bool = False
    closed: CloseReason | None = None
    outcome: PreviewOutcome | None = None

    @property
    def takes_words(self) -> bool:
        """Whether a typed reply can agree to it."""
        return not self.button_only and self.name_to_type is None

    @property
    def expires_at(self) -> datetime:
        """The last moment at which a confirmation still counts (rule C5)."""
        return self.shown_at + CONFIRMATION_LIFETIME
