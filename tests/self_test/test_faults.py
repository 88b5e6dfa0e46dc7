"""The self-test can say "not held": each planted fault is named by its rule, and what is sound is named as held.

`SELF_TEST_ALL=1 pytest tests/self_test/test_faults.py` makes every attack under every fault, which shows that no other
rule is named; without it only the attacks on the rules meant are made, since all of them take minutes.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Final
from unittest.mock import patch

import pytest

from nova_ui.self_test.findings import Outcome, Tried
from nova_ui.self_test.rules import RULES
from nova_ui.self_test.subject import Subject
from tests.self_test import weakened
from tests.self_test.faults import FAULTS, Fault
from tests.self_test.subjects import ADMIN, OPEN, STRICT, TOOLS, Stages

ALL: Final = os.environ.get("SELF_TEST_ALL") == "1"
# A budget is looked at elsewhere; no attack is made on it.
NEVER_TRIED: Final = {"E6"}


@pytest.fixture(scope="module")
def stages() -> Iterator[Stages]:
    stages = Stages()
    yield stages
    stages.close()


@contextmanager
def planted(fault: Fault) -> Iterator[None]:
    """Take away what enforces a rule, for as long as the block runs."""
    weakened.FIRST.clear()
    with ExitStack() as stack:
        for target, fake in fault.patches.items():
            stack.enter_context(patch(target, fake))
        stack.enter_context(patch.dict(TOOLS, fault.tools))
        yield


def not_held(tried: tuple[Tried, ...]) -> set[str]:
    return {one.rule for one in tried if one.finding.outcome is Outcome.NOT_HELD}


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_named_by_its_rule(stages: Stages, name: str) -> None:
    fault = FAULTS[name]
    wanted = () if ALL else tuple(sorted(fault.rules))
    stages.open(fault.subject)

    with planted(fault):
        tried = stages.attack(fault.subject, *wanted)

    assert fault.rules <= not_held(tried), [one for one in tried if one.rule in fault.rules]
    assert not_held(tried) <= fault.rules | fault.also


def test_every_rule_has_a_fault() -> None:
    named = {rule for fault in FAULTS.values() for rule in fault.rules}

    assert set(RULES) - named == NEVER_TRIED | {"C3"}  # C3 is the proof that confirming works at all


@pytest.mark.parametrize(
    ("subject", "rules"),
    [
        (OPEN, ()),
        (STRICT, () if ALL else ("A3", "A4", "B3", "B5", "C3", "C15", "G4")),
        (ADMIN, () if ALL else ("A2", "B3", "B4", "B5", "C3", "F1", "G4")),
    ],
    ids=["open", "strict", "admin"],
)
def test_what_is_sound_is_named_as_held(stages: Stages, subject: Subject, rules: tuple[str, ...]) -> None:
    tried = stages.attack(subject, *rules)

    wrong = [one for one in tried if one.finding.outcome in {Outcome.NOT_HELD, Outcome.UNCLEAR}]
    assert not wrong
    assert sum(one.finding.outcome is Outcome.HELD for one in tried) > len(tried) // 2
