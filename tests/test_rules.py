"""Every rule has a test that bears its number, and every such test names a rule."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

REPOSITORY: Final = Path(__file__).resolve().parents[1]
_ROW: Final = re.compile(r"^\| ([A-I]\d{1,2}) \| (\S*) ?\| (.+) \| (done|open) \|$", re.MULTILINE)
_TEST: Final = re.compile(r"^\s*(?:async )?def test_((?:[a-i]\d{1,2}_(?:and_)?)+)", re.MULTILINE)
_LAST_OF_LETTER: Final = {"A": 5, "B": 8, "C": 15, "D": 5, "E": 6, "F": 5, "G": 4, "H": 4, "I": 3}
_BEYOND_THIS_SLICE: Final[frozenset[str]] = frozenset()


@dataclass(frozen=True, slots=True)
class Rule:
    number: str
    room: str
    state: str


def _rules() -> tuple[Rule, ...]:
    text = (REPOSITORY / "docs" / "guardrails.md").read_text()
    return tuple(Rule(number, room, state) for number, room, _, state in _ROW.findall(text))


def _tested() -> dict[str, set[str]]:
    """The rules that tests name, with the files in which they do."""
    found: dict[str, set[str]] = {}
    for path in sorted((REPOSITORY / "tests").rglob("test_*.py")):
        for numbers in _TEST.findall(path.read_text()):
            for number in re.findall(r"[A-I]\d+", numbers.upper()):
                found.setdefault(number, set()).add(path.relative_to(REPOSITORY).as_posix())
    return found


RULES: Final = _rules()
DONE: Final = [rule for rule in RULES if rule.state == "done"]


def test_the_table_holds_every_rule_of_the_specification_once() -> None:
    expected = [f"{letter}{number}" for letter, last in _LAST_OF_LETTER.items() for number in range(1, last + 1)]

    assert [rule.number for rule in RULES] == expected


def test_only_rules_beyond_this_slice_are_open() -> None:
    assert {rule.number for rule in RULES if rule.state == "open"} == _BEYOND_THIS_SLICE


@pytest.mark.parametrize("rule", DONE, ids=lambda rule: rule.number)
def test_a_rule_has_a_test_that_bears_its_number(rule: Rule) -> None:
    assert rule.number in _tested()


@pytest.mark.parametrize("rule", DONE, ids=lambda rule: rule.number)
def test_the_room_of_a_rule_exists(rule: Rule) -> None:
    assert (REPOSITORY / rule.room).is_file()


def test_every_test_with_a_rule_in_its_name_names_a_rule_that_exists() -> None:
    unknown = {number: files for number, files in _tested().items() if number not in {rule.number for rule in RULES}}

    assert unknown == {}
