"""What a turn is made of on the screen, and how each part is read from an event's data."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from nova_ui.domain.chat import CallStatus, PreviewId
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.preview import CloseReason
from nova_ui.domain.tool import CallId, Change, Consequence, ToolKind
from nova_ui.reactive import Event

CONFIRMATION_CODE: Final = "confirmation_required"
UNKNOWN_CODE: Final = "outcome_unknown"


@dataclass(slots=True)
class AnswerText:
    """What the model wrote in one step; grows while it streams."""

    text: str = ""


@dataclass(slots=True, kw_only=True)
class CallLine:
    """A tool call; `status` is None while it runs."""

    call_id: CallId
    tool_name: str
    title: str
    icon: str
    kind: ToolKind | None
    arguments: JsonObject
    status: CallStatus | None = None
    code: str | None = None
    content: str = ""
    truncated: bool = False
    characters: int = 0
    duration_ms: int = 0


@dataclass(slots=True, kw_only=True)
class Card:
    """A destructive call that waits, or waited, for its confirmation.

    `sentence` is the action with a place for its `subject`, the object; `action` is both in one.
    `is_pending` while a press is on its way; `was_closed_elsewhere` if what made it void did not happen in this tab.
    """

    preview_id: PreviewId
    call_id: CallId
    action: str
    arguments: JsonObject
    current_state: JsonObject | None
    changes: tuple[Change, ...]
    consequences: tuple[Consequence, ...]
    expires_at: datetime
    sentence: str = ""
    subject: str = ""
    button_only: bool = False
    name_to_type: str | None = None
    closed: CloseReason | None = None
    was_closed_elsewhere: bool = False
    is_pending: bool = False
    changed: Event[None] = field(default_factory=Event)

    @property
    def can_be_confirmed(self) -> bool:
        """Whether its buttons may be pressed."""
        return self.closed is None and not self.is_pending

    def close(self, reason: CloseReason, *, elsewhere: bool = False) -> None:
        """Make the card void; the first reason stays."""
        self.is_pending = False
        if self.closed is None:
            self.closed = reason
            self.was_closed_elsewhere = elsewhere
        self.changed.emit(None)

    def wait(self, *, pending: bool) -> None:
        """Note that a press is on its way, or came back without a result."""
        self.is_pending = pending
        self.changed.emit(None)


@dataclass(slots=True, kw_only=True)
class NoticePart:
    """A plain sentence of the server's own."""

    code: str
    text: str


@dataclass(slots=True, kw_only=True)
class ProblemPart:
    """The turn ended with an error; `reference` leads to the server's log."""

    code: str
    text: str
    reference: str = ""


Part = AnswerText | CallLine | Card | NoticePart | ProblemPart


def card_of(data: JsonObject) -> Card:
    """Return the card of a `preview` event."""
    arguments, state = data.get("arguments"), data.get("current_state")
    return Card(
        preview_id=PreviewId(text_of(data, "preview_id")),
        call_id=CallId(text_of(data, "call_id")),
        action=text_of(data, "action"),
        sentence=text_of(data, "sentence"),
        subject=text_of(data, "subject"),
        arguments=arguments if isinstance(arguments, dict) else {},
        current_state=state if isinstance(state, dict) else None,
        changes=tuple(
            Change(field=text_of(change, "field"), before=change.get("before"), after=change.get("after"))
            for change in objects_of(data.get("changes"))
        ),
        consequences=tuple(_consequence(one) for one in objects_of(data.get("consequences"))),
        expires_at=moment_of(text_of(data, "expires_at")),
        button_only=data.get("button_only") is True,
        name_to_type=text_of(data, "name_to_type") or None,
    )


def moment_of(text: str) -> datetime:
    """Parse a moment of ours (RFC 3339, UTC)."""
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def close_reason(value: JsonValue) -> CloseReason:
    """Return why a preview is void; a reason that we do not know counts as cancelled."""
    return CloseReason(value) if value in list(CloseReason) else CloseReason.CANCELLED


def _consequence(data: JsonObject) -> Consequence:
    names = data.get("names")
    return Consequence(
        type=text_of(data, "type"),
        count=number_of(data, "count"),
        names=tuple(str(name) for name in names) if isinstance(names, list) else (),
        result=text_of(data, "result"),
    )


def call_status(value: JsonValue, code: str | None) -> CallStatus:
    """Return what became of a call; what we do not know is unknown."""
    if code == CONFIRMATION_CODE:
        return CallStatus.PREVIEWED
    if code == UNKNOWN_CODE:
        return CallStatus.UNKNOWN
    return CallStatus(value) if value in list(CallStatus) else CallStatus.UNKNOWN


def tool_kind(value: JsonValue) -> ToolKind | None:
    """Return the kind of a tool, or None for one that does not exist."""
    return ToolKind(value) if value in list(ToolKind) else None


def objects_of(value: JsonValue) -> list[JsonObject]:
    """Return the objects in a list; anything else is none."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text_of(data: JsonObject, name: str) -> str:
    """Return a text member, or an empty one."""
    value = data.get(name)
    return value if isinstance(value, str) else ""


def number_of(data: JsonObject, name: str) -> int:
    """Return a whole-number member, or 0."""
    value = data.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0
