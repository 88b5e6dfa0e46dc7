"""Due moments, each claimed once over all processes."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete, func, update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from storage.nova.locks import take_lock
from storage.nova.schedule_tables import ScheduledRunRow

# A moment that was claimed further ahead than this comes from a clock that was wrong; it holds nothing up.
AHEAD: Final = timedelta(days=1)
KEPT: Final = timedelta(days=7)


async def claim(
    session: AsyncSession, name: str, due_at: datetime, *, worker: str, now: datetime, since: datetime | None = None
) -> ScheduledRunRow | None:
    """Claim a due moment of `name`; its row, or None if it is not to run here and now.

    Nothing runs for a moment up to `since`. Without `since`, a name that was never seen is only noted: its next moment
    is the first that counts. Nothing runs while an earlier moment is still being worked on, nor after a later one.
    """
    await take_lock(session, f"nova.schedule.{name}")
    if since is not None and due_at <= since:
        return None
    known = select(ScheduledRunRow).where(
        col(ScheduledRunRow.name) == name, col(ScheduledRunRow.due_at) <= due_at + AHEAD
    )
    last = (await session.exec(known.order_by(col(ScheduledRunRow.due_at).desc()).limit(1))).first()
    if last is not None and (last.due_at >= due_at or last.finished_at is None):
        return None
    is_first_sight = last is None and since is None
    row = ScheduledRunRow(
        name=name,
        due_at=due_at,
        claimed_by=worker,
        started_at=now,
        heartbeat_at=now,
        finished_at=now if is_first_sight else None,
        outcome="first_seen" if is_first_sight else "running",
    )
    session.add(row)
    await session.flush()
    return None if is_first_sight else row


async def finish(
    session: AsyncSession, run_id: int | None, *, worker: str, outcome: str, now: datetime, error: str | None = None
) -> bool:
    """Note how a run ended; False if somebody else has taken it for dead meanwhile."""
    mine = update(ScheduledRunRow).where(
        col(ScheduledRunRow.id) == run_id,
        col(ScheduledRunRow.claimed_by) == worker,
        col(ScheduledRunRow.finished_at).is_(None),
    )
    return (await session.exec(mine.values(finished_at=now, outcome=outcome, error=error))).rowcount == 1


async def beat(session: AsyncSession, run_ids: Collection[int], now: datetime) -> None:
    """Note that runs are still being worked on."""
    alive = update(ScheduledRunRow).where(
        col(ScheduledRunRow.id).in_(run_ids), col(ScheduledRunRow.finished_at).is_(None)
    )
    await session.exec(alive.values(heartbeat_at=now))


async def list_running(session: AsyncSession) -> Sequence[ScheduledRunRow]:
    """Return the runs that have not ended."""
    return (await session.exec(select(ScheduledRunRow).where(col(ScheduledRunRow.finished_at).is_(None)))).all()


async def purge(session: AsyncSession, now: datetime) -> None:
    """Forget runs that ended a week ago, but never the newest of a name: the next claim looks at it."""
    newest = select(func.max(ScheduledRunRow.id)).group_by(col(ScheduledRunRow.name))
    old = delete(ScheduledRunRow).where(
        col(ScheduledRunRow.finished_at) < now - KEPT, col(ScheduledRunRow.id).not_in(newest)
    )
    await session.exec(old)
