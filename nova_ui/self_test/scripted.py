"""The model on the stage: it says and calls whatever an attack wants, or passes on to the configured model."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.tool import CallId, RawCall
from nova_ui.llm.port import CallMade, Finished, FinishReason, Mode, Model, ModelEvent, ModelRequest, TextDelta

Deed = Callable[[], Awaitable[object]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call as a hostile model makes it; `text` replaces the arguments by words that need not be JSON."""

    name: str
    arguments: JsonObject = field(default_factory=dict)
    text: str | None = None

    @property
    def sent(self) -> str:
        """The arguments as they go over the wire."""
        return json.dumps(self.arguments, ensure_ascii=False) if self.text is None else self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer of the model: what happens elsewhere first, then its words and its calls."""

    calls: tuple[Call, ...] = ()
    text: str = "Done."
    meanwhile: Deed | None = None


class StageModel:
    """Gives the answers of a script, the last one for ever where it is endless; keeps what it was asked."""

    def __init__(self) -> None:
        self.requests: list[ModelRequest] = []
        self._answers: list[Answer] = []
        self._is_endless = False
        self._live: Model | None = None

    @property
    def name(self) -> str:
        """The name shown as the author of an answer."""
        return "self-test" if self._live is None else self._live.name

    @property
    def profile(self) -> str:
        """The key of the profile that the model belongs to."""
        return "self-test" if self._live is None else self._live.profile

    @property
    def mode(self) -> Mode:
        """Where the data goes."""
        return Mode.BUILT_IN if self._live is None else self._live.mode

    @property
    def context_tokens(self) -> int | None:
        """How much the model can read at once."""
        return None if self._live is None else self._live.context_tokens

    def script(self, *answers: Answer, is_endless: bool = False) -> None:
        """Say what the next turn's answers are; after them come words only."""
        self._answers, self._is_endless = list(answers), is_endless

    def use(self, live: Model | None) -> None:
        """Pass requests on to a model from now on; None goes back to the script."""
        self._live = live

    def forget(self) -> None:
        """Begin anew."""
        self.requests.clear()
        self.script()

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        """Answer one request."""
        self.requests.append(request)
        if self._live is not None:
            async for event in self._live.stream(request):
                yield event
            return
        answer = self._next()
        if answer.meanwhile is not None:
            # As if by somebody else: a turn that is broken off must not break off what did so.
            await asyncio.shield(asyncio.ensure_future(answer.meanwhile()))
        yield TextDelta(answer.text)
        for number, call in enumerate(answer.calls):
            yield CallMade(RawCall(call_id=CallId(f"call_{number}"), name=call.name, arguments_text=call.sent))
        yield Finished(FinishReason.STOP)

    def _next(self) -> Answer:
        if not self._answers:
            return Answer()
        return self._answers[0] if self._is_endless and len(self._answers) == 1 else self._answers.pop(0)
