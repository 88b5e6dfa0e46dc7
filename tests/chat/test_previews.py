"""Using a preview up: one conditional write, whoever else tries, and only while its turn may go on."""

import asyncio
from datetime import timedelta

import pytest

from nova_ui.chat.confirm import why_closed
from nova_ui.domain.chat import TurnId
from nova_ui.domain.preview import CloseReason, Preview
from storage.chat.previews import PreviewTable
from storage.chat.tables import TurnRow
from storage.chat.turns import TurnTable
from storage.database import Database
from tests.builders import NOW, a_preview, a_turn

TURN = TurnId("trn_4")


@pytest.fixture
async def preview(database: Database) -> Preview:
    shown = a_preview()
    async with database.transaction() as session:
        await PreviewTable(session).add(shown)
        running = TurnRow(
            id=TURN,
            chat_id=shown.chat_id,
            identity_id=shown.identity_id,
            assistant_key=shown.assistant_key,
            number=4,
            worker="here",
            heartbeat_at=NOW,
            started_at=NOW,
        )
        session.add(running)
    return shown


async def _consume(database: Database, preview: Preview, *, by: TurnId = TURN, late_s: float = 0) -> bool:
    async with database.transaction() as session:
        return await PreviewTable(session).consume(preview, by, NOW + timedelta(seconds=late_s))


async def test_c10_exactly_one_of_many_uses_a_preview_up(database: Database, preview: Preview) -> None:
    """Abuse case 24."""
    wins = await asyncio.gather(*(_consume(database, preview) for _ in range(20)))

    assert wins.count(True) == 1


@pytest.mark.parametrize(("late_s", "wins"), [(600.0, True), (600.001, False)])
async def test_c5_the_write_itself_knows_the_time(
    database: Database, preview: Preview, *, late_s: float, wins: bool
) -> None:
    assert await _consume(database, preview, late_s=late_s) is wins


@pytest.mark.parametrize("reason", list(CloseReason))
async def test_c10_what_was_closed_is_not_used_up(database: Database, preview: Preview, reason: CloseReason) -> None:
    async with database.transaction() as session:
        assert await PreviewTable(session).close(preview.identity_id, preview.id, reason)

    assert not await _consume(database, preview)


async def test_c10_a_turn_that_was_stopped_or_is_unknown_uses_nothing_up(database: Database, preview: Preview) -> None:
    unknown = await _consume(database, preview, by=TurnId("trn_5"))
    async with database.transaction() as session:
        await TurnTable(session).request_stop(preview.identity_id, TURN)

    assert not unknown
    assert not await _consume(database, preview)


def test_c4_a_preview_of_an_earlier_message_is_closed_whatever_is_said() -> None:
    assert why_closed(a_preview(turn_number=2), a_turn(number=4, text="yes"), NOW) is CloseReason.MESSAGE_BETWEEN
    assert why_closed(a_preview(turn_number=3), a_turn(number=4, text="yes"), NOW) is None
