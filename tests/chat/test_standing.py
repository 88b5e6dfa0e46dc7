"""Whether a turn may make its next call, and with which assistant, as of now."""

import pytest

from nova_ui.domain.assistant import ADMIN_CHAT_KEY, AssistantKey
from nova_ui.domain.chat import Turn, TurnId, TurnState
from storage.chat.assistants import AssistantStore
from storage.chat.standing import Standing, find_standing
from storage.chat.turns import NewTurn, TurnEnd, TurnTable
from storage.database import Database
from tests.builders import NOW, a_turn, an_assistant

TURN = a_turn()


@pytest.fixture
async def turn(database: Database) -> Turn:
    new = NewTurn(
        turn=TURN, message=TURN.message, search_text="", idempotency_key=None, request_digest="", worker="here"
    )
    async with database.transaction() as session:
        await TurnTable(session).add(new)
        await AssistantStore(session).save(an_assistant("list_groups", key="helpdesk"), NOW)
    return TURN


async def _stands(
    database: Database, turn_id: TurnId = TURN.id, *, worker: str = "here", key: str = "helpdesk"
) -> Standing:
    async with database.asking() as connection:
        return await find_standing(connection, turn_id, worker, AssistantKey(key))


async def test_a_turn_that_runs_here_goes_on_with_its_assistant_as_it_is_now(database: Database, turn: Turn) -> None:
    before = await _stands(database, turn.id)
    async with database.transaction() as session:
        await AssistantStore(session).save(an_assistant("update_group", key="helpdesk"), NOW)

    after = await _stands(database, turn.id)

    assert before == Standing(goes_on=True, assistant=an_assistant("list_groups", key="helpdesk"))
    assert after == Standing(goes_on=True, assistant=an_assistant("update_group", key="helpdesk"))


async def test_a_turn_that_somebody_else_runs_or_that_is_gone_does_not_go_on(database: Database, turn: Turn) -> None:
    assert not (await _stands(database, turn.id, worker="elsewhere")).goes_on
    assert not (await _stands(database, TurnId("trn_gone"))).goes_on


async def test_a_turn_that_was_stopped_does_not_go_on(database: Database, turn: Turn) -> None:
    async with database.transaction() as session:
        await TurnTable(session).request_stop(turn.identity.id, turn.id)

    assert not (await _stands(database, turn.id)).goes_on


async def test_a_turn_that_has_ended_does_not_go_on(database: Database, turn: Turn) -> None:
    async with database.transaction() as session:
        await TurnTable(session).finish(turn.id, "here", TurnEnd(state=TurnState.DONE, finished_at=NOW))

    assert not (await _stands(database, turn.id)).goes_on


async def test_b4_an_assistant_that_is_gone_is_none_but_the_admin_chat_is_there_without_a_row(
    database: Database, turn: Turn
) -> None:
    gone = await _stands(database, turn.id, key="gone")
    preset = await _stands(database, turn.id, key=ADMIN_CHAT_KEY)

    assert gone == Standing(goes_on=True, assistant=None)
    assert preset.assistant is not None
    assert preset.assistant.tools.all_tools
