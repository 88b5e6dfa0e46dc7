"""When something is due: the same moments for everybody, back and forth, also over summer time."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nova_ui.domain.schedule import BadSchedule, Cron, Interval

MONDAY = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc, arg-type] # year, month, …


def test_an_interval_is_due_at_the_same_moments_whenever_one_asks() -> None:
    hourly = Interval(3600)

    assert hourly.latest(MONDAY + timedelta(minutes=59)) == MONDAY
    assert hourly.latest(MONDAY) == MONDAY
    assert hourly.following(MONDAY) == MONDAY + timedelta(hours=1)


def test_a_weekday_is_counted_as_cron_counts_it() -> None:
    assert Cron("0 9 * * 1").latest(MONDAY) == MONDAY
    assert Cron("0 9 * * 0").following(MONDAY) == utc(2026, 3, 8, 9)


def test_the_very_second_is_due() -> None:
    nightly = Cron("0 2 * * *")

    assert nightly.latest(utc(2026, 3, 2, 2)) == utc(2026, 3, 2, 2)
    assert nightly.latest(utc(2026, 3, 2, 1, 59, 59)) == utc(2026, 3, 1, 2)
    assert nightly.latest(datetime(2026, 3, 2, 2, 0, 0, 5, UTC)) == utc(2026, 3, 2, 2)


def test_a_moment_that_summer_time_skips_is_made_up_for_and_one_that_comes_twice_is_due_once() -> None:
    nightly = Cron("30 2 * * *", "Europe/Berlin")

    spring = [nightly.following(utc(2026, 3, 28, 12)), nightly.following(utc(2026, 3, 29, 12))]
    first = nightly.following(utc(2026, 10, 24, 12))
    assert first is not None

    assert spring == [utc(2026, 3, 29, 1), utc(2026, 3, 30, 0, 30)]
    assert first == utc(2026, 10, 25, 0, 30)
    assert nightly.following(first) == utc(2026, 10, 26, 1, 30)


@given(
    st.sampled_from(["0 2 * * *", "30 2 * * *", "*/15 * * * *", "0 6 1 * *", "0 7 * * MON-FRI", "5 1 29 2 *"]),
    st.sampled_from(["UTC", "Europe/Berlin", "America/New_York"]),
    st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1)),  # noqa: DTZ001 - made aware below
)
def test_the_latest_moment_is_the_last_one_before_the_following(
    expression: str, timezone: str, moment: datetime
) -> None:
    schedule, now = Cron(expression, timezone), moment.replace(tzinfo=UTC)
    latest, following = schedule.latest(now), schedule.following(now)
    assert latest is not None
    assert following is not None

    assert latest <= now < following
    assert schedule.latest(following - timedelta(microseconds=1)) == latest
    assert schedule.following(latest - timedelta(microseconds=1)) in {latest, following}


@pytest.mark.parametrize(
    "expression", ["", "0 2 * *", "0 0 2 * * *", "61 2 * * *", "0 2 30 2 *", "nightly x y z a", "0 2 * * 9"]
)
def test_what_cron_does_not_know_is_no_schedule(expression: str) -> None:
    with pytest.raises(BadSchedule):
        Cron(expression)


@pytest.mark.parametrize("timezone", ["", "Mars/Olympus", "../etc/passwd", "/etc/localtime"])
def test_an_unknown_time_zone_is_none(timezone: str) -> None:
    with pytest.raises(BadSchedule, match="time zone"):
        Cron("0 2 * * *", timezone)


def test_the_shortest_gap_tells_how_often_something_would_run() -> None:
    assert Cron("*/5 * * * *").shortest_gap(MONDAY) == timedelta(minutes=5)
    assert Cron("0,1 2 * * *").shortest_gap(MONDAY) == timedelta(minutes=1)


def test_an_interval_of_no_time_is_none() -> None:
    with pytest.raises(BadSchedule):
        Interval(0)


@pytest.mark.parametrize(
    ("expression", "timezone", "words"),
    [
        ("0 2 * *", "UTC", "must have five parts: minute, hour, day, month and weekday, such as 0 2 * * *"),
        ("0 2 * * * *", "UTC", "must have five parts: minute, hour, day, month and weekday, such as 0 2 * * *"),
        ("0 2 * * *", "Europe/Atlantis", "names an unknown time zone"),
        ("0 25 * * *", "UTC", "is not a schedule as cron knows it, such as 0 2 * * *"),
        ("0 0 30 2 *", "UTC", "is not a schedule as cron knows it, such as 0 2 * * *"),
    ],
)
def test_what_is_no_schedule_says_why(expression: str, timezone: str, words: str) -> None:
    with pytest.raises(BadSchedule) as found:
        Cron(expression, timezone)

    assert str(found.value) == words


def test_an_interval_has_at_least_a_second() -> None:
    with pytest.raises(BadSchedule) as found:
        Interval(0)

    assert str(found.value) == "must be at least one second"
    assert Interval(1).following(MONDAY + timedelta(microseconds=1)) == MONDAY + timedelta(seconds=1)
    assert Interval(7).following(utc(1970, 1, 1, 0, 0, 10)) == utc(1970, 1, 1, 0, 0, 14)


def test_moments_are_told_in_utc() -> None:
    following = Cron("0 9 * * *", "Asia/Tokyo").following(MONDAY)

    assert following == utc(2026, 3, 3)
    assert following is not None
    assert following.tzinfo is UTC


def test_the_shortest_gap_is_that_of_the_next_twenty_moments() -> None:
    assert Cron("0,10 9 * * *").shortest_gap(MONDAY) == timedelta(minutes=10)
    assert Cron("0 9 * * 1-5").shortest_gap(MONDAY) == timedelta(days=1)
