"""Assistants that are open to the members of groups: membership counts at every call, in whatever turn (A2, B5)."""

import pytest

from nova_ui.chat.assistants import Assistants
from nova_ui.chat.situation import LOOKED_A_MOMENT_AGO
from nova_ui.domain.assistant import AudienceKind
from nova_ui.domain.chat import TextMessage
from nova_ui.errors import NovaNotFound
from tests.builders import an_assistant
from tests.chat.world import ADA, BEN, DESK, World
from tests.fakes.scripted_model import call, calls, says

SALES, STAFF = "grp_sales", "grp_staff"
LIST = call("list_groups", group_id="grp_1")


async def open_to(world: World, *group_ids: str) -> None:
    desk = an_assistant("list_groups", key=DESK, audience=AudienceKind.GROUPS, group_ids=frozenset(group_ids))
    await world.add(desk)
    world.asked_for_groups.clear()


async def test_b5_only_members_have_an_assistant_of_groups(world: World) -> None:
    """Abuse case 13."""
    await open_to(world, SALES, STAFF)
    world.members[ADA.identity.id] = {STAFF, "grp_other"}
    world.model.queue(says("Hello."))
    assistants = Assistants(world.database, world.groups_among)

    heard = await world.say("Hello", caller=ADA, assistant=DESK)

    assert heard.text == "Hello."
    assert DESK in [one.key for one in await assistants.visible_to(ADA.identity)]
    assert DESK not in [one.key for one in await assistants.visible_to(BEN.identity)]
    with pytest.raises(NovaNotFound):
        await world.say("Hello", caller=BEN, assistant=DESK)
    with pytest.raises(NovaNotFound):
        await assistants.get_for(BEN.identity, DESK)


async def test_b5_whoever_leaves_the_group_has_neither_assistant_nor_chat_any_more(world: World) -> None:
    """Abuse case 13."""
    await open_to(world, SALES)
    world.members[ADA.identity.id] = {SALES}
    world.model.queue(says("Hello."))
    heard = await world.say("Hello", caller=ADA, assistant=DESK)

    world.members.clear()

    page = await world.history.list_chats(ADA.identity)
    assert (page.items, page.hidden) == ((), 1)
    with pytest.raises(NovaNotFound):
        await world.history.get_chat(ADA.identity, heard.started.chat_id)
    with pytest.raises(NovaNotFound):
        await world.live.check_usable(ADA.identity, heard.started.turn_id)
    with pytest.raises(NovaNotFound):
        await world.start(TextMessage(text="Go on"), caller=ADA, assistant=DESK)


async def test_a2_leaving_the_group_ends_the_turn_at_its_next_call(world: World) -> None:
    """Abuse cases 4 and 13."""
    await open_to(world, SALES)
    world.members[ADA.identity.id] = {SALES}

    async def leave() -> None:
        world.members.clear()

    world.deeds.meanwhile["list_groups"] = leave
    world.model.queue(calls(LIST, call("delete_group", group_id="grp_2")), says("Never said."))

    heard = await world.say("Look", caller=ADA, assistant=DESK)

    assert len(world.deeds.done) == 1
    assert heard.outcomes == [("ok", None), ("refused", "not_released")]
    assert heard.notices == ["assistant_gone"]
    assert "Never said." not in heard.text


async def test_b5_what_a_member_is_offered_is_what_the_group_gives_now(world: World) -> None:
    """The first look counts for a moment, and so does what it found of groups: no call is refused for want of it."""
    await open_to(world, SALES)
    world.members[ADA.identity.id] = {SALES}

    async def rest() -> None:
        world.clock.move(LOOKED_A_MOMENT_AGO)

    world.deeds.meanwhile["list_groups"] = rest
    world.model.queue(calls(LIST), says("Over."))

    heard = await world.say("Look", caller=ADA, assistant=DESK)

    assert heard.outcomes == [("ok", None)]
    assert [{one.tool.name for one in request.tools} for request in world.model.requests] == [{"list_groups"}] * 2


async def test_assistants_of_no_group_cost_no_look_at_groups(world: World) -> None:
    world.asked_for_groups.clear()
    world.model.queue(calls(LIST), says("Over."))

    heard = await world.say("Look", caller=ADA)
    await Assistants(world.database, world.groups_among).visible_to(ADA.identity)
    await world.history.get_chat(ADA.identity, heard.started.chat_id)

    assert world.asked_for_groups == []
