"""What `docs/models.md` says is tested is tested."""

import re
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


def test_every_rule_names_tests_that_there_are() -> None:
    rules = [line for line in (REPOSITORY / "docs/models.md").read_text().splitlines() if "`test_" in line]
    named = {name for line in rules for name in re.findall(r"`(test_\w+)`", line)}
    there = {
        name
        for path in (REPOSITORY / "tests").rglob("test_*.py")
        for name in re.findall(r"def (test_\w+)\(", path.read_text())
    }

    assert len(rules) > 15
    assert named - there == set()
