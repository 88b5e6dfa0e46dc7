"""D: secrets that a tool returns reach neither the model nor browser nor history: through the engine."""

import json

import pytest

from nova_ui.domain.json_value import JsonValue
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
