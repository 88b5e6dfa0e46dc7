"""What the documents say of settings, tools, versions and files is so."""

import re
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Final

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from nova_ui.domain.identity import EVERYONE
from nova_ui.settings import Settings, variable
from nova_ui.tools.registry import ALL_TOOLS

REPOSITORY: Final = Path(__file__).resolve().parents[1]
DOCUMENTS: Final = sorted([*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").rglob("*.md")])


def _read(name: str) -> str:
    return (REPOSITORY / name).read_text()


def _locked(name: str = "requirements.lock") -> dict[str, str]:
    lines = [line for line in _read(name).splitlines() if line and not line.startswith("#")]
    return {canonicalize_name(name): number for name, _, number in (line.partition("==") for line in lines)}


def _required() -> list[Requirement]:
    project = tomllib.loads(_read("pyproject.toml"))["project"]
    return [Requirement(text) for text in [*project["dependencies"], *project["optional-dependencies"]["test"]]]


def _required_to_measure() -> list[Requirement]:
    project = tomllib.loads(_read("pyproject.toml"))["project"]
    return [Requirement(text) for text in project["optional-dependencies"]["bench"]]


def test_every_setting_is_documented_and_no_other() -> None:
    documented = re.findall(r"^\| `(NOVA_\w+)` \|", _read("docs/operating.md"), re.MULTILINE)

    assert documented == [variable(field) for field in Settings.model_fields]


@pytest.mark.parametrize("field", ["host", "port", "session_idle_minutes", "session_max_hours", "max_body_bytes"])
def test_a_documented_default_is_the_default(field: str) -> None:
    default = Settings.model_fields[field].default

    assert f"| `{variable(field)}` | `{default}` |" in _read("docs/operating.md")


def test_every_tool_is_documented_as_it_is() -> None:
    documented = re.findall(
        r"^\| `(\w+)`( †)? \| .+? \| (.+?) \| (.+?) \| (.+) \|$", _read("docs/tools.md"), re.MULTILINE
    )

    assert documented == [
        (
            tool.name,
            " †" if tool.is_flow else "",
            tool.kind.value.replace("destructive", "**destructive**") + (", self" if tool.self_service else ""),
            "everyone" if tool.roles == EVERYONE else ", ".join(sorted(role.value for role in tool.roles)),
            tool.summary,
        )
        for tool in ALL_TOOLS
    ]


def test_the_lock_names_a_version_for_every_dependency_that_satisfies_it() -> None:
    locked = _locked()
    unfit = [
        str(needed) for needed in _required() if not needed.specifier.contains(locked[canonicalize_name(needed.name)])
    ]

    assert unfit == []


def test_what_is_measured_with_is_locked_beside_it_and_nothing_twice() -> None:
    beside = _locked("requirements-bench.lock")
    unfit = [
        str(needed)
        for needed in _required_to_measure()
        if not needed.specifier.contains(beside[canonicalize_name(needed.name)])
    ]

    assert unfit == []
    assert beside.keys().isdisjoint(_locked())


def test_the_lock_names_a_version_for_what_only_some_tests_need() -> None:
    extras = tomllib.loads(_read("pyproject.toml"))["project"]["optional-dependencies"]
    needed = [Requirement(text) for text in extras["small-model-test"]]
    locked = _locked()

    assert [str(one) for one in needed if not one.specifier.contains(locked[canonicalize_name(one.name)])] == []


def test_what_is_tested_is_what_is_locked() -> None:
    locked = _locked()
    others = {
        needed.name: version(needed.name)
        for needed in _required()
        if version(needed.name) != locked[canonicalize_name(needed.name)]
    }

    assert others == {}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_a_document_links_to_files_that_exist(path: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", path.read_text())

    assert [link for link in links if not (path.parent / link).exists()] == []


@pytest.mark.parametrize("path", sorted((REPOSITORY / "docs" / "decisions").glob("*.md")), ids=lambda path: path.name)
def test_a_decision_says_what_it_decides_and_what_enforces_it(path: Path) -> None:
    headings = re.findall(r"^## (.+)$", path.read_text(), re.MULTILINE)

    assert headings == ["Context", "Decision", "Consequences", "Turned down", "Enforced by"]
