"""A model that says and calls what a test has written down, behind the same port as every other."""

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.tool import CallId, RawCall
from nova_ui.errors import FailureKind, ModelError
from nova_ui.llm.port import (
    CallMade,
    Finished,
    FinishReason,
    Mode,
    ModelEvent,
    ModelRequest,
    ResultMessage,
    TextDelta,
    Usage,
)


@dataclass(frozen=True, kw_only=True)
class Answer:
    """One answer. `waits_for` holds it back before its first event, `holds_before_end` after its text."""

    deltas: tuple[str, ...] = ()
    calls: tuple[RawCall, ...] = ()
    reason: FinishReason = FinishReason.STOP
    failure: ModelError | None = None
    waits_for: asyncio.Event | None = None
    holds_before_end: asyncio.Event | None = None


def says(*deltas: str) -> Answer:
    return Answer(deltas=deltas)


def fails(kind: FailureKind, *, after: str = "", retry_after_s: float | None = None) -> Answer:
    failure = ModelError(kind, arrived=bool(after), retry_after_s=retry_after_s)
    return Answer(deltas=(after,) if after else (), failure=failure)


def call(name: str, call_id: str = "", **arguments: JsonValue) -> RawCall:
    return RawCall(call_id=CallId(call_id or f"c_{name}"), name=name, arguments_text=json.dumps(arguments))


def calls(*made: RawCall, text: str = "") -> Answer:
    return Answer(deltas=(text,) if text else (), calls=made)


@dataclass
class ScriptedModel:
    """Gives its answers in their order, then only says that it has nothing to add."""

    answers: list[Answer] = field(default_factory=list)
    requests: list[ModelRequest] = field(default_factory=list)
    name: str = "scripted"
    profile: str = "house"
    mode: Mode = Mode.LOCAL
    context_tokens: int | None = None
    tells_usage: bool = True

    def queue(self, *answers: Answer) -> None:
        self.answers.extend(answers)

    @property
    def results(self) -> list[str]:
        """The results that the last request held."""
        return [one.content for one in self.requests[-1].messages if isinstance(one, ResultMessage)]

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        self.requests.append(request)
        answer = self.answers.pop(0) if self.answers else says("Nothing to add.")
        if answer.waits_for is not None:
            await answer.waits_for.wait()
        for delta in answer.deltas:
            yield TextDelta(delta)
        if answer.holds_before_end is not None:
            await answer.holds_before_end.wait()
        if answer.failure is not None:
            raise answer.failure
        for made in answer.calls:
            yield CallMade(made)
        if self.tells_usage:
            yield Usage(input_tokens=10, output_tokens=2)
        yield Finished(answer.reason)
