"""What every reader of answers does alike: bounded text, usage, the finish."""

import json
from collections.abc import Iterator
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.errors import FailureKind, ModelError
from nova_ui.llm.call_slots import CallSlots
from nova_ui.llm.limits import Limits
from nova_ui.llm.port import CallMade, Finished, FinishReason, ModelEvent, TextDelta, Usage
from nova_ui.llm.reasoning import ReasoningFilter
from nova_ui.llm.special_tokens import without_unusable_characters
from nova_ui.llm.wire import NewId

_MOST_TOKENS: Final = 2**31 - 1  # more is no count of tokens, and nothing that a database keeps as one


class PartialAnswer:
    """The answer as far as it has come: text goes out at once, calls only at the end."""

    def __init__(self, limits: Limits, new_id: NewId) -> None:
        self.slots = CallSlots(limits, new_id)
        self.reason: FinishReason | None = None
        self.has_end_mark = False
        self._limits = limits
        self._reasoning = ReasoningFilter()
        self._shown_chars = 0
        self._has_text = False
        self._input_tokens: int | None = None
        self._output_tokens: int | None = None

    @property
    def has_content(self) -> bool:
        """Whether a part of the answer has come, shown or not."""
        return self._has_text or self.slots.is_used

    def say(self, text: str) -> Iterator[ModelEvent]:
        """Yield what of `text` belongs to the answer.

        Raises:
            ModelError: `TOO_MUCH`, more than may be shown.

        """
        self._has_text = self._has_text or bool(text)
        yield from self._show(self._reasoning.feed(text))

    def count(self, *, given: JsonValue = None, made: JsonValue = None) -> None:
        """Note the tokens of the request and of the answer, as far as they are numbers."""
        self._input_tokens = _tokens(given, self._input_tokens)
        self._output_tokens = _tokens(made, self._output_tokens)

    def finish(self) -> Iterator[ModelEvent]:
        """Yield the calls, the usage and the finish.

        Raises:
            ModelError: `CUT_OFF` if neither an end mark nor a finish reason came, `PROTOCOL` for a nameless call.

        """
        if self.reason is None and not self.has_end_mark:
            raise ModelError(FailureKind.CUT_OFF)
        yield from self._show(self._reasoning.end())
        for call in self.slots.calls():
            yield CallMade(call)
        if self._input_tokens is not None and self._output_tokens is not None:
            yield Usage(input_tokens=self._input_tokens, output_tokens=self._output_tokens)
        yield Finished(self.reason or FinishReason.STOP)

    def _show(self, text: str) -> Iterator[ModelEvent]:
        if not text:
            return
        self._shown_chars += len(text)
        if self._shown_chars > self._limits.max_text_chars:
            raise ModelError(FailureKind.TOO_MUCH)
        yield TextDelta(without_unusable_characters(text))


def parse_object(data: bytes) -> JsonObject:
    """Return the JSON object that `data` holds.

    Raises:
        ModelError: `PROTOCOL`, it is none.

    """
    try:
        value = _loads(data)
    except (ValueError, RecursionError):
        raise ModelError(FailureKind.PROTOCOL) from None
    if not isinstance(value, dict):
        raise ModelError(FailureKind.PROTOCOL)
    return value


def _loads(data: bytes) -> JsonValue:
    try:
        value: JsonValue = json.loads(data)
    except json.JSONDecodeError:
        raise
    except ValueError:  # an integer of thousands of digits: Python reads none, and no field of ours is one
        value = json.loads(data, parse_int=float)
    return value


def objects(value: JsonValue) -> list[JsonObject]:
    """Return the objects of a list; of anything else, none."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def member(value: JsonObject, name: str) -> JsonObject:
    """Return the object of that name, or an empty one."""
    found = value.get(name)
    return found if isinstance(found, dict) else {}


def string(value: JsonValue) -> str:
    """Return a text; of anything else, the empty one."""
    return value if isinstance(value, str) else ""


def _tokens(value: JsonValue, before: int | None) -> int | None:
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_TOKENS
    return int(value) if is_count and isinstance(value, int) else before
