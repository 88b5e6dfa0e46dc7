"""C4, C10, G2: each statement about a preview reaches that one row of that one owner, and no neighbour."""

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlmodel import col, update

from nova_ui.domain.chat import ChatId, PreviewId, TurnId, TurnState
from nova_ui.domain.identity import IdentityId
from nova_ui.domain.preview import CloseReason, Preview, PreviewOutcome
from storage.chat.previews import PreviewTable
from storage.chat.tables import PreviewRow, TurnRow
from storage.database import Database
from tests.builders import NOW, a_preview

ADA = IdentityId("idn_root")
BOB = IdentityId("idn_bob")
TURN = TurnId("trn_4")


def _turn(turn_id: str, owner: str, assistant_key: str) -> TurnRow:
    return TurnRow(
        id=turn_id,
        chat_id="cht_1",
        identity_id=owner,
        assistant_key=assistant_key,
        number=4,
        worker="here",
        heartbeat_at=NOW,
        started_at=NOW,
    )


@pytest.fixture
async def preview(database: Database) -> Preview:
    """Ada's preview among others: with another assistant, of another identity, and one that is closed."""
    shown = a_preview()
    async with database.transaction() as session:
        previews = PreviewTable(session)
        await previews.add(shown)
        await previews.add(a_preview(preview_id="prv_other", assistant_key="other"))
        await previews.add(a_preview(preview_id="prv_bob", identity_id=BOB))
        await previews.add(replace(a_preview(preview_id="prv_closed"), closed=CloseReason.CANCELLED))
        session.add(_turn(TURN, ADA, "helpdesk"))
        session.add(_turn("trn_bob", BOB, "helpdesk"))
    return shown


async def _rows(database: Database) -> dict[str, tuple[str | None, str | None]]:
    """Return by preview how it was closed and by which turn it was used up."""
    async with database.reading() as session:
        found = [await PreviewTable(session).find(owner, preview_id) for owner, preview_id in _ALL]
        rows = [await session.get(PreviewRow, preview_id) for _, preview_id in _ALL]
    assert all(found)
    return {row.id: (row.closed, row.consumed_by) for row in rows if row is not None}


_ALL = [
    (ADA, PreviewId("prv_1")),
    (ADA, PreviewId("prv_other")),
    (BOB, PreviewId("prv_bob")),
    (ADA, PreviewId("prv_closed")),
]


async def _consume(database: Database, preview: Preview, by: str = TURN) -> bool:
    async with database.transaction() as session:
        return await PreviewTable(session).consume(preview, TurnId(by), NOW)


async def test_c10_using_one_preview_up_leaves_every_other_as_it_was(database: Database, preview: Preview) -> None:
    before = await _rows(database)

    assert await _consume(database, preview)

    assert await _rows(database) == {**before, "prv_1": (CloseReason.EXECUTED.value, TURN)}


@pytest.mark.parametrize(
    "claimed",
    [
        a_preview(preview_id="prv_bob"),
        a_preview(identity_id=BOB),
        a_preview(assistant_key="other"),
        a_preview(preview_id="prv_unknown"),
        a_preview(preview_id="prv_closed"),
    ],
)
async def test_c10_a_preview_is_used_up_only_as_its_own_owner_s_with_its_own_assistant(
    database: Database, preview: Preview, claimed: Preview
) -> None:
    before = await _rows(database)

    assert not await _consume(database, claimed)

    assert await _rows(database) == before
    assert preview != claimed


async def test_c10_another_identity_s_turn_uses_nothing_up(database: Database, preview: Preview) -> None:
    assert not await _consume(database, preview, by="trn_bob")


async def test_c10_a_turn_that_has_ended_uses_nothing_up(database: Database, preview: Preview) -> None:
    async with database.transaction() as session:
        ended = update(TurnRow).where(col(TurnRow.id) == TURN).values(state=TurnState.DONE.value)
        await session.exec(ended)

    assert not await _consume(database, preview)


@pytest.mark.parametrize("column", ["consumed_at", "closed"])
async def test_c10_each_of_the_two_marks_of_use_is_enough(database: Database, preview: Preview, column: str) -> None:
    """Whoever clears one of them has not made the preview new."""
    assert await _consume(database, preview)
    async with database.transaction() as session:
        cleared = update(PreviewRow).where(col(PreviewRow.id) == preview.id).values({column: None})
        await session.exec(cleared)

    assert not await _consume(database, preview)


@pytest.mark.parametrize(("owner", "preview_id"), [(BOB, "prv_1"), (ADA, "prv_bob"), (ADA, "prv_unknown")])
async def test_g2_nobody_closes_another_s_preview(
    database: Database, preview: Preview, owner: IdentityId, preview_id: str
) -> None:
    before = await _rows(database)

    async with database.transaction() as session:
        assert not await PreviewTable(session).close(owner, PreviewId(preview_id), CloseReason.CANCELLED)

    assert await _rows(database) == before
    assert preview.closed is None


async def test_c12_closing_one_preview_leaves_every_other_as_it_was(database: Database, preview: Preview) -> None:
    before = await _rows(database)

    async with database.transaction() as session:
        assert await PreviewTable(session).close(ADA, preview.id, CloseReason.CANCELLED)

    assert await _rows(database) == {**before, "prv_1": (CloseReason.CANCELLED.value, None)}


async def test_g2_a_preview_is_found_by_its_owner_only(database: Database, preview: Preview) -> None:
    async with database.reading() as session:
        previews = PreviewTable(session)
        assert await previews.find(ADA, preview.id) == preview
        assert await previews.find(BOB, preview.id) is None
        assert [one.id for one in await previews.list_open(ADA, preview.assistant_key)] == ["prv_1"]
        assert [one.id for one in await previews.list_open(BOB, preview.assistant_key)] == ["prv_bob"]
        of_chat = [one.id for one in await previews.list_of_chat(ADA, preview.chat_id)]
    assert sorted(of_chat) == ["prv_1", "prv_closed", "prv_other"]


async def test_c2_a_preview_is_found_again_as_it_was_stored(database: Database) -> None:
    """Every field of it, also those that most previews leave empty."""
    whole = replace(
        a_preview(preview_id="prv_whole", by_person=True),
        button_only=True,
        name_to_type="Contractors",
        closed=CloseReason.EXECUTED,
        outcome=PreviewOutcome.DONE,
    )
    async with database.transaction() as session:
        await PreviewTable(session).add(whole)
        await PreviewTable(session).add(replace(a_preview(preview_id="prv_elsewhere"), chat_id=ChatId("cht_2")))

    async with database.reading() as session:
        assert await PreviewTable(session).find(ADA, whole.id) == whole
        assert await PreviewTable(session).list_of_chat(ADA, whole.chat_id) == (whole,)


async def test_c3_the_previews_of_a_chat_come_in_the_order_they_were_shown_in(database: Database) -> None:
    async with database.transaction() as session:
        previews = PreviewTable(session)
        for preview_id, number, late_s in [("prv_c", 5, 0), ("prv_b", 3, 9), ("prv_a", 3, 1)]:
            shown_at = NOW + timedelta(seconds=late_s)
            one = a_preview(preview_id=preview_id, turn_number=number, shown_at=shown_at)
            await previews.add(replace(one, closed=CloseReason.MESSAGE_BETWEEN))

    async with database.reading() as session:
        of_chat = await PreviewTable(session).list_of_chat(ADA, a_preview().chat_id)
    assert [one.id for one in of_chat] == ["prv_a", "prv_b", "prv_c"]


async def test_c10_an_outcome_is_noted_for_that_preview_alone_and_only_once_it_is_used_up(
    database: Database, preview: Preview
) -> None:
    async with database.transaction() as session:
        await PreviewTable(session).record_outcome(preview, PreviewOutcome.DONE)
    async with database.reading() as session:
        unused = await PreviewTable(session).find(ADA, preview.id)
    assert await _consume(database, preview)
    async with database.reading() as session:
        unknown = await PreviewTable(session).find(ADA, preview.id)
    async with database.transaction() as session:
        await PreviewTable(session).record_outcome(replace(preview, identity_id=BOB), PreviewOutcome.FAILED)
        await PreviewTable(session).record_outcome(preview, PreviewOutcome.DONE)

    async with database.reading() as session:
        known = await PreviewTable(session).find(ADA, preview.id)
        other = await PreviewTable(session).find(BOB, PreviewId("prv_bob"))
    assert unused is not None
    assert unused.outcome is None
    assert unknown is not None
    assert unknown.outcome is PreviewOutcome.UNKNOWN
    assert known is not None
    assert (known.outcome, known.closed) == (PreviewOutcome.DONE, CloseReason.EXECUTED)
    assert other is not None
    assert other.outcome is None


async def test_c11_a_refused_call_leaves_its_preview_cancelled(database: Database, preview: Preview) -> None:
    assert await _consume(database, preview)
    async with database.transaction() as session:
        await PreviewTable(session).record_outcome(preview, PreviewOutcome.REFUSED)

    async with database.reading() as session:
        refused = await PreviewTable(session).find(ADA, preview.id)
    assert refused is not None
    assert (refused.outcome, refused.closed) == (PreviewOutcome.REFUSED, CloseReason.CANCELLED)


async def test_c10_an_outcome_changes_no_neighbour_that_was_used_up_too(database: Database, preview: Preview) -> None:
    """Of the same owner, and of another one."""
    async with database.transaction() as session:
        used_up = update(PreviewRow).where(col(PreviewRow.id).in_(["prv_1", "prv_other", "prv_bob"]))
        await session.exec(used_up.values(consumed_at=NOW, outcome=PreviewOutcome.UNKNOWN.value))
        await PreviewTable(session).record_outcome(preview, PreviewOutcome.DONE)
        await PreviewTable(session).record_outcome(
            a_preview(preview_id="prv_bob", identity_id=ADA), PreviewOutcome.FAILED
        )

    async with database.reading() as session:
        outcomes = {one: (await session.get_one(PreviewRow, one)).outcome for one in ("prv_1", "prv_other", "prv_bob")}
    unknown = PreviewOutcome.UNKNOWN.value
    assert outcomes == {"prv_1": PreviewOutcome.DONE.value, "prv_other": unknown, "prv_bob": unknown}


async def test_c4_recovery_closes_what_that_turn_s_message_had_passed_over_and_nothing_else(
    database: Database, preview: Preview
) -> None:
    """Not what was shown in that turn or after it, nor another identity's or assistant's, nor what was closed."""
    async with database.transaction() as session:
        await PreviewTable(session).add(a_preview(preview_id="prv_of_the_turn", turn_number=4))
    before = await _rows(database)

    async with database.transaction() as session:
        closed = await PreviewTable(session).close_before(TURN)

    assert closed == (preview.id,)
    assert await _rows(database) == {**before, "prv_1": (CloseReason.MESSAGE_BETWEEN.value, None)}
    async with database.reading() as session:
        assert [one.id for one in await PreviewTable(session).list_open(ADA, preview.assistant_key)] == [
            "prv_of_the_turn"
        ]


async def test_c2_of_a_broken_turn_s_cards_only_those_nobody_saw_are_closed(
    database: Database, preview: Preview
) -> None:
    async with database.transaction() as session:
        previews = PreviewTable(session)
        await previews.add(a_preview(preview_id="prv_seen", turn_number=4))
        await previews.add(a_preview(preview_id="prv_unseen", turn_number=4))
        await previews.add(replace(a_preview(preview_id="prv_done", turn_number=4), closed=CloseReason.EXPIRED))
        await previews.close_unshown(TURN, [PreviewId("prv_seen")])

    async with database.reading() as session:
        reasons = {
            one: (await session.get_one(PreviewRow, one)).closed for one in ("prv_seen", "prv_unseen", "prv_done")
        }
        of_other_turns = await PreviewTable(session).list_open(ADA, preview.assistant_key)
    assert reasons == {
        "prv_seen": None,
        "prv_unseen": CloseReason.CANCELLED.value,
        "prv_done": CloseReason.EXPIRED.value,
    }
    assert {one.id for one in of_other_turns} == {"prv_1", "prv_seen"}


async def test_c4_a_preview_is_read_anew_within_a_transaction(database: Database, preview: Preview) -> None:
    """What a statement changed is seen at once, also where the row had been read before."""
    async with database.transaction() as session:
        previews = PreviewTable(session)
        row = await session.get_one(PreviewRow, preview.id)
        assert await previews.find(ADA, preview.id) == preview
        assert await previews.close(ADA, preview.id, CloseReason.CANCELLED)
        found = await previews.find(ADA, preview.id)
    assert found is not None
    assert found.closed is CloseReason.CANCELLED
    assert row.closed == found.closed


async def test_c10_recovery_finds_what_the_lost_turns_had_used_up(database: Database, preview: Preview) -> None:
    assert await _consume(database, preview)

    async with database.reading() as session:
        of_turn = await PreviewTable(session).list_of_turns([TURN, TurnId("trn_bob")])
        of_other = await PreviewTable(session).list_of_turns([TurnId("trn_bob")])
    assert [one.id for one in of_turn] == [preview.id]
    assert of_other == ()
