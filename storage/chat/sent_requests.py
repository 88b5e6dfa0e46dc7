"""What models were sent, in the database; whoever reads has found the turn to be the owner's own before (rule G2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import bindparam, delete, exists, insert, update
from sqlmodel import SQLModel, col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.chat import ChatId, TurnId, TurnState
from nova_ui.domain.sent_request import SentBody, SentRequest
from nova_ui.errors import NovaUiError
from storage.chat.sent_pieces import deflated, digest_of, inflated, join, read_ranges, sha256_of, write_ranges
from storage.chat.sent_tables import SentPartRow, SentRequestRow
from storage.chat.tables import ChatRow, TurnRow

_REQUESTS: Final = SQLModel.metadata.tables["sent_requests"]
_ADD_PARTS: Final = insert(SQLModel.metadata.tables["sent_parts"])
_ADD_REQUESTS: Final = insert(_REQUESTS)
_END_REQUESTS: Final = (
    update(_REQUESTS)
    .where(_REQUESTS.c.turn_id == bindparam("of_turn"), _REQUESTS.c.number == bindparam("of_number"))
    .values(outcome=bindparam("ended"), input_tokens=bindparam("given"), output_tokens=bindparam("made"))
)


class NotTheBodySent(NovaUiError):
    """What is stored of a request is no longer what was sent."""

    key = "What was kept of this request is damaged."


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPart:
    """A part that its chat did not have."""

    number: int
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptRequest:
    """A request and the numbers of the parts that make its body; none where it is not kept."""

    request: SentRequest
    parts: tuple[int, ...]


class SentRequestTable:
    """The requests and their parts, within the caller's transaction."""

    def __init__(self, session: AsyncSession) -> None:
        self._session = session

    async def is_running(self, turn_id: TurnId, worker: str) -> bool:
        """Whether the turn is there, and this worker's; until the transaction ends nobody ends or deletes it."""
        own = select(TurnRow.id).where(
            col(TurnRow.id) == turn_id,
            col(TurnRow.worker) == worker,
            col(TurnRow.state) == TurnState.RUNNING.value,
        )
        return (await self._session.exec(own.with_for_update())).one_or_none() is not None

    async def numbers_by_digest(self, chat_id: ChatId) -> dict[bytes, int]:
        """Return which parts a chat has."""
        found = select(SentPartRow.digest, SentPartRow.number).where(col(SentPartRow.chat_id) == chat_id)
        return dict((await self._session.exec(found)).all())

    async def add(self, chat_id: ChatId, parts: Sequence[NewPart], requests: Sequence[KeptRequest]) -> None:
        """Store new parts and new requests.

        Raises:
            IntegrityError: one is there already.

        """
        connection = await self._session.connection()
        if parts:
            await connection.execute(_ADD_PARTS, [_part_values(chat_id, part) for part in parts])
        if requests:
            await connection.execute(_ADD_REQUESTS, [_request_values(one) for one in requests])

    async def end(self, requests: Sequence[SentRequest]) -> None:
        """Store how requests ended that are stored already."""
        connection = await self._session.connection()
        if requests:
            await connection.execute(_END_REQUESTS, [_ending_values(one) for one in requests])

    async def list_of_turn(self, turn_id: TurnId) -> tuple[SentRequest, ...]:
        """Return the requests of a turn, in order."""
        found = select(SentRequestRow).where(col(SentRequestRow.turn_id) == turn_id)
        rows = (await self._session.exec(found.order_by(col(SentRequestRow.number)))).all()
        return tuple(_request(row) for row in rows)

    async def find(self, turn_id: TurnId, number: int) -> SentBody | None:
        """Return a request with its body, or None.

        Raises:
            NotTheBodySent: the stored parts don't make the body that was sent.

        """
        found = select(SentRequestRow).where(col(SentRequestRow.turn_id) == turn_id)
        row = (await self._session.exec(found.where(col(SentRequestRow.number) == number))).one_or_none()
        if row is None:
            return None
        if not row.parts:
            return SentBody(request=_request(row), body=None)
        numbers = tuple(read_ranges(row.parts))
        wanted = select(SentPartRow).where(
            col(SentPartRow.chat_id) == row.chat_id, col(SentPartRow.number).in_(set(numbers))
        )
        parts = {one.number: one for one in (await self._session.exec(wanted)).all()}
        if not parts.keys() >= set(numbers):
            raise NotTheBodySent
        body = join(inflated(parts[one].content, is_deflated=parts[one].is_deflated) for one in numbers)
        if sha256_of(body) != row.sha256:
            raise NotTheBodySent
        return SentBody(request=_request(row), body=body)

    async def delete_orphans(self) -> None:
        """Forget what belongs to no chat any more."""
        for chat_id, table in (
            (col(SentRequestRow.chat_id), SentRequestRow),
            (col(SentPartRow.chat_id), SentPartRow),
        ):
            orphaned = delete(table).where(~exists().where(col(ChatRow.id) == chat_id))
            await self._session.exec(orphaned.execution_options(synchronize_session=False))


def _part_values(chat_id: ChatId, part: NewPart) -> dict[str, object]:
    content, is_deflated = deflated(part.content)
    return {
        "chat_id": chat_id,
        "number": part.number,
        "digest": digest_of(part.content),
        "is_deflated": is_deflated,
        "content": content,
    }


def _request_values(kept: KeptRequest) -> dict[str, object]:
    one = kept.request
    return {
        "turn_id": one.turn_id,
        "number": one.number,
        "chat_id": one.chat_id,
        "step": one.step,
        "sent_at": one.sent_at,
        "profile": one.profile,
        "wire": one.wire,
        "model": one.model,
        "mode": one.mode,
        "host": one.host,
        "path": one.path,
        "words_only": one.words_only,
        "left_out": one.left_out,
        "size_bytes": one.size_bytes,
        "sha256": one.sha256,
        "parts": write_ranges(kept.parts),
        "outcome": one.outcome,
        "input_tokens": one.input_tokens,
        "output_tokens": one.output_tokens,
    }


def _ending_values(one: SentRequest) -> dict[str, object]:
    return {
        "of_turn": one.turn_id,
        "of_number": one.number,
        "ended": one.outcome,
        "given": one.input_tokens,
        "made": one.output_tokens,
    }


def _request(row: SentRequestRow) -> SentRequest:
    return SentRequest(
        turn_id=TurnId(row.turn_id),
        chat_id=ChatId(row.chat_id),
        number=row.number,
        step=row.step,
        sent_at=row.sent_at,
        profile=row.profile,
        wire=row.wire,
        model=row.model,
        mode=row.mode,
        host=row.host,
        path=row.path,
        words_only=row.words_only,
        left_out=row.left_out,
        size_bytes=row.size_bytes,
        sha256=row.sha256,
        is_kept=bool(row.parts),
        outcome=row.outcome,
        input_tokens=row.input_tokens,
        output_tokens=row.output_tokens,
    )
