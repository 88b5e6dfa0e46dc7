"""What Nova does without being asked: looks for due schedules and waiting jobs as long as the process lives."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from sqlalchemy import delete
from sqlmodel import col

from nova_ui.nova import notifications
from nova_ui.nova.core import Core
from nova_ui.nova.job_runner import JobRunner
from nova_ui.nova.scheduler import Scheduler
from storage.nova import idempotency, jobs, scheduled_runs, sign_in_attempts
from storage.nova import sessions as stored_sessions
from storage.nova.tables import ExportRow

log = logging.getLogger(__name__)

TICK_S: Final = 5.0
PURGE_EVERY_S: Final = 3600
EXPIRE_EVERY_S: Final = 60
# What more has ended within a minute is ended by the next looks.
MAX_EXPIRED: Final = 500
# The longest window in which failed sign-ins count, and how long ended sessions can be read about.
ATTEMPTS_KEPT: Final = timedelta(days=1)
SESSIONS_KEPT: Final = timedelta(days=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class Background:
    """The scheduler and the jobs of this process."""

    scheduler: Scheduler
    runner: JobRunner

    async def tick(self) -> None:
        """Look once; a failure is logged and tried again at the next look."""
        for look in (self.scheduler.tick, self.runner.tick):
            try:
                await look()
            except Exception:
                log.exception("background.failed")

    async def tick_for_ever(self) -> None:
        """Look every few seconds until cancelled."""
        while True:
            await self.tick()
            await asyncio.sleep(TICK_S)

    async def shut_down(self, ticking: asyncio.Task[None]) -> None:
        """Stop `ticking`, then what is under way."""
        ticking.cancel()
        with suppress(asyncio.CancelledError):
            await ticking
        await self.scheduler.shut_down()
        await self.runner.shut_down()

    async def settle(self) -> None:
        """Wait for what is under way."""
        await self.scheduler.settle()
        await self.runner.settle()


@dataclass(frozen=True, slots=True)
class Housekeeping:
    """Deletes what nothing needs any more; safe to run anywhere at any time."""

    core: Core

    async def run(self) -> None:
        """Delete old idempotency keys, sign-in attempts, sessions, jobs, runs, notifications and expired exports."""
        now = self.core.clock.now()
        async with self.core.database.transaction() as session:
            await idempotency.purge(session, now)
            await sign_in_attempts.purge(session, now - ATTEMPTS_KEPT)
            await stored_sessions.purge(session, now - SESSIONS_KEPT)
            await session.exec(delete(ExportRow).where(col(ExportRow.expires_at) <= now))
            await jobs.purge(session, now)
            await scheduled_runs.purge(session, now)
            await notifications.purge(session, now)
