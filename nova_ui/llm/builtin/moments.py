"""Days and periods in words, such as "31 December 2026", "yesterday" or "the last 7 days"; all days are UTC."""

import calendar
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from nova_ui.llm.builtin.words import Word

_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "january januar jan",
            "february februar feb",
            "march maerz mar",
            "april apr",
            "may mai",
            "june juni jun",
            "july juli jul",
            "august aug",
            "september sep sept",
            "october oktober oct okt",
            "november nov",
            "december dezember dec dez",
        ),
        start=1,
    )
    for name in names.split()
}
_WEEKDAYS: Final = {
    name: number
    for number, names in enumerate(
        (
            "monday montag",
            "tuesday dienstag",
            "wednesday mittwoch",
            "thursday donnerstag",
            "friday freitag",
            "saturday samstag",
            "sunday sonntag",
        )
    )
    for name in names.split()
}
RELATIVE_DAYS: Final = {
    "today": 0,
    "today's": 0,
    "heute": 0,
    "heutige": 0,
    "heutigen": 0,
    "yesterday": -1,
    "gestern": -1,
    "tomorrow": 1,
    "morgen": 1,
}
_UNITS: Final = {
    "day": 1,
    "days": 1,
    "tag": 1,
    "tage": 1,
    "tagen": 1,
    "week": 7,
    "weeks": 7,
    "woche": 7,
    "wochen": 7,
    "month": 30,
    "months": 30,
    "monat": 30,
    "monate": 30,
    "monaten": 30,
}
_LAST: Final = frozenset(
    {
        "last",
        "past",
        "letzte",
        "letzten",
        "letzter",
        "letztem",
        "previous",
        "vorige",
        "vorigen",
        "vergangene",
        "vergangenen",
    }
)
_THIS: Final = frozenset({"this", "diese", "dieser", "diesen", "diesem"})
_SINCE: Final = frozenset({"since", "seit", "after", "ab"})
_ARTICLES: Final = frozenset({"the", "der", "die", "den", "dem", "das", "of"})
_ISO: Final = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_DOTTED: Final = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
_ORDINAL: Final = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?")
_YEAR: Final = re.compile(r"\d{4}")


@dataclass(frozen=True, slots=True)
class Period:
    """First and last day; None where it is open."""

    first: date | None
    last: date | None
    end: int


@dataclass(frozen=True, slots=True)
class Day:
    """A day, and the index of the word behind it."""

    day: date
    end: int


def is_written_day(word: Word) -> bool:
    """Whether a word is a day in figures, such as 2026-12-31 or 31.12.2026."""
    return any(pattern.fullmatch(word.folded) for pattern in (_ISO, _DOTTED))


def find_day(words: Sequence[Word], start: int, today: date) -> Day | None:
    """Return the day that the words from `start` name, if they name one."""
    start = _skip_articles(words, start)
    if start >= len(words):
        return None
    word = words[start].folded
    if word in RELATIVE_DAYS:
        return Day(today + timedelta(days=RELATIVE_DAYS[word]), start + 1)
    for pattern, order in ((_ISO, (1, 2, 3)), (_DOTTED, (3, 2, 1))):
        found = pattern.fullmatch(word)
        if found:
            return _day(*(int(found[place]) for place in order), end=start + 1)
    return _spelled_day(words, start, today) or _named_day(words, start, today)


def find_period(words: Sequence[Word], start: int, today: date) -> Period | None:
    """Return the period that the words from `start` name, if they name one."""
    start = _skip_articles(words, start)
    if start >= len(words):
        return None
    word = words[start].folded
    if word in _SINCE:
        since = find_day(words, start + 1, today)
        return Period(since.day, None, since.end) if since else None
    if word in _LAST:
        return _last(words, start + 1, today)
    if word in _THIS:
        return _this(words, start + 1, today)
    day = find_day(words, start, today)
    if day is None:
        return None
    return Period(day.day, None if day.day == today else day.day, day.end)


def _last(words: Sequence[Word], index: int, today: date) -> Period | None:
    if index < len(words) and words[index].folded.isdigit():
        if index + 1 < len(words) and words[index + 1].folded in _UNITS:
            days = min(int(words[index].folded[:6]) * _UNITS[words[index + 1].folded], 36_500)
            return Period(today - timedelta(days=days), None, index + 2)
        return None
    if index >= len(words) or words[index].folded not in _UNITS:
        return None
    match _UNITS[words[index].folded]:
        case 1:
            return Period(today - timedelta(days=1), today - timedelta(days=1), index + 1)
        case 7:
            monday = today - timedelta(days=today.weekday() + 7)
            return Period(monday, monday + timedelta(days=6), index + 1)
        case _:
            last = today.replace(day=1) - timedelta(days=1)
            return Period(last.replace(day=1), last, index + 1)


def _this(words: Sequence[Word], index: int, today: date) -> Period | None:
    if index >= len(words) or words[index].folded not in _UNITS:
        return None
    match _UNITS[words[index].folded]:
        case 1:
            return Period(today, None, index + 1)
        case 7:
            return Period(today - timedelta(days=today.weekday()), None, index + 1)
        case _:
            return Period(today.replace(day=1), None, index + 1)


def _spelled_day(words: Sequence[Word], start: int, today: date) -> Day | None:
    """Read "31 December 2026", "31. Dezember", "December 31, 2026"."""
    place = start
    day = month = None
    while place < len(words) and (day is None or month is None):
        word = words[place].folded
        number = _ORDINAL.fullmatch(word)
        if month is None and word in _MONTHS:
            month = _MONTHS[word]
        elif day is None and number:
            day = int(number[1])
        elif not (words[place].is_mark and (day is not None or month is not None)):
            return None
        place += 1
    if day is None or month is None:
        return None
    behind = place + 1 if place < len(words) and words[place].is_mark else place
    if behind < len(words) and _YEAR.fullmatch(words[behind].folded):
        return _day(int(words[behind].folded), month, day, end=behind + 1)
    return _day(today.year, month, day, end=place)


def _named_day(words: Sequence[Word], start: int, today: date) -> Day | None:
    word = words[start].folded
    if word in _WEEKDAYS:
        return Day(today - timedelta(days=(today.weekday() - _WEEKDAYS[word]) % 7), start + 1)
    said = [word.folded for word in words[start : start + 5]]
    for phrase in (["end", "of", "the", "year"], ["end", "of", "year"], ["ende", "des", "jahres"], ["jahresende"]):
        if said[: len(phrase)] == phrase:
            return Day(date(today.year, 12, 31), start + len(phrase))
    for phrase in (["end", "of", "the", "month"], ["ende", "des", "monats"], ["monatsende"]):
        if said[: len(phrase)] == phrase:
            last = calendar.monthrange(today.year, today.month)[1]
            return Day(today.replace(day=last), start + len(phrase))
    return None


def _day(year: int, month: int, day: int, *, end: int) -> Day | None:
    try:
        return Day(date(year, month, day), end)
    except ValueError:
        return None


def _skip_articles(words: Sequence[Word], index: int) -> int:
    while index < len(words) and words[index].folded in _ARTICLES:
        index += 1
    return index
