"""What happens in a turn, as every follower sees it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from nova_ui.domain.json_value import JsonObject


class EventName(StrEnum):
    """The events of a turn, as they go over the wire."""

    TURN = "turn"
    TEXT = "text"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    PREVIEW = "preview"
    PREVIEW_CLOSED = "preview_closed"
    NOTICE = "notice"
    DONE = "done"
    ERROR = "error"


LAST_EVENTS: Final = frozenset({EventName.DONE, EventName.ERROR})


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEvent:
    """One event; `id` rises by one within the turn, beginning with 1. Nothing in `data` is a secret (rule D3)."""

    id: int
    name: EventName
    data: JsonObject

    @property
    def is_last(self) -> bool:
        """Whether the stream ends with this event."""
        return self.name in LAST_EVENTS
