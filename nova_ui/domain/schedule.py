"""When something is due: the same moments for every process, computed from the schedule alone."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_FIELDS: Final = 5
_LOOKED_AT: Final = 20


class BadSchedule(ValueError):
    """Not a schedule; the words say why and may be shown."""


@dataclass(frozen=True, slots=True)
class Interval:
    """Every so many seconds, counted from 1970: no process remembers anything, and all agree."""

    seconds: int

    def __post_init__(self) -> None:
        if self.seconds < 1:
            raise BadSchedule("must be at least one second")

    def latest(self, now: datetime) -> datetime | None:
        """Return the last due moment up to `now`."""
        return _EPOCH + timedelta(seconds=(now - _EPOCH) // timedelta(seconds=self.seconds) * self.seconds)

    def following(self, now: datetime) -> datetime | None:
        """Return the first due moment after `now`."""
        return _EPOCH + timedelta(seconds=((now - _EPOCH) // timedelta(seconds=self.seconds) + 1) * self.seconds)


@dataclass(frozen=True, slots=True)
class Cron:
    """Minute, hour, day, month and weekday as cron knows them, in a time zone.

    A moment that summer time skips is made up for at once; one that the clock shows twice is due once.

    Raises:
        BadSchedule: the expression is none, never comes true, or the time zone is unknown.

    """

    expression: str
    timezone: str = "UTC"

    def __post_init__(self) -> None:
        if len(self.expression.split()) != _FIELDS:
            raise BadSchedule("must have five parts: minute, hour, day, month and weekday, such as 0 2 * * *")
        try:
            ZoneInfo(self.timezone)
        except (ValueError, OSError, LookupError):
            raise BadSchedule("names an unknown time zone") from None
        try:
            CronSim(self.expression, datetime(2000, 1, 1, tzinfo=UTC))  # says no to a 30 February too
        except (CronSimError, ValueError):
            raise BadSchedule("is not a schedule as cron knows it, such as 0 2 * * *") from None

    def latest(self, now: datetime) -> datetime | None:
        """Return the last due moment up to `now`; None if there was none for decades."""
        # A microsecond makes the second itself count as past.
        return next(self._moments(now.replace(microsecond=1), reverse=True), None)

    def following(self, now: datetime) -> datetime | None:
        """Return the first due moment after `now`; None if there is none for decades."""
        return next(self._moments(now), None)

    def shortest_gap(self, now: datetime) -> timedelta | None:
        """Return the shortest time between two of the next twenty moments."""
        moments = itertools.islice(self._moments(now), _LOOKED_AT)
        return min((later - earlier for earlier, later in itertools.pairwise(moments)), default=None)

    def _moments(self, start: datetime, *, reverse: bool = False) -> Iterator[datetime]:
        zone = UTC if self.timezone == "UTC" else ZoneInfo(self.timezone)
        for moment in CronSim(self.expression, start.astimezone(zone), reverse=reverse):
            yield moment.astimezone(UTC)


Schedule = Interval | Cron
