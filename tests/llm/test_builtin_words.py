"""Words, days and languages as the built-in model reads them."""

from datetime import date

import pytest

from nova_ui.domain.identity import Language
from nova_ui.llm.builtin.asides import without_aside
from nova_ui.llm.builtin.language import language_of
from nova_ui.llm.builtin.moments import find_day, find_period
from nova_ui.llm.builtin.replies import Reply, choice_in, reply_in
from nova_ui.llm.builtin.words import MAX_WORDS, fold, split_words

WEDNESDAY = date(2026, 3, 18)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("LÖSCHE", "loesche"),
        ("Straße", "strasse"),
        ("Dvořák", "dvorak"),
        ("Ko\u0308nig", "koenig"),
        ("don\u2019t", "don't"),
        ("  two   words ", "two words"),
    ],
)
def test_words_compare_without_case_accents_and_umlauts(text: str, folded: str) -> None:
    assert fold(text) == folded


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("add tim.vogt, please!", ["add", "tim.vogt", ",", "please", "!"]),
        ("Tim Vogt's account", ["Tim", "Vogt", "'s", "account"]),
        ("the users' groups", ["the", "users", "groups"]),
        ("don't, can't, cannot", ["do", "not", ",", "can", "not", ",", "can", "not"]),
        ("what's up", ["what's", "up"]),
        ('group "Summer Party" now', ["group", "Summer Party", "now"]),
        ("Gruppe „Sommer Fest“ und «x y»", ["Gruppe", "Sommer Fest", "und", "x y"]),
        ("eva.lang@aurelia.example, +49 30 2312500.", ["eva.lang@aurelia.example", ",", "+49", "30", "2312500", "."]),
        ("vpn-users and 2026-12-31", ["vpn-users", "and", "2026-12-31"]),
        ("", []),
    ],
)
def test_names_keys_and_addresses_stay_whole(text: str, words: list[str]) -> None:
    assert [word.text for word in split_words(text)] == words


def test_a_long_text_is_read_only_so_far() -> None:
    assert len(split_words("word " * 10_000)) == MAX_WORDS


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-12-31", date(2026, 12, 31)),
        ("31.12.2026", date(2026, 12, 31)),
        ("31 December 2026", date(2026, 12, 31)),
        ("December 31, 2026", date(2026, 12, 31)),
        ("dem 1. Januar 2026", date(2026, 1, 1)),
        ("March 1st 2026", date(2026, 3, 1)),
        ("3rd of May", None),
        ("5 Mai", date(2026, 5, 5)),
        ("today", WEDNESDAY),
        ("gestern", date(2026, 3, 17)),
        ("Monday", date(2026, 3, 16)),
        ("Ende des Jahres", date(2026, 12, 31)),
        ("the end of the month", date(2026, 3, 31)),
        ("31.02.2026", None),
        ("2026-13-01", None),
        ("99 January 2026", None),
        ("soon", None),
        ("", None),
    ],
)
def test_days(text: str, day: date | None) -> None:
    found = find_day(split_words(text), 0, WEDNESDAY)

    assert (found.day if found else None) == day


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("the last 7 days", date(2026, 3, 11), None),
        ("letzten 2 Wochen", date(2026, 3, 4), None),
        ("last week", date(2026, 3, 9), date(2026, 3, 15)),
        ("diese Woche", date(2026, 3, 16), None),
        ("last month", date(2026, 2, 1), date(2026, 2, 28)),
        ("this month", date(2026, 3, 1), None),
        ("today", WEDNESDAY, None),
        ("yesterday", date(2026, 3, 17), date(2026, 3, 17)),
        ("since Monday", date(2026, 3, 16), None),
        ("seit dem 1. Januar 2026", date(2026, 1, 1), None),
        ("2026-03-02", date(2026, 3, 2), date(2026, 3, 2)),
        ("the last 99999999 days", date(1926, 4, 12), None),
    ],
)
def test_periods(text: str, first: date, last: date | None) -> None:
    found = find_period(split_words(text), 0, WEDNESDAY)

    assert found is not None
    assert (found.first, found.last) == (first, last)


@pytest.mark.parametrize("text", ["the last group", "this group", "since when", "last 7 groups", ""])
def test_what_is_no_period(text: str) -> None:
    assert find_period(split_words(text), 0, WEDNESDAY) is None


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Zeige alle Gruppen", Language.GERMAN),
        ("show all groups", Language.ENGLISH),
        ("Show the access of Mara König", Language.ENGLISH),
        ("Lösche Sales Team", Language.GERMAN),
    ],
)
def test_the_language_is_that_of_most_words(text: str, language: Language) -> None:
    other = Language.ENGLISH if language is Language.GERMAN else Language.GERMAN

    assert language_of(split_words(text), other) is language


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("Yes, please delete it.", Reply.AGREES),
        ("Ja, bitte löschen!", Reply.AGREES),
        ("no, thanks", Reply.REFUSES),
        ("Nein", Reply.REFUSES),
        ("Hi there", Reply.GREETS),
        ("Guten Morgen!", Reply.GREETS),
        ("thanks, that was helpful!", Reply.THANKS),
        ("Was kannst du?", Reply.ASKS_ABOUT_SELF),
        ("yes and delete the group finance too", None),
        ("no, delete the other one", None),
        ("cancel my request for Finance Viewer", None),
        ("delete it", None),
        ("help me delete the group finance", None),
    ],
)
def test_whole_replies(text: str, reply: Reply | None) -> None:
    assert reply_in(text) is reply


@pytest.mark.parametrize(
    ("text", "chosen"),
    [("1", 0), ("the second one", 1), ("Nr. 3", 2), ("die zweite", 1), ("4", None), ("one", 0), ("the group 2", None)],
)
def test_choices(text: str, chosen: int | None) -> None:
    assert choice_in(text, 3) == chosen


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("delete group x, we don't need it any more", "delete group x"),
        ("delete group x because it is empty", "delete group x"),
        ("Lösche x, sie wird nicht mehr gebraucht", "Lösche x"),
        ("delete group x, I do not mean it", None),
        ("delete group x, we could also disable it", None),
        ("delete group x, no, wait", None),
        ("delete group x", None),
    ],
)
def test_only_an_explanation_is_left_out(text: str, left: str | None) -> None:
    assert without_aside(text) == left
