"""Schedules in words, and as they are where there are no simple words."""

import pytest

from nova_ui.domain.identity import Language
from nova_ui.i18n.translator import Translators
from nova_ui.presenters.schedule_words import schedule_words


@pytest.mark.parametrize(
    ("schedule", "words"),
    [
        ("0 7 * * 1", "every Monday at 07:00 (UTC)"),
        ("30 6 * * sun", "every Sunday at 06:30 (UTC)"),
        ("0 7 * * 7", "every Sunday at 07:00 (UTC)"),
        ("0 7 * * *", "every day at 07:00 (UTC)"),
        ("0 7 * * 1-5", "Monday to Friday at 07:00 (UTC)"),
        ("5 6 1 * *", "on day 1 of every month at 06:05 (UTC)"),
        ("15 * * * *", "every hour, at minute 15 (UTC)"),
        ("0 7 * 3 1", "cron 0 7 * 3 1 (UTC)"),
        ("*/20 * * * *", "cron */20 * * * * (UTC)"),
        ("5 6 L * *", "on the last day of every month at 06:05 (UTC)"),
        ("0 7 1 * 1", "cron 0 7 1 * 1 (UTC)"),
        ("nonsense", "nonsense"),
    ],
)
def test_a_schedule_in_words(schedule: str, words: str) -> None:
    assert schedule_words(schedule, "UTC", Translators().for_language(Language.ENGLISH)) == words


def test_a_schedule_in_german() -> None:
    tr = Translators().for_language(Language.GERMAN)

    assert schedule_words("0 7 * * 1", "Europe/Berlin", tr) == "jeden Montag um 07:00 (Europe/Berlin)"
