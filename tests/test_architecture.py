"""Who may import, call and write what; each contract is seen broken once."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

REPOSITORY: Final = Path(__file__).resolve().parents[1]
MAX_LINES: Final = 400
CLOCK: Final = "nova_ui/domain/clock.py"
GATE: Final = "nova_ui/guardrails/gate.py"

# A planted import for each contract, in a module that must not have it.
PLANTED: Final = {
    "Imports point downward": ("nova_ui/domain/clock.py", "import nova_ui.tools.registry"),
    "Guardrails decide on values alone": ("nova_ui/guardrails/refusal.py", "import httpx"),
    "The chat sees no Nova tables": ("nova_ui/chat/events.py", "import storage.nova.tables"),
    "Tools reach nothing by themselves": ("nova_ui/tools/results.py", "import nova_ui.outgoing.client"),
    "Pages reach Nova through the one client": ("nova_ui/components/badges.py", "import storage.database"),
    "Only the interface knows NiceGUI": ("nova_ui/llm/port.py", "import nicegui"),
}
# Where a model's words are rendered, a page names its own stylesheet, and a page of an ended session is sent away.
ROOMS_OF_HTML: Final = frozenset({"nova_ui/components/model_text.py"})
ROOMS_OF_HEADS: Final = frozenset({"nova_ui/pages/frame.py"})
# One address of ours, and a ticket of ours written as JSON: nobody's text is in either.
ROOMS_OF_SCRIPTS: Final = frozenset({"nova_ui/auth/sockets.py", "nova_ui/components/fresh_sign_in.py"})
ROOM_OF_FAILURES: Final = "nova_ui/chat/failures.py"
_EMPTY_CONTAINERS: Final = frozenset({"list", "dict", "set", "defaultdict", "deque", "Counter"})


def _sources(*folders: str) -> Iterator[tuple[str, str]]:
    for folder in folders or ("nova_ui", "storage"):
        for path in sorted((REPOSITORY / folder).rglob("*.py")):
            yield path.relative_to(REPOSITORY).as_posix(), path.read_text()


def _nodes(*folders: str) -> Iterator[tuple[str, ast.AST]]:
    for name, text in _sources(*folders):
        for node in ast.walk(ast.parse(text)):
            yield name, node


def _calls(*folders: str) -> Iterator[tuple[str, str]]:
    """Each call of the form `a.b.c(…)` as its file and its dotted words."""
    for name, node in _nodes(*folders):
        if isinstance(node, ast.Call):
            yield name, ast.unparse(node.func)


def _contracts() -> list[str]:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())
    return [contract["name"] for contract in project["tool"]["importlinter"]["contracts"]]


def _lint_imports(folder: Path) -> str:
    program = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(  # noqa: S603 - our own environment's program
        [program, "--no-cache"], cwd=folder, capture_output=True, text=True, check=False
    )
    return re.sub(r"\x1b\[[0-9;]*m", "", done.stdout + done.stderr)


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("copy")
    for part in ("nova_ui", "storage"):
        shutil.copytree(REPOSITORY / part, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(REPOSITORY / "pyproject.toml", folder)
    return folder


def test_every_import_contract_is_kept() -> None:
    said = _lint_imports(REPOSITORY)

    assert [name for name in _contracts() if f"{name} KEPT" not in said] == []


def test_every_contract_has_an_import_planted_against_it() -> None:
    assert sorted(PLANTED) == sorted(_contracts())


@pytest.mark.parametrize("contract", PLANTED)
def test_a_planted_import_breaks_its_contract(contract: str, copied: Path) -> None:
    name, line = PLANTED[contract]
    planted = copied / name
    before = planted.read_text()
    planted.write_text(f"{before}\n{line}\n")

    said = _lint_imports(copied)

    planted.write_text(before)
    assert f"{contract} BROKEN" in said


@pytest.mark.parametrize("part", ["chat", "tools", "llm", "guardrails", "nova_client"])
@pytest.mark.parametrize("forbidden", ["nova_ui.nova.core", "storage.nova.tables"])
def test_a1_no_part_of_the_chat_may_import_what_holds_novas_data(part: str, forbidden: str, copied: Path) -> None:
    planted = copied / "nova_ui" / part / "planted.py"
    planted.write_text(f"import {forbidden}\n")

    said = _lint_imports(copied)

    planted.unlink()
    assert "The chat sees no Nova tables BROKEN" in said


@pytest.mark.parametrize("part", ["pages", "components", "presenters"])
@pytest.mark.parametrize("forbidden", ["nova_ui.nova.core", "storage.nova.tables", "storage.database"])
def test_a5_no_part_of_a_page_has_another_way_to_nova_than_the_client(part: str, forbidden: str, copied: Path) -> None:
    planted = copied / "nova_ui" / part / "planted.py"
    planted.write_text(f"import {forbidden}\n")

    said = _lint_imports(copied)

    planted.unlink()
    assert "Pages reach Nova through the one client BROKEN" in said


def test_every_part_of_the_product_stands_in_a_layer() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())
    layers = " ".join(project["tool"]["importlinter"]["contracts"][0]["layers"])
    parts = {
        f"nova_ui.{path.stem}"
        for path in (REPOSITORY / "nova_ui").iterdir()
        if path.stem != "__init__" and (path.suffix == ".py" or (path / "__init__.py").exists())
    }

    assert parts - set(re.findall(r"[\w.]+", layers)) == set()


def test_only_the_gate_runs_a_tool() -> None:
    runs = {(name, call) for name, call in _calls() if re.search(r"(^|[._])tools?(\[.+\])?\.(run|show)$", call)}

    assert {name for name, _ in runs} <= {GATE}, runs
    assert runs, "the gate runs tools; this test has lost sight of how"


def test_f3_neither_the_chat_nor_a_tool_writes_to_the_audit_log() -> None:
    parts = (
        "nova_ui/chat",
        "nova_ui/tools",
        "nova_ui/guardrails",
        "nova_ui/llm",
        "nova_ui/nova_client",
        "storage/chat",
    )
    writing = re.compile(r"AuditEntryRow|NewEntry|audit_trail|storage\.nova")

    assert {name for name, text in _sources(*parts) if writing.search(text)} == set()


def test_only_the_clock_asks_what_time_it_is() -> None:
    asking = re.compile(r"(^|\.)(datetime\.(now|utcnow|today)|date\.today|time\.time)$")

    assert {name for name, call in _calls() if asking.search(call)} == {CLOCK}


def test_only_their_rooms_render_html_or_run_scripts() -> None:
    def rooms_of(call: str) -> set[str]:
        return {name for name, words in _calls() if re.search(rf"(^|\.)({call})$", words)}

    assert rooms_of(r"ui\.html|ui\.markdown") <= ROOMS_OF_HTML
    assert rooms_of("add_head_html|add_body_html|add_css") <= ROOMS_OF_HEADS
    assert rooms_of("run_javascript") <= ROOMS_OF_SCRIPTS


def test_no_file_outgrows_its_question() -> None:
    migrations = "storage/migrations/versions/"  # a list of tables, written once and never changed
    lengths = {name: text.count("\n") for name, text in _sources("nova_ui", "storage", "tests")}

    assert {
        name: lines for name, lines in lengths.items() if lines > MAX_LINES and not name.startswith(migrations)
    } == {}


def test_no_module_keeps_state_that_everybody_shares() -> None:
    found = set()
    for name, text in _sources():
        for node in ast.parse(text).body:
            value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
            is_empty = isinstance(value, ast.List | ast.Set) and not value.elts
            is_empty = is_empty or (isinstance(value, ast.Dict) and not value.keys)
            is_empty = is_empty or (isinstance(value, ast.Call) and ast.unparse(value.func) in _EMPTY_CONTAINERS)
            if is_empty:
                found.add(f"{name}:{node.lineno}")

    assert found == set()


def test_nothing_prints() -> None:
    allowed = {"app.py"}  # says where to sign in

    assert {name for name, call in _calls() if call == "print"} - allowed == set()


def test_logs_name_events_and_never_values() -> None:
    """A log message is a constant text: what belongs to it goes as ids into `extra`."""
    levels = {"debug", "info", "warning", "error", "exception", "critical"}
    spoken = set()
    for name, node in _nodes():
        if name == ROOM_OF_FAILURES or not (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in levels
        ):
            continue
        if re.fullmatch(r"_?log(ger)?", ast.unparse(node.func.value)) and (
            len(node.args) != 1 or not isinstance(node.args[0], ast.Constant)
        ):
            spoken.add(f"{name}:{node.lineno}")

    assert spoken == set()


def test_package_folders_are_packages() -> None:
    folders = {path.parent for part in ("nova_ui", "storage") for path in (REPOSITORY / part).rglob("*.py")}
    scripts = {REPOSITORY / "storage" / "migrations", REPOSITORY / "storage" / "migrations" / "versions"}

    assert {folder.name for folder in folders - scripts if not (folder / "__init__.py").exists()} == set()
