"""A clock that a test moves."""

from datetime import datetime, timedelta

from tests.builders import NOW


class MovingClock:
    """Stands still until it is moved."""

    def __init__(self, now: datetime = NOW) -> None:
        self._now = now

    def now(self) -> datetime:
        return self._now

    def move(self, by: timedelta) -> None:
        self._now += by
