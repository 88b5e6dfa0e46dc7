"""Reads the events of an OpenAI-compatible chat completion; knows no connection."""

from collections.abc import Iterator, Mapping
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.errors import FailureKind, ModelError
from nova_ui.llm.answer import PartialAnswer, objects, parse_object
from nova_ui.llm.failures import failure_of_error_event
from nova_ui.llm.limits import Limits
from nova_ui.llm.port import FinishReason, ModelEvent
from nova_ui.llm.wire import NewId

_END_MARK: Final = b"[DONE]"
_REASONS: Final[Mapping[str, FinishReason]] = {
    "length": FinishReason.LENGTH,
    "max_tokens": FinishReason.LENGTH,
    "content_filter": FinishReason.FILTERED,
}


class OpenAiReader:
    """Turns chunks into text deltas, and at the proper end into calls, usage and the finish."""

    def __init__(self, limits: Limits, new_id: NewId) -> None:
        self._answer = PartialAnswer(limits, new_id)

    @property
    def has_end_mark(self) -> bool:
        """Whether `[DONE]` has come."""
        return self._answer.has_end_mark

    @property
    def has_content(self) -> bool:
        """Whether a part of the answer has come."""
        return self._answer.has_content

    @property
    def has_finish_reason(self) -> bool:
        """Whether the model has said why it stopped."""
        return self._answer.reason is not None

    def feed(self, data: bytes) -> Iterator[ModelEvent]:
        """Yield the text of one chunk, or of one whole completion; see `nova_ui.llm.wire.AnswerReader`."""
        if data.strip() == _END_MARK:
            self._answer.has_end_mark = True
            return
        chunk = parse_object(data)
        error = chunk.get("error")
        if error:
            raise failure_of_error_event(error)
        self._count(chunk.get("usage"))
        choice = _first_choice(chunk.get("choices"))
        delta = choice.get("delta") or choice.get("message")
        if isinstance(delta, dict):
            yield from self._answer.say(_text_of(delta))
            for piece in objects(delta.get("tool_calls")):
                self._answer.slots.feed(piece)
        reason = choice.get("finish_reason")
        if reason == "error":
            raise ModelError(FailureKind.SERVER)
        if isinstance(reason, str) and reason:
            self._answer.reason = _REASONS.get(reason, FinishReason.STOP)

    def read_whole(self, body: bytes) -> Iterator[ModelEvent]:
        """Yield the text of one whole completion."""
        yield from self.feed(body)

    def finish(self) -> Iterator[ModelEvent]:
        """Yield what only a proper end lets out."""
        yield from self._answer.finish()

    def _count(self, usage: JsonValue) -> None:
        if isinstance(usage, dict):
            self._answer.count(given=usage.get("prompt_tokens"), made=usage.get("completion_tokens"))


def _first_choice(choices: JsonValue) -> JsonObject:
    return next((choice for choice in objects(choices) if choice.get("index", 0) == 0), {})


def _text_of(delta: JsonObject) -> str:
    """Return the words for the person: content or refusal, never `reasoning` or `reasoning_content`."""
    content = delta.get("content") or delta.get("refusal")
    if isinstance(content, str):
        return content
    parts = [part.get("text") for part in objects(content) if part.get("type", "text") == "text"]
    return "".join(part for part in parts if isinstance(part, str))
