"""Turns in the database: counted, one at a time, beating while their worker lives."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, insert, text, update
from sqlmodel import SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.chat import ChatId, Message, Notice, Step, Turn, TurnId, TurnRecord, TurnState
from nova_ui.domain.identity import IdentityId, Language
from nova_ui.domain.json_value import JsonObject
from storage.chat.records import (
    message_from_json,
    message_to_json,
    notices_from_json,
    notices_to_json,
    steps_from_json,
    steps_to_json,
)
from storage.chat.tables import MessageCounterRow, TurnRow

# One statement, so that two messages never get one number; both databases read it alike.
_COUNT = text(
    "INSERT INTO message_counters (identity_id, assistant_key, number) VALUES (:identity_id, :assistant_key, 1) "
    "ON CONFLICT (identity_id, assistant_key) DO UPDATE SET number = message_counters.number + 1 RETURNING number"
)


# Written once: every message goes through them.
_TURN_TABLE: Final = SQLModel.metadata.tables["turns"]
_ADD: Final = insert(_TURN_TABLE)
_FINISH: Final = (
    update(_TURN_TABLE)
    .where(
        _TURN_TABLE.c.id == bindparam("of_id"),
        _TURN_TABLE.c.worker == bindparam("of_worker"),
        _TURN_TABLE.c.state == TurnState.RUNNING.value,
    )
    .values(search_text=_TURN_TABLE.c.search_text + bindparam("said"))
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTurn:
    """A turn that begins."""

    turn: Turn
    message: Message
    search_text: str
    idempotency_key: str | None
    request_digest: str
    worker: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnd:
    """What a turn leaves behind."""

    state: TurnState
    finished_at: datetime
    steps: tuple[Step, ...] = ()
    notices: tuple[Notice, ...] = ()
    search_text: str = ""
    model: str | None = None
    usage: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftRunning:
    """A turn that somebody runs, or ran until it died."""

    id: TurnId
    language: Language
    worker: str
    heartbeat_at: datetime


class TurnTable:
    """The turns, within the caller's transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def count_message(self, identity_id: IdentityId, assistant_key: AssistantKey) -> int:
        """Advance the message counter and return the new number (rule C4).

        Until the transaction ends this also holds off every other message of this identity to this assistant.
        """
        values = {"identity_id": identity_id, "assistant_key": assistant_key}
        connection = await self._session.connection()
        return int((await connection.execute(_COUNT, values)).scalar_one())

    async def last_number(self, identity_id: IdentityId, assistant_key: AssistantKey) -> int:
        """Return how many messages this identity has sent to this assistant."""
        found = select(MessageCounterRow.number).where(
            col(MessageCounterRow.identity_id) == identity_id, col(MessageCounterRow.assistant_key) == assistant_key
        )
        return (await self._session.exec(found)).one_or_none() or 0

    async def add(self, new: NewTurn) -> None:
        """Store a new turn; `new.message` is its message as it is kept.

        Raises:
            IntegrityError: another one runs for the same identity and assistant, or the idempotency key is taken.

        """
        turn = new.turn
        values = {
            "id": turn.id,
            "chat_id": turn.chat_id,
            "identity_id": turn.identity.id,
            "assistant_key": turn.assistant_key,
            "number": turn.number,
            "message": message_to_json(new.message),
            "search_text": new.search_text,
            "state": TurnState.RUNNING.value,
            "steps": [],
            "notices": [],
            "usage": {},
            "idempotency_key": new.idempotency_key,
            "request_digest": new.request_digest,
            "language": turn.identity.language.value,
            "worker": new.worker,
            "heartbeat_at": turn.started_at,
            "stop_requested": False,
            "started_at": turn.started_at,
        }
        await (await self._session.connection()).execute(_ADD, values)

    async def find(self, owner_id: IdentityId, turn_id: TurnId) -> TurnRow | None:
        """Return the owner's turn of this id, or None."""
        found = select(TurnRow).where(col(TurnRow.identity_id) == owner_id, col(TurnRow.id) == turn_id)
        return (await self._session.exec(found.execution_options(populate_existing=True))).one_or_none()

    async def find_by_idempotency_key(self, owner_id: IdentityId, key: str) -> TurnRow | None:
        """Return the owner's turn that was started with this key, or None."""
        found = select(TurnRow).where(col(TurnRow.identity_id) == owner_id, col(TurnRow.idempotency_key) == key)
        return (await self._session.exec(found)).one_or_none()

    async def find_running(self, owner_id: IdentityId, assistant_key: AssistantKey) -> TurnRow | None:
        """Return the owner's running turn with this assistant, or None."""
        found = select(TurnRow).where(
            col(TurnRow.identity_id) == owner_id,
            col(TurnRow.assistant_key) == assistant_key,
            col(TurnRow.state) == TurnState.RUNNING.value,
        )
        return (await self._session.exec(found)).one_or_none()

    async def list_of_chat(self, owner_id: IdentityId, chat_id: ChatId) -> tuple[TurnRecord, ...]:
        """Return the turns of one of the owner's chats, oldest first."""
        found = select(TurnRow).where(col(TurnRow.identity_id) == owner_id, col(TurnRow.chat_id) == chat_id)
        rows = (await self._session.exec(found.order_by(col(TurnRow.number)))).all()
        return tuple(_record(row) for row in rows)

    async def request_stop(self, owner_id: IdentityId, turn_id: TurnId) -> bool:
        """Ask whichever process runs the owner's turn to stop it; False if it does not run."""
        running = update(TurnRow).where(
            col(TurnRow.identity_id) == owner_id,
            col(TurnRow.id) == turn_id,
            col(TurnRow.state) == TurnState.RUNNING.value,
        )
        asked = running.values(stop_requested=True).execution_options(synchronize_session=False)
        return (await self._session.exec(asked)).rowcount == 1

    async def hold(self, turn_id: TurnId) -> bool:
        """Keep a turn from being stopped, ended or deleted until the transaction ends; False if it has been."""
        running = update(TurnRow).where(
            col(TurnRow.id) == turn_id,
            col(TurnRow.state) == TurnState.RUNNING.value,
            col(TurnRow.stop_requested).is_(False),
        )
        held = running.values(stop_requested=False).execution_options(synchronize_session=False)
        return (await self._session.exec(held)).rowcount == 1

    async def beat(self, turn_ids: Collection[TurnId], worker: str, now: datetime) -> None:
        """Say that `worker` still runs these turns."""
        running = update(TurnRow).where(
            col(TurnRow.id).in_(turn_ids),
            col(TurnRow.worker) == worker,
            col(TurnRow.state) == TurnState.RUNNING.value,
        )
        await self._session.exec(running.values(heartbeat_at=now).execution_options(synchronize_session=False))

    async def list_to_go_on(self, turn_ids: Collection[TurnId], worker: str) -> frozenset[TurnId]:
        """Return those of `turn_ids` that still run, are still `worker`'s, and that nobody has asked to stop."""
        found = select(TurnRow.id).where(
            col(TurnRow.id).in_(turn_ids),
            col(TurnRow.worker) == worker,
            col(TurnRow.state) == TurnState.RUNNING.value,
            col(TurnRow.stop_requested).is_(False),
        )
        return frozenset(TurnId(one) for one in (await self._session.exec(found)).all())

    async def list_running(self) -> Sequence[LeftRunning]:
        """Return every running turn of every process."""
        found = select(TurnRow).where(col(TurnRow.state) == TurnState.RUNNING.value)
        return [
            LeftRunning(
                id=TurnId(row.id),
                language=Language(row.language),
                worker=row.worker,
                heartbeat_at=row.heartbeat_at,
            )
            for row in (await self._session.exec(found)).all()
        ]

    async def finish(self, turn_id: TurnId, worker: str, end: TurnEnd) -> bool:
        """End the turn if it still runs and is still `worker`'s; exactly one caller gets True."""
        values = {
            "of_id": turn_id,
            "of_worker": worker,
            "state": end.state.value,
            "finished_at": end.finished_at,
            "steps": steps_to_json(end.steps),
            "notices": notices_to_json(end.notices),
            "said": end.search_text,
            "model": end.model,
            "usage": end.usage,
        }
        return (await (await self._session.connection()).execute(_FINISH, values)).rowcount == 1


def _record(row: TurnRow) -> TurnRecord:
    return TurnRecord(
        id=TurnId(row.id),
        number=row.number,
        message=message_from_json(row.message),
        state=TurnState(row.state),
        started_at=row.started_at,
        finished_at=row.finished_at,
        steps=steps_from_json(row.steps),
        notices=notices_from_json(row.notices),
        model=row.model,
        usage=row.usage,
    )
