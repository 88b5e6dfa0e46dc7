"""A card on the screen, and why a press of it is refused."""

import pytest

from nova_ui.domain.chat import PreviewId
from nova_ui.domain.tool import RawCall
from nova_ui.errors import NovaConflict
from tests.chat.world import Heard, World
from tests.fakes.scripted_model import call, calls, says

DELETE = call("delete_group", group_id="grp_1")
CONFIRMED = call("delete_group", group_id="grp_1", confirmed=True)


async def a_card(world: World, delete: RawCall = DELETE) -> Heard:
    world.model.queue(calls(delete), says("Please confirm."))
    return await world.say("Delete the contractors")


async def why_not(world: World, preview_id: PreviewId) -> object:
    with pytest.raises(NovaConflict) as raised:
        await world.press(preview_id)
    assert raised.value.code == "confirmation_invalid"
    return raised.value.extra["reason"]
