"""What a model was sent in one request, as its chat keeps it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from nova_ui.domain.chat import ChatId, TurnId

ANSWERED: Final = "answered"
STOPPED: Final = "stopped"


@dataclass(frozen=True, slots=True, kw_only=True)
class SentRequest:
    """One request: where it went, how it ended, and how to tell that its body is the one that was sent.

    `number` counts the requests of the turn, `step` its steps: a retry, and what another model is asked instead, belong
    to the same step. `left_out` is how many earlier messages of the chat it does not hold. `outcome` is `answered`,
    `stopped`, or how the model failed; None while it runs, and for ever where the server died meanwhile. The body is
    `size_bytes` long; it `is_kept` unless its turn had become too large.
    """

    turn_id: TurnId
    chat_id: ChatId
    number: int
    step: int
    sent_at: datetime
    profile: str
    wire: str
    model: str
    mode: str
    host: str
    path: str
    words_only: bool
    left_out: int
    size_bytes: int
    sha256: str
    is_kept: bool
    outcome: str | None = None
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SentBody:
    """A request with its body, byte by byte; None where it was not kept."""

    request: SentRequest
    body: bytes | None
