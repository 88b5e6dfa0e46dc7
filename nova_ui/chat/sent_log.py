"""What a turn's models are sent, kept while it runs: each request byte by byte, what is equal only once.

A request is noted before it goes out, and is in the database soon after, or with the turn's own end at the latest. What
can't be stored costs the turn nothing.
"""

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from sqlalchemy.exc import SQLAlchemyError
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.chat.failures import log_failure
from nova_ui.domain.chat import Turn
from nova_ui.domain.clock import Clock
from nova_ui.domain.sent_request import SentRequest
from nova_ui.errors import NovaUnavailable
from nova_ui.llm.port import Sent, Usage, Watch
from storage.chat.sent_pieces import cut, digest_of, sha256_of
from storage.chat.sent_requests import KeptRequest, NewPart, SentRequestTable
from storage.database import Database

_log = logging.getLogger(__name__)

MAX_TURN_BYTES: Final = 8_000_000
GATHER_FOR_S: Final = 0.5


class Watches(Protocol):
    """Gives each request to a model somebody who takes note of it."""

    def watch(self, *, step: int, left_out: int, words_only: bool) -> Watch:
        """Return who takes note of the next request."""


@dataclass(slots=True)
class _Noted:
    """A request, the parts of its body in order, and what of it is in the database."""

    request: SentRequest
    parts: list[bytes] = field(default_factory=list)
    is_stored: bool = False
    stored_outcome: str | None = None

    @property
    def is_written(self) -> bool:
        return self.is_stored and self.stored_outcome == self.request.outcome


@dataclass(frozen=True, slots=True)
class _Batch:
    """What one transaction writes; counts as stored once that has committed."""

    parts: list[NewPart]
    known: dict[bytes, int]
    noted: list[tuple[_Noted, str | None]]


class SentLog:
    """The requests of one turn. `add_to` and `settled` are for the transaction that ends the turn."""

    def __init__(self, database: Database, clock: Clock, turn: Turn, worker_id: str, *, is_new_chat: bool) -> None:
        self._database = database
        self._clock = clock
        self._turn = turn
        self._worker_id = worker_id
        self._known: dict[bytes, int] | None = {} if is_new_chat else None
        self._contents: dict[bytes, bytes] = {}
        self._noted: list[_Noted] = []
        self._bytes = 0
        self._batch: _Batch | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._writing: asyncio.Task[None] | None = None

    def watch(self, *, step: int, left_out: int, words_only: bool) -> Watch:
        """Return who takes note of the next request."""
        return _Watch(lambda sent: self._note(sent, step=step, left_out=left_out, words_only=words_only), self._changed)

    async def settle(self) -> None:
        """Wait until nothing is being written, and write nothing more by itself."""
        if self._timer is not None:
            self._timer.cancel()
        if self._writing is not None:
            await asyncio.wait({self._writing})
        self._timer = self._writing = None

    async def add_to(self, session: AsyncSession) -> None:
        """Write what is not stored yet, in the transaction of somebody who holds the turn."""
        waiting = [one for one in self._noted if not one.is_written]
        if not waiting:
            return
        table = SentRequestTable(session)
        if self._known is None:
            self._known = await table.numbers_by_digest(self._turn.chat_id)
        self._batch = self._prepare(waiting, self._known)
        new = [one for one in waiting if not one.is_stored]
        known = {**self._known, **self._batch.known}
        kept = [KeptRequest(request=one.request, parts=tuple(known[part] for part in one.parts)) for one in new]
        await table.add(self._turn.chat_id, self._batch.parts, kept)
        await table.end([one.request for one in waiting if one.is_stored])

    def settled(self) -> None:
        """Count as stored what `add_to` wrote: its transaction has committed."""
        batch, self._batch = self._batch, None
        if batch is None or self._known is None:
            return
        self._known |= batch.known
        for noted, outcome in batch.noted:
            noted.is_stored, noted.stored_outcome = True, outcome
        for digest in batch.known:
            self._contents.pop(digest, None)

    async def write(self) -> None:
        """Write what is not stored yet, if the turn is still there and ours; a failure is logged and no more."""
        try:
            async with self._database.transaction() as session:
                if not await SentRequestTable(session).is_running(self._turn.id, self._worker_id):
                    return
                await self.add_to(session)
        except (NovaUnavailable, SQLAlchemyError, OSError) as error:
            log_failure(_log, "turn.requests_not_kept", error, turn=self._turn.id)
        else:
            self.settled()

    def _prepare(self, waiting: list[_Noted], stored: dict[bytes, int]) -> _Batch:
        parts: list[NewPart] = []
        known: dict[bytes, int] = {}
        free = max(stored.values(), default=-1) + 1
        for digest in (part for one in waiting if not one.is_stored for part in one.parts):
            if digest not in stored and digest not in known:
                known[digest] = free + len(parts)
                parts.append(NewPart(number=known[digest], content=self._contents[digest]))
        return _Batch(parts, known, [(one, one.request.outcome) for one in waiting])

    def _note(self, sent: Sent, *, step: int, left_out: int, words_only: bool) -> _Noted:
        parts = cut(sent.body)
        digests = [digest_of(part) for part in parts]
        new = {
            digest: part
            for digest, part in zip(digests, parts, strict=True)
            if digest not in self._contents and digest not in (self._known or ())
        }
        size = sum(map(len, new.values()))
        is_kept = self._bytes + size <= MAX_TURN_BYTES
        if is_kept:
            self._bytes += size
            self._contents |= new
        request = SentRequest(
            turn_id=self._turn.id,
            chat_id=self._turn.chat_id,
            number=len(self._noted) + 1,
            step=step,
            sent_at=self._clock.now(),
            profile=sent.profile,
            wire=sent.wire,
            model=sent.model,
            mode=sent.mode.value,
            host=sent.host,
            path=sent.path,
            words_only=words_only,
            left_out=left_out,
            size_bytes=len(sent.body),
            sha256=sha256_of(sent.body),
            is_kept=is_kept,
        )
        noted = _Noted(request, digests if is_kept else [])
        self._noted.append(noted)
        self._changed()
        return noted

    def _changed(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(GATHER_FOR_S, self._begin_writing)

    def _begin_writing(self) -> None:
        self._timer = None
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self.write())
        else:
            self._changed()


class _Watch:
    """Takes note of one request."""

    def __init__(self, note: Callable[[Sent], _Noted], changed: Callable[[], None]) -> None:
        self._note = note
        self._changed = changed
        self._noted: _Noted | None = None

    def sent(self, sent: Sent) -> None:
        self._noted = self._note(sent)

    def ended(self, outcome: str, usage: Usage) -> None:
        if self._noted is None:
            return
        self._noted.request = replace(
            self._noted.request,
            outcome=outcome,
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
        )
        self._changed()
