"""Where a growing answer can be cut, so that finished parts are drawn once and only the open end again."""

import re
from typing import Final

_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_CONTINUES: Final = re.compile(r"\s|[-*+] |\d{1,9}[.)] |[-*+]$|\d{1,9}[.)]?$")
_ENOUGH_CHARS: Final = 12  # of a line, to know that it neither continues a list nor opens one


def split_blocks(text: str) -> tuple[list[str], str]:
    """Return finished blocks of Markdown and the rest that may still grow.

    A block ends at a blank line outside code fences if the next line begins something new. A longer text gives the
    same blocks again, and perhaps more.
    """
    lines = text.split("\n")
    blocks: list[str] = []
    block: list[str] = []
    fence = ""
    after_blank = False
    for number, line in enumerate(lines):
        if after_blank and not fence and line.strip() and block and _begins_anew(line, number < len(lines) - 1):
            blocks.append("\n".join(block).strip("\n"))
            block = []
        fence = _fence_after(line, fence)
        after_blank = not line.strip()
        block.append(line)
    return [one for one in blocks if one], "\n".join(block)


def _begins_anew(line: str, is_complete: bool) -> bool:  # noqa: FBT001 - one private caller
    if not is_complete and len(line) < _ENOUGH_CHARS:
        return False
    return _CONTINUES.match(line) is None


def _fence_after(line: str, fence: str) -> str:
    """Return the code fence that is open after `line`, or an empty text."""
    found = _FENCE.match(line)
    if found is None:
        return fence
    marks = found.group(1)
    if not fence:
        return marks
    closes = marks[0] == fence[0] and len(marks) >= len(fence) and not line.strip(f" {marks[0]}")
    return "" if closes else fence
