"""What the last `mutmut run` left alive, held against the list of changes that somebody has looked at.

    python -m tests.mutation.report            the figure, and each survivor that nobody has explained; then ends with 1
    python -m tests.mutation.report --alone    tries those again, each in a process of its own

A survivor is known by its function and the lines that it changes, so that an explanation ends with the code that it
was written for. Those in code that runs while a module is imported show only `--alone`: mutmut imports before it
chooses the change.
"""

import argparse
import difflib
import json
import os
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

REPOSITORY: Final = Path(__file__).resolve().parents[2]
EXPLAINED: Final = Path(__file__).with_name("explained.toml")
_SURVIVED: Final = "survived"
_ENDINGS: Final = {
    0: _SURVIVED,
    1: "stopped by tests",
    3: "stopped by tests",
    5: "without a test",
    33: "without a test",
    36: "stopped by tests",  # it never came back: a loop without an end
    24: "stopped by tests",
    -24: "stopped by tests",
    37: "stopped by the type checker",
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One changed condition: mutmut's name for it, how it ended, and what it changes."""

    name: str
    ending: str
    change: str


def read_mutants(folder: Path) -> Iterator[Mutant]:
    """Every change of mutmut's last run below `folder` (its `mutants`); one that has not been tried is "not tried"."""
    for meta in sorted(folder.rglob("*.py.meta")):
        source = meta.with_suffix("")
        endings: dict[str, int | None] = json.loads(meta.read_text())["exit_code_by_key"]
        spans: dict[str, list[int]] = json.loads(source.with_name(f"{source.name}.spans").read_text())["spans"]
        lines = source.read_text().splitlines()
        for name, code in endings.items():
            ending = "not tried" if code is None else _ENDINGS.get(code, f"ended with {code}")
            yield Mutant(name, ending, _change(name, lines, spans))


def _change(name: str, lines: Sequence[str], spans: dict[str, list[int]]) -> str:
    """The function and the lines that differ, as "module.function: before → after"."""
    module, _, function = name.rpartition(".")
    original = f"{function.partition('__mutmut_')[0]}__mutmut_orig"
    readable = function.partition("__mutmut_")[0].replace("xǁ", "").replace("ǁ", ".").removeprefix("x_")
    before, after = (
        [line.strip().replace(f"def {known}(", f"def {readable}(") for line in lines[first - 1 : last]]
        for known in (original, function)
        for first, last in (spans[known],)
    )
    differing = list(difflib.unified_diff(before, after, n=0, lineterm=""))[3:]
    old = " ".join(line[1:] for line in differing if line.startswith("-"))
    new = " ".join(line[1:] for line in differing if line.startswith("+"))
    return f"{module}.{readable}: {old} → {new}"


def read_explained(file: Path = EXPLAINED) -> dict[str, str]:
    """Why each known survivor may live: change → reason."""
    groups = tomllib.loads(file.read_text())["survivors"]
    return {change: str(group["because"]) for group in groups for change in group["changes"]}


def report(mutants: Sequence[Mutant], explained: Mapping[str, str], alone: Callable[[Mutant], bool]) -> int:
    """Print the figure, what nobody has explained, and what is explained in vain; 1 if there is any of these.

    `alone` says whether an unexplained survivor is still one when it is tried by itself.
    """
    survivors = [each for each in mutants if each.ending == _SURVIVED]
    unknown = [each for each in survivors if each.change not in explained]
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        alive = [each for each, lives in zip(unknown, pool.map(alone, unknown), strict=True) if lives]
    for ending, count in sorted(Counter(each.ending for each in mutants).items()):
        _say(f"{count:6} {ending}")
    _say(f"{len(survivors) - len(unknown):6} of the survivors are explained")
    _say(f"{len(unknown) - len(alive):6} were stopped when they were tried alone")
    for each in alive:
        _say(f"unexplained: {each.name}\n    {each.change}")
    vain = sorted(set(explained) - {each.change for each in survivors})
    for change in vain:
        _say(f"explained, but not a survivor: {change}")
    return 1 if alive or vain else 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def survives_alone(mutant: Mutant, folder: Path) -> bool:
    """Whether the tests pass in a process that has the change from its first import on."""
    settings = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["tool"]["mutmut"]
    tests: list[str] = settings["pytest_add_cli_args_test_selection"]
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "0", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "MUTANT_UNDER_TEST": mutant.name}
    ended = subprocess.run(  # noqa: S603 - the settings' own tests
        command, cwd=folder, env=environment, capture_output=True, check=False, timeout=900
    )
    return ended.returncode == 0


def main() -> int:
    """Report what the last run left."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--alone", action="store_true", help="try what is not explained again, each by itself")
    options.add_argument("--mutants", type=Path, default=REPOSITORY / "mutants", help="mutmut's folder")
    chosen = options.parse_args()
    folder: Path = chosen.mutants
    return report(
        list(read_mutants(folder)),
        read_explained(),
        alone=lambda mutant: not chosen.alone or survives_alone(mutant, folder),
    )


if __name__ == "__main__":
    sys.exit(main())
