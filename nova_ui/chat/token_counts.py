"""How many tokens a request and its answer take: as the provider tells, or about as many as their bytes say."""

import json
import math
from dataclasses import dataclass
from typing import Final

from nova_ui.errors import FailureKind
from nova_ui.llm.port import (
    AssistantMessage,
    CallMade,
    ChatMessage,
    Finished,
    ModelEvent,
    ModelRequest,
    ResultMessage,
    TextDelta,
    Usage,
)

_BYTES_PER_TOKEN: Final = 3  # rather too many tokens than too few
# A provider that failed so before anything arrived has read no tokens, or counts none.
_COSTS_NOTHING: Final = frozenset(FailureKind) - {FailureKind.TIMEOUT, FailureKind.CUT_OFF}


@dataclass(slots=True)
class Heard:
    """What has come of one answer."""

    bytes: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    has_begun: bool = False
    failure: FailureKind | None = None

    def take(self, event: ModelEvent) -> None:
        """Note an event."""
        self.has_begun = True
        match event:
            case TextDelta(text=text):
                self.bytes += len(text.encode("utf-8", "replace"))
            case CallMade(call=call):
                self.bytes += len(f"{call.name}{call.arguments_text}".encode("utf-8", "replace"))
            case Usage(input_tokens=input_tokens, output_tokens=output_tokens):
                self.input_tokens += input_tokens
                self.output_tokens += output_tokens
            case Finished():
                pass

    @property
    def is_told(self) -> bool:
        """Whether the provider has said how many tokens it took."""
        return bool(self.input_tokens or self.output_tokens)

    @property
    def estimate(self) -> int:
        """About how many tokens the answer took."""
        return math.ceil(self.bytes / _BYTES_PER_TOKEN)

    @property
    def costs_nothing(self) -> bool:
        """Whether the request failed before the provider had read it."""
        return not self.has_begun and self.failure in _COSTS_NOTHING


def tokens_of(request: ModelRequest) -> int:
    """Estimate how many tokens a model reads with a request."""
    texts = [part for message in request.messages for part in _texts_of(message)]
    texts += [f"{one.tool.name}{one.description}{json.dumps(one.schema, ensure_ascii=False)}" for one in request.tools]
    return math.ceil(sum(len(text.encode("utf-8", "replace")) for text in texts) / _BYTES_PER_TOKEN)


def _texts_of(message: ChatMessage) -> list[str]:
    match message:
        case AssistantMessage(text=text, calls=calls):
            return [text, *(f"{call.name}{call.arguments_text}" for call in calls)]
        case ResultMessage(content=content):
            return [content]
        case _:
            return [message.text]
