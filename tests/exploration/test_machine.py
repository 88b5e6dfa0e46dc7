"""The state machine of `machine.py`, the same examples each time, held against a reference.

`python -m tests.exploration.machine --minutes 30` goes on with other examples for as long as wished, and `--faults`
plants every fault of `machine_faults.py`.
"""

import logging
from typing import Final

import pytest

from tests.exploration.machine import find_fault, run
from tests.exploration.machine_faults import FAULTS
from tests.exploration.machine_rules import TOTALS
from tests.exploration.reference import DESTRUCTIVE

PARTS: Final = 4  # so that several processes share them
EXAMPLES: Final = 40  # in each part
STEPS: Final = 3_000  # in all parts together
EXAMPLES_OVER_POSTGRESQL: Final = 10
STEPS_OVER_POSTGRESQL: Final = 150
MAX_STEPS: Final = 600  # to a fault; about a third of them are needed
QUICKLY_FOUND: Final = (
    "the list is asked only when the message came (B7)",
    "inner tools are not asked for (B2)",
    "a destructive call runs at once (C2)",
    "a message in between does not matter (C4)",
    "results keep their secrets (D3)",
    "budgets are not kept (E6)",
    "entries lack their mark (F1)",
)


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)
    TOTALS.clear()


@pytest.mark.parametrize("part", range(PARTS))
def test_a3_b1_b2_b7_b8_c2_c3_c4_c5_c6_c7_c8_c9_c11_c14_c15_d3_d4_e1_e3_e4_e5_e6_f1_hold_whatever_is_tried(
    part: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Abuse cases 4, 10, 12, 17, 18, 20, 22, 27, 30, 33, 36, 38, 39, 51, 52, 53, 54 and 56."""
    run(part, EXAMPLES)

    with capsys.disabled():
        print(f"\nstate machine, part {part}: {dict(sorted(TOTALS.items()))}")  # noqa: T201 - how much was tried counts
    assert TOTALS["steps"] >= STEPS / PARTS
    assert any(TOTALS[f"{name}: run"] for name in DESTRUCTIVE)  # or nothing was ever confirmed
    assert {"delete_group: ask", "message: confirmation_invalid"} <= TOTALS.keys()


@pytest.mark.postgresql
def test_a3_b1_b2_b7_b8_c2_c3_c4_c5_c6_c7_c8_c9_c11_d3_d4_e1_e3_e6_f1_hold_also_over_postgresql(
    postgresql_for_all: str,
) -> None:
    """Abuse cases 4, 10, 12, 17, 18, 20, 22, 27, 30, 33, 36, 38, 39, 51, 52, 53, 54 and 56."""
    run(0, EXAMPLES_OVER_POSTGRESQL, postgresql=postgresql_for_all)

    assert TOTALS["steps"] >= STEPS_OVER_POSTGRESQL


@pytest.mark.parametrize("fault", QUICKLY_FOUND)
def test_a_planted_fault_is_found(fault: str) -> None:
    """So that finding nothing means something; the others take longer, see `--faults`."""
    assert find_fault(fault, max_steps=MAX_STEPS) is not None


def test_the_faults_that_are_planted_here_are_of_each_section() -> None:
    sections = {name.rpartition("(")[2][0] for name in QUICKLY_FOUND}

    assert sections >= {"B", "C", "D", "E", "F"}
    assert set(QUICKLY_FOUND) <= FAULTS.keys()
