"""D: secrets that a tool returns reach neither the model nor browser nor history: through the engine."""

import json
from dataclasses import replace

import pytest

from nova_ui.chat.history import ChatHistory
from nova_ui.chat.live_turns import LiveTurns
from nova_ui.domain.json_value import JsonValue
from nova_ui.guardrails.known_secrets import KnownSecrets, lengths_by_beginning
from tests.builders import an_assistant
from tests.chat.world import ROOT, World
from tests.fakes.scripted_model import call, calls, says

SECRET = "q7Zr2vN8xK4mT1wB9pLd"
LIVE = f"ghp_{'A1b2C3d4' * 5}"  # known by its length as well: a part of it looks like nothing
HARMLESS = "a long description "


async def _told(world: World, result: JsonValue) -> str:
    """Return everything that left the engine for a result: events, history and the model's requests."""
    world.deeds.result = result
    world.model.queue(calls(call("list_groups", group_id="grp_1")), says("There."))
    heard = await world.say("List them")
    chat = await world.history.get_chat(ROOT.identity, heard.started.chat_id)
    return (
        json.dumps([event.data for event in heard.events])
        + repr(chat)
        + repr([request.messages for request in world.model.requests])
    )


@pytest.mark.parametrize("before", range(11_500, 12_000, 16))
async def test_d3_e4_a_secret_that_lies_across_the_limit_is_replaced_before_the_cut(world: World, before: int) -> None:
    """Abuse case 47."""
    text = (HARMLESS * 700)[:before] + f" {LIVE} " + HARMLESS * 50

    told = await _told(world, {"note": text})

    assert HARMLESS * 20 in told
    assert LIVE[:6] not in told
    assert "[secre\\" not in told
    assert "[sec\\" not in told


async def test_d3_a_secret_that_is_known_is_replaced_under_every_other_name(world: World) -> None:
    """Abuse case 46."""
    change: JsonValue = {"field": "bind_password", "old": SECRET, "new": f"{SECRET}2"}

    told = await _told(world, {"changes": [change], "note": f"it was {SECRET}", "value": SECRET, SECRET: 1})

    assert "[secret]" in told
    assert SECRET not in told


async def test_d3_what_became_a_stored_secret_later_reaches_no_model_any_more(world: World) -> None:
    """Abuse case 46. It was written before anybody could know it, by everybody who writes: person, model and tool."""
    later = KnownSecrets(recognises=lambda text: text == SECRET, lengths=lengths_by_beginning({SECRET}))
    world.deeds.result = {"note": f"it is {SECRET}"}
    world.model.queue(calls(call("list_groups", group_id=SECRET)), says(f"It was {SECRET}."), says("Yes."))
    first = await world.say(f"Is {SECRET} the word for the tax office?")
    assert _read(world).count(SECRET) > 1
    world.model.requests.clear()

    async def known() -> KnownSecrets:
        return later

    world.engine.gate.known_secrets = known
    await world.say("And now?", chat_id=first.started.chat_id)

    assert "[secret]" in _read(world)
    assert SECRET not in _read(world)


async def test_d4_a_message_that_held_a_stored_secret_is_in_the_log_without_it(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    """To see one hidden is to know that the guess was right, so whoever guesses on and on is seen as well."""

    async def known() -> KnownSecrets:
        return KnownSecrets(recognises=lambda text: text == SECRET, lengths=lengths_by_beginning({SECRET}))

    world.engine.gate.known_secrets = known
    world.live = LiveTurns(world.engine, worker=world.worker)
    await world.say("Is it Winter2018 or Summer2019?")
    assert "message.held_stored_secret" not in caplog.messages

    await world.say(f"Is it Winter2018 or {SECRET}?")

    (found,) = [one for one in caplog.records if one.getMessage() == "message.held_stored_secret"]
    assert found.__dict__["identity"] == ROOT.identity.id
    assert SECRET not in repr(found.__dict__)


async def test_d4_a_stored_secret_is_no_title_of_a_chat(world: World) -> None:
    async def known() -> KnownSecrets:
        return KnownSecrets(recognises=lambda text: text == SECRET, lengths=lengths_by_beginning({SECRET}))

    history = ChatHistory(world.database, world.clock, world.live, world.groups_among, known_secrets=known)
    said = await world.say("Hello")

    renamed = await history.rename(ROOT.identity, said.started.chat_id, f"About {SECRET} and {LIVE}")

    assert renamed.title == "About [secret] and [secret]"
    assert (await history.get_chat(ROOT.identity, said.started.chat_id)).chat.title == renamed.title


async def test_d3_a_stored_secret_in_an_assistant_s_prompt_reaches_no_model(world: World) -> None:
    """Abuse case 46."""
    later = KnownSecrets(recognises=lambda text: text == SECRET, lengths=lengths_by_beginning({SECRET}))
    await world.add(replace(an_assistant(*world.tools, key="helpdesk"), prompt=f"Sign in with {SECRET}, {{name}}."))

    async def known() -> KnownSecrets:
        return later

    world.engine.gate.known_secrets = known
    world.model.queue(says("Yes."))
    await world.say("Hello")

    assert "Sign in with [secret]" in _read(world)
    assert SECRET not in _read(world)


def _read(world: World) -> str:
    return repr([request.messages for request in world.model.requests])
