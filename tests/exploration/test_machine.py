"""The state machine of `machine.py`, the same examples each time, held against a reference.

`python -m tests.exploration.machine --minutes 30` goes on with other examples for as long as wished, and `--faults`
plants every fault of `machine_faults.py`.
"""

import logging
from typing import Final

import pytest
from hypothesis.stateful import run_state_machine_as_test

from tests.exploration.machine import TOTALS, Machine, settings

EXAMPLES: Final = 80


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)


def test_a3_b1_b2_b7_b8_c2_c3_c4_c5_c6_c7_c8_c9_c11_c14_c15_d3_d4_e1_e3_e4_e5_f1_hold_whatever_is_tried(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Abuse cases 4, 10, 12, 17, 18, 20, 22, 27, 30, 33, 36, 38, 39, 51, 52, 53, 54 and 56."""
    TOTALS.clear()

    run_state_machine_as_test(Machine, settings=settings(EXAMPLES, derandomize=True))

    with capsys.disabled():
        print(f"\nstate machine: {dict(sorted(TOTALS.items()))}")  # noqa: T201 - how much was tried is part of it
    assert TOTALS["steps"] > 1_000
    assert {"delete_group: run", "delete_group: ask", "refused: confirmation_invalid"} <= TOTALS.keys()
