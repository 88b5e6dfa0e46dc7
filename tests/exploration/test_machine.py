"""The state machine of `machine.py`, the same examples each time, held against a reference.

`python -m tests.exploration.machine --minutes 30` goes on with other examples for as long as wished, and `--faults`
plants every fault of `machine_faults.py`.
"""

import logging
from typing import Final

import pytest

from tests.exploration.machine import run
from tests.exploration.machine_rules import TOTALS

PARTS: Final = 4  # so that several processes share them
EXAMPLES: Final = 42  # in each part
STEPS: Final = 3_000  # in all parts together


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
    assert {"delete_group: run", "delete_group: ask", "message: confirmation_invalid"} <= TOTALS.keys()
