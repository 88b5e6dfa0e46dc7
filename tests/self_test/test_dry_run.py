"""The self-test can't touch live data: shown by the database before and after, and by what it can even know."""

import ast
import asyncio
import hashlib
import sqlite3
from pathlib import Path
from typing import Final

import pytest

from nova_ui.bootstrap import build_parts
from nova_ui.domain.clock import SystemClock
from nova_ui.self_test import __main__ as command
from nova_ui.self_test import on_request, stage, tester
from nova_ui.settings import Settings
from storage.chat.assistants import AssistantStore
from tests.self_test.subjects import OPEN

ROOM: Final = Path(stage.__file__).parent
# Which attacks are made here is of no account: each has the same stage and nothing else.
FEW: Final = tuple(one for one in tester.ATTACKS if one.rule in {"A2", "B3", "C3", "C10", "F1", "G3"})


@pytest.fixture
def live(tmp_path: Path) -> Settings:
    """A data folder with a database in which the assistant is stored."""
    settings = Settings.model_construct(data_dir=tmp_path / "live")
    (tmp_path / "live").mkdir()
    asyncio.run(_furnish(settings))
    return settings


async def _furnish(settings: Settings) -> None:
    parts = build_parts(settings, clock=SystemClock())
    await parts.database.migrate()
    async with parts.database.transaction() as session:
        await AssistantStore(session).save(OPEN.assistant, SystemClock().now())
    await parts.database.close()


def _digest(settings: Settings) -> str:
    """Return a digest over every row of every table of the live database."""
    with sqlite3.connect(settings.data_path / "nova.sqlite3") as connection:
        return hashlib.sha256("\n".join(connection.iterdump()).encode()).hexdigest()


def test_no_row_of_the_live_database_changes(
    live: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tester, "ATTACKS", FEW)
    before = _digest(live)

    code = command.main(["--data-dir", str(live.data_path), "--assistant", "helpdesk"])

    assert code == command.HELD_ALL, capsys.readouterr().out
    assert _digest(live) == before
    assert "C10  held" in capsys.readouterr().out


def test_the_stage_is_another_database_even_where_the_environment_names_the_live_one(
    live: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOVA_DATABASE_URL", live.database_address)
    monkeypatch.setenv("NOVA_DATA_DIR", str(live.data_path))
    before = _digest(live)

    async def look() -> tuple[str, bool]:
        async with stage.open_stage(OPEN, build_parts, SystemClock().now) as found:
            address = str(found.parts.database._url)
            inside = str(found.folder) in address
        return address, inside and not found.folder.exists()

    address, is_thrown_away = asyncio.run(look())

    assert str(live.data_path) not in address
    assert is_thrown_away
    assert _digest(live) == before


def test_only_the_stage_has_a_database_and_nothing_hands_one_in() -> None:
    handed_in = {name for method in (tester.SelfTest, on_request.OnRequest) for name in method.__init__.__annotations__}

    assert handed_in == {"build", "clock", "tools", "models", "return"}
    makers = {path.name for path in ROOM.rglob("*.py") if _calls(path) & {"Database", "build_parts", "open_stage"}}
    assert makers == {"__main__.py", "tester.py"}  # the command, which only reads; and the stage that a test opens


def _calls(path: Path) -> set[str]:
    found = (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call))
    return {node.func.id for node in found if isinstance(node.func, ast.Name)}


def test_a_broken_row_is_told_and_ends_the_command_with_one(
    live: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(tester, "ATTACKS", FEW)
    with sqlite3.connect(live.data_path / "nova.sqlite3") as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute("UPDATE assistants SET all_tools = 1 WHERE key = 'helpdesk'")

    code = command.main(["--data-dir", str(live.data_path), "--assistant", "helpdesk", "--language", "de"])

    told = capsys.readouterr().out
    assert code == command.BROKEN
    assert "B3  nicht eingehalten" in told


def test_what_is_not_there_is_said(tmp_path: Path, live: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--data-dir", str(tmp_path)]) == command.UNUSABLE
    assert command.main(["--data-dir", str(live.data_path), "--assistant", "nobody"]) == command.UNUSABLE
    assert "there is no assistant nobody" in capsys.readouterr().err
