"""A schedule as cron writes it, in words where there are simple ones."""

from datetime import date, timedelta
from typing import Final, assert_never

from nova_ui.i18n.translator import Translator
from nova_ui.presenters.schedule_plan import LAST_DAY, WEEKDAYS, Plan, Rhythm, plan_of

_FIELDS: Final = 5
_FIRST_MONDAY: Final = date(2023, 1, 2)


def schedule_words(schedule: str, timezone: str, tr: Translator) -> str:
    """Return when something runs; a schedule without simple words stands as it is, with its time zone."""
    if len(schedule.split()) != _FIELDS:
        return schedule
    plan = plan_of(schedule)
    if plan.rhythm is Rhythm.CUSTOM:
        return tr("cron {schedule} ({zone})", schedule=schedule, zone=timezone)
    return tr("{when} ({zone})", when=plan_words(plan, tr), zone=timezone)


def plan_words(plan: Plan, tr: Translator) -> str:
    """Return a schedule in words, without its time zone."""
    match plan.rhythm:
        case Rhythm.HOURLY:
            words = tr("every hour, at minute {minute}", minute=plan.minute)
        case Rhythm.DAILY:
            words = tr("every day at {time}", time=plan.time)
        case Rhythm.WORKING_DAYS:
            words = tr("Monday to Friday at {time}", time=plan.time)
        case Rhythm.WEEKLY:
            words = tr("every {weekday} at {time}", weekday=weekday_name(plan.weekday, tr), time=plan.time)
        case Rhythm.MONTHLY if plan.day == LAST_DAY:
            words = tr("on the last day of every month at {time}", time=plan.time)
        case Rhythm.MONTHLY:
            words = tr("on day {day} of every month at {time}", day=plan.day, time=plan.time)
        case Rhythm.CUSTOM:
            words = plan.text
        case _:
            assert_never(plan.rhythm)
    return words


def weekday_name(weekday: str, tr: Translator) -> str:
    """Return the name of a weekday that cron calls `weekday`, such as MON."""
    return tr.weekday(_FIRST_MONDAY + timedelta(days=WEEKDAYS.index(weekday)))
