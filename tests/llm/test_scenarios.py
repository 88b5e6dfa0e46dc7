"""Every scenario in every wire gives the expected events or the expected kind of failure, and no secret with it."""

import pytest

from nova_ui.llm.limits import Limits
from nova_ui.llm.port import CallMade, Finished
from tests.llm.peer import a_model, a_peer, ask, text_of
from tests.llm.requests import a_request
from tests.llm.scenarios import SCENARIOS, carried_by
from tests.llm.wire_bytes import SPEAKERS, Azure, Speaker

WIRES = [speaker for speaker in SPEAKERS if not isinstance(speaker, Azure)]  # whose bytes are OpenAI's
LIMITS = Limits(first_event_s=0.4, event_gap_s=0.4, total_s=10.0, max_text_chars=400_000)
# Where each message says its length first, such a line is none; where a call is one event, half of it is none.
OTHERWISE = {("endless_line", "bedrock"): ("protocol", False), ("cut_arguments", "google"): ("connection", False)}


@pytest.mark.parametrize("speaker", WIRES, ids=lambda one: one.wire.name)
@pytest.mark.parametrize("name", SCENARIOS)
async def test_every_scenario_gives_what_it_must(name: str, speaker: Speaker) -> None:
    scenario = SCENARIOS[name]
    async with (
        a_peer(scenario.play(speaker, scenario.sent)) as peer,
        a_model(peer, LIMITS, wire=speaker.wire, authorization="Bearer sk-live-1234") as model,
    ):
        events, failure = await ask(model, a_request())

    assert len(peer.heads) == 1  # a provider is never asked again from here
    usual = (None if scenario.kind is None else scenario.kind.value, scenario.arrived)
    kind, has_arrived = OTHERWISE.get((name, speaker.wire.name), usual)
    assert (None if failure is None else failure.kind.value) == kind
    calls = [(made.call.name, made.call.arguments_text) for made in events if isinstance(made, CallMade)]
    wanted = scenario.sent.calls if scenario.calls is None else scenario.calls
    assert _spaceless(calls) == _spaceless([(tool, carried_by(speaker, text)) for tool, text in wanted])
    if failure is None:
        assert text_of(events) == (scenario.sent.text if scenario.heard is None else scenario.heard)
        assert events[-1] == Finished(scenario.sent.reason)
        assert len({made.call.call_id for made in events if isinstance(made, CallMade)}) in {len(calls), 1}
        return
    assert text_of(events) == (scenario.sent.text if scenario.heard is None else scenario.heard)
    assert failure.retry_after_s == scenario.retry_after_s
    assert failure.arrived is has_arrived
    assert "sk-live" not in repr(failure) + str(failure) + repr(failure.params)


def test_there_is_a_scenario_for_everything_that_the_scripted_peer_of_the_guide_does() -> None:
    assert len(SCENARIOS) == 75


def _spaceless(calls: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Leave out white space, which a wire that carries objects may write otherwise."""
    return [(name, text.replace(" ", "")) for name, text in calls]
