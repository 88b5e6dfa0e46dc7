"""What the words in a slot give: names, people, days, periods, numbers, addresses, the rest of a sentence."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from types import MappingProxyType
from typing import Final

from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.tool import Slot, SlotKind
from nova_ui.llm.builtin.costs import FORBIDDING, cost_within_name, may_bound_name
from nova_ui.llm.builtin.lexicon import concepts_of
from nova_ui.llm.builtin.moments import find_day, find_period
from nova_ui.llm.builtin.spelling import corrected
from nova_ui.llm.builtin.words import Word, split_words

_MAX_NAME_WORDS: Final = 5
_MAX_NAMES: Final = 20
_UNUSUAL_COST: Final = 0.05
_E_MAIL: Final = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")
_PHONE: Final = re.compile(r"\+?[0-9][0-9/.-]*")
_PHONE_DIGITS: Final = 6
_COUNT_DIGITS: Final = 4
_AND: Final = frozenset({"and", "und", ",", "&", "sowie"})
_NUMBER_WORDS: Final[Mapping[str, int]] = MappingProxyType(
    {
        word: number
        for number, words in (
            (1, "one ein eine einen"),
            (2, "two zwei"),
            (3, "three drei"),
            (4, "four vier"),
            (5, "five fuenf"),
            (10, "ten zehn"),
        )
        for word in words.split()
    }
)

Values = Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Filled:
    """A slot filled by the words up to `end`: the arguments that it gives, and what taking these words costs."""

    values: Values
    end: int
    cost: float


@dataclass(frozen=True, slots=True)
class Reading:
    """A text being read: the text, its words, what they may mean, and what day it is."""

    text: str
    words: Sequence[Word]
    today: date
    folded: frozenset[str]
    concepts: frozenset[str]


def read(text: str, today: date) -> Reading:
    """Return a text with its words, misspelt kinds of things corrected; what is quoted means nothing by itself."""
    words = corrected(split_words(text))
    folded = frozenset(word.folded for word in words if not word.is_quoted)
    return Reading(text, words, today, folded, frozenset(one for word in folded for one in concepts_of(word)))


def fill(name: str, slot: Slot, reading: Reading, start: int) -> Iterator[Filled]:
    """Yield the ways in which the words from `start` fill a slot, shorter ones first."""
    arguments = slot.arguments or (name,)
    match slot.kind:
        case SlotKind.NAME:
            for found in _names(reading, start, arguments[0]):
                yield replace(found, cost=found.cost + _unusual(reading, start, found.end, slot.usual_words))
        case SlotKind.NAMES:
            yield from _several_names(reading, start, arguments[0])
        case SlotKind.PERSON:
            yield from _person(reading, start, arguments)
        case SlotKind.DAY:
            day = find_day(reading.words, start, reading.today)
            if day:
                yield Filled({arguments[0]: day.day.isoformat()}, day.end, 0.0)
        case SlotKind.PERIOD:
            yield from _period(reading, start, arguments)
        case SlotKind.COUNT | SlotKind.E_MAIL | SlotKind.PHONE:
            yield from _number_like(slot.kind, reading, start, arguments[0])
        case SlotKind.TEXT:
            yield from _rest(reading, start, arguments[0])


def _names(reading: Reading, start: int, argument: str, *, is_one_of_many: bool = False) -> Iterator[Filled]:
    words = reading.words
    cost = 0.0
    for end in range(start + 1, min(start + _MAX_NAME_WORDS, len(words)) + 1):
        last = words[end - 1]
        cost += cost_within_name(last, is_first=end - 1 == start)
        if is_one_of_many and last.folded in _AND and not last.is_quoted:
            return
        if cost >= FORBIDDING or (end - 1 == start and not may_bound_name(last)):
            return
        if may_bound_name(last):
            yield Filled({argument: _original(reading, start, end)}, end, cost)
        if last.is_quoted:
            return


def _unusual(reading: Reading, start: int, end: int, usual_words: int) -> float:
    """Return what a name costs that has another number of words than usual; one such as `tim.vogt` stands alone."""
    stands_alone = any(mark in reading.words[start].text for mark in "._@") or reading.words[start].is_quoted
    usual = 1 if stands_alone else usual_words
    return _UNUSUAL_COST * abs(end - start - usual) if usual_words else 0.0


def _several_names(reading: Reading, start: int, argument: str) -> Iterator[Filled]:
    for first in _names(reading, start, argument, is_one_of_many=True):
        yield from _more_names(reading, first, [first.values[argument]], argument)


def _more_names(reading: Reading, so_far: Filled, names: list[JsonValue], argument: str) -> Iterator[Filled]:
    yield Filled({argument: names}, so_far.end, so_far.cost)
    words, end = reading.words, so_far.end
    while end < len(words) and words[end].folded in _AND:
        end += 1
    if end == so_far.end or len(names) >= _MAX_NAMES:
        return
    for following in _names(reading, end, argument, is_one_of_many=True):
        reached = Filled({}, following.end, so_far.cost + following.cost)
        yield from _more_names(reading, reached, [*names, following.values[argument]], argument)


def _person(reading: Reading, start: int, arguments: Sequence[str]) -> Iterator[Filled]:
    for found in _names(reading, start, "name"):
        given, _, family = str(found.values["name"]).partition(" ")
        if family:
            yield Filled(dict(zip(arguments, (given, family), strict=True)), found.end, found.cost)


def _period(reading: Reading, start: int, arguments: Sequence[str]) -> Iterator[Filled]:
    period = find_period(reading.words, start, reading.today)
    if period is None:
        return
    days = dict(zip(arguments, (period.first, period.last), strict=True))
    yield Filled({name: day.isoformat() for name, day in days.items() if day}, period.end, 0.0)


def _number_like(kind: SlotKind, reading: Reading, start: int, argument: str) -> Iterator[Filled]:
    word = reading.words[start] if start < len(reading.words) else None
    if word is None:
        return
    if kind is SlotKind.COUNT:
        number = _NUMBER_WORDS.get(word.folded)
        if word.folded.isascii() and word.folded.isdigit() and len(word.folded) <= _COUNT_DIGITS:
            number = int(word.folded)
        if number:
            yield Filled({argument: number}, start + 1, 0.0)
    elif kind is SlotKind.E_MAIL:
        if _E_MAIL.fullmatch(word.text):
            yield Filled({argument: word.text}, start + 1, 0.0)
    else:
        yield from _phone(reading, start, argument)


def _phone(reading: Reading, start: int, argument: str) -> Iterator[Filled]:
    end = start
    while end < len(reading.words) and _PHONE.fullmatch(reading.words[end].text):
        end += 1
    if end > start:
        number = _original(reading, start, end)
        if sum(letter.isdigit() for letter in number) >= _PHONE_DIGITS:
            yield Filled({argument: [number]}, end, 0.0)


def _rest(reading: Reading, start: int, argument: str) -> Iterator[Filled]:
    while start < len(reading.words) and reading.words[start].is_mark:
        start += 1
    if start < len(reading.words):
        rest = reading.text[reading.words[start].start :].strip().rstrip(".!")
        if rest:
            yield Filled({argument: rest}, len(reading.words), 0.0)


def _original(reading: Reading, start: int, end: int) -> str:
    if end - start == 1:
        return reading.words[start].text
    return reading.text[reading.words[start].start : reading.words[end - 1].end]
