"""The product's own conditional writes on one row of a real database, each distinct case asked once."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Final, NamedTuple

from sqlmodel import SQLModel
from sqlmodel.ext.asyncio.session import AsyncSession

import storage.all_tables  # noqa: F401 - fills SQLModel.metadata
from nova_ui.domain.chat import PreviewId, TurnId
from nova_ui.domain.preview import CloseReason, Preview, PreviewOutcome
from storage.chat.previews import PreviewTable, _row
from storage.chat.tables import PreviewRow, TurnRow
from storage.database import Database
from tests.builders import NOW, a_call, a_preview
from tests.exploration.protocol_state import Card, TurnState


class _TakenBack(Exception):
    """Ends each case without leaving anything."""


class _Case(NamedTuple):
    """A statement on a row; `word` is its turn, reason or outcome."""

    name: str
    card: Card
    turn: TurnState | None
    word: str
    now_ms: int = 0
    shown: tuple[str, ...] = ()


class RealWrites:
    """Consuming, closing and noting an outcome, by the statements that the product runs."""

    def __init__(self, runner: asyncio.Runner) -> None:
        self._runner = runner
        self._database = Database(f"sqlite+aiosqlite:///{Path(mkdtemp()) / 'cases.sqlite3'}")
        runner.run(self._make_tables())
        self._cases: dict[_Case, tuple[bool, Card]] = {}

    def consume(self, card: Card, turn: TurnState | None, turn_id: str, now_ms: int) -> tuple[bool, Card]:
        return self._case(_Case("consume", card, turn, turn_id, now_ms))

    def close(self, card: Card, reason: str) -> tuple[bool, Card]:
        return self._case(_Case("close", card, None, reason))

    def close_before(self, card: Card, turn: TurnState | None, turn_id: str) -> tuple[bool, Card]:
        return self._case(_Case("close before", card, turn, turn_id))

    def close_unshown(self, card: Card, turn_id: str, shown: tuple[str, ...]) -> Card:
        return self._case(_Case("close unshown", card, None, turn_id, shown=shown))[1]

    def record(self, card: Card, outcome: str) -> tuple[bool, Card]:
        return self._case(_Case("record", card, None, outcome))

    def shut_down(self) -> None:
        self._runner.run(self._database.close())

    def _case(self, case: "_Case") -> tuple[bool, Card]:
        if case not in self._cases:
            self._cases[case] = self._runner.run(self._ask(case))
        return self._cases[case]

    async def _make_tables(self) -> None:
        async with self._database.transaction() as session:
            connection = await session.connection()
            tables = [SQLModel.metadata.tables[name] for name in ("previews", "turns")]
            await connection.run_sync(lambda sync: SQLModel.metadata.create_all(sync, tables=tables))

    async def _ask(self, case: "_Case") -> tuple[bool, Card]:
        given: list[tuple[bool, Card]] = []
        try:
            async with self._database.transaction() as session:
                await _store(session, case.card, case.turn)
                given.append((await _do(session, case), await _read(session, case.card)))
                raise _TakenBack  # noqa: TRY301 - takes the transaction back
        except _TakenBack:
            return given[0]


async def _store(session: AsyncSession, card: Card, turn: TurnState | None) -> None:
    row = _row(preview_of(card))
    row.consumed_by = card.consumed_by
    row.consumed_at = None if card.consumed_ms is None else moment(card.consumed_ms)
    session.add(row)
    if turn is not None:
        session.add(
            TurnRow(
                id=turn.id,
                chat_id="cht_1",
                identity_id="idn_root",
                assistant_key="helpdesk",
                number=turn.number,
                state=turn.state,
                worker=turn.worker,
                stop_requested=turn.is_stopped,
                heartbeat_at=NOW,
                started_at=NOW,
            )
        )
    await session.flush()


async def _do(session: AsyncSession, case: _Case) -> bool:
    table, preview, word = PreviewTable(session), preview_of(case.card), case.word
    match case.name:
        case "consume":
            return await table.consume(preview, TurnId(word), moment(case.now_ms))
        case "close":
            return await table.close(preview.identity_id, preview.id, CloseReason(word))
        case "close before":
            return preview.id in await table.close_before(TurnId(word))
        case "close unshown":
            await table.close_unshown(TurnId(word), frozenset(PreviewId(one) for one in case.shown))
        case _:
            await table.record_outcome(preview, PreviewOutcome(word))
    return True


async def _read(session: AsyncSession, card: Card) -> Card:
    session.expire_all()
    row = await session.get(PreviewRow, card.id)
    assert row is not None
    consumed_ms = None if row.consumed_at is None else round((row.consumed_at - NOW) / timedelta(milliseconds=1))
    return card._replace(closed=row.closed, consumed_by=row.consumed_by, consumed_ms=consumed_ms, outcome=row.outcome)


NAME: Final = "Contractors"


def moment(ms: int) -> datetime:
    return NOW + timedelta(milliseconds=ms)


@cache
def preview_of(card: Card) -> Preview:
    """Return the product's own value for a row."""
    preview = a_preview(
        turn_number=card.turn,
        call=a_call(arguments={"group_id": card.about}),
        shown_at=moment(card.shown_ms),
        preview_id=card.id,
    )
    return replace(
        preview,
        turn_id=TurnId(card.by),
        button_only=card.button_only,
        name_to_type=NAME if card.is_named else None,
        closed=None if card.closed is None else CloseReason(card.closed),
        outcome=None if card.outcome is None else PreviewOutcome(card.outcome),
    )
