"""Every abuse case has a test where its attack happens, and the tables in the documents say so."""

import re
from pathlib import Path

import pytest

from tests.proof import CASES, LEVELS, NUMBER_OF_CASES, levels_without_a_test, proofs, written

ALL_CASES = range(1, NUMBER_OF_CASES + 1)


def test_the_document_tells_every_case_once() -> None:
    told = re.findall(r"^(\d+)\. ", CASES.read_text(), re.MULTILINE)

    assert [int(number) for number in told] == list(ALL_CASES)


def test_for_every_case_it_is_said_where_its_attack_happens() -> None:
    assert sorted(LEVELS) == list(ALL_CASES)


def test_every_case_has_a_test_where_its_attack_happens() -> None:
    assert levels_without_a_test(proofs()) == []


def test_every_test_that_names_a_case_names_one_that_exists() -> None:
    unknown = {proof.test: proof.cases for proof in proofs() if not proof.cases <= set(ALL_CASES)}

    assert unknown == {}


@pytest.mark.parametrize("path", written(), ids=lambda path: path.name)
def test_the_tables_say_what_the_tests_prove(path: Path) -> None:
    """If this fails, `python -m tests.proof` writes them anew."""
    assert path.read_text() == written()[path]
