"""How Nova AI stands against OWASP ASVS 5.0.0 at level 2, read from `docs/asvs.md`.

`python -m tests.asvs` writes the counts by chapter into `docs/security.md`; `tests/test_asvs.py` compares them.
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

REPOSITORY: Final = Path(__file__).resolve().parents[1]
ASVS: Final = REPOSITORY / "docs" / "asvs.md"
SECURITY: Final = REPOSITORY / "docs" / "security.md"
VERDICTS: Final = ("holds", "partly", "gap", "not applicable")
CHAPTERS: Final = (
    "Encoding and Sanitization", "Validation and Business Logic", "Web Frontend Security", "API and Web Service",
    "File Handling", "Authentication", "Session Management", "Authorization", "Self-contained Tokens",
    "OAuth and OIDC", "Cryptography", "Secure Communication", "Configuration", "Data Protection",
    "Secure Coding and Architecture", "Security Logging and Error Handling", "WebRTC",
)  # fmt: skip
# Of each section the last number at level 1 or 2: in 5.0.0 those of level 3 stand behind them.
LAST_NUMBERS: Final = {
    "1.1": 2, "1.2": 9, "1.3": 11, "1.4": 3, "1.5": 2, "2.1": 3, "2.2": 3, "2.3": 4, "2.4": 1, "3.2": 2, "3.3": 4,
    "3.4": 6, "3.5": 5, "3.7": 2, "4.1": 3, "4.2": 1, "4.3": 2, "4.4": 4, "5.1": 1, "5.2": 3, "5.3": 2, "5.4": 3,
    "6.1": 3, "6.2": 12, "6.3": 4, "6.4": 4, "6.5": 5, "6.6": 3, "6.8": 4, "7.1": 3, "7.2": 4, "7.3": 2, "7.4": 5,
    "7.5": 2, "7.6": 2, "8.1": 2, "8.2": 3, "8.3": 1, "8.4": 1, "9.1": 3, "9.2": 4, "10.1": 2, "10.2": 2, "10.3": 4,
    "10.4": 11, "10.5": 5, "10.6": 2, "10.7": 3, "11.1": 2, "11.2": 3, "11.3": 3, "11.4": 4, "11.5": 1, "11.6": 1,
    "12.1": 3, "12.2": 2, "12.3": 4, "13.1": 1, "13.2": 5, "13.3": 2, "13.4": 5, "14.1": 2, "14.2": 4, "14.3": 3,
    "15.1": 3, "15.2": 3, "15.3": 7, "16.1": 1, "16.2": 5, "16.3": 4, "16.4": 3, "16.5": 3, "17.1": 1, "17.2": 4,
    "17.3": 2,
}  # fmt: skip
_ROW: Final = re.compile(r"^\| (\d+\.\d+)\.(\d+)(?: to \d+\.\d+\.(\d+))? \| ([a-z ]+) \| (.+) \|$", re.MULTILINE)
_BLOCK: Final = re.compile(r"(<!-- counts -->\n).*?(<!-- end of counts -->)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Row:
    """One requirement, what is found of it, and where or why."""

    number: str
    verdict: str
    words: str


def rows(text: str) -> Iterator[Row]:
    """Return the requirements of the document; a line may stand for several that follow one another."""
    for section, first, last, verdict, words in _ROW.findall(text):
        for number in range(int(first), int(last or first) + 1):
            yield Row(f"{section}.{number}", verdict, words)


def expected_numbers() -> list[str]:
    """Return every number at level 1 or 2, in order."""
    return [f"{section}.{number}" for section, last in LAST_NUMBERS.items() for number in range(1, last + 1)]


def counts_of(found: Sequence[Row]) -> str:
    """Return the counts by chapter as a table."""
    lines = [f"| chapter | {' | '.join(VERDICTS)} |", "| --- | ---: | ---: | ---: | ---: |"]
    for place, name in enumerate(CHAPTERS, start=1):
        counted = Counter(row.verdict for row in found if row.number.startswith(f"{place}."))
        lines.append(f"| V{place} {name} | {' | '.join(str(counted[verdict]) for verdict in VERDICTS)} |")
    counted = Counter(row.verdict for row in found)
    lines.append(f"| all {len(found)} | {' | '.join(str(counted[verdict]) for verdict in VERDICTS)} |")
    return "\n".join(lines) + "\n"


def with_counts(security: str, counts: str) -> str:
    """Return the text with the table in its place."""
    return _BLOCK.sub(lambda found: f"{found[1]}\n{counts}\n{found[2]}", security)


def main() -> int:
    """Write the counts."""
    SECURITY.write_text(with_counts(SECURITY.read_text(), counts_of(list(rows(ASVS.read_text())))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
