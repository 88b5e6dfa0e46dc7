"""What the messages of a request show: what was asked, what has been called in this turn and what it gave."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.llm.port import AssistantMessage, ChatMessage, ResultMessage, UserMessage

Unwrap = Callable[[str], str | None]

_REMEMBERED_TURNS: Final = 6
_REFUSED: Final = re.compile(r"Refused: (?P<code>[a-z_]+) \((?P<reason>[a-z_]*)\)\.\s*(?P<advice>.*)", re.DOTALL)
_FAILED: Final = re.compile(r"The tool failed: (?P<code>[a-z_]+)\.\s*(?P<detail>.*)", re.DOTALL)
_PREVIEWED: Final = "Nothing has run. The person is shown preview "


class State(StrEnum):
    """What became of a call, as its result says."""

    RAN = "ran"
    PREVIEWED = "previewed"
    FAILED = "failed"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """A call that was made, and its result: `value` if it ran, `code` and `detail` if not."""

    name: str
    arguments: JsonObject
    state: State
    value: JsonValue = None
    code: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Exchange:
    """One turn: what the person wrote, what was called, what was answered last."""

    text: str
    calls: tuple[Done, ...]
    answer: str


def exchanges_of(messages: Sequence[ChatMessage], unwrap: Unwrap) -> list[Exchange]:
    """Return the last turns, the running one last; an empty list if nobody has written anything."""
    turns: list[list[ChatMessage]] = []
    for message in messages:
        if isinstance(message, UserMessage):
            turns.append([])
        if turns:
            turns[-1].append(message)
    return [_exchange(turn, unwrap) for turn in turns[-_REMEMBERED_TURNS:]]


def read_result(content: str, unwrap: Unwrap) -> tuple[State, JsonValue, str, str]:
    """Return state, value, code and detail of a result, with or without its envelope."""
    text = unwrap(content)
    if text is None:
        text = content
    for pattern, state in ((_REFUSED, State.REFUSED), (_FAILED, State.FAILED)):
        found = pattern.match(text)
        if found:
            detail = found.groupdict().get("detail") or found.groupdict().get("advice") or ""
            return state, None, found["code"], detail.strip()
    if text.startswith(_PREVIEWED):
        return State.PREVIEWED, None, "", ""
    try:
        return State.RAN, json.loads(text), "", ""
    except (ValueError, RecursionError):
        return State.RAN, text, "", ""


def _exchange(turn: Sequence[ChatMessage], unwrap: Unwrap) -> Exchange:
    asked = turn[0]
    results = [message for message in turn if isinstance(message, ResultMessage)]
    answers = [message.text for message in turn if isinstance(message, AssistantMessage)]
    calls: list[Done] = []
    for message in turn:
        if isinstance(message, AssistantMessage):
            for call in message.calls:
                result = next((one for one in results if one.call_id == call.call_id), None)
                if result is not None:
                    state, value, code, detail = read_result(result.content, unwrap)
                    calls.append(
                        Done(
                            name=call.name,
                            arguments=_arguments(call.arguments_text),
                            state=state,
                            value=value,
                            code=code,
                            detail=detail,
                        )
                    )
    text = asked.text if isinstance(asked, UserMessage) else ""
    return Exchange(text, tuple(calls), answers[-1] if answers else "")


def _arguments(text: str) -> JsonObject:
    try:
        arguments = json.loads(text or "{}")
    except (ValueError, RecursionError):
        return {}
    return arguments if isinstance(arguments, dict) else {}
