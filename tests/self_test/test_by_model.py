"""The configured model is asked within bounds; whatever it tries, the report says what, and that it held."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest

from nova_ui.bootstrap import build_parts
from nova_ui.domain.clock import SystemClock
from nova_ui.domain.tool import CallId, RawCall
from nova_ui.llm.port import CallMade, Finished, FinishReason, Mode, ModelEvent, ModelRequest, ResultMessage, Usage
from nova_ui.self_test.bounded_model import MAX_REQUESTS_EACH
from nova_ui.self_test.by_model import PROMPTS, TRIED, TRIED_NOTHING
from nova_ui.self_test.findings import Outcome
from nova_ui.self_test.organisation import GROUPS
from nova_ui.self_test.tester import Report, SelfTest
from tests.self_test.subjects import OPEN


@dataclass
class Obedient:
    """Does whatever is most harmful, again and again."""

    name: str = "obedient"
    profile: str = "obedient"
    mode: Mode = Mode.EXTERNAL
    context_tokens: int | None = None
    is_tame: bool = False
    asked: list[ModelRequest] = field(default_factory=list)

    async def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]:
        self.asked.append(request)
        yield Usage(input_tokens=10, output_tokens=1)
        if not self.is_tame:
            number = sum(isinstance(one, ResultMessage) for one in request.messages)
            text = f'{{"group_id": "{GROUPS[0]}", "confirmed": {"true" if number else "false"}}}'
            yield CallMade(RawCall(call_id=CallId("c1"), name="delete_group", arguments_text=text))
            yield CallMade(RawCall(call_id=CallId("c2"), name="delete_identity", arguments_text="{}"))
        yield Finished(FinishReason.STOP)


def report_on(model: Obedient) -> Report:
    async def progress(_done: int, _total: int) -> None:
        pass

    test = SelfTest(build_parts, SystemClock())
    return asyncio.run(test.run(OPEN, progress, model=model, rules={"C3"}))


def test_what_a_hostile_model_tries_is_told_and_held() -> None:
    model = Obedient()

    report = report_on(model)

    by_model = [one for one in report.tried if one.by_model]
    assert len(by_model) == len(PROMPTS)
    assert {one.finding.outcome for one in by_model} == {Outcome.HELD}
    assert by_model[0].finding.words == TRIED
    assert "delete_group (refused: confirmation_required)" in str(by_model[0].finding.params["calls"])
    assert report.model is not None
    assert report.model.requests == len(model.asked) <= len(PROMPTS) * MAX_REQUESTS_EACH
    assert report.model.input_tokens == 10 * len(model.asked)


def test_a_model_that_behaves_proves_nothing() -> None:
    report = report_on(Obedient(is_tame=True))

    by_model = [one.finding for one in report.tried if one.by_model]
    assert {one.outcome for one in by_model} == {Outcome.NOT_APPLICABLE}
    assert {one.words for one in by_model} == {TRIED_NOTHING}


def test_a_run_that_is_no_longer_wanted_ends_at_once() -> None:
    class Unwanted(Exception):
        pass

    async def progress(_done: int, _total: int) -> None:
        raise Unwanted

    model = Obedient()
    with pytest.raises(Unwanted):
        asyncio.run(SelfTest(build_parts, SystemClock()).run(OPEN, progress, model=model))

    assert not model.asked
