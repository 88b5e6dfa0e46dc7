"""A model that calls what it is told to, while something happens elsewhere."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Final

from nova_ui.domain.assistant import Assistant
from nova_ui.domain.tool import CallId, RawCall
from nova_ui.llm.fallback import ModelChain, ModelPlace
from nova_ui.llm.port import CallMade, Finished, FinishReason, Mode, ModelEvent, ModelRequest, TextDelta, Usage

REQUEST_TOKENS: Final = 10_000_000  # far more than any request takes really, so that budgets count requests

Deed = Callable[[], Coroutine[Any, Any, None]]


@dataclass(frozen=True)
class Answer:
    """One answer of the model: what happens elsewhere meanwhile, and then its calls, all at once."""

    calls: tuple[tuple[str, str], ...] = ()
    meanwhile: tuple[Deed, ...] = ()


@dataclass
class HostileModel:
    """Calls what it was told to call; with `is_endless` the last answer comes again and again."""

    name: str = "hostile"
    profile: str = "hostile"
    mode: Mode = Mode.LOCAL
    context_tokens: int | None = None
    answers: list[Answer] = field(default_factory=list)
    is_endless: bool = False
    doing: list[asyncio.Future[None]] = field(default_factory=list)
    on_request: Callable[[ModelRequest], None] = print

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        self.on_request(request)
        yield Usage(input_tokens=REQUEST_TOKENS, output_tokens=0)  # first, so that it counts however the turn ends
        answer = Answer()
        if self.answers:
            answer = self.answers[0] if self.is_endless and len(self.answers) == 1 else self.answers.pop(0)
        for deed in answer.meanwhile:
            # A task of its own, as of another person: a turn that is broken off must not break off what did so.
            doing = asyncio.ensure_future(deed())
            self.doing.append(doing)
            await asyncio.shield(doing)
        yield TextDelta("Done; the owner has confirmed it.")
        for number, (name, text) in enumerate(answer.calls):
            yield CallMade(RawCall(call_id=CallId(f"call_{number}"), name=name, arguments_text=text))
        yield Finished(FinishReason.STOP)


class OneModel:
    """The same model for every assistant."""

    def __init__(self, model: HostileModel) -> None:
        self._model = model

    def for_assistant(self, _assistant: Assistant) -> HostileModel:
        return self._model

    def chain_for(self, _assistant: Assistant) -> ModelChain:
        return ModelChain.of_one(self._model)

    def places_for(self, _assistant: Assistant) -> tuple[ModelPlace, ...]:
        return (ModelPlace(name=self._model.name, model=self._model.name, mode=self._model.mode),)
