"""What the documents say of OWASP ASVS: every requirement at level 2 once, with places and tests that exist."""

import re
from typing import Final

from tests.asvs import ASVS, REPOSITORY, SECURITY, VERDICTS, counts_of, expected_numbers, rows, with_counts

ROWS: Final = list(rows(ASVS.read_text()))
_PLACE: Final = re.compile(r"`((?:[a-z_]+/)+[a-z_.]+|test_[a-z_]+)`")
_ROOTS: Final = ("nova_ui", "tests", "", "docs")


def _exists(place: str) -> bool:
    return any((REPOSITORY / root / f"{place}{end}").exists() for root in _ROOTS for end in ("", ".py", ".md"))


def test_every_requirement_of_level_one_and_two_stands_there_once_and_in_order() -> None:
    assert [row.number for row in ROWS] == expected_numbers()
    assert len(ROWS) == 253


def test_every_requirement_has_a_verdict_and_a_place_or_a_reason() -> None:
    assert {row.verdict for row in ROWS} == set(VERDICTS)
    assert [row.number for row in ROWS if len(row.words) < 10] == []


def test_every_place_that_is_named_exists() -> None:
    missing = {place for row in ROWS for place in _PLACE.findall(row.words) if not _exists(place)}

    assert missing == set()


def test_what_holds_names_where() -> None:
    assert [row.number for row in ROWS if row.verdict == "holds" and "`" not in row.words] == []


def test_the_counts_by_chapter_are_those_of_the_verdicts() -> None:
    assert with_counts(SECURITY.read_text(), counts_of(ROWS)) == SECURITY.read_text()
