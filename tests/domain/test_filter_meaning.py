"""What a filter means by the kinds of its attributes: every operator, every wrong value with its place."""

from datetime import UTC, datetime, timedelta

import pytest

from nova_ui.domain.filter_grammar import FilterError, Operator, parse_filter
from nova_ui.domain.filter_meaning import Check, Kind, Stored, checks_in, compares, holds, understand

KINDS = {
    "title": Kind.TEXT,
    "status": Kind.KEY,
    "roles": Kind.KEYS,
    "on": Kind.FLAG,
    "size": Kind.NUMBER,
    "day": Kind.DAY,
    "at": Kind.MOMENT,
}
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
OBJECT: dict[str, Stored] = {
    "title": " Lead  ENGINEER",
    "status": "active",
    "roles": ["auditor", "user"],
    "on": True,
    "size": 7,
    "day": "2026-03-02",
    "at": NOON,
}
NOTHING: dict[str, Stored] = dict.fromkeys(OBJECT)


def _holds(text: str, values: dict[str, Stored]) -> bool:
    return holds(understand(parse_filter(text), KINDS), values)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('title eq "lead engineer"', True),
        ('title eq "lead"', False),
        ('title ne "lead"', True),
        ('title co "D E"', True),
        ('title co "DE"', False),
        ('title sw "LEAD"', True),
        ('title sw "engineer"', False),
        ('title ew "engineer"', True),
        ('title ew "lead"', False),
        ('title gt "lead"', True),
        ('title gt "lead engineer"', False),
        ('title ge "lead engineer"', True),
        ('title lt "lead engineer"', False),
        ('title le "lead engineer"', True),
        ('title lt "m"', True),
        ("title pr", True),
        ('status eq "ACTIVE"', True),
        ('status ne "active"', False),
        ('status sw "act"', True),
        ("status pr", True),
        ('roles eq "auditor"', True),
        ('roles eq "aud"', False),
        ('roles ne "auditor"', False),
        ('roles ne "manager"', True),
        ("roles pr", True),
        ("on eq true", True),
        ("on ne true", False),
        ("on eq false", False),
        ("size eq 7", True),
        ("size gt 6", True),
        ("size gt 7", False),
        ("size ge 7", True),
        ("size lt 7", False),
        ("size le 7", True),
        ('day eq "2026-03-02"', True),
        ('day gt "2026-03-02"', False),
        ('day le "2026-03-02"', True),
        ('at eq "2026-03-02T13:00:00+01:00"', True),
        ('at gt "2026-03-02T12:00Z"', False),
        ('at ge "2026-03-02T12:00:00.000Z"', True),
        ('at eq "2026-03-02"', True),
        ('at ne "2026-03-02"', False),
        ('at ge "2026-03-02"', True),
        ('at gt "2026-03-02"', False),
        ('at gt "2026-03-01"', True),
        ('at le "2026-03-02"', True),
        ('at le "2026-03-01"', False),
        ('at lt "2026-03-02"', False),
        ('at ge "2026-03-03"', False),
        ('at eq "2026-03-01"', False),
        ('at eq "2026-03-03"', False),
        ('at lt "2026-03-03"', True),
        ("at eq null", False),
        ("at ne null", True),
        ('not (status eq "active")', False),
        ('status eq "x" or on eq true', True),
        ('status eq "x" and on eq true', False),
    ],
)
def test_a_check_holds_of_a_value(text: str, *, expected: bool) -> None:
    assert _holds(text, OBJECT) is expected


@pytest.mark.parametrize("attribute", KINDS)
def test_what_is_missing_is_equal_to_nothing_and_unequal_to_everything(attribute: str) -> None:
    value = {"on": "true", "size": "7", "day": '"2026-03-02"', "at": '"2026-03-02T12:00:00Z"'}.get(attribute, '"x"')

    assert not _holds(f"{attribute} eq {value}", NOTHING)
    assert _holds(f"{attribute} ne {value}", NOTHING)
    assert not _holds(f"{attribute} pr", NOTHING)
    assert _holds(f"{attribute} eq null", NOTHING)
    assert not _holds(f"{attribute} ne null", NOTHING)


@pytest.mark.parametrize(("attribute", "empty"), [("title", "  "), ("status", ""), ("day", ""), ("roles", [])])
def test_an_empty_value_is_missing(attribute: str, empty: Stored) -> None:
    assert not _holds(f"{attribute} pr", {**OBJECT, attribute: empty})


def test_a_missing_value_has_no_order() -> None:
    assert not _holds("size lt 9 or size ge 9", NOTHING)
    assert not _holds('title le "z"', NOTHING)


def test_a_false_flag_is_there() -> None:
    assert _holds("on pr and on eq false", {**OBJECT, "on": False})
    assert _holds("size pr and size eq 0", {**OBJECT, "size": 0})


@pytest.mark.parametrize(
    ("text", "position", "words"),
    [
        ('nick eq "a"', 1, "there is no such attribute here; there are at, day, on, roles, size, status, title"),
        (
            'on pr and nick eq "a"',
            11,
            "there is no such attribute here; there are at, day, on, roles, size, status, title",
        ),
        ("nick pr", 1, "there is no such attribute here; there are at, day, on, roles, size, status, title"),
        ("title gt null", 7, "with null only eq and ne can compare"),
        ('status gt "a"', 8, "status is a key and compares with co, eq, ew, ne, pr, sw"),
        ('roles co "a"', 7, "roles is a list of keys and compares with eq, ne, pr"),
        ("on gt true", 4, "on is true or false and compares with eq, ne, pr"),
        ("size co 1", 6, "size is a whole number and compares with eq, ge, gt, le, lt, ne, pr"),
        ('day sw "2"', 5, "day is a day and compares with eq, ge, gt, le, lt, ne, pr"),
        ('at sw "2"', 4, "at is a moment and compares with eq, ge, gt, le, lt, ne, pr"),
        ("title eq 7", 10, 'expected is a text as "…"'),
        ('title eq "  "', 10, "an empty text compares with nothing; use pr"),
        ('on eq "true"', 7, "expected is true or false"),
        ("on eq 1", 7, "expected is true or false"),
        ("size eq true", 9, "expected is a whole number up to 2147483647"),
        ("size eq 1.5", 9, "expected is a whole number up to 2147483647"),
        ("size eq 2147483648", 9, "expected is a whole number up to 2147483647"),
        ('size eq "7"', 9, "expected is a whole number up to 2147483647"),
        ('day eq "2026-02-30"', 8, 'expected is a day such as "2026-11-30"'),
        ('day eq "20260302"', 8, 'expected is a day such as "2026-11-30"'),
        ("day eq 20260302", 8, 'expected is a day such as "2026-11-30"'),
        ('at eq "2026-02-30"', 7, 'expected is a day such as "2026-11-30"'),
        ('at eq "2026-03-02T25:00Z"', 7, 'expected is a moment such as "2026-11-30T08:00:00Z", or a day'),
        ('at eq "2026-03-02T12:00"', 7, 'expected is a moment such as "2026-11-30T08:00:00Z", or a day'),
        ('at eq "0001-01-01T00:00+14:00"', 7, 'expected is a moment such as "2026-11-30T08:00:00Z", or a day'),
        ('at ge "9999-12-31"', 7, "there is no day after this one"),
    ],
)
def test_what_can_t_be_compared_is_said_with_its_place(text: str, position: int, words: str) -> None:
    with pytest.raises(FilterError) as found:
        understand(parse_filter(text), KINDS)

    assert (found.value.position, found.value.reason) == (position, words)


def test_numbers_at_their_edge_are_read() -> None:
    assert _holds("size eq 2147483647", {**OBJECT, "size": 2**31 - 1})
    assert _holds("size eq -2147483647", {**OBJECT, "size": -(2**31 - 1)})


def test_a_day_of_a_moment_ends_where_the_next_begins() -> None:
    midnight = datetime(2026, 3, 3, tzinfo=UTC)
    last = midnight - timedelta(microseconds=1)

    assert [_holds('at eq "2026-03-02"', {**OBJECT, "at": one}) for one in (last, midnight)] == [True, False]
    assert [_holds('at gt "2026-03-02"', {**OBJECT, "at": one}) for one in (last, midnight)] == [False, True]


def test_every_check_is_found_from_left_to_right() -> None:
    condition = understand(parse_filter('not (on pr) and (size pr or title eq "A")'), KINDS)

    assert [one.attribute for one in checks_in(condition)] == ["on", "size", "title"]
    assert checks_in(condition)[0] == Check("on", Kind.FLAG)


def test_a_folded_text_that_is_there_passes_or_not() -> None:
    assert compares("lead", Check("title", Kind.TEXT, Operator.NE, "boss"))
    assert not compares("lead", Check("title", Kind.TEXT, Operator.NE, "lead"))
    assert compares("lead", Check("title", Kind.TEXT))


def test_a_moment_is_read_in_utc() -> None:
    (check,) = checks_in(understand(parse_filter('at eq "2026-03-02T13:00:00+01:00"'), KINDS))

    assert check.value == NOON
    assert isinstance(check.value, datetime)
    assert check.value.tzinfo is UTC
