"""Reads the events of an OpenAI-compatible chat completion; knows no connection."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.errors import FailureKind, ModelError
from nova_ui.llm.call_slots import CallSlots
from nova_ui.llm.failures import failure_of_error_event
from nova_ui.llm.limits import Limits
from nova_ui.llm.port import CallMade, Finished, FinishReason, ModelEvent, TextDelta, Usage
from nova_ui.llm.reasoning import ReasoningFilter
from nova_ui.llm.special_tokens import without_unusable_characters

_END_MARK: Final = b"[DONE]"
_REASONS: Final[Mapping[str, FinishReason]] = {
    "length": FinishReason.LENGTH,
    "max_tokens": FinishReason.LENGTH,
    "content_filter": FinishReason.FILTERED,
}


class AnswerReader:
    """Turns chunks into text deltas, and at the proper end into calls, usage and the finish."""

    def __init__(self, limits: Limits, new_id: Callable[[], str]) -> None:
        self._limits = limits
        self._slots = CallSlots(limits, new_id)
        self._reasoning = ReasoningFilter()
        self._shown_chars = 0
        self._usage: Usage | None = None
        self._reason: FinishReason | None = None
        self.has_end_mark = False

    @property
    def has_finish_reason(self) -> bool:
        """Whether the model has said why it stopped; only the end mark and the usage may follow."""
        return self._reason is not None

    def feed(self, data: bytes) -> Iterator[ModelEvent]:
        """Yield the text of one chunk, or of one whole completion.

        Raises:
            ModelError: not a chunk, an error, or more than allowed.

        """
        if data.strip() == _END_MARK:
            self.has_end_mark = True
            return
        chunk = _parse(data)
        error = chunk.get("error")
        if error:
            raise failure_of_error_event(error)
        self._usage = _usage(chunk.get("usage")) or self._usage
        choice = _first_choice(chunk.get("choices"))
        delta = choice.get("delta") or choice.get("message")
        if isinstance(delta, dict):
            yield from self._show(self._reasoning.feed(_text_of(delta)))
            for piece in _objects(delta.get("tool_calls")):
                self._slots.feed(piece)
        reason = choice.get("finish_reason")
        if reason == "error":
            raise ModelError(FailureKind.SERVER)
        if isinstance(reason, str) and reason:
            self._reason = _REASONS.get(reason, FinishReason.STOP)

    def finish(self) -> Iterator[ModelEvent]:
        """Yield what only a proper end lets out: the calls, the usage and the finish.

        Raises:
            ModelError: `CUT_OFF` if neither an end mark nor a finish reason came, `PROTOCOL` for a nameless call.

        """
        if self._reason is None and not self.has_end_mark:
            raise ModelError(FailureKind.CUT_OFF)
        yield from self._show(self._reasoning.end())
        for call in self._slots.calls():
            yield CallMade(call)
        if self._usage is not None:
            yield self._usage
        yield Finished(self._reason or FinishReason.STOP)

    def _show(self, text: str) -> Iterator[ModelEvent]:
        if not text:
            return
        self._shown_chars += len(text)
        if self._shown_chars > self._limits.max_text_chars:
            raise ModelError(FailureKind.TOO_MUCH)
        yield TextDelta(without_unusable_characters(text))


def _parse(data: bytes) -> JsonObject:
    try:
        chunk = json.loads(data)
    except (ValueError, RecursionError):
        raise ModelError(FailureKind.PROTOCOL) from None
    if not isinstance(chunk, dict):
        raise ModelError(FailureKind.PROTOCOL)
    return chunk


def _first_choice(choices: JsonValue) -> JsonObject:
    return next((choice for choice in _objects(choices) if choice.get("index", 0) == 0), {})


def _objects(value: JsonValue) -> list[JsonObject]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _text_of(delta: JsonObject) -> str:
    """Return the words for the person: content or refusal, never `reasoning` or `reasoning_content`."""
    content = delta.get("content") or delta.get("refusal")
    if isinstance(content, str):
        return content
    parts = [part.get("text") for part in _objects(content) if part.get("type", "text") == "text"]
    return "".join(part for part in parts if isinstance(part, str))


def _usage(value: JsonValue) -> Usage | None:
    if not isinstance(value, dict):
        return None
    given, made = value.get("prompt_tokens"), value.get("completion_tokens")
    if not isinstance(given, int) or not isinstance(made, int) or given < 0 or made < 0:
        return None
    return Usage(input_tokens=int(given), output_tokens=int(made))
