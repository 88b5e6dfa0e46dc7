"""Which tests prove which rule and which abuse case, read from the tests themselves.

A test proves the rules in its name (`test_c4_…`) and the cases in its docstring ("Abuse cases 18 and 19.").
`python -m tests.proof` writes the tables made from that into the documents; `tests/test_proof.py` compares them.
"""

import ast
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

REPOSITORY: Final = Path(__file__).resolve().parents[1]
RULES: Final = REPOSITORY / "docs" / "guardrails.md"
CASES: Final = REPOSITORY / "docs" / "abuse-cases.md"
NUMBER_OF_CASES: Final = 65

_HTTP: Final = ("journeys/", "api/", "auth/", "contract/")
_TURN: Final = ("journeys/", "chat/")
_GATE: Final = ("guardrails/", "domain/")
_WIRE: Final = ("llm/",)
_PAGE: Final = ("components/", "presenters/", "journeys/test_browser", "journeys/test_hostile_texts")

# Where the attack of each case happens: for each group at least one test stands in one of its places.
LEVELS: Final[Mapping[int, Sequence[tuple[str, ...]]]] = {
    **dict.fromkeys((1, 2, 4, 5, 13, 58), (_HTTP,)),
    3: (_TURN, ("nova_client/",)),
    6: (("auth/test_sockets",), _HTTP),
    7: (_HTTP, _GATE),
    8: (("tools/",),),
    9: (("tools/",),),
    **dict.fromkeys((10, 11, 12), (_HTTP, _GATE)),
    14: (("api/",), ("chat/",), ("journeys/",)),
    15: (("api/",), ("chat/",), ("journeys/",)),
    16: (("guardrails/test_start_up",), ("tools/test_registry",)),
    **dict.fromkeys((17, 18, 19, 20, 21, 22), (("journeys/",), ("chat/",))),
    23: (("chat/",),),
    24: (("journeys/",), ("chat/",)),
    25: (("journeys/test_crash",), ("chat/",)),
    26: (("journeys/",), ("chat/",), _GATE),
    27: (("journeys/",), ("chat/",)),
    28: (_PAGE, ("journeys/",)),
    29: (_PAGE, ("journeys/",)),
    **dict.fromkeys((30, 31, 33), (("journeys/",), ("chat/",))),
    32: (_HTTP,),
    34: (("journeys/",), _GATE),
    35: (_TURN,),
    **dict.fromkeys((36, 37, 38, 41), (_TURN, _GATE)),
    39: (("journeys/",), _GATE),
    40: (("journeys/",), ("nova_client/",), ("api/",)),
    42: (("journeys/",),),
    43: (("guardrails/test_start_up",), ("guardrails/test_d_",)),
    44: (("journeys/",), ("guardrails/test_d_",)),
    45: (("guardrails/test_d_",),),
    46: (("chat/",), ("guardrails/",)),
    47: (("guardrails/",), ("chat/", "journeys/")),
    48: (_HTTP, _WIRE),
    49: (("journeys/",),),
    50: (("api/",), _WIRE, ("storage/",)),
    **dict.fromkeys((51, 53, 54, 55), (("journeys/",), ("chat/",))),
    52: (("chat/",),),
    56: (("journeys/",), ("api/",), ("nova/",)),
    57: (("journeys/",), ("api/",)),
    59: (_PAGE, ("auth/",)),
    60: (_PAGE,),
    61: (("api/",), ("chat/",)),
    62: (_WIRE, ("chat/",)),
    63: (_WIRE, ("chat/",), ("journeys/",)),
    64: (("auth/test_sockets",),),
    65: (("auth/",),),
}

_BEGIN: Final = "<!-- made by `python -m tests.proof` from here -->\n"
_END: Final = "<!-- to here -->\n"
_RULE_ROW: Final = re.compile(r"^\| ([A-I]\d{1,2}) \| (\S*) ?\| .+ \| (?:done|open) \|$", re.MULTILINE)
_RULES_IN_NAME: Final = re.compile(r"test_((?:[a-i]\d{1,2}_(?:and_)?)+)")
_CASES_IN_DOC: Final = re.compile(r"\bAbuse cases? (\d+(?:(?:, | and )\d+)*)")


@dataclass(frozen=True, slots=True)
class Proof:
    """One test and what it proves."""

    file: str
    test: str
    rules: frozenset[str]
    cases: frozenset[int]


def proofs() -> tuple[Proof, ...]:
    """Return every test that names a rule or an abuse case."""
    root = REPOSITORY / "tests"
    return tuple(proof for path in sorted(root.rglob("test_*.py")) for proof in _proofs_in(path, root))


def _proofs_in(path: Path, root: Path) -> Iterator[Proof]:
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or not node.name.startswith("test_"):
            continue
        named = _RULES_IN_NAME.match(node.name)
        rules = frozenset(re.findall(r"[A-I]\d+", named[1].upper())) if named else frozenset()
        told = _CASES_IN_DOC.findall(ast.get_docstring(node) or "")
        cases = frozenset(int(number) for numbers in told for number in re.findall(r"\d+", numbers))
        if rules or cases:
            yield Proof(path.relative_to(root).as_posix(), node.name, rules, cases)


def levels_without_a_test(found: Sequence[Proof]) -> list[str]:
    """Say for which case no test stands where its attack happens."""
    missing = []
    for case, groups in sorted(LEVELS.items()):
        files = {proof.file for proof in found if case in proof.cases}
        missing += [
            f"case {case}: {' or '.join(places)}"
            for places in groups
            if not any(file.startswith(places) for file in files)
        ]
    return missing


def table_of_rules(found: Sequence[Proof], text: str) -> str:
    """Return the table rule → room → tests → abuse cases; rules and rooms are those of `text`."""
    rows = ["| rule | room | tests | abuse cases |", "| --- | --- | --- | --- |"]
    for rule, room in _RULE_ROW.findall(text):
        mine = [proof for proof in found if rule in proof.rules]
        cases = sorted({case for proof in mine for case in proof.cases})
        rows.append(f"| {rule} | {room} | {_files(mine)} | {', '.join(map(str, cases))} |")
    return "\n".join(rows) + "\n"


def table_of_cases(found: Sequence[Proof]) -> str:
    """Return the table abuse case → tests → rules."""
    rows = ["| case | tests | rules |", "| --- | --- | --- |"]
    for case in range(1, NUMBER_OF_CASES + 1):
        mine = [proof for proof in found if case in proof.cases]
        rules = sorted({rule for proof in mine for rule in proof.rules})
        rows.append(f"| {case} | {_files(mine)} | {', '.join(rules)} |")
    return "\n".join(rows) + "\n"


def written() -> dict[Path, str]:
    """Return the documents as they should be."""
    found = proofs()
    rules, cases = RULES.read_text(), CASES.read_text()
    return {RULES: _between(rules, table_of_rules(found, rules)), CASES: _between(cases, table_of_cases(found))}


def _files(found: Sequence[Proof]) -> str:
    names = sorted({proof.file.removesuffix(".py").replace("test_", "") for proof in found})
    return ", ".join(f"`{name}`" for name in names)


def _between(text: str, table: str) -> str:
    before, begin, rest = text.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not begin or not end:
        raise ValueError("the marks around the table are missing")
    return f"{before}{begin}\n{table}\n{end}{after}"


def main() -> None:
    """Write the tables and say which case still has no test at its level."""
    for path, text in written().items():
        path.write_text(text)
    for line in levels_without_a_test(proofs()):
        sys.stdout.write(f"no test for {line}\n")


if __name__ == "__main__":
    main()
