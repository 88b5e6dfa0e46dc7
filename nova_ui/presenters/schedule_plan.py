"""A schedule as people speak of it: every hour, daily, on working days, weekly, monthly; else as cron has it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from nova_ui.domain.text import mark

LAST_DAY: Final = "L"
FIRST_HOUR: Final = 2
WEEKDAYS: Final = ("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN")
_TIME: Final = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])", re.ASCII)
_MINUTE: Final = r"(?P<minute>[0-5]?[0-9])"
_AT: Final = rf"{_MINUTE} (?P<hour>[01]?[0-9]|2[0-3])"


class Rhythm(StrEnum):
    """How a schedule comes round."""

    HOURLY = "hourly"
    DAILY = "daily"
    WORKING_DAYS = "working_days"
    WEEKLY = "weekly"
    MONTHLY = "monthly"
    CUSTOM = "custom"


RHYTHMS: Final[Mapping[str, str]] = {
    Rhythm.HOURLY: mark("Every hour"),
    Rhythm.DAILY: mark("Daily"),
    Rhythm.WORKING_DAYS: mark("On working days"),
    Rhythm.WEEKLY: mark("Weekly"),
    Rhythm.MONTHLY: mark("Monthly"),
    Rhythm.CUSTOM: mark("Other, as cron has it"),
}


_SHAPES: Final[Mapping[Rhythm, re.Pattern[str]]] = {
    Rhythm.HOURLY: re.compile(rf"{_MINUTE} \* \* \* \*", re.ASCII),
    Rhythm.DAILY: re.compile(rf"{_AT} \* \* \*", re.ASCII),
    Rhythm.WORKING_DAYS: re.compile(rf"{_AT} \* \* (MON-FRI|1-5)", re.ASCII),
    Rhythm.WEEKLY: re.compile(rf"{_AT} \* \* (?P<weekday>{'|'.join(WEEKDAYS)}|[0-7])", re.ASCII),
    # Up to 28: each month has such a day.
    Rhythm.MONTHLY: re.compile(rf"{_AT} (?P<day>0?[1-9]|1[0-9]|2[0-8]|{LAST_DAY}) \* \*", re.ASCII),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A schedule taken apart. `day` is 1 to 28 or `L`, the last one; `text` is what a custom one says."""

    rhythm: Rhythm
    hour: int = FIRST_HOUR
    minute: int = 0
    weekday: str = "MON"
    day: str = "1"
    text: str = ""

    @property
    def time(self) -> str:
        """The time of day, such as 02:00."""
        return f"{self.hour:02}:{self.minute:02}"

    @property
    def expression(self) -> str:
        """The schedule as cron has it."""
        match self.rhythm:
            case Rhythm.HOURLY:
                return f"{self.minute} * * * *"
            case Rhythm.DAILY:
                return f"{self.minute} {self.hour} * * *"
            case Rhythm.WORKING_DAYS:
                return f"{self.minute} {self.hour} * * MON-FRI"
            case Rhythm.WEEKLY:
                return f"{self.minute} {self.hour} * * {self.weekday}"
            case Rhythm.MONTHLY:
                return f"{self.minute} {self.hour} {self.day} * *"
            case Rhythm.CUSTOM:
                return self.text


def read_time(text: str) -> tuple[int, int] | None:
    """Return hour and minute of a time such as 2:00, or None."""
    found = _TIME.fullmatch(text.strip())
    return (int(found[1]), int(found[2])) if found else None


def plan_of(expression: str) -> Plan:
    """Take a schedule apart; what people have no word for is custom."""
    text = " ".join(expression.upper().split())
    for rhythm, shape in _SHAPES.items():
        if found := shape.fullmatch(text):
            given = found.groupdict()
            return Plan(
                rhythm=rhythm,
                hour=int(given.get("hour") or FIRST_HOUR),
                minute=int(given["minute"]),
                weekday=_weekday(given.get("weekday")),
                day=(given.get("day") or "1").lstrip("0"),
            )
    return Plan(rhythm=Rhythm.CUSTOM, text=expression)


def _weekday(text: str | None) -> str:
    """Return the name of a weekday; cron counts from Sunday, which is 0 and 7."""
    if text is None:
        return "MON"
    return WEEKDAYS[int(text) - 1] if text.isdigit() else text
