"""What time it is: asked of a collaborator, so that tests can set it."""

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """A source of the current time, always UTC-aware."""

    def now(self) -> datetime:
        """Return the current time in UTC."""


class SystemClock:
    """The server's own clock."""

    def now(self) -> datetime:
        """Return the current time in UTC."""
        return datetime.now(UTC)
