"""A wire format: how a request is written and an answer read. `WireModel` speaks any of them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from nova_ui.domain.ai_profile import ReasoningEffort
from nova_ui.domain.json_value import JsonObject
from nova_ui.llm.limits import Limits
from nova_ui.llm.port import ModelEvent, ModelRequest

NewId = Callable[[], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What a model at an endpoint is asked with; OpenAI-compatible servers differ in the name of the token limit.

    `place` tells the endpoint from others where a model of the same name may be.
    """

    model: str
    place: str = ""
    max_tokens: int | None = None
    max_tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    temperature: float | None = None
    top_p: float | None = None
    reasoning_effort: ReasoningEffort | None = None
    context_tokens: int | None = None


def maker_of(wire_name: str, profile: Profile) -> str:
    """Return the name under which a model gets back what only it may read."""
    return f"{wire_name}:{profile.place}:{profile.model}"


class AnswerReader(Protocol):
    """Turns the pieces of one answer into events; knows no connection."""

    @property
    def has_end_mark(self) -> bool:
        """Whether the format's end mark has come; nothing may follow."""

    @property
    def has_content(self) -> bool:
        """Whether a part of the answer has come, shown or not: text, or a piece of a call."""

    @property
    def has_finish_reason(self) -> bool:
        """Whether the model has said why it stopped; only the end mark and the usage may follow."""

    def feed(self, data: bytes) -> Iterator[ModelEvent]:
        """Yield the text of one streamed piece.

        Raises:
            ModelError: not a piece of this format, an error, or more than allowed.

        """

    def read_whole(self, body: bytes) -> Iterator[ModelEvent]:
        """Yield the text of an answer that came in one JSON document: some servers do not stream.

        Raises:
            ModelError: as `feed`.

        """

    def finish(self) -> Iterator[ModelEvent]:
        """Yield what only a proper end lets out: the calls, the usage and the finish.

        Raises:
            ModelError: `CUT_OFF` if no end has come, `PROTOCOL` for a nameless call.

        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire:
    """One format. `key_headers` says how a key is sent; `framing` how the pieces of a stream are parted.

    `window_of` reads the model's window out of what `window_path_of` gives, where a provider tells it.
    """

    name: str
    path_of: Callable[[Profile], str]
    body_of: Callable[[ModelRequest, Profile], bytes]
    reader: Callable[[Limits, NewId], AnswerReader]
    key_headers: Callable[[str], Mapping[str, str]]
    headers: Mapping[str, str]
    framing: Literal["events", "messages"] = "events"
    window_path_of: Callable[[Profile], str] | None = None
    window_of: Callable[[JsonObject, Profile], int | None] = lambda _answer, _profile: None
