"""How measurements are shown."""

from collections.abc import Sequence
from typing import TextIO


def show(title: str, rows: Sequence[tuple[str, str]], out: TextIO) -> None:
    """Write a table of names and figures."""
    width = max(len(name) for name, _ in rows)
    out.write(f"{title}\n")
    out.writelines(f"  {name:<{width}}  {figure:>10}\n" for name, figure in rows)
