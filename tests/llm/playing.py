"""Plays a request through the built-in model alone, on tools and a Nova of the test's own."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from pydantic import ValidationError

from nova_ui.domain.clock import Clock
from nova_ui.domain.identity import Language
from nova_ui.domain.json_value import JsonObject
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
from tests.llm.fake_nova import NOW, answer

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
    return BuiltInModel(unwrap=unwrap, translators=Translators(), clock=clock or AtThatTime(), all_tools=ALL_TOOLS)


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
