"""What the request writers do alike: clean texts, parsed arguments, messages grouped by who speaks."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.tool import RawCall
from nova_ui.llm.port import AssistantMessage, ChatMessage, ResultMessage, SystemMessage, UserMessage
from nova_ui.llm.special_tokens import without_special_tokens, without_unusable_characters


@dataclass(frozen=True, slots=True)
class Said:
    """A text of one side."""

    text: str


@dataclass(frozen=True, slots=True)
class Called:
    """A call of the model under the id that its result has too."""

    id: str
    call: RawCall
    arguments: JsonObject


@dataclass(frozen=True, slots=True)
class Answered:
    """The result of a call."""

    id: str
    tool_name: str
    content: str


@dataclass(slots=True)
class Side:
    """All that one side says before the other does; results come first, as these wires demand."""

    role: Literal["user", "assistant"]
    parts: list[Said | Called | Answered] = field(default_factory=list)


def clean(text: str) -> str:
    """Return `text` without what a server could take for more than text."""
    return without_special_tokens(without_unusable_characters(text))


def system_text(messages: Iterable[ChatMessage]) -> str:
    """Return what the server tells the model, in one text."""
    return "\n\n".join(clean(one.text) for one in messages if isinstance(one, SystemMessage))


def sides(messages: Sequence[ChatMessage]) -> list[Side]:
    """Return the conversation by turns of its two sides, for wires that demand the change.

    The results of one round stand together on the person's side. Calls are numbered anew: ids from several turns may
    be equal, which these wires refuse. Empty texts are left out, as they refuse them too.
    """
    found: list[Side] = []
    ids = _Ids()
    for message in messages:
        role = "assistant" if isinstance(message, AssistantMessage) else "user"
        parts = list(_parts(message, ids))
        if not parts:
            continue
        if not found or found[-1].role != role:
            found.append(Side("assistant" if role == "assistant" else "user"))
        found[-1].parts += parts
    return found


def arguments_of(call: RawCall) -> JsonObject:
    """Return the arguments as an object, or an empty one where they are none: the history must stay valid."""
    try:
        value = json.loads(call.arguments_text)
        json.dumps(value, allow_nan=False).encode()
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _parts(message: ChatMessage, ids: "_Ids") -> Iterator[Said | Called | Answered]:
    match message:
        case UserMessage(text=text):
            yield from _said(text)
        case AssistantMessage(text=text, calls=calls):
            yield from _said(text)
            ids.begin_round()
            for call in calls:
                yield Called(ids.of_call(call.call_id), call, arguments_of(call))
        case ResultMessage(call_id=call_id, tool_name=tool_name, content=content):
            yield Answered(ids.of_result(call_id), tool_name, clean(content))
        case SystemMessage():
            pass


def _said(text: str) -> Iterator[Said]:
    if text.strip():
        yield Said(clean(text))


class _Ids:
    """Numbers calls through the whole conversation; results find theirs by the id that both had, in order."""

    def __init__(self) -> None:
        self._count = 0
        self._open: list[tuple[str, str]] = []

    def begin_round(self) -> None:
        self._open.clear()

    def of_call(self, call_id: str) -> str:
        self._count += 1
        own = f"call_{self._count}"
        self._open.append((call_id, own))
        return own

    def of_result(self, call_id: str) -> str:
        for place, (known, own) in enumerate(self._open):
            if known == call_id:
                del self._open[place]
                return own
        return call_id
