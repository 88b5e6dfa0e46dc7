"""What a model can do, found out by asking it: a streamed answer, then a real tool round trip."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, cast

from pydantic import Field

from nova_ui.domain.canonical import ArgumentsError, parse_arguments
from nova_ui.domain.identity import Language
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.tool import AnyTool, Nova, RawCall, Tool, ToolArguments, ToolKind, ToolOffer
from nova_ui.errors import FailureKind, ModelError
from nova_ui.llm.port import (
    AssistantMessage,
    CallMade,
    ChatMessage,
    Finished,
    Mode,
    Model,
    ModelRequest,
    ResultMessage,
    SystemMessage,
    TextDelta,
    Usage,
    UserMessage,
)

TRIAL_SECONDS: Final = 60.0
_SYSTEM: Final = SystemMessage(text="You are being tested. Follow the request exactly and be brief.")
_RESULT: Final = "7319"  # what no model can know without having read the tool's result
_MAX_ANSWER_CHARS: Final = 2_000


class _LookUp(ToolArguments):
    room: str = Field(description="Name of the room.")


async def _never(_arguments: _LookUp, _nova: Nova) -> JsonValue:
    return None  # the trial answers the call itself; nothing of Nova is touched


_TOOL: Final = Tool(
    name="look_up_room_number",
    title="Look up a room number",
    summary="Return the number of a room by its name.",
    area="Test",
    icon="science",
    kind=ToolKind.READ,
    endpoints=(),
    arguments=_LookUp,
    run=_never,
)
_OFFER: Final = ToolOffer(
    tool=cast("AnyTool", _TOOL),
    description=_TOOL.summary,
    schema={
        "type": "object",
        "properties": {"room": {"type": "string", "description": "Name of the room."}},
        "required": ["room"],
        "additionalProperties": False,
    },
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialReport:
    """What was found out.

    `streams` is whether the answer came in several pieces, `calls_tools` whether the offered tool was called with
    usable arguments, `uses_results` whether the answer then held what only the tool's result said. None: it did not
    come to that. `failure` is why it ended early.
    """

    model: str
    mode: Mode
    answers: bool = False
    streams: bool | None = None
    calls_tools: bool | None = None
    uses_results: bool | None = None
    first_event_ms: int | None = None
    total_ms: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    failure: FailureKind | None = None


@dataclass(slots=True)
class _Heard:
    """One answer, as it came."""

    begun_at: float
    text: str = ""
    pieces: int = 0
    calls: tuple[RawCall, ...] = ()
    first_ms: int | None = None
    input_tokens: int = 0
    output_tokens: int = 0


async def try_model(model: Model) -> TrialReport:
    """Ask `model` at most three times, within a minute; never raises."""
    if model.mode is Mode.BUILT_IN:  # it knows Nova's tools and no others
        return TrialReport(
            model=model.name, mode=model.mode, answers=True, streams=True, calls_tools=True, uses_results=True
        )
    trial, failure = _Trial(model), None
    try:
        async with asyncio.timeout(TRIAL_SECONDS):
            await trial.run()
    except TimeoutError:
        failure = FailureKind.TIMEOUT
    except ModelError as error:
        failure = error.kind
    return trial.report(failure)


class _Trial:
    def __init__(self, model: Model) -> None:
        self._model = model
        self._begun_at = time.perf_counter()
        self._heard: list[_Heard] = []
        self._calls_tools: bool | None = None
        self._uses_results: bool | None = None

    async def run(self) -> None:
        await self._ask([_SYSTEM, UserMessage(text="Count from one to ten in words.")], ())
        asked = UserMessage(text="What is the number of the room Aurora? Call look_up_room_number, then tell it.")
        first = await self._ask([_SYSTEM, asked], (_OFFER,))
        call = next((one for one in first.calls if _is_usable(one)), None)
        self._calls_tools = call is not None
        if call is None:
            return
        result = ResultMessage(call_id=call.call_id, tool_name=call.name, content=f"The room number is {_RESULT}.")
        said = AssistantMessage(text=first.text, calls=(call,))
        last = await self._ask([_SYSTEM, asked, said, result], (_OFFER,))
        self._uses_results = _RESULT in last.text

    def report(self, failure: FailureKind | None) -> TrialReport:
        first = self._heard[0] if self._heard else _Heard(begun_at=self._begun_at)
        has_text = bool(first.text.strip())
        return TrialReport(
            model=self._model.name,
            mode=self._model.mode,
            answers=has_text,
            streams=first.pieces > 1 if has_text else None,
            calls_tools=self._calls_tools,
            uses_results=self._uses_results,
            first_event_ms=first.first_ms,
            total_ms=round((time.perf_counter() - self._begun_at) * 1000),
            input_tokens=sum(one.input_tokens for one in self._heard),
            output_tokens=sum(one.output_tokens for one in self._heard),
            failure=failure,
        )

    async def _ask(self, messages: Sequence[ChatMessage], tools: Sequence[ToolOffer]) -> _Heard:
        heard = _Heard(begun_at=time.perf_counter())
        self._heard.append(heard)
        request = ModelRequest(messages=messages, tools=tools, language=Language.ENGLISH)
        async for event in self._model.stream(request):
            if heard.first_ms is None:
                heard.first_ms = round((time.perf_counter() - heard.begun_at) * 1000)
            match event:
                case TextDelta(text=text):
                    heard.pieces += 1
                    heard.text = (heard.text + text)[:_MAX_ANSWER_CHARS]
                case CallMade(call=call):
                    heard.calls = (*heard.calls, call)
                case Usage(input_tokens=input_tokens, output_tokens=output_tokens):
                    heard.input_tokens += input_tokens
                    heard.output_tokens += output_tokens
                case Finished():
                    pass
        return heard


def _is_usable(call: RawCall) -> bool:
    parsed = parse_arguments(call.arguments_text)
    return (
        call.name == _TOOL.name
        and not isinstance(parsed, ArgumentsError)
        and "aurora" in str(parsed.get("room")).lower()
    )
