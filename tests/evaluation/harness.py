"""Plays a request through the built-in model against the sample organisation, as the engine and the gate would."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from nova_ui.domain.clock import Clock
from nova_ui.domain.identity import Language
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import CONFIRMED_ARGUMENT, AnyTool, RawCall, ToolKind, ToolOffer
from nova_ui.guardrails.envelope import unwrap, wrap
from nova_ui.i18n.translator import Translators
from nova_ui.llm.builtin.model import BuiltInModel
from nova_ui.llm.port import (
    AssistantMessage,
    CallMade,
    ChatMessage,
    ModelRequest,
    ResultMessage,
    TextDelta,
    UserMessage,
)
from nova_ui.tools.registry import ALL_TOOLS, offer
from tests.llm.fake_nova import NOW, answer, real_id

FOLDER: Final = Path(__file__).parent
OFFERS: Final = tuple(offer(tool) for tool in ALL_TOOLS)
PREVIEWED: Final = (
    "Nothing has run. The person is shown preview pvw_1 and must confirm it. "
    "End this answer now and wait for the next message."
)
_MAX_STEPS: Final = 12

Answering = Callable[[str, JsonObject], str]


class AtThatTime:
    """A clock that stands still."""

    def now(self) -> datetime:
        return NOW


@dataclass(slots=True)
class Played:
    """What became of a request: the calls in their order, and the words at the end."""

    calls: list[tuple[str, JsonObject]] = field(default_factory=list)
    text: str = ""
    messages: list[ChatMessage] = field(default_factory=list)

    @property
    def last(self) -> tuple[str | None, JsonObject]:
        return self.calls[-1] if self.calls else (None, {})


def a_model(clock: Clock | None = None) -> BuiltInModel:
    return BuiltInModel(unwrap=unwrap, translators=Translators(), clock=clock or AtThatTime())


async def play(
    text: str,
    *,
    before: Sequence[ChatMessage] = (),
    offers: Sequence[ToolOffer] = OFFERS,
    language: Language = Language.ENGLISH,
    answering: Answering = answer,
    words_only: bool = False,
) -> Played:
    """Run the loop of a turn; arguments are validated strictly, destructive calls are previewed and not run."""
    model, played = a_model(), Played(messages=[*before, UserMessage(text=text)])
    tools = {one.tool.name: one.tool for one in offers}
    for _ in range(_MAX_STEPS):
        request = ModelRequest(messages=played.messages, tools=offers, language=language, words_only=words_only)
        events = [event async for event in model.stream(request)]
        made = [event.call for event in events if isinstance(event, CallMade)]
        played.text = "".join(event.text for event in events if isinstance(event, TextDelta))
        played.messages.append(AssistantMessage(text=played.text, calls=tuple(made)))
        if not made:
            return played
        for call in made:
            played.messages.append(_run(call, tools, played, answering))
    raise AssertionError(f"{text!r} never ends")


def _run(call: RawCall, tools: Mapping[str, AnyTool], played: Played, answering: Answering) -> ResultMessage:
    tool = tools[call.name]
    arguments: JsonObject = json.loads(call.arguments_text)
    confirmed = arguments.pop(CONFIRMED_ARGUMENT, False)
    try:
        tool.arguments.model_validate(arguments)
    except ValidationError as wrong:
        raise AssertionError(f"{call.name} {arguments}: {wrong}") from wrong
    played.calls.append((call.name, arguments | ({CONFIRMED_ARGUMENT: True} if confirmed else {})))
    if tool.kind is ToolKind.DESTRUCTIVE and not confirmed:
        content = PREVIEWED
    elif tool.kind is ToolKind.READ:
        content = wrap(call.name, answering(call.name, arguments))
    else:
        content = wrap(call.name, json.dumps({"object": {"display_name": "It"}, "effects": []}))
    return ResultMessage(call_id=call.call_id, tool_name=call.name, content=content)


@dataclass(frozen=True, slots=True)
class Expected:
    """A request of the test set, with the last call that it must lead to; without one nothing but look-ups."""

    text: str
    tool: str | None
    arguments: JsonObject


def request_set(language: str) -> list[Expected]:
    given = json.loads((FOLDER / f"requests_{language}.json").read_text(encoding="utf-8"))
    return [Expected(one["text"], one["tool"], _with_ids(one.get("arguments", {}))) for one in given["requests"]]


def _with_ids(value: JsonObject) -> JsonObject:
    return {name: _with_id(item) for name, item in value.items()}


def _with_id(value: JsonValue) -> JsonValue:
    if isinstance(value, str) and value.startswith("@"):
        return real_id(value)
    if isinstance(value, list):
        return [_with_id(item) for item in value]
    return value


@dataclass(frozen=True, slots=True)
class Judged:
    """Whether a request led exactly to what it should, and whether it led to a wrong change."""

    expected: Expected
    played: Played
    is_right: bool
    is_harmful: bool


async def judge(expected: Expected, language: Language) -> Judged:
    played = await play(expected.text, language=language)
    changes = [call for call in played.calls if _kind(call[0]) is not ToolKind.READ]
    wanted = (expected.tool, expected.arguments)
    is_right = not changes if expected.tool is None else played.last == wanted
    return Judged(expected, played, is_right, any(change != wanted for change in changes))


def _kind(name: str) -> ToolKind:
    return next(tool.kind for tool in ALL_TOOLS if tool.name == name)
