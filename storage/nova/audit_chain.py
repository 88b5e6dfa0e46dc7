"""The hash chain over the audit log: each entry's hash covers the entry and the hash before it (rule F5).

Entries are written at the end of their transaction, one transaction after the other, so that `seq` has the order of the
chain; `AuditChainRow` holds how long it is and where it ends. Whoever can write to the database could compute the
whole chain anew: against that helps only an end (number and hash) that was noted elsewhere.
"""

import hashlib
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import insert
from sqlmodel import col, func, select
from sqlmodel.ext.asyncio.session import AsyncSession

from storage.end_of_transaction import do_last
from storage.nova.rows import lock_row
from storage.nova.tables import CHAIN_ID, AuditChainRow, AuditEntryRow

NO_HASH: Final = ""  # what the first entry follows
_PENDING: Final = "audit.pending"
_BATCH: Final = 2_000
_HASHED: Final = (
    "id",
    "action",
    "outcome",
    "actor_type",
    "actor_id",
    "actor_display",
    "target_type",
    "target_id",
    "target_display",
    "details",
    "request_id",
    "caused_by",
    "ip",
    "session_id",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What a check found: entries looked at, entries of the chain, and the first that is not as it was written.

    `is_whole` says whether the check began where the chain begins; `uncovered` counts entries from before it was kept.
    """

    checked: int
    length: int
    is_whole: bool
    uncovered: int
    end_seq: int
    end_hash: str
    broken_seq: int | None = None
    broken_id: str | None = None
    reason: str | None = None


def hold_back(session: AsyncSession, rows: Sequence[AuditEntryRow]) -> None:
    """Keep `rows` for the end of the transaction; `write_entries` adds them to the chain."""
    session.info.setdefault(_PENDING, []).extend(rows)
    do_last(session, write_entries)


async def write_entries(session: AsyncSession) -> None:
    """Write what was held back, chained; until the commit no other transaction can."""
    rows: list[AuditEntryRow] = session.info.pop(_PENDING, [])
    if not rows:
        return
    head = await lock_row(session, AuditChainRow, CHAIN_ID)
    if head is None:
        raise RuntimeError("the audit log has no chain; was the schema migrated?")
    last = head.end_hash
    for row in rows:
        row.prev_hash = last
        last = row.hash = hash_of(row, last)
    await session.flush()
    # One statement, however many entries: the database numbers them in this order, and computes `via` itself.
    values = [row.model_dump(exclude={"seq", "via"}) for row in rows]
    await (await session.connection()).execute(insert(AuditEntryRow), values)
    head.length += len(rows)
    head.end_hash = last
    head.end_seq = (
        await session.exec(select(AuditEntryRow.seq).where(col(AuditEntryRow.id) == rows[-1].id))
    ).one() or 0
    session.add(head)


def hash_of(row: AuditEntryRow, before: str) -> str:
    """Return the SHA-256 of an entry behind the hash `before`, in hexadecimal."""
    return hash_of_values({name: getattr(row, name) for name in (*_HASHED, "time")}, before)


def hash_of_values(values: Mapping[str, Any], before: str) -> str:
    """Return the same for the columns of an entry; for loading many at once."""
    content = {name: values[name] for name in _HASHED} | {"time": _as_text(values["time"])}
    text = json.dumps([before, content], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


async def verify(session: AsyncSession, *, newest: int | None = None) -> Verification:
    """Check the chain from its beginning, or only its `newest` entries; stop at the first that is broken."""
    head = await session.get(AuditChainRow, CHAIN_ID, populate_existing=True)
    if head is None:
        raise RuntimeError("the audit log has no chain; was the schema migrated?")
    check = _Check(head)
    is_whole = newest is None or newest >= head.length
    start = head.begins_after_seq if is_whole else await _seq_before(session, newest or 0, head)
    check.last = NO_HASH if is_whole else None
    async for row in _entries(session, start, head.end_seq):
        if not check.passes(row):
            break
    else:
        check.end(is_whole=is_whole)
    older = select(func.count()).select_from(AuditEntryRow).where(col(AuditEntryRow.seq) <= head.begins_after_seq)
    return Verification(
        checked=check.count,
        length=head.length,
        is_whole=is_whole,
        uncovered=(await session.exec(older)).one() if head.begins_after_seq else 0,
        end_seq=head.end_seq,
        end_hash=head.end_hash,
        broken_seq=check.broken_seq,
        broken_id=check.broken_id,
        reason=check.reason,
    )


class _Check:
    """Walks along the chain; `last` is the hash that the next entry must follow, None where that is not known."""

    def __init__(self, head: AuditChainRow) -> None:
        self._head = head
        self.last: str | None = None
        self.count = 0
        self.broken_seq: int | None = None
        self.broken_id: str | None = None
        self.reason: str | None = None

    def passes(self, row: AuditEntryRow) -> bool:
        """Whether `row` is as it was written and follows the one before it."""
        self.count += 1
        if self.last is not None and row.prev_hash != self.last:
            return self._break(row, "before this entry one is missing or was added")
        if row.hash != hash_of(row, row.prev_hash or ""):
            return self._break(row, "this entry was changed")
        self.last = row.hash
        return True

    def end(self, *, is_whole: bool) -> None:
        """Compare the end with what was noted of it."""
        if self.last not in {self._head.end_hash, None} or (is_whole and self.count != self._head.length):
            self.broken_seq = self._head.end_seq
            self.reason = "the newest entries are missing"

    def _break(self, row: AuditEntryRow, reason: str) -> bool:
        self.broken_seq, self.broken_id, self.reason = row.seq, row.id, reason
        return False


async def _seq_before(session: AsyncSession, newest: int, head: AuditChainRow) -> int:
    """Return the number behind which the `newest` entries lie."""
    numbers = select(AuditEntryRow.seq).where(col(AuditEntryRow.seq) <= head.end_seq)
    found = (await session.exec(numbers.order_by(col(AuditEntryRow.seq).desc()).offset(newest).limit(1))).first()
    return max(found or 0, head.begins_after_seq)


async def _entries(session: AsyncSession, after: int, through: int) -> AsyncIterator[AuditEntryRow]:
    while True:
        page = select(AuditEntryRow).where(col(AuditEntryRow.seq) > after, col(AuditEntryRow.seq) <= through)
        rows = (await session.exec(page.order_by(col(AuditEntryRow.seq)).limit(_BATCH))).all()
        for row in rows:
            yield row
        if len(rows) < _BATCH:
            return
        after = rows[-1].seq or 0
        session.expunge_all()  # a check of a million entries must not hold them all


def _as_text(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds")
