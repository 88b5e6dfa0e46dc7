"""What a test of a connection finds out about a model, and how it is told."""

import json

import pytest

from nova_ui.domain.identity import Language
from nova_ui.domain.json_value import JsonObject
from nova_ui.errors import FailureKind
from nova_ui.i18n.translator import Translators
from nova_ui.llm.limits import Limits
from nova_ui.llm.trial import try_model
from nova_ui.llm.wire import Profile
from nova_ui.llm.wires import WIRES
from nova_ui.presenters.ai_trial_words import trial_sentences
from tests.fakes.scripted_model import Answer, ScriptedModel, call, calls, fails, says
from tests.llm.peer import a_model, a_peer, head
from tests.llm.wire_bytes import SPEAKERS, Speaker

AURORA = call("look_up_room_number", "c_1", room="Aurora")
BOREALIS = call("look_up_room_number", "c_2", room="room Borealis")
BOTH = says("They are 7319 and 2846.")


async def found(*answers: Answer) -> tuple[bool | None, bool | None, bool | None, bool | None, FailureKind | None]:
    model = ScriptedModel()
    model.queue(says("one ", "two"), *answers)
    report = await try_model(model)
    return report.calls_tools, report.calls_in_parallel, report.uses_results, report.keeps_to_words, report.failure


async def test_a_model_that_can_everything_is_said_to() -> None:
    model = ScriptedModel()
    model.queue(says("one ", "two"), calls(AURORA, BOREALIS), BOTH, says("Words only."))

    report = await try_model(model)

    assert (report.answers, report.streams, report.reports_usage) == (True, True, True)
    assert (report.calls_tools, report.calls_in_parallel, report.uses_results, report.keeps_to_words) == (True,) * 4
    assert [len(one.tools) for one in model.requests] == [0, 1, 1, 1]
    assert [one.words_only for one in model.requests] == [False, False, False, True]
    assert (report.input_tokens, report.output_tokens) == (40, 8)


async def test_what_it_can_not_is_told_apart() -> None:
    ignored = await found(says("They are 12 and 13."))
    one_by_one = await found(calls(AURORA), says("7319."), says("No."))
    made_up = await found(calls(AURORA, BOREALIS), says("7319 and 11."), says("No."))
    calls_on = await found(calls(AURORA, BOREALIS), BOTH, calls(AURORA))
    no_tools = await found(fails(FailureKind.REJECTED))
    no_choice = await found(calls(AURORA, BOREALIS), BOTH, fails(FailureKind.REJECTED))
    breaks = await found(calls(AURORA, BOREALIS), fails(FailureKind.SERVER))

    assert ignored == (False, None, None, None, None)
    assert one_by_one == (True, False, True, True, None)
    assert made_up == (True, True, False, True, None)
    assert calls_on == (True, True, True, False, None)
    assert no_tools == (False, None, None, None, None)
    assert no_choice == (True, True, True, False, None)
    assert breaks == (True, True, None, None, FailureKind.SERVER)


TOLD: dict[str, JsonObject] = {
    "openai-compatible": {"data": [{"id": "other", "max_model_len": 5}, {"id": "m", "max_model_len": 32_768}]},
    "anthropic": {"type": "model", "id": "m", "max_input_tokens": 200_000},
    "google": {"name": "models/m", "inputTokenLimit": 1_048_576},
}
WINDOWS = {"openai-compatible": 32_768, "anthropic": 200_000, "google": 1_048_576}


@pytest.mark.parametrize("speaker", SPEAKERS, ids=lambda one: one.wire.name)
async def test_a_provider_that_tells_the_window_is_asked_for_it(speaker: Speaker) -> None:
    told = TOLD.get(speaker.wire.name, {})
    async with (
        a_peer(head(content_type="application/json") + _json(told)) as peer,
        a_model(peer, Limits(first_event_s=2), wire=speaker.wire) as model,
    ):
        window = await model.reported_context_tokens()

    assert window == WINDOWS.get(speaker.wire.name)


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b"no json",
        b"{}",
        b'{"data": [{"id": "m"}]}',
        b'{"data": [{"id": "m", "context_length": "32k"}]}',
        b'{"data": [{"id": "m", "context_length": true}]}',
        b'{"data": [{"id": "m", "context_length": -1}]}',
    ],
)
async def test_a_window_that_is_not_told_well_is_not_known(body: bytes) -> None:
    async with a_peer(head(content_type="application/json") + body) as peer, a_model(peer) as model:
        assert await model.reported_context_tokens() is None


async def test_a_provider_that_tells_nothing_is_no_failure() -> None:
    async with a_peer(head("404 Not Found") + b"no") as peer, a_model(peer) as model:
        assert await model.reported_context_tokens() is None


@pytest.mark.parametrize("name", ["max_model_len", "context_length", "context_window", "max_context_length"])
def test_the_window_is_found_by_the_names_that_servers_give_it(name: str) -> None:
    wire = next(iter(WIRES.values()))

    assert wire.window_of({"data": [{"id": "m", name: 8_192}]}, Profile(model="m")) == 8_192
    assert wire.window_of({"data": [{"id": "m", "meta": {"n_ctx_train": 4_096}}]}, Profile(model="m")) == 4_096


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("kind", FailureKind)
def test_every_failure_is_told_in_words_of_its_own_with_what_to_do(kind: FailureKind, language: Language) -> None:
    tr = Translators().for_language(language)
    words = {one: trial_sentences({"failure": one.value}, {}, tr)[0][0] for one in FailureKind}

    assert len(set(words.values())) == len(FailureKind)
    assert words[kind] != trial_sentences({"failure": "something new"}, {}, tr)[0][0]
    assert words[kind].count(".") + words[kind].count("?") >= 2


def test_a_window_in_the_profile_that_is_larger_than_the_provider_says_is_bad_news() -> None:
    tr = Translators().for_language(Language.ENGLISH)
    trial: JsonObject = {"context_tokens": 8_192}

    larger = trial_sentences(trial, {"limits": {"context_tokens": 32_000}}, tr)
    fitting = trial_sentences(trial, {"limits": {"context_tokens": 8_000}}, tr)

    assert [(good, "8,192" in words) for words, good in (*larger, *fitting)] == [(False, True), (True, True)]


def _json(value: JsonObject) -> bytes:
    return json.dumps(value).encode()
