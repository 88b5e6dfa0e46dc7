"""Rights, lists and sessions that change while a turn runs."""

import asyncio
from dataclasses import replace

import pytest

from nova_ui.chat.events import EventName
from nova_ui.chat.situation import LOOKED_A_MOMENT_AGO
from nova_ui.domain.assistant import ADMIN_CHAT_KEY, AssistantKey
from nova_ui.domain.chat import TextMessage
from nova_ui.errors import NovaNotFound, NovaUnauthenticated
from storage.workers import Worker
from tests.builders import an_assistant, an_identity
from tests.chat.world import ADA, BEN, ROOT, World
from tests.fakes.scripted_model import call, calls, says

LIST = call("list_groups", group_id="grp_1")
DELETE = call("delete_group", group_id="grp_1")
ELSEWHERE = Worker(host="elsewhere", pid=7, token="second")


async def test_g2_nobody_follows_or_stops_another_identitys_turn(world: World) -> None:
    """Abuse case 58."""
    heard = await world.say("Hello", caller=ADA)

    with pytest.raises(NovaNotFound):
        await world.hear(heard.started, caller=ROOT)
    with pytest.raises(NovaNotFound):
        await world.live.stop(BEN.identity.id, heard.started.turn_id)
    with pytest.raises(NovaNotFound):
        await world.say("Go on", caller=BEN, chat_id=heard.started.chat_id)


async def test_b5_an_assistant_that_is_not_for_one_does_not_exist(world: World) -> None:
    """Abuse case 13."""
    with pytest.raises(NovaNotFound) as closed:
        await world.say("Hello", caller=ADA, assistant=ADMIN_CHAT_KEY)
    with pytest.raises(NovaNotFound) as missing:
        await world.say("Hello", caller=ADA, assistant=AssistantKey("nothing"))

    assert closed.value.detail == missing.value.detail


async def test_f1_a_tools_calls_carry_the_assistant_as_their_origin(world: World) -> None:
    """Abuse case 56."""
    world.model.queue(calls(LIST), says("Over."))

    await world.say("Look")

    assert [(caller.session_id, origin.via) for caller, origin in world.nova.opened] == [
        (ROOT.session_id, "ai_chat:helpdesk")
    ]


async def test_a2_after_the_session_ended_the_next_call_is_refused_and_the_turn_ends(world: World) -> None:
    """Abuse case 4."""

    async def sign_out() -> None:
        del world.sessions[ROOT.session_id]

    world.deeds.meanwhile["list_groups"] = sign_out
    world.model.queue(calls(LIST, call("update_group", group_id="grp_1")), says("Never said."))

    heard = await world.say("Look, then change it")

    assert world.deeds.names == ["list_groups"]
    assert heard.outcomes == [("ok", None), ("refused", "not_permitted")]
    assert heard.notices == ["session_ended"]
    assert "Never said." not in heard.text


async def test_a2_a_withdrawn_role_counts_from_the_next_call_on(world: World) -> None:
    """Abuse case 4."""

    async def withdraw() -> None:
        world.sessions[ROOT.session_id] = an_identity(identity_id="idn_root", user_name="root")

    world.deeds.meanwhile["list_groups"] = withdraw
    world.model.queue(calls(LIST, call("archive_group", group_id="grp_1")), says("Never said."))

    heard = await world.say("Look, then change it")

    assert heard.outcomes == [("ok", None), ("refused", "not_permitted")]
    assert heard.notices == ["session_ended"]
    assert "permissions have changed" in str(heard.one(EventName.NOTICE)["text"])


async def test_a2_a_session_that_ends_stops_its_turn_at_once(world: World) -> None:
    hold = asyncio.Event()
    world.model.queue(replace(says("Still "), holds_before_end=hold))
    started = await world.start(TextMessage(text="Tell me"))
    await world.until_following(started.turn_id, EventName.TEXT)

    world.live.session_ended(frozenset({ROOT.session_id}))
    heard = await world.hear(started)

    assert heard.text == "Still "
    assert heard.notices == ["session_ended"]


async def test_a2_nobody_sends_through_an_ended_or_foreign_session(world: World) -> None:
    """Abuse cases 5 and 6."""
    stranger = replace(ADA, session_id=BEN.session_id)
    ended = replace(ADA, session_id=ROOT.session_id)
    del world.sessions[ROOT.session_id]

    for caller in (stranger, ended):
        with pytest.raises(NovaUnauthenticated):
            await world.say("Hello", caller=caller)


async def test_b7_a_tool_taken_off_is_refused_at_once_and_one_added_from_the_next_message_on(world: World) -> None:
    """Abuse case 12."""
    await world.add(an_assistant("list_groups", "update_group", key="helpdesk"))

    async def change_list() -> None:
        await world.add(an_assistant("list_groups", "delete_group", key="helpdesk"))

    world.deeds.meanwhile["list_groups"] = change_list
    write = call("update_group", group_id="grp_1")
    world.model.queue(calls(LIST, write, DELETE), says("Over."), calls(DELETE), says("Confirm."))

    during = await world.say("Look")
    after = await world.say("Delete it")

    assert during.outcomes[1:] == [("refused", "not_released")] * 2
    assert after.outcomes == [("refused", "confirmation_required")]


async def test_a3_after_a_call_that_took_long_the_model_is_offered_what_holds_now(world: World) -> None:
    async def change_list() -> None:
        await world.add(an_assistant("list_groups", key="helpdesk"))
        world.clock.move(LOOKED_A_MOMENT_AGO)

    world.deeds.meanwhile["list_groups"] = change_list
    world.model.queue(calls(LIST), says("Over."))

    await world.say("Look")

    offered = [{one.tool.name for one in request.tools} for request in world.model.requests]
    assert "update_group" in offered[0]
    assert offered[1] == {"list_groups"}


async def test_a2_after_a_call_that_took_long_no_model_is_asked_for_a_session_that_ended(world: World) -> None:
    async def sign_out() -> None:
        del world.sessions[ROOT.session_id]
        world.clock.move(LOOKED_A_MOMENT_AGO)

    world.deeds.meanwhile["list_groups"] = sign_out
    world.model.queue(calls(LIST), says("Never said."))

    heard = await world.say("Look")

    assert len(world.model.requests) == 1
    assert heard.notices == ["session_ended"]
