"""C4, G2: each statement about a turn reaches that one row of that one owner and worker, and no neighbour."""

from datetime import timedelta

import pytest
from sqlalchemy.exc import IntegrityError

from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.chat import ChatId, TextMessage, TurnId, TurnState
from nova_ui.domain.identity import IdentityId, Language
from storage.chat.records import message_to_json
from storage.chat.tables import TurnRow
from storage.chat.turns import NewTurn, TurnEnd, TurnTable
from storage.database import Database
from tests.builders import NOW, a_turn, an_identity

ADA, BOB = IdentityId("idn_ada"), IdentityId("idn_bob")
HELPDESK, OTHER = AssistantKey("helpdesk"), AssistantKey("other")
LATER = NOW + timedelta(seconds=30)
# By turn: its owner, assistant, worker, state. One changes at a time, so that each condition alone keeps one out.
TURNS = {
    "trn_1": (ADA, HELPDESK, "here", TurnState.RUNNING),
    "trn_done": (ADA, HELPDESK, "here", TurnState.DONE),
    "trn_other": (ADA, OTHER, "here", TurnState.RUNNING),
    "trn_there": (ADA, AssistantKey("third"), "there", TurnState.RUNNING),
    "trn_bob": (BOB, HELPDESK, "here", TurnState.RUNNING),
}


@pytest.fixture
async def turns(database: Database) -> Database:
    """A database with `TURNS`."""
    async with database.transaction() as session:
        for number, (turn_id, (owner, key, worker, state)) in reversed([*enumerate(TURNS.items())]):
            await session.flush()
            session.add(
                TurnRow(
                    id=turn_id,
                    chat_id=f"cht_{owner}",
                    identity_id=owner,
                    assistant_key=key,
                    number=number,
                    message=message_to_json(TextMessage(text="Hello")),
                    language="de",
                    worker=worker,
                    state=state.value,
                    idempotency_key=f"key-{turn_id}" if turn_id != "trn_bob" else "key-trn_1",
                    heartbeat_at=NOW,
                    started_at=NOW,
                    finished_at=None if state is TurnState.RUNNING else LATER,
                )
            )
    return database


async def _stopping(database: Database) -> list[str]:
    async with database.reading() as session:
        rows = [await session.get(TurnRow, turn_id) for turn_id in TURNS]
    return [row.id for row in rows if row is not None and row.stop_requested]


async def _beating(database: Database) -> list[str]:
    async with database.reading() as session:
        rows = [await session.get(TurnRow, turn_id) for turn_id in TURNS]
    return [row.id for row in rows if row is not None and row.heartbeat_at == LATER]


async def test_g2_a_turn_is_stopped_alone(turns: Database) -> None:
    async with turns.transaction() as session:
        assert await TurnTable(session).request_stop(ADA, TurnId("trn_1"))

    assert await _stopping(turns) == ["trn_1"]


@pytest.mark.parametrize(
    ("owner", "turn_id"), [(BOB, "trn_1"), (ADA, "trn_bob"), (ADA, "trn_done"), (ADA, "trn_unknown")]
)
async def test_g2_nobody_stops_another_s_turn_nor_one_that_has_ended(
    turns: Database, owner: IdentityId, turn_id: str
) -> None:
    async with turns.transaction() as session:
        assert not await TurnTable(session).request_stop(owner, TurnId(turn_id))

    assert await _stopping(turns) == []


async def test_c2_a_turn_that_still_runs_is_held_alone_and_stays_unstopped(turns: Database) -> None:
    async with turns.transaction() as session:
        table = TurnTable(session)
        assert await table.hold(TurnId("trn_1"))
        assert not await table.hold(TurnId("trn_done"))
        assert not await table.hold(TurnId("trn_unknown"))
        assert await table.request_stop(BOB, TurnId("trn_bob"))
        assert not await table.hold(TurnId("trn_bob"))

    assert await _stopping(turns) == ["trn_bob"]


async def test_c10_a_worker_beats_for_its_own_running_turns_only(turns: Database) -> None:
    named = [TurnId(one) for one in ("trn_1", "trn_done", "trn_there")]

    async with turns.transaction() as session:
        await TurnTable(session).beat(named, "here", LATER)

    assert await _beating(turns) == ["trn_1"]


async def test_c10_a_worker_goes_on_with_its_own_running_turns_that_nobody_stopped(turns: Database) -> None:
    named = [TurnId(one) for one in ("trn_1", "trn_done", "trn_there", "trn_bob")]
    async with turns.transaction() as session:
        assert await TurnTable(session).request_stop(BOB, TurnId("trn_bob"))

    async with turns.reading() as session:
        assert await TurnTable(session).list_to_go_on(named, "here") == {"trn_1"}


async def test_g2_a_turn_is_found_by_its_owner_only(turns: Database) -> None:
    async with turns.reading() as session:
        table = TurnTable(session)
        mine = await table.find(ADA, TurnId("trn_1"))
        theirs = await table.find(BOB, TurnId("trn_1"))
        by_key = [await table.find_by_idempotency_key(one, "key-trn_1") for one in (ADA, BOB)]
        running = [await table.find_running(owner, key) for owner, key in ((ADA, HELPDESK), (ADA, OTHER), (BOB, OTHER))]

    assert mine is not None
    assert theirs is None
    assert [None if row is None else row.id for row in by_key] == ["trn_1", "trn_bob"]
    assert [None if row is None else row.id for row in running] == ["trn_1", "trn_other", None]


async def test_c10_a_turn_is_read_anew_within_a_transaction(turns: Database) -> None:
    """What a statement changed is seen at once, also where the row had been read before."""
    async with turns.transaction() as session:
        table = TurnTable(session)
        before = await table.find(ADA, TurnId("trn_1"))
        assert before is not None
        assert not before.stop_requested
        assert await table.request_stop(ADA, TurnId("trn_1"))
        after = await table.find(ADA, TurnId("trn_1"))
    assert after is not None
    assert after.stop_requested


async def test_g2_a_chat_s_turns_are_its_owner_s_in_their_order(turns: Database) -> None:
    async with turns.reading() as session:
        mine = await TurnTable(session).list_of_chat(ADA, ChatId(f"cht_{ADA}"))
        foreign = await TurnTable(session).list_of_chat(BOB, ChatId(f"cht_{ADA}"))

    assert [one.id for one in mine] == ["trn_1", "trn_done", "trn_other", "trn_there"]
    assert [one.finished_at for one in mine] == [None, LATER, None, None]
    assert foreign == ()


async def test_c10_every_running_turn_of_every_worker_is_listed(turns: Database) -> None:
    async with turns.reading() as session:
        running = await TurnTable(session).list_running()

    assert {one.id: (one.worker, one.language, one.heartbeat_at) for one in running} == {
        turn_id: (worker, Language.GERMAN, NOW)
        for turn_id, (_, _, worker, state) in TURNS.items()
        if state is TurnState.RUNNING
    }


@pytest.mark.parametrize(
    ("turn_id", "worker", "wins"),
    [("trn_1", "here", True), ("trn_1", "there", False), ("trn_done", "here", False), ("trn_unknown", "here", False)],
)
async def test_c10_only_a_turn_s_own_worker_ends_it_and_once(
    turns: Database, turn_id: str, worker: str, *, wins: bool
) -> None:
    end = TurnEnd(state=TurnState.FAILED, finished_at=LATER, search_text=" said", model="built in")
    async with turns.transaction() as session:
        assert await TurnTable(session).finish(TurnId(turn_id), worker, end) is wins

    async with turns.transaction() as session:
        assert not await TurnTable(session).finish(TurnId(turn_id), worker, end)
    async with turns.reading() as session:
        states = {one: (await session.get_one(TurnRow, one)).state for one in TURNS}
    assert [one for one, state in states.items() if state == TurnState.FAILED.value] == (["trn_1"] if wins else [])


async def test_c4_messages_are_counted_by_identity_and_assistant(turns: Database) -> None:
    async with turns.transaction() as session:
        table = TurnTable(session)
        counted = [
            await table.count_message(*pair)
            for pair in ((ADA, HELPDESK), (ADA, HELPDESK), (ADA, OTHER), (BOB, HELPDESK))
        ]
        last = [await table.last_number(*pair) for pair in ((ADA, HELPDESK), (ADA, OTHER), (BOB, OTHER))]

    assert counted == [1, 2, 1, 1]
    assert last == [2, 1, 0]


async def test_c4_no_second_turn_begins_while_one_runs(turns: Database) -> None:
    turn = a_turn(identity=an_identity(), assistant_key=HELPDESK, turn_id="trn_second")
    new = NewTurn(
        turn=turn,
        message=TextMessage(text="yes"),
        search_text="yes",
        idempotency_key=None,
        request_digest="",
        worker="there",
    )

    with pytest.raises(IntegrityError):
        async with turns.transaction() as session:
            await TurnTable(session).add(new)


async def test_c10_a_turn_begins_running_in_the_language_of_its_person(database: Database) -> None:
    turn = a_turn(identity=an_identity(language=Language.GERMAN), assistant_key=HELPDESK, turn_id="trn_new")
    new = NewTurn(
        turn=turn,
        message=TextMessage(text="Ja"),
        search_text="ja",
        idempotency_key="key",
        request_digest="digest",
        worker="here",
    )
    async with database.transaction() as session:
        await TurnTable(session).add(new)

    async with database.reading() as session:
        row = await session.get_one(TurnRow, "trn_new")
    assert (row.identity_id, row.assistant_key, row.number) == (turn.identity.id, HELPDESK, turn.number)
    assert (row.state, row.stop_requested, row.finished_at) == (TurnState.RUNNING.value, False, None)
    assert (row.language, row.search_text, row.worker) == ("de", "ja", "here")
    assert (row.idempotency_key, row.request_digest) == ("key", "digest")
    assert (row.started_at, row.heartbeat_at) == (turn.started_at, turn.started_at)
