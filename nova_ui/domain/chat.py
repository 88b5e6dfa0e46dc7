"""What a chat, a message and a turn are."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NewType

from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.identity import Identity, IdentityId, SessionId
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import CallId, ToolKind

ChatId = NewType("ChatId", str)
TurnId = NewType("TurnId", str)
PreviewId = NewType("PreviewId", str)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextMessage:
    """A message that was typed; already masked (rule D4)."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfirmMessage:
    """A press of *Confirm and execute*: the preview's id and nothing else (rule C8).

    `object_name` is what the person typed where the card asks for the object's name (rule C15).
    """

    preview_id: PreviewId
    object_name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolMessage:
    """The person's own call from the `/` menu."""

    tool_name: str
    arguments: Mapping[str, JsonValue]


Message = TextMessage | ConfirmMessage | ToolMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """All that the server does for one message.

    `number` counts the messages of this identity to this assistant over all chats and tabs; nothing resets it.
    """

    id: TurnId
    chat_id: ChatId
    identity: Identity
    session_id: SessionId
    assistant_key: AssistantKey
    number: int
    message: Message
    started_at: datetime


class TurnState(StrEnum):
    """Where a turn stands."""

    RUNNING = "running"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


class CallStatus(StrEnum):
    """What became of a tool call; `UNKNOWN` only after a crash or a lost answer."""

    OK = "ok"
    REFUSED = "refused"
    ERROR = "error"
    PREVIEWED = "previewed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedCall:
    """A tool call as the history keeps it: redacted, cut, in the model's order."""

    call_id: CallId
    tool_name: str
    kind: ToolKind | None
    arguments: JsonObject
    status: CallStatus
    code: str | None
    content: str
    truncated: bool = False
    duration_ms: int = 0
    preview_id: PreviewId | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One model call in a turn: what it wrote, and the calls it made with their results."""

    text: str = ""
    calls: tuple[RecordedCall, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A plain sentence of the server's own in a turn, by its code.

    It was said after `after_calls` calls of the step `step`, counted from 0; without a step at the end of the turn.
    """

    code: str
    params: Mapping[str, JsonValue] = field(default_factory=dict)
    step: int | None = field(default=None, compare=False)  # where it was said is no part of what it says
    after_calls: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRecord:
    """A turn as the chat keeps it."""

    id: TurnId
    number: int
    message: Message
    state: TurnState
    started_at: datetime
    finished_at: datetime | None
    steps: tuple[Step, ...] = ()
    notices: tuple[Notice, ...] = ()
    preview_ids: tuple[PreviewId, ...] = ()
    model: str | None = None
    usage: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """One stored conversation of one identity with one assistant."""

    id: ChatId
    owner_id: IdentityId
    assistant_key: AssistantKey
    title: str
    created_at: datetime
    updated_at: datetime
    turns: tuple[TurnRecord, ...] = ()
