"""What a model provider is to the engine: a stream of events for messages and tools.

A provider translates a wire format and decides nothing; it never retries, and no rule depends on which one answers.
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from nova_ui.domain.identity import Language
from nova_ui.domain.tool import RawCall, ToolOffer


class Mode(StrEnum):
    """Where the data goes that a model is sent."""

    BUILT_IN = "built_in"
    LOCAL = "local"
    EXTERNAL = "external"


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemMessage:
    """What the server tells the model."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UserMessage:
    """What the identity wrote."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistantMessage:
    """What the model wrote and called; arguments that are not JSON are replayed as `{}` by the wire file."""

    text: str
    calls: tuple[RawCall, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultMessage:
    """What a call gave, in its envelope (rule H1)."""

    call_id: str
    tool_name: str
    content: str


ChatMessage = SystemMessage | UserMessage | AssistantMessage | ResultMessage


@dataclass(frozen=True, slots=True)
class TextDelta:
    """The next piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class CallMade:
    """A complete call; only ever emitted after the provider's stream has ended properly."""

    call: RawCall


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of one request, as far as the provider says; `is_estimated` where it says nothing (rule E6)."""

    input_tokens: int
    output_tokens: int
    is_estimated: bool = False


class FinishReason(StrEnum):
    """Why the model stopped; whether there are calls decides, not this, save for `LENGTH` (refuse all calls)."""

    STOP = "stop"
    LENGTH = "length"
    FILTERED = "filtered"


@dataclass(frozen=True, slots=True)
class Finished:
    """The last event of every stream."""

    reason: FinishReason


ModelEvent = TextDelta | CallMade | Usage | Finished


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """One request as it goes out, byte by byte; the headers, and with them the key, are the connection's own.

    `host` is empty for the model that is built in: nothing goes anywhere, and `body` is what it reads, in our words.
    """

    profile: str
    wire: str
    model: str
    mode: Mode
    body: bytes
    host: str = ""
    path: str = ""


class Watch(Protocol):
    """Is told of one request to a model; must be quick, and never raises."""

    def sent(self, sent: Sent) -> None:
        """Take note of what is about to go out."""

    def ended(self, outcome: str, usage: Usage) -> None:
        """Take note of how it ended: `answered`, `stopped`, or a kind of failure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """One request to a model. With `words_only` the tools are sent with tool choice *none* where the wire has it.

    Whoever puts it into bytes tells `watch`, if there is one.
    """

    messages: Sequence[ChatMessage]
    tools: Sequence[ToolOffer]
    language: Language
    words_only: bool = False
    watch: Watch | None = field(default=None, compare=False, repr=False)


class Model(Protocol):
    """A model behind one wire format."""

    @property
    def name(self) -> str:
        """The name shown to people as the author of an answer."""

    @property
    def profile(self) -> str:
        """The key of the provider profile that it belongs to."""

    @property
    def mode(self) -> Mode:
        """Where the data goes."""

    @property
    def context_tokens(self) -> int | None:
        """How much it can read at once, or None where nobody said."""

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Ask once.

        Raises:
            ModelError: of a kind; also in the middle of the stream.

        """
