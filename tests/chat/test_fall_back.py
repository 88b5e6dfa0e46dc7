"""Another model stands in, through the whole engine: counted, told, and never within an answer."""

from dataclasses import replace
from datetime import timedelta

import pytest

from nova_ui.chat.asking import MAX_RETRIES_WITH_ANOTHER
from nova_ui.chat.events import EventName
from nova_ui.chat.live_turns import LiveTurns
from nova_ui.chat.notices import MODEL_FELL_BACK, notice_text
from nova_ui.domain.chat import Notice
from nova_ui.domain.identity import Language
from nova_ui.domain.tool import RawCall
from nova_ui.errors import FailureKind
from nova_ui.i18n.translator import Translators
from nova_ui.llm.breaker import FIRST_REST
from nova_ui.llm.fallback import FALLS
from nova_ui.llm.google import body_of
from nova_ui.llm.port import AssistantMessage
from nova_ui.llm.wire import Profile, maker_of
from tests.chat.test_context import a_long_chat, asked_before
from tests.chat.world import World
from tests.fakes.scripted_model import ScriptedModel, call, calls, fails, says

LIST = call("list_groups", group_id="grp_1")


@pytest.fixture
def spare(world: World) -> ScriptedModel:
    model = ScriptedModel(name="spare")
    world.stand_ins.append(model)
    return model


async def test_another_model_answers_and_the_person_is_told_which_and_why(world: World, spare: ScriptedModel) -> None:
    world.model.queue(fails(FailureKind.CREDENTIALS))
    spare.queue(says("Hello."))

    heard = await world.say("Hello")

    assert heard.text == "Hello."
    assert heard.notices == [MODEL_FELL_BACK]
    told = heard.one(EventName.NOTICE)["text"]
    assert told == "scripted could not answer (the provider did not accept the key). spare is asked instead."
    assert heard.one(EventName.DONE)["model"] == "spare"
    assert heard.one(EventName.DONE)["model_calls"] == 2


@pytest.mark.parametrize("kind", [FailureKind.RATE_LIMIT, FailureKind.UNAVAILABLE, FailureKind.SERVER])
async def test_e1_each_request_to_either_model_counts(world: World, spare: ScriptedModel, kind: FailureKind) -> None:
    world.model.queue(*[fails(kind)] * 9)
    spare.queue(*(calls(call("list_groups", call_id=f"c_{at}", group_id=f"grp_{at}")) for at in range(20)))

    heard = await world.say("Never stop")

    assert len(world.model.requests) == MAX_RETRIES_WITH_ANOTHER + 1
    assert len(world.model.requests) + len(spare.requests) == 12
    assert spare.requests[-1].words_only
    assert heard.notices == [MODEL_FELL_BACK, "limit_model_calls"]


async def test_e1_a_chain_of_failing_models_ends_with_the_limit(world: World) -> None:
    for number in range(9):
        model = ScriptedModel(name=f"spare {number}")
        model.queue(*[fails(FailureKind.SERVER)] * 9)
        world.stand_ins.append(model)
    world.model.queue(*[fails(FailureKind.SERVER)] * 9)

    heard = await world.say("Hello")

    assert sum(len(one.requests) for one in (world.model, *world.stand_ins)) == 12
    assert heard.notices == [MODEL_FELL_BACK] * 5 + ["model_failed", "limit_model_calls"]
    assert heard.events[-1].name is EventName.DONE


@pytest.mark.parametrize("kind", [FailureKind.SERVER, FailureKind.CUT_OFF, FailureKind.TIMEOUT])
async def test_nobody_stands_in_once_something_of_the_answer_has_arrived(
    world: World, spare: ScriptedModel, kind: FailureKind
) -> None:
    world.model.queue(fails(kind, after="Well, "))

    heard = await world.say("Hello")

    assert spare.requests == []
    assert heard.text == "Well, "
    assert heard.notices == ["model_failed"]


@pytest.mark.parametrize("kind", [FailureKind.REJECTED, FailureKind.TOO_LONG, FailureKind.TOO_MUCH])
async def test_what_is_wrong_with_the_request_is_sent_to_nobody_else(
    world: World, spare: ScriptedModel, kind: FailureKind
) -> None:
    world.model.queue(fails(kind))

    heard = await world.say("Hello")

    assert spare.requests == []
    assert heard.notices == ["model_failed"]


async def test_what_was_done_before_the_failure_is_not_done_again(world: World, spare: ScriptedModel) -> None:
    world.model.queue(calls(LIST), fails(FailureKind.TIMEOUT))
    spare.queue(says("One group."))

    heard = await world.say("Which groups are there?")

    assert len(world.deeds.done) == 1
    assert len(spare.results) == 1
    assert heard.text == "One group."


async def test_in_the_next_turn_the_model_that_failed_is_left_alone_and_later_asked_again(
    world: World, spare: ScriptedModel
) -> None:
    world.model.queue(fails(FailureKind.CONNECTION), fails(FailureKind.CONNECTION))
    spare.queue(says("One."), says("Two."))
    await world.say("first")
    world.model.requests.clear()

    second = await world.say("second")
    asked_at_once = len(world.model.requests)
    world.clock.move(FIRST_REST + timedelta(seconds=1))
    world.model.queue(says("Here again."))
    third = await world.say("third")

    assert (second.text, second.notices, asked_at_once) == ("Two.", [MODEL_FELL_BACK], 0)
    assert (third.text, third.notices) == ("Here again.", [])


async def test_a_smaller_window_is_sent_less_of_the_chat_and_that_is_said(world: World, spare: ScriptedModel) -> None:
    chat_id = await a_long_chat(world)
    world.model.queue(fails(FailureKind.QUOTA))
    spare.context_tokens = 200
    spare.queue(says("Yes."))

    heard = await world.say("fourth", chat_id=chat_id)

    assert asked_before(spare.requests[-1]) == ["third"]
    assert heard.notices == [MODEL_FELL_BACK, "earlier_left_out"]


async def test_a_signature_is_not_shown_to_the_model_that_stands_in(world: World, spare: ScriptedModel) -> None:
    first, second = Profile(model="gemini-a"), Profile(model="gemini-b")
    signed: RawCall = replace(LIST, signature="for a only", made_by=maker_of("google", first))
    world.model.queue(calls(signed), fails(FailureKind.SERVER), fails(FailureKind.SERVER))
    spare.queue(says("Done."))

    await world.say("Which groups are there?")

    request = spare.requests[-1]
    kept = [made.signature for one in request.messages if isinstance(one, AssistantMessage) for made in one.calls]
    assert kept == ["for a only"]
    assert b"for a only" in body_of(request, first)
    assert b"for a only" not in body_of(request, second)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("kind", sorted(FALLS))
def test_every_reason_to_ask_another_model_has_words(kind: FailureKind, language: Language) -> None:
    translate = Translators().for_language(language)

    def told(of: str) -> str:
        params = {"before": "llama", "after": "Built-in assistant", "kind": of}
        return notice_text(Notice(code=MODEL_FELL_BACK, params=params), translate)

    assert "llama" in told(kind)
    assert told(kind) != told("something new")
    assert ("Built-in assistant" in told(kind)) == (language is Language.ENGLISH)


async def test_a_turn_asks_the_model_that_is_configured_when_it_begins(world: World) -> None:
    """Another process may have said a moment ago that data goes elsewhere; nothing more of it goes where it went."""
    configured_now = ScriptedModel(name="house")
    configured_now.queue(says("Here."))

    async def look() -> None:
        world.wired = configured_now

    world.live = LiveTurns(replace(world.engine, look_at_models=look), worker=world.worker)

    heard = await world.say("Hello")

    assert heard.text == "Here."
    assert (len(world.model.requests), len(configured_now.requests)) == (0, 1)
