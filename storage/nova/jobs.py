"""Jobs: queued by a request, claimed by one process, finished once."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete, update
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.json_value import JsonObject
from storage.nova.schedule_tables import JobRow

KEPT: Final = timedelta(days=30)
OPEN: Final = ("queued", "running")


async def list_queued(session: AsyncSession, limit: int = 20) -> Sequence[str]:
    """Return the ids of jobs that nobody has claimed, the oldest first."""
    waiting = select(JobRow.id).where(col(JobRow.status) == "queued")
    return (await session.exec(waiting.order_by(col(JobRow.created_at), col(JobRow.id)).limit(limit))).all()


async def claim(session: AsyncSession, job_id: str, worker: str, now: datetime) -> JobRow | None:
    """Take a queued job; its row for exactly one caller."""
    mine = update(JobRow).where(col(JobRow.id) == job_id, col(JobRow.status) == "queued")
    claimed = mine.values(
        status="running",
        claimed_by=worker,
        heartbeat_at=now,
        started_at=now,
        updated_at=now,
        attempts=col(JobRow.attempts) + 1,
        version=col(JobRow.version) + 1,
    ).execution_options(synchronize_session=False)
    if (await session.exec(claimed)).rowcount != 1:
        return None
    return await session.get(JobRow, job_id, populate_existing=True)


async def change_running(
    session: AsyncSession, job_id: str, worker: str | None, values: Mapping[str, object], now: datetime
) -> bool:
    """Change a job that `worker` is running; False if it no longer is."""
    mine = update(JobRow).where(
        col(JobRow.id) == job_id, col(JobRow.status) == "running", col(JobRow.claimed_by) == worker
    )
    changed = mine.values(**values, updated_at=now, version=col(JobRow.version) + 1)
    return (await session.exec(changed.execution_options(synchronize_session=False))).rowcount == 1


async def finish(
    session: AsyncSession,
    job: JobRow,
    status: str,
    now: datetime,
    *,
    result: JsonObject | None = None,
    error: tuple[str, str] | None = None,
) -> bool:
    """End a running job; False if somebody else has taken it meanwhile."""
    code, detail = error or (None, None)
    values = {"status": status, "finished_at": now, "result": result, "error_code": code, "error_detail": detail}
    return await change_running(session, job.id, job.claimed_by, values, now)


async def requeue(session: AsyncSession, job: JobRow, now: datetime) -> bool:
    """Let a job whose process died be claimed again."""
    values = {"status": "queued", "claimed_by": None, "heartbeat_at": None}
    return await change_running(session, job.id, job.claimed_by, values, now)


async def beat(session: AsyncSession, job_ids: Collection[str], now: datetime) -> None:
    """Note that jobs are still being worked on."""
    alive = update(JobRow).where(col(JobRow.id).in_(job_ids), col(JobRow.status) == "running")
    await session.exec(alive.values(heartbeat_at=now).execution_options(synchronize_session=False))


async def jobs_by_id(session: AsyncSession, job_ids: Collection[str]) -> Mapping[str, JobRow]:
    """Return those jobs that are still known."""
    if not job_ids:
        return {}
    return {row.id: row for row in (await session.exec(select(JobRow).where(col(JobRow.id).in_(job_ids)))).all()}


async def list_running(session: AsyncSession) -> Sequence[JobRow]:
    """Return the jobs that are being worked on, or whose process died."""
    return (await session.exec(select(JobRow).where(col(JobRow.status) == "running"))).all()


async def purge(session: AsyncSession, now: datetime) -> None:
    """Forget jobs that ended a month ago."""
    await session.exec(delete(JobRow).where(col(JobRow.status).not_in(OPEN), col(JobRow.finished_at) < now - KEPT))
