"""A long chat is cut to what the model can read: by whole turns, with a word about it."""

import pytest

from nova_ui.chat.prompt import MAX_HISTORY_CHARS, Earlier, history_budget
from nova_ui.domain.chat import ChatId
from nova_ui.errors import FailureKind
from nova_ui.llm.port import AssistantMessage, ModelRequest, ResultMessage, UserMessage
from tests.chat.world import World
from tests.fakes.scripted_model import call, calls, fails, says

LIST = call("list_groups", group_id="grp_1")


def asked_before(request: ModelRequest) -> list[str]:
    return [one.text for one in request.messages if isinstance(one, UserMessage)][:-1]


async def a_long_chat(world: World) -> ChatId:
    world.model.queue(calls(LIST), says("One."))
    first = await world.say("first")
    for text in ("second", "third"):
        world.model.queue(calls(LIST), says("One."))
        await world.say(text, chat_id=first.started.chat_id)
    return first.started.chat_id


async def test_a_small_window_leaves_out_the_oldest_turns_whole_and_says_so(world: World) -> None:
    chat_id = await a_long_chat(world)
    world.model.context_tokens = 200

    world.model.queue(says("Yes."))
    heard = await world.say("fourth", chat_id=chat_id)

    request = world.model.requests[-1]
    assert asked_before(request) == ["third"]
    made = [made.call_id for one in request.messages if isinstance(one, AssistantMessage) for made in one.calls]
    assert made == [one.call_id for one in request.messages if isinstance(one, ResultMessage)]
    assert heard.notices == ["earlier_left_out"]


async def test_a_chat_that_fits_is_sent_whole_and_nothing_is_said(world: World) -> None:
    chat_id = await a_long_chat(world)

    world.model.queue(says("Yes."))
    heard = await world.say("fourth", chat_id=chat_id)

    assert asked_before(world.model.requests[-1]) == ["first", "second", "third"]
    assert heard.notices == []


async def test_where_the_model_finds_it_too_long_half_of_it_is_left_out_until_it_fits(world: World) -> None:
    chat_id = await a_long_chat(world)
    world.model.requests.clear()

    world.model.queue(fails(FailureKind.TOO_LONG), fails(FailureKind.TOO_LONG), says("Yes."))
    heard = await world.say("fourth", chat_id=chat_id)

    assert [asked_before(one) for one in world.model.requests] == [["first", "second", "third"], ["third"], []]
    assert heard.text == "Yes."
    assert heard.notices == ["earlier_left_out", "earlier_left_out"]
    assert heard.events[-1].data["model_calls"] == 3


async def test_a_message_that_is_too_long_by_itself_is_not_asked_again(world: World) -> None:
    world.model.queue(fails(FailureKind.TOO_LONG), says("never"))

    heard = await world.say("first")

    assert len(world.model.requests) == 1
    assert heard.notices == ["model_failed"]


async def test_what_has_begun_to_arrive_is_not_asked_for_again(world: World) -> None:
    chat_id = await a_long_chat(world)
    world.model.requests.clear()

    world.model.queue(fails(FailureKind.TOO_LONG, after="Well"), says("never"))
    heard = await world.say("fourth", chat_id=chat_id)

    assert len(world.model.requests) == 1
    assert heard.notices == ["model_failed"]


@pytest.mark.parametrize(
    ("context_tokens", "chars"), [(None, MAX_HISTORY_CHARS), (1_000_000, MAX_HISTORY_CHARS), (8_000, 9_600)]
)
def test_the_budget_follows_the_window(context_tokens: int | None, chars: int) -> None:
    assert history_budget(context_tokens) == chars


def test_there_is_an_end_to_leaving_out() -> None:
    earlier = Earlier(turns=[[UserMessage(text=str(number))] for number in range(5)])

    dropped = 0
    while earlier.leave_out_more():
        dropped += 1

    assert (dropped, earlier.left_out, earlier.messages) == (3, 5, [])
