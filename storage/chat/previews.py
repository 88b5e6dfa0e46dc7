"""Previews in the database: one open for an identity and assistant, used up by one conditional write (rule C10)."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, exists, update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.chat import ChatId, PreviewId, TurnId, TurnState
from nova_ui.domain.identity import IdentityId
from nova_ui.domain.preview import CONFIRMATION_LIFETIME, CloseReason, Preview, PreviewOutcome
from nova_ui.domain.tool import CallId, ToolCall
from storage.chat.records import shown_from_json, shown_to_json
from storage.chat.tables import PreviewRow, TurnRow

# Written once: every message asks.
_OPEN: Final = select(PreviewRow).where(
    col(PreviewRow.identity_id) == bindparam("owner_id"),
    col(PreviewRow.assistant_key) == bindparam("assistant_key"),
    col(PreviewRow.closed).is_(None),
)


class PreviewTable:
    """The previews, within the caller's transaction; every statement names the owner."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def add(self, preview: Preview) -> None:
        """Store a new preview."""
        self._session.add(_row(preview))
        await self._session.flush()

    async def find(self, owner_id: IdentityId, preview_id: PreviewId) -> Preview | None:
        """Return the owner's preview of this id, or None."""
        found = select(PreviewRow).where(col(PreviewRow.identity_id) == owner_id, col(PreviewRow.id) == preview_id)
        row = (await self._session.exec(found.execution_options(populate_existing=True))).one_or_none()
        return None if row is None else _preview(row)

    async def list_open(self, owner_id: IdentityId, assistant_key: AssistantKey) -> tuple[Preview, ...]:
        """Return the owner's previews with this assistant that nothing has closed yet."""
        found = await self._session.exec(_OPEN, params={"owner_id": owner_id, "assistant_key": assistant_key})
        return tuple(_preview(row) for row in found.all())

    async def list_of_chat(self, owner_id: IdentityId, chat_id: ChatId) -> tuple[Preview, ...]:
        """Return the previews of one of the owner's chats in their order."""
        found = select(PreviewRow).where(col(PreviewRow.identity_id) == owner_id, col(PreviewRow.chat_id) == chat_id)
        ordered = found.order_by(col(PreviewRow.turn_number), col(PreviewRow.shown_at))
        return tuple(_preview(row) for row in (await self._session.exec(ordered)).all())

    async def list_of_turns(self, turn_ids: Sequence[TurnId]) -> tuple[Preview, ...]:
        """Return what was used up for these turns, for recovery: a turn confirms only previews of its own person."""
        found = select(PreviewRow).where(col(PreviewRow.consumed_by).in_(turn_ids))
        return tuple(_preview(row) for row in (await self._session.exec(found)).all())

    async def close(self, owner_id: IdentityId, preview_id: PreviewId, reason: CloseReason) -> bool:
        """Make an open preview void; False if it was closed before, by whatever: the first decision stands."""
        waiting = update(PreviewRow).where(
            col(PreviewRow.identity_id) == owner_id,
            col(PreviewRow.id) == preview_id,
            col(PreviewRow.closed).is_(None),
        )
        closed = waiting.values(closed=reason.value).execution_options(synchronize_session=False)
        return (await self._session.exec(closed)).rowcount == 1

    async def close_before(self, turn_id: TurnId) -> tuple[PreviewId, ...]:
        """Make void what a turn's message left open because it agreed to it; for recovery, which runs nothing.

        No later message can confirm it (rule C4).
        """
        of_turn = exists().where(
            col(TurnRow.id) == turn_id,
            col(TurnRow.identity_id) == col(PreviewRow.identity_id),
            col(TurnRow.assistant_key) == col(PreviewRow.assistant_key),
            col(TurnRow.number) > col(PreviewRow.turn_number),
        )
        left_open = update(PreviewRow).where(of_turn, col(PreviewRow.closed).is_(None))
        closed = left_open.values(closed=CloseReason.MESSAGE_BETWEEN.value).returning(col(PreviewRow.id))
        rows = await self._session.exec(closed.execution_options(synchronize_session=False))
        return tuple(PreviewId(one) for one in rows.scalars().all())

    async def close_unshown(self, turn_id: TurnId, shown: Collection[PreviewId]) -> None:
        """Make void the cards of a broken turn that nobody has seen: nobody can mean them by a yes (rules C2, C3)."""
        unseen = update(PreviewRow).where(
            col(PreviewRow.turn_id) == turn_id, col(PreviewRow.closed).is_(None), col(PreviewRow.id).not_in(shown)
        )
        closed = unseen.values(closed=CloseReason.CANCELLED.value)
        await self._session.exec(closed.execution_options(synchronize_session=False))

    async def consume(self, preview: Preview, consumed_by: TurnId, now: datetime) -> bool:
        """Use up a preview for a turn; True for exactly one caller, and only while that turn runs unstopped.

        Its outcome is unknown from then on, until it is recorded.
        """
        still_running = exists().where(
            col(TurnRow.id) == consumed_by,
            col(TurnRow.identity_id) == preview.identity_id,
            col(TurnRow.state) == TurnState.RUNNING.value,
            col(TurnRow.stop_requested).is_(False),
        )
        waiting = update(PreviewRow).where(
            col(PreviewRow.identity_id) == preview.identity_id,
            col(PreviewRow.assistant_key) == preview.assistant_key,
            col(PreviewRow.id) == preview.id,
            col(PreviewRow.closed).is_(None),
            col(PreviewRow.consumed_at).is_(None),
            col(PreviewRow.shown_at) >= now - CONFIRMATION_LIFETIME,
            still_running,
        )
        consumed = waiting.values(
            closed=CloseReason.EXECUTED.value,
            consumed_at=now,
            consumed_by=consumed_by,
            outcome=PreviewOutcome.UNKNOWN.value,
        )
        return (await self._session.exec(consumed.execution_options(synchronize_session=False))).rowcount == 1

    async def record_outcome(self, preview: Preview, outcome: PreviewOutcome) -> None:
        """Note what became of a preview that was used up; where the call was refused nothing ran, so: cancelled."""
        values = {"outcome": outcome.value}
        if outcome is PreviewOutcome.REFUSED:
            values["closed"] = CloseReason.CANCELLED.value
        used_up = update(PreviewRow).where(
            col(PreviewRow.identity_id) == preview.identity_id,
            col(PreviewRow.id) == preview.id,
            col(PreviewRow.consumed_at).is_not(None),
        )
        await self._session.exec(used_up.values(**values).execution_options(synchronize_session=False))


def _row(preview: Preview) -> PreviewRow:
    return PreviewRow(
        id=preview.id,
        identity_id=preview.identity_id,
        assistant_key=preview.assistant_key,
        chat_id=preview.chat_id,
        turn_id=preview.turn_id,
        turn_number=preview.turn_number,
        call_id=preview.call_id,
        tool_name=preview.call.tool_name,
        arguments=preview.call.arguments,
        canonical=preview.call.canonical,
        digest=preview.call.digest,
        shown=shown_to_json(preview.shown),
        shown_digest=preview.shown_digest,
        shown_at=preview.shown_at,
        button_only=preview.button_only,
        name_to_type=preview.name_to_type,
        by_person=preview.by_person,
        closed=None if preview.closed is None else preview.closed.value,
        outcome=None if preview.outcome is None else preview.outcome.value,
    )


def _preview(row: PreviewRow) -> Preview:
    return Preview(
        id=PreviewId(row.id),
        identity_id=IdentityId(row.identity_id),
        assistant_key=AssistantKey(row.assistant_key),
        chat_id=ChatId(row.chat_id),
        turn_id=TurnId(row.turn_id),
        turn_number=row.turn_number,
        call_id=CallId(row.call_id),
        call=ToolCall(tool_name=row.tool_name, arguments=row.arguments, canonical=row.canonical, digest=row.digest),
        shown=shown_from_json(row.shown),
        shown_digest=row.shown_digest,
        shown_at=row.shown_at,
        button_only=row.button_only,
        name_to_type=row.name_to_type,
        by_person=row.by_person,
        closed=None if row.closed is None else CloseReason(row.closed),
        outcome=None if row.outcome is None else PreviewOutcome(row.outcome),
    )
