"""What other tabs and scripts of the same person do, seen in an open panel."""

import asyncio
from dataclasses import replace
from typing import Final

import pytest

from nova_ui.chat.events import EventName
from nova_ui.chat.live_turns import TurnStarted
from nova_ui.chat.news import PreviewClosed, TurnBegun
from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.chat import ChatId, TextMessage, TurnId, TurnRecord, TurnState
from nova_ui.domain.identity import Language
from nova_ui.domain.preview import CloseReason
from nova_ui.i18n.translator import Translators
from nova_ui.presenters.confirmation import ConfirmationWords
from tests.builders import NOW, a_preview
from tests.presenters.test_chat_panel import Screen

TR: Final = Translators().for_language(Language.ENGLISH)
HELPDESK: Final = AssistantKey("helpdesk")


@pytest.fixture
def screen() -> Screen:
    return Screen()


def begun(turn_id: str, chat_id: str, assistant_key: AssistantKey = HELPDESK) -> TurnBegun:
    message = TextMessage(text="Hello")
    return TurnBegun(turn_id=TurnId(turn_id), chat_id=ChatId(chat_id), assistant_key=assistant_key, message=message)


def a_record(turn_id: str) -> TurnRecord:
    return TurnRecord(
        id=TurnId(turn_id),
        number=1,
        message=TextMessage(text="Hello"),
        state=TurnState.DONE,
        started_at=NOW,
        finished_at=NOW,
    )


async def test_a_card_cancelled_in_another_tab_says_so_and_can_no_longer_be_confirmed(screen: Screen) -> None:
    card = await screen.with_card()

    await screen.panel.take(PreviewClosed(preview_id=card.preview_id, reason=CloseReason.CANCELLED))

    assert not card.can_be_confirmed
    assert ConfirmationWords(card, TR).void == "Cancelled in another tab. Nothing was executed from this card."


async def test_a_card_cancelled_here_does_not_speak_of_another_tab(screen: Screen) -> None:
    card = await screen.with_card()

    await screen.panel.cancel(card)
    await screen.panel.take(PreviewClosed(preview_id=card.preview_id, reason=CloseReason.CANCELLED))

    assert ConfirmationWords(card, TR).void == "Cancelled. Nothing was executed."


async def test_a_turn_begun_in_another_tab_of_the_same_chat_appears_and_closes_the_card(screen: Screen) -> None:
    card = await screen.with_card()
    fake = screen.fake.turns

    await screen.panel.take(begun("trn_9", "cht_1"))
    fake.happen("trn_9", EventName.PREVIEW_CLOSED, preview_id=card.preview_id, reason="executed")
    fake.happen("trn_9", EventName.DONE, model="m", model_calls=1)
    await screen.panel.follow(screen.added[-1])

    assert [turn.turn_id for turn in screen.panel.turns] == ["trn_1", "trn_9"]
    assert screen.added[-1].is_from_elsewhere
    assert ConfirmationWords(card, TR).void == "Executed in another tab."


async def test_a_turn_begun_in_another_chat_is_named_and_closes_the_card_here(screen: Screen) -> None:
    card = await screen.with_card()
    fake = screen.fake.turns
    watched: list[TurnStarted] = []
    screen.panel.begun_elsewhere.subscribe(watched.append)

    await screen.panel.take(begun("trn_9", "cht_9"))
    named = screen.panel.elsewhere
    fake.happen("trn_9", EventName.PREVIEW_CLOSED, preview_id=card.preview_id, reason="message_between")
    fake.happen("trn_9", EventName.DONE, model="m", model_calls=1)
    await screen.panel.follow_elsewhere(watched[0])

    assert named == TurnStarted(turn_id=TurnId("trn_9"), chat_id=ChatId("cht_9"))
    assert screen.panel.elsewhere is None
    assert "answered otherwise in another tab" in ConfirmationWords(card, TR).void
    assert len(screen.panel.turns) == 1


async def test_news_of_other_assistants_and_of_own_turns_change_nothing(screen: Screen) -> None:
    await screen.with_card()

    await screen.panel.take(begun("trn_9", "cht_9", AssistantKey("admin")))
    await screen.panel.take(begun("trn_1", "cht_1"))

    assert screen.panel.elsewhere is None
    assert len(screen.panel.turns) == 1


async def test_news_that_come_while_a_message_is_on_its_way_wait_for_it(screen: Screen) -> None:
    await screen.panel.load()

    sending = asyncio.create_task(screen.panel.send_text("Hello"))
    await asyncio.sleep(0)
    taking = asyncio.create_task(screen.panel.take(begun("trn_1", "cht_1")))
    await asyncio.gather(sending, taking)

    assert [turn.is_from_elsewhere for turn in screen.panel.turns] == [False]


async def test_a_look_brings_what_another_process_did(screen: Screen) -> None:
    card = await screen.with_card()
    closed = replace(a_preview(), closed=CloseReason.EXECUTED)
    screen.fake.history.turns = (a_record("trn_1"), a_record("trn_2"))
    screen.fake.history.previews = (closed,)

    await screen.panel.look()

    assert [turn.turn_id for turn in screen.panel.turns] == ["trn_1", "trn_2"]
    assert ConfirmationWords(card, TR).void == "Executed in another tab."


async def test_a_new_chat_leaves_the_running_answer_where_it_is(screen: Screen) -> None:
    await screen.panel.load()
    await screen.panel.send_text("Hello")

    screen.panel.new_chat()
    await screen.panel.stop()

    assert screen.panel.turns == []
    assert screen.panel.elsewhere == TurnStarted(turn_id=TurnId("trn_1"), chat_id=ChatId("cht_1"))
    assert screen.fake.turns.stopped == ["trn_1"]


async def test_who_turns_away_from_a_running_answer_does_not_break_it_off(screen: Screen) -> None:
    await screen.panel.load()
    await screen.panel.send_text("Hello")
    screen.fake.turns.is_open = True
    reading = asyncio.create_task(screen.panel.follow(screen.added[-1]))
    await asyncio.sleep(0)

    reading.cancel()
    await asyncio.wait({reading})

    assert screen.added[-1].is_running
    assert screen.added[-1].parts == []
