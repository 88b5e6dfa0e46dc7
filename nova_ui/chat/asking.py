"""Asking a model once more: streamed, counted, retried only where nothing had arrived."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Final

from nova_ui.domain.tool import RawCall
from nova_ui.errors import RETRYABLE, ModelError
from nova_ui.llm.closing import closable
from nova_ui.llm.port import CallMade, Finished, FinishReason, Model, ModelRequest, TextDelta, Usage

MAX_RETRIES: Final = 3
MAX_RETRIES_WITH_ANOTHER: Final = 1  # where another model can stand in, the turn's requests are better spent there
MAX_PAUSE_S: Final = 5.0
_FIRST_PAUSE_S: Final = 0.5

Pause = Callable[[float], Awaitable[None]]
NextRequest = Callable[[], ModelRequest | None]
Say = Callable[[str], None]


@dataclass(slots=True)
class Answer:
    """What a model has answered so far; its calls are worth something only if it `is_complete`."""

    calls: list[RawCall] = field(default_factory=list)
    input_tokens: int = 0
    output_tokens: int = 0
    has_estimates: bool = False
    is_cut_off: bool = False
    is_filtered: bool = False
    is_complete: bool = False
    has_begun: bool = False


async def ask(
    model: Model,
    next_request: NextRequest,
    say: Say,
    answer: Answer,
    *,
    pause: Pause = asyncio.sleep,
    max_retries: int = MAX_RETRIES,
) -> None:
    """Ask until `answer` is complete; `next_request` counts each request, and returns None when no more is allowed.

    Raises:
        ModelError: the model failed for good, or something of its answer had arrived already.

    """
    failure: ModelError | None = None
    for attempt in range(max_retries + 1):
        if failure is not None:
            await pause(failure.retry_after_s or _FIRST_PAUSE_S * 2 ** (attempt - 1))
        request = next_request()
        if request is None:
            break
        try:
            await _listen(model, request, say, answer)
        except ModelError as error:
            if not _is_worth_a_retry(error, answer):
                raise
            failure = error
        else:
            return
    if failure is not None:
        raise failure


def _is_worth_a_retry(error: ModelError, answer: Answer) -> bool:
    if error.kind not in RETRYABLE or error.arrived or answer.has_begun:
        return False
    return error.retry_after_s is None or error.retry_after_s <= MAX_PAUSE_S


async def _listen(model: Model, request: ModelRequest, say: Say, answer: Answer) -> None:
    async with aclosing(closable(model.stream(request))) as events:
        async for event in events:
            answer.has_begun = True
            match event:
                case TextDelta(text=text):
                    say(text)
                case CallMade(call=call):
                    answer.calls.append(call)
                case Usage(input_tokens=input_tokens, output_tokens=output_tokens, is_estimated=is_estimated):
                    answer.input_tokens += input_tokens
                    answer.output_tokens += output_tokens
                    answer.has_estimates |= is_estimated
                case Finished(reason=reason):
                    answer.is_cut_off = reason is FinishReason.LENGTH
                    answer.is_filtered = reason is FinishReason.FILTERED
                    answer.is_complete = True
