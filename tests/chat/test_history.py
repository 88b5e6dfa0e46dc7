"""G: own chats, found again, exported and deleted."""

import asyncio
import base64
import json
from dataclasses import replace
from datetime import timedelta

import pytest

from nova_ui.chat.events import EventName
from nova_ui.chat.history import ExportFormat
from nova_ui.domain.assistant import AudienceKind
from nova_ui.domain.chat import ChatId, TextMessage
from nova_ui.errors import NovaInvalid, NovaNotFound
from storage.chat.turns import TurnTable
from tests.builders import an_assistant
from tests.chat.world import ADA, BEN, DESK, HELPDESK, ROOT, World
from tests.fakes.scripted_model import call, calls, says

DELETE = call("delete_group", group_id="grp_1")


async def _chats(world: World, *texts: str) -> list[ChatId]:
    made = []
    for text in texts:
        world.clock.move(timedelta(seconds=1))
        made.append((await world.say(text, caller=ADA)).started.chat_id)
    return made


async def test_g1_chats_open_again_with_messages_steps_and_cards(world: World) -> None:
    world.model.queue(calls(DELETE, text="I will."), says("Please confirm."))
    heard = await world.say("Delete the contractors")

    opened = await world.history.get_chat(ROOT.identity, heard.started.chat_id)

    (turn,) = opened.chat.turns
    assert opened.chat.title == "Delete the contractors"
    assert turn.message == TextMessage(text="Delete the contractors")
    assert [step.text for step in turn.steps] == ["I will.", "Please confirm."]
    assert turn.steps[0].calls[0].preview_id == heard.preview_id
    assert turn.preview_ids == (heard.preview_id,)
    assert opened.open_preview_id == heard.preview_id
    assert turn.model == "scripted"
    assert turn.usage == {"input_tokens": 20, "output_tokens": 4, "model_calls": 2}


async def test_g1_a_card_is_open_until_the_next_message_or_the_end_of_its_time(world: World) -> None:
    world.model.queue(calls(DELETE), says("Please confirm."))
    heard = await world.say("Delete it")
    world.clock.move(timedelta(minutes=10, milliseconds=1))
    late = await world.history.get_chat(ROOT.identity, heard.started.chat_id)
    await world.say("Hello")
    after = await world.history.get_chat(ROOT.identity, heard.started.chat_id)

    assert late.open_preview_id is None
    assert after.open_preview_id is None


async def test_g1_the_list_is_newest_first_in_pages_that_neither_skip_nor_repeat(world: World) -> None:
    made = await _chats(world, "one", "two", "three", "four", "five")

    first = await world.history.list_chats(ADA.identity, limit=2)
    second = await world.history.list_chats(ADA.identity, limit=2, cursor=first.next_cursor)
    third = await world.history.list_chats(ADA.identity, limit=2, cursor=second.next_cursor)

    seen = [chat.id for page in (first, second, third) for chat in page.items]
    assert seen == made[::-1]
    assert third.next_cursor is None
    assert first.total == 5


@pytest.mark.parametrize(
    ("q", "found"), [("GRÜSSE", 1), ("100%", 1), ("%", 1), ("_", 0), ("nothing to add", 2), ("x", 0)]
)
async def test_g1_text_is_found_in_messages_and_answers_without_regard_to_case(
    world: World, q: str, found: int
) -> None:
    await _chats(world, "Viele Grüsse", "100% sure")

    page = await world.history.list_chats(ADA.identity, q=q)

    assert len(page.items) == found


async def test_g2_an_identity_sees_only_its_own(world: World) -> None:
    """Abuse case 58."""
    (chat_id,) = await _chats(world, "Ada's secret plan")

    for foreign in (BEN.identity, ROOT.identity):
        assert (await world.history.list_chats(foreign, q="secret")).items == ()
        for use in (
            world.history.get_chat(foreign, chat_id),
            world.history.rename(foreign, chat_id, "Mine"),
            world.history.export(foreign, chat_id, ExportFormat.MARKDOWN),
            world.history.delete(foreign, chat_id),
        ):
            with pytest.raises(NovaNotFound):
                await use
        assert await world.history.clear_all(foreign) == 0
    assert (await world.history.get_chat(ADA.identity, chat_id)).chat.title == "Ada's secret plan"


async def test_g3_clear_all_takes_only_own_chats_with_their_cards_and_leaves_the_counter(world: World) -> None:
    """Abuse case 58."""
    await _chats(world, "one", "two")
    await world.say("desk", caller=ADA, assistant=DESK)
    await world.say("Ben's", caller=BEN)

    of_desk = await world.history.clear_all(ADA.identity, DESK)
    rest = await world.history.clear_all(ADA.identity)

    assert (of_desk, rest) == (1, 2)
    assert (await world.history.list_chats(ADA.identity)).items == ()
    assert len((await world.history.list_chats(BEN.identity)).items) == 1
    async with world.database.reading() as session:
        assert await TurnTable(session).last_number(ADA.identity.id, HELPDESK) == 2


async def test_g3_a_running_turn_is_stopped_before_its_chat_goes(world: World) -> None:
    world.model.queue(replace(says("Long."), holds_before_end=asyncio.Event()))
    started = await world.start(TextMessage(text="Tell me"))
    await world.until_following(started.turn_id, EventName.TEXT)

    await world.history.delete(ROOT.identity, started.chat_id)

    assert await world.live.running(ROOT.identity.id, HELPDESK) is None
    assert (await world.history.list_chats(ROOT.identity)).items == ()
    assert (await world.say("Hello")).text == "Nothing to add."


async def test_g4_losing_an_assistant_hides_its_chats_from_use_but_not_from_deletion(world: World) -> None:
    first, second = await _chats(world, "one", "two")
    await world.add(an_assistant(key="helpdesk", audience=AudienceKind.ADMINISTRATORS))

    page = await world.history.list_chats(ADA.identity)

    assert (page.items, page.total, page.hidden) == ((), 0, 2)
    for use in (
        world.history.get_chat(ADA.identity, first),
        world.history.rename(ADA.identity, first, "Mine"),
        world.history.export(ADA.identity, first, ExportFormat.JSON),
        world.say("Go on", caller=ADA, chat_id=first),
    ):
        with pytest.raises(NovaNotFound):
            await use
    await world.history.delete(ADA.identity, first)
    assert await world.history.clear_all(ADA.identity) == 1
    assert second


@pytest.mark.parametrize("title", ["", "  ", "x" * 201])
async def test_a_title_that_is_none_is_refused(world: World, title: str) -> None:
    (chat_id,) = await _chats(world, "one")

    with pytest.raises(NovaInvalid):
        await world.history.rename(ADA.identity, chat_id, title)


@pytest.mark.parametrize(
    "place",
    [
        ["9999-12-31T23:59:59-23:59", "cht_1"],
        ["0001-01-01T00:00:00+23:59", "cht_1"],
        ["2026-01-01T00:00:00", "cht_1"],
        ["2026-01-01T00:00:00+00:00", "\x00"],
        ["2026-01-01T00:00:00+00:00", "\ud800"],
        ["2026-01-01T00:00:00+00:00", 5],
    ],
)
async def test_a_forged_place_in_a_cursor_is_refused(world: World, place: list[str | int]) -> None:
    cursor = base64.urlsafe_b64encode(json.dumps(place).encode()).decode()

    with pytest.raises(NovaInvalid):
        await world.history.list_chats(ADA.identity, cursor=cursor)


@pytest.mark.parametrize("cursor", ["", "nonsense", "W10=", "WyJ4IiwieSJd", "Wy0xLCAieSJd", "ü"])
async def test_a_foreign_cursor_is_refused(world: World, cursor: str) -> None:
    with pytest.raises(NovaInvalid):
        await world.history.list_chats(ADA.identity, cursor=cursor)


async def test_a_long_first_message_makes_a_short_title(world: World) -> None:
    (chat_id,) = await _chats(world, "\n Please show me all the groups that nobody has looked at for a long time\nHi")

    opened = await world.history.get_chat(ADA.identity, chat_id)

    assert opened.chat.title == "Please show me all the groups that nobody has looked at for…"


async def test_an_export_has_a_safe_name_and_no_way_out_of_its_code_blocks(world: World) -> None:
    """Abuse case 61."""
    world.deeds.result = {"note": "```\n# Not a heading\n````"}
    world.model.queue(calls(call("list_groups", group_id="grp_1")), says("One."))
    heard = await world.say("../../etc/passwd\r\nSet-Cookie: x=1")

    markdown = await world.history.export(ROOT.identity, heard.started.chat_id, ExportFormat.MARKDOWN)
    as_json = await world.history.export(ROOT.identity, heard.started.chat_id, ExportFormat.JSON)

    assert markdown.file_name == "etc-passwd.md"
    assert "`````text" in markdown.content
    assert json.loads(as_json.content)["turns"][0]["steps"][1]["text"] == "One."
