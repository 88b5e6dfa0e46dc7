"""A QR code as one path: drawn in the page itself, so that no picture with a secret is ever loaded or kept."""

from dataclasses import dataclass
from itertools import groupby
from typing import Final

import segno

QUIET: Final = 4  # light cells around, as the standard wants them


@dataclass(frozen=True, slots=True, kw_only=True)
class QrCode:
    """`path` draws the dark cells on a square of `size` cells a side."""

    size: int
    path: str


def qr_code_of(text: str) -> QrCode:
    """Return the QR code of a text."""
    rows = [[bool(cell) for cell in row] for row in segno.make_qr(text, error="m").matrix]
    parts: list[str] = []
    for y, row in enumerate(rows):
        x = 0
        for is_dark, run in groupby(row):
            length = len(list(run))
            if is_dark:
                parts.append(f"M{x + QUIET} {y + QUIET}h{length}v1h-{length}z")
            x += length
    return QrCode(size=len(rows) + 2 * QUIET, path="".join(parts))
