"""The report of what mutmut left alive knows each change by its lines, and whether somebody has explained it."""

import json
from pathlib import Path

import pytest

from tests.mutation.report import Mutant, read_explained, read_mutants, report

SOURCE = """\
def x_limit__mutmut_orig(count):
    if count < 3:
        return "few"
    return "many"
def x_limit__mutmut_1(count):
    if count <= 3:
        return "few"
    return "many"
def x_limit__mutmut_2(count):
    if count < 3:
        return "XXfewXX"
    return "many"
"""
BOUNDARY = "nova_ui.guardrails.limits.limit: if count < 3: → if count <= 3:"
WORDING = 'nova_ui.guardrails.limits.limit: return "few" → return "XXfewXX"'
NAME = "nova_ui.guardrails.limits.x_limit__mutmut_"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What mutmut leaves behind: one change that lives, one that a test stopped."""
    source = tmp_path / "nova_ui" / "guardrails" / "limits.py"
    source.parent.mkdir(parents=True)
    source.write_text(SOURCE)
    spans = {f"x_limit__mutmut_{name}": lines for name, lines in (("orig", [1, 4]), ("1", [5, 8]), ("2", [9, 12]))}
    source.with_name("limits.py.spans").write_text(json.dumps({"spans": spans}))
    source.with_name("limits.py.meta").write_text(json.dumps({"exit_code_by_key": {f"{NAME}1": 0, f"{NAME}2": 1}}))
    return tmp_path


def test_a_change_is_known_by_its_function_and_its_lines(folder: Path) -> None:
    assert list(read_mutants(folder)) == [
        Mutant(f"{NAME}1", "survived", BOUNDARY),
        Mutant(f"{NAME}2", "stopped by tests", WORDING),
    ]


def test_a_survivor_without_an_explanation_is_told_and_one_with_it_is_not(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mutants = list(read_mutants(folder))

    assert report(mutants, {}, alone=lambda _: True) == 1
    assert f"unexplained: {NAME}1" in capsys.readouterr().out
    assert report(mutants, {BOUNDARY: "three is never asked for"}, alone=lambda _: True) == 0
    assert report(mutants, {}, alone=lambda _: False) == 0


def test_an_explanation_of_what_is_no_survivor_any_more_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    explained = {BOUNDARY: "three is never asked for", WORDING: "words"}

    assert report(list(read_mutants(folder)), explained, alone=lambda _: True) == 1
    assert f"explained, but not a survivor: {WORDING}" in capsys.readouterr().out


def test_every_explanation_has_a_reason_and_is_of_one_change() -> None:
    explained = read_explained()

    assert all(len(because) > 20 for because in explained.values())
    assert all(" → " in change and change.startswith(("nova_ui.", "storage.")) for change in explained)
