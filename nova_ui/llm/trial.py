"""What a model can do, found out by asking it: an answer, a real tool round trip, a request for words only."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol, runtime_checkable

from nova_ui.domain.identity import Language
from nova_ui.domain.tool import RawCall, ToolOffer
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
    TextDelta,
    Usage,
)
from nova_ui.llm.trial_tool import AGAIN, ASKED, FIRST, OFFER, ROOMS, SYSTEM, number_for, room_of

TRIAL_SECONDS: Final = 60.0
_MAX_ANSWER_CHARS: Final = 2_000


@runtime_checkable
class TellsWindow(Protocol):
    """A model whose provider may say how much it can read."""

    async def reported_context_tokens(self) -> int | None:
        """Ask the provider; None where it says nothing, or can't be asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialReport:
    """What was found out; None: it did not come to that.

    `streams` is whether the answer came in several pieces, `calls_tools` whether the offered tool was called with
    usable arguments, `calls_in_parallel` whether it was called twice at once where that was asked for, `uses_results`
    whether the answer then held what only the results said, `keeps_to_words` whether no call came where words alone
    were asked for, `reports_usage` whether tokens were counted. `context_tokens` is the window as the provider says.
    `failure` is why it ended early.
    """

    model: str
    mode: Mode
    answers: bool = False
    streams: bool | None = None
    calls_tools: bool | None = None
    calls_in_parallel: bool | None = None
    uses_results: bool | None = None
    keeps_to_words: bool | None = None
    reports_usage: bool | None = None
    context_tokens: int | None = None
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
    has_usage: bool = False
    input_tokens: int = 0
    output_tokens: int = 0


async def try_model(model: Model) -> TrialReport:
    """Ask `model` at most four times, within a minute; never raises."""
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
        self._calls_in_parallel: bool | None = None
        self._uses_results: bool | None = None
        self._keeps_to_words: bool | None = None
        self._window: int | None = None

    async def run(self) -> None:
        await self._ask([SYSTEM, FIRST], ())
        if isinstance(self._model, TellsWindow):
            self._window = await self._model.reported_context_tokens()
        try:
            first = await self._ask([SYSTEM, ASKED], (OFFER,))
        except ModelError as error:
            if error.kind is not FailureKind.REJECTED:
                raise
            self._calls_tools = False  # some servers refuse tools that their model can't use
            return
        rooms = {room for call in first.calls if (room := room_of(call)) is not None}
        self._calls_tools = bool(rooms)
        if not rooms:
            return
        self._calls_in_parallel = len(rooms) > 1
        said: list[ChatMessage] = [SYSTEM, ASKED, AssistantMessage(text=first.text, calls=first.calls)]
        said += [ResultMessage(call_id=one.call_id, tool_name=one.name, content=number_for(one)) for one in first.calls]
        last = await self._ask(said, (OFFER,))
        self._uses_results = all(ROOMS[room] in last.text for room in rooms)
        await self._ask_for_words([*said, AssistantMessage(text=last.text or "…")])

    async def _ask_for_words(self, said: Sequence[ChatMessage]) -> None:
        try:
            heard = await self._ask([*said, AGAIN], (OFFER,), words_only=True)
        except ModelError as error:
            if error.kind is not FailureKind.REJECTED:
                raise
            self._keeps_to_words = False
        else:
            self._keeps_to_words = not heard.calls

    def report(self, failure: FailureKind | None) -> TrialReport:
        first = self._heard[0] if self._heard else _Heard(begun_at=self._begun_at)
        has_text = bool(first.text.strip())
        return TrialReport(
            model=self._model.name,
            mode=self._model.mode,
            answers=has_text,
            streams=first.pieces > 1 if has_text else None,
            calls_tools=self._calls_tools,
            calls_in_parallel=self._calls_in_parallel,
            uses_results=self._uses_results,
            keeps_to_words=self._keeps_to_words,
            reports_usage=first.has_usage if has_text else None,
            context_tokens=self._window,
            first_event_ms=first.first_ms,
            total_ms=round((time.perf_counter() - self._begun_at) * 1000),
            input_tokens=sum(one.input_tokens for one in self._heard),
            output_tokens=sum(one.output_tokens for one in self._heard),
            failure=failure,
        )

    async def _ask(
        self, messages: Sequence[ChatMessage], tools: Sequence[ToolOffer], *, words_only: bool = False
    ) -> _Heard:
        heard = _Heard(begun_at=time.perf_counter())
        self._heard.append(heard)
        request = ModelRequest(messages=messages, tools=tools, language=Language.ENGLISH, words_only=words_only)
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
                    heard.has_usage = True
                    heard.input_tokens += input_tokens
                    heard.output_tokens += output_tokens
                case Finished():
                    pass
        return heard
