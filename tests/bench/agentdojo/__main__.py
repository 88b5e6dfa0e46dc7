"""How many injections reach their goal, with our guardrails and without: `python -m tests.bench.agentdojo`.

AgentDojo's tasks (its package is the extra `bench`), a model that does each task as its authors say and obeys each
injection that it reads, and a person who confirms exactly what they asked for. `--suite banking` runs one suite only.
"""

import argparse
import asyncio
import importlib
import importlib.util
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from storage.database import Database

_MISSING: Final = "skipped: AgentDojo is not installed; it is the extra `bench` (pip install -e '.[bench]')\n"


def main(arguments: Sequence[str]) -> None:
    """Run and show."""
    if importlib.util.find_spec("agentdojo") is None:
        sys.stdout.write(_MISSING)
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--suite", action="append", help="only this suite; may be repeated")
    only = parser.parse_args(arguments).suite or ()
    with tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(_measured(Path(folder), only))
    sys.stdout.writelines(f"{line}\n" for line in figures)


async def _measured(folder: Path, only: Sequence[str]) -> list[str]:
    measure = importlib.import_module("tests.bench.agentdojo.measure")  # needs AgentDojo
    database = Database(f"sqlite+aiosqlite:///{folder / 'bench.sqlite3'}")
    await database.migrate()
    try:
        return list((await measure.measure(database, only)).lines())
    finally:
        await database.close()


if __name__ == "__main__":
    main(sys.argv[1:])
