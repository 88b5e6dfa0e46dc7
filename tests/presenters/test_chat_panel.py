import asyncio
from datetime import timedelta
from typing import Final

import pytest

from nova_ui.chat.events import EventName
from nova_ui.chat.live_turns import TurnStarted
from nova_ui.domain.chat import ChatId, ConfirmMessage, TextMessage, ToolMessage, TurnId, TurnRecord, TurnState
from nova_ui.domain.identity import Identity, Language
from nova_ui.domain.preview import CloseReason
from nova_ui.errors import NovaConflict, NovaUnavailable
from nova_ui.i18n.translator import Translators
from nova_ui.presenters.chat_panel import ChatPanelPresenter
from nova_ui.presenters.problem_words import Told
from nova_ui.presenters.replay import preview_data
from nova_ui.presenters.turn_parts import CallLine, Card
from nova_ui.presenters.turn_view import TurnView
from tests.builders import NOW, a_caller, a_preview, an_identity
from tests.fakes.chat_doors import FakeDoors

TR: Final = Translators().for_language(Language.ENGLISH)


class Screen:
    """A panel and what it told."""

    def __init__(self, identity: Identity | None = None) -> None:
        self.fake = FakeDoors()
        self.panel = ChatPanelPresenter(self.fake.doors(), a_caller(identity), TR)
        self.told: list[Told] = []
        self.added: list[TurnView] = []
        self.panel.told.subscribe(self.told.append)
        self.panel.turn_added.subscribe(self.added.append)

    async def with_card(self) -> Card:
        """Have a first turn that ends with a card."""
        await self.panel.load()
        await self.panel.send_text("Delete it")
        data = preview_data(a_preview(), self.fake.tools, TR)
        self.fake.turns.happen("trn_1", EventName.PREVIEW, **data)
        self.fake.turns.happen("trn_1", EventName.DONE, model="m", model_calls=1)
        await self.panel.follow(self.added[-1])
        return self.added[-1].cards[0]


@pytest.fixture
def screen() -> Screen:
    return Screen()


async def test_the_first_assistant_is_chosen_and_the_chat_is_empty(screen: Screen) -> None:
    await screen.panel.load()

    assert screen.panel.assistant is not None
    assert screen.panel.assistant.key == "helpdesk"
    assert (screen.panel.turns, screen.panel.chat_id, screen.panel.can_send) == ([], None, True)


async def test_b5_an_assistant_that_one_does_not_have_is_not_chosen_by_its_key() -> None:
    screen = Screen(an_identity())

    await screen.panel.load(assistant_key="admin")

    assert [one.key for one in screen.panel.assistants] == ["helpdesk"]
    assert screen.panel.assistant is not None
    assert screen.panel.assistant.key == "helpdesk"


async def test_a_message_goes_to_the_assistant_and_the_next_one_to_the_same_chat(screen: Screen) -> None:
    await screen.panel.load()

    assert await screen.panel.send_text("  Hello  ")
    screen.fake.turns.happen("trn_1", EventName.DONE, model="m", model_calls=1)
    await screen.panel.follow(screen.added[0])
    assert await screen.panel.send_tool("list_groups", {"q": "x"})

    assert screen.fake.turns.sent == [
        ("helpdesk", TextMessage(text="Hello"), None),
        ("helpdesk", ToolMessage(tool_name="list_groups", arguments={"q": "x"}), ChatId("cht_1")),
    ]


async def test_nothing_is_sent_while_an_answer_runs_and_the_person_is_told(screen: Screen) -> None:
    await screen.panel.load()
    await screen.panel.send_text("One")

    assert not await screen.panel.send_text("Two")

    assert len(screen.fake.turns.sent) == 1
    assert "still answering" in screen.told[0].text


@pytest.mark.parametrize("text", ["", "   ", "\n"])
async def test_an_empty_message_is_not_sent(screen: Screen, text: str) -> None:
    await screen.panel.load()

    assert not await screen.panel.send_text(text)

    assert screen.fake.turns.sent == []


async def test_what_was_not_accepted_is_kept_and_explained(screen: Screen) -> None:
    await screen.panel.load()
    screen.fake.turns.refuse_with = NovaUnavailable("away")

    assert not await screen.panel.send_text("Hello")

    assert screen.told[0] == Told(
        text="Nova could not be reached.", next_step="Your message is kept. Please try again in a moment."
    )
    assert screen.panel.can_send


async def test_c8_confirming_sends_the_id_of_the_preview_and_nothing_else(screen: Screen) -> None:
    card = await screen.with_card()

    await screen.panel.confirm(card)

    assert screen.fake.turns.sent[1:] == [("helpdesk", ConfirmMessage(preview_id=card.preview_id), ChatId("cht_1"))]
    assert card.is_pending


async def test_c10_a_double_press_is_one_confirmation(screen: Screen) -> None:
    card = await screen.with_card()

    await asyncio.gather(screen.panel.confirm(card), screen.panel.confirm(card))

    assert len(screen.fake.turns.sent) == 2


async def test_a_reply_closes_the_card_of_the_turn_before(screen: Screen) -> None:
    card = await screen.with_card()
    await screen.panel.confirm(card)

    screen.fake.turns.happen("trn_2", EventName.PREVIEW_CLOSED, preview_id="prv_1", reason="executed")
    screen.fake.turns.happen("trn_2", EventName.DONE, model="m", model_calls=1)
    await screen.panel.follow(screen.added[-1])

    assert (card.closed, card.is_pending) == (CloseReason.EXECUTED, False)


async def test_a_card_that_another_tab_used_up_says_so(screen: Screen) -> None:
    card = await screen.with_card()
    screen.fake.turns.refuse_with = NovaConflict(code="confirmation_invalid", extra={"reason": "executed"})

    await screen.panel.confirm(card)

    assert card.closed is CloseReason.EXECUTED
    assert card.was_closed_elsewhere
    assert screen.told == []  # the card itself says it


async def test_a_press_that_did_not_arrive_can_be_repeated(screen: Screen) -> None:
    card = await screen.with_card()
    screen.fake.turns.refuse_with = NovaUnavailable("away")

    await screen.panel.confirm(card)

    assert card.can_be_confirmed


async def test_c12_cancel_makes_the_card_void(screen: Screen) -> None:
    card = await screen.with_card()

    await screen.panel.cancel(card)

    assert screen.fake.turns.cancelled == ["prv_1"]
    assert card.closed is CloseReason.CANCELLED

    await screen.panel.confirm(card)

    assert len(screen.fake.turns.sent) == 1


async def test_c5_the_buttons_go_after_the_last_moment_and_not_at_it(screen: Screen) -> None:
    card = await screen.with_card()
    screen.fake.clock.moment = card.expires_at

    screen.panel.expire(card)

    assert card.closed is None

    screen.fake.clock.moment = card.expires_at + timedelta(milliseconds=1)
    screen.panel.expire(card)

    assert card.closed is CloseReason.EXPIRED


async def test_stop_stops_the_running_turn(screen: Screen) -> None:
    await screen.panel.load()
    await screen.panel.send_text("One")

    await screen.panel.stop()

    assert screen.fake.turns.stopped == ["trn_1"]


async def test_an_answer_whose_events_stop_says_that_it_broke_off(screen: Screen) -> None:
    await screen.panel.load()
    await screen.panel.send_text("One")
    screen.fake.turns.happen("trn_1", EventName.TEXT, delta="Half an")

    await screen.panel.follow(screen.added[0])

    assert screen.added[0].state is TurnState.FAILED
    assert screen.added[0].answer == "Half an"


def a_record(turn_id: str, text: str, *, ended: bool = True) -> TurnRecord:
    return TurnRecord(
        id=TurnId(turn_id),
        number=1,
        message=TextMessage(text=text),
        state=TurnState.DONE if ended else TurnState.RUNNING,
        started_at=NOW,
        finished_at=NOW if ended else None,
    )


async def test_a_reload_brings_back_the_running_turn_from_its_beginning(screen: Screen) -> None:
    screen.fake.history.turns = (a_record("trn_8", "Before"), a_record("trn_9", "Now", ended=False))
    screen.fake.turns.running_turn = TurnStarted(turn_id=TurnId("trn_9"), chat_id=ChatId("cht_7"))
    screen.fake.turns.happen("trn_9", EventName.TOOL_CALL, call_id="c", name="list_groups", kind="read", arguments={})
    screen.fake.turns.happen("trn_9", EventName.DONE, model="m", model_calls=1)

    await screen.panel.load(chat_id="cht_7")
    await screen.panel.follow(screen.added[0])

    assert [turn.turn_id for turn in screen.panel.turns] == ["trn_8", "trn_9"]
    assert [turn.turn_id for turn in screen.added] == ["trn_9"]
    assert screen.fake.turns.followed_from == [0]
    assert isinstance(screen.panel.turns[1].parts[0], CallLine)


async def test_an_address_without_a_chat_finds_the_running_answer(screen: Screen) -> None:
    screen.fake.history.turns = (a_record("trn_9", "Now", ended=False),)
    screen.fake.turns.running_turn = TurnStarted(turn_id=TurnId("trn_9"), chat_id=ChatId("cht_7"))

    await screen.panel.load()

    assert screen.panel.chat_id == "cht_7"


async def test_g2_a_chat_that_is_not_ones_own_is_told_like_one_that_does_not_exist(screen: Screen) -> None:
    await screen.panel.load(chat_id="cht_of_somebody_else")

    assert screen.panel.chat_id is None
    assert screen.told[0].text == "This chat does not exist any more, or is not open to you."


async def test_asking_again_sends_the_same_words(screen: Screen) -> None:
    await screen.panel.load()
    await screen.panel.send_text("Hello")
    screen.fake.turns.happen("trn_1", EventName.DONE, model="m", model_calls=1)
    await screen.panel.follow(screen.added[0])

    await screen.panel.ask_again(screen.added[0])

    assert [message for _key, message, _chat in screen.fake.turns.sent] == [TextMessage(text="Hello")] * 2


async def test_the_last_message_can_be_taken_back(screen: Screen) -> None:
    screen.fake.history.turns = (a_record("trn_1", "First"), a_record("trn_2", "Second"))

    await screen.panel.load(chat_id="cht_1")

    assert screen.panel.last_text == "Second"


async def test_turning_to_another_assistant_begins_a_new_chat(screen: Screen) -> None:
    screen.fake.history.turns = (a_record("trn_1", "First"),)
    await screen.panel.load(chat_id="cht_1")

    await screen.panel.choose_key("admin")

    assert screen.panel.assistant is not None
    assert (screen.panel.assistant.key, screen.panel.chat_id, screen.panel.turns) == ("admin", None, [])
