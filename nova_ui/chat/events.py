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


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTotals:
    """What a turn has used, for its last event."""

    model_calls: int = 0
    tool_calls: int = 0
    destructive_actions: int = 0
    tool_result_characters: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    has_estimates: bool = False

    @property
    def usage(self) -> JsonObject:
        """The tokens as the provider said, or estimated where it said nothing."""
        counted: JsonObject = {"input_tokens": self.input_tokens, "output_tokens": self.output_tokens}
        return {**counted, "estimated": True} if self.has_estimates else counted


def done_data(totals: TurnTotals, model: str | None) -> JsonObject:
    """Return the data of the `done` event."""
    return {
        "model_calls": totals.model_calls,
        "tool_calls": totals.tool_calls,
        "destructive_actions": totals.destructive_actions,
        "tool_result_characters": totals.tool_result_characters,
        "usage": totals.usage,
        "model": model,
    }
