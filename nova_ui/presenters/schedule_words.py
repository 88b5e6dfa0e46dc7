"""A schedule as cron writes it, in words where there are simple ones."""

import re
from datetime import date, timedelta
from typing import Final

from nova_ui.i18n.translator import Translator

_NUMBER: Final = re.compile(r"\d{1,2}")
_FIRST_SUNDAY: Final = date(2023, 1, 1)
_WEEKDAYS: Final = {"sun": 0, "mon": 1, "tue": 2, "wed": 3, "thu": 4, "fri": 5, "sat": 6}
_FIELDS: Final = 5
_SUNDAY_TOO: Final = 7
_ANY: Final = "*"


def schedule_words(schedule: str, timezone: str, tr: Translator) -> str:
    """Return when something runs; a schedule without simple words stands as it is, with its time zone."""
    parts = schedule.split()
    if len(parts) != _FIELDS:
        return schedule
    minute, hour, day, month, weekday = parts
    words = _words(minute, hour, day, weekday, tr) if month == _ANY else ""
    if not words:
        return tr("cron {schedule} ({zone})", schedule=schedule, zone=timezone)
    return tr("{when} ({zone})", when=words, zone=timezone)


def _words(minute: str, hour: str, day: str, weekday: str, tr: Translator) -> str:
    if not _NUMBER.fullmatch(minute):
        return ""
    if (hour, day, weekday) == (_ANY, _ANY, _ANY):
        return tr("every hour, at minute {minute}", minute=int(minute))
    if not _NUMBER.fullmatch(hour):
        return ""
    at = _clock(int(hour), int(minute))
    if day == _ANY:
        return _by_weekday(weekday, at, tr)
    if weekday == _ANY and _NUMBER.fullmatch(day):
        return tr("on day {day} of every month at {time}", day=int(day), time=at)
    return ""


def _by_weekday(weekday: str, at: str, tr: Translator) -> str:
    if weekday == _ANY:
        return tr("every day at {time}", time=at)
    if weekday.lower() in {"1-5", "mon-fri"}:
        return tr("Monday to Friday at {time}", time=at)
    number = _weekday(weekday)
    return "" if number is None else tr("every {weekday} at {time}", weekday=_weekday_name(number, tr), time=at)


def _weekday(text: str) -> int | None:
    if text.lower() in _WEEKDAYS:
        return _WEEKDAYS[text.lower()]
    return int(text) % _SUNDAY_TOO if text.isdecimal() and int(text) <= _SUNDAY_TOO else None


def _weekday_name(number: int, tr: Translator) -> str:
    return tr.weekday(_FIRST_SUNDAY + timedelta(days=number))


def _clock(hour: int, minute: int) -> str:
    return f"{hour:02d}:{minute:02d}"
