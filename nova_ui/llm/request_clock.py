"""The one clock of a request to a model: first event, gap between events, total."""

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from nova_ui.errors import FailureKind, ModelError
from nova_ui.llm.limits import Limits

T = TypeVar("T")


class RequestClock:
    """Runs from its making; whoever waits for the peer waits through it."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._time = asyncio.get_running_loop().time
        started_at = self._time()
        self._ends_at = started_at + limits.total_s
        self._next_event_by = started_at + limits.first_event_s

    def event_arrived(self) -> None:
        """Start the gap anew; called for whole events only, so that a drip of bytes does not count."""
        self._next_event_by = self._time() + self._limits.event_gap_s

    def finish_seen(self) -> None:
        """Leave only a moment for what may still follow the finish reason."""
        self._ends_at = min(self._ends_at, self._time() + self._limits.after_finish_s)

    async def wait(self, awaitable: Awaitable[T]) -> T:
        """Wait for the peer.

        Raises:
            ModelError: `TIMEOUT` when one of the three limits is reached.

        """
        limit = asyncio.timeout_at(min(self._ends_at, self._next_event_by))
        try:
            async with limit:
                return await awaitable
        except TimeoutError:
            # The transport may raise a TimeoutError of its own: that is a broken connection, not our clock.
            kind = FailureKind.TIMEOUT if limit.expired() else FailureKind.CONNECTION
            raise ModelError(kind) from None
