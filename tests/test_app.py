"""`python app.py` takes its options, keeps its folder private, and a demo stays on this machine."""

import logging
import os
import stat
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from pydantic import SecretStr

import app
from nova_ui.auth.start_note import StartNote
from nova_ui.domain.sample_sign_ins import SIGN_INS
from nova_ui.errors import ConfigurationError
from nova_ui.settings import Settings, variable
from nova_ui.version import VERSION


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for field in Settings.model_fields:
        monkeypatch.delenv(variable(field), raising=False)
    umask = os.umask(0o022)
    yield
    os.umask(umask)  # `main` narrows it for the whole process


def _settings(*arguments: str) -> Settings:
    return app.settings_from(app.parser().parse_args(arguments))


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as done:
        app.main(["--version"])

    pyproject = tomllib.loads((Path(app.__file__).parent / "pyproject.toml").read_text())
    assert done.value.code == 0
    assert capsys.readouterr().out == f"Nova AI {VERSION}\n"
    assert pyproject["project"]["version"] == VERSION


def test_help_names_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        app.main(["--help"])

    text = capsys.readouterr().out
    assert all(option in text for option in ("--demo", "--host", "--port", "--data-dir", "--version"))


def test_options_win_over_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NOVA_PORT", "9000")
    monkeypatch.setenv("NOVA_HOST", "127.0.0.2")

    settings = _settings("--port", "9100", "--data-dir", str(tmp_path))

    assert (settings.host, settings.port, settings.data_path, settings.demo) == ("127.0.0.2", 9100, tmp_path, False)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.10", "::1", "localhost"])
def test_a_demo_listens_on_loopback(host: str) -> None:
    assert _settings("--demo", "--host", host).demo


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "nova.example", "127.0.0.1.example", "[::]"])  # noqa: S104 - refused
def test_a_demo_refuses_every_other_address_and_a_real_server_does_not(host: str) -> None:
    with pytest.raises(ConfigurationError, match="loopback"):
        _settings("--demo", "--host", host)

    assert _settings("--host", host).host == host


def test_a_demo_refuses_an_address_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOVA_HOST", "0.0.0.0")  # noqa: S104 - refused

    with pytest.raises(ConfigurationError, match=r"NOVA_HOST is 0\.0\.0\.0"):
        _settings("--demo")


def test_a_demo_makes_a_new_password_each_time_unless_one_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = _settings("--demo").demo_password, _settings("--demo").demo_password
    monkeypatch.setenv("NOVA_DEMO_PASSWORD", "given")

    assert first is not None
    assert second is not None
    assert first.get_secret_value() != second.get_secret_value()
    assert len(first.get_secret_value()) == 19
    assert _settings("--demo").demo_password == SecretStr("given")


def test_a_new_data_folder_is_nobody_elses(tmp_path: Path) -> None:
    app.make_folder(tmp_path / "data")
    app.make_folder(tmp_path / "data")

    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700


def test_a_data_folder_that_is_a_file_stops_the_start(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "data").write_text("")

    assert app.main(["--data-dir", str(tmp_path / "data")]) == app.UNUSABLE
    assert "NOVA_DATA_DIR" in capsys.readouterr().err


def test_an_unusable_setting_stops_the_start_with_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NOVA_PORT", "eighty")

    assert app.main([]) == app.UNUSABLE
    assert capsys.readouterr().err.startswith("Nova AI can't start: NOVA_PORT: ")


def test_the_four_sign_ins_are_printed_with_their_password() -> None:
    application = FastAPI()
    application.state.start_note = StartNote(sign_ins=tuple(SIGN_INS))
    settings = Settings(demo=True, demo_password=SecretStr("given"))

    text = app.announcement(application, settings, 8123)

    assert "http://127.0.0.1:8123/" in text
    assert "password given" in text
    assert [line.split() for line in text.splitlines()[-4:]] == [[name, role] for name, role in SIGN_INS.items()]


def test_before_the_setup_its_address_and_code_are_printed() -> None:
    application = FastAPI()
    application.state.start_note = StartNote(setup_code="AAAA-BBBB-CCCC-DDDD")

    text = app.announcement(application, Settings(host="::1", path_prefix="/gui"), 8123)

    assert "http://[::1]:8123/gui/setup" in text
    assert "AAAA-BBBB-CCCC-DDDD" in text
    assert "password" not in text


def test_the_server_believes_no_proxy_unless_told_and_keeps_no_access_log() -> None:
    plain = app.server_for(FastAPI(), Settings()).config
    behind = app.server_for(FastAPI(), Settings(forwarded_allow_ips="127.0.0.1")).config

    assert (plain.proxy_headers, plain.server_header, plain.access_log) == (False, False, False)
    assert (behind.proxy_headers, behind.forwarded_allow_ips) == (True, "127.0.0.1")
    assert plain.ws == "wsproto"


@pytest.mark.parametrize(
    ("message", "is_kept"),
    [
        ('127.0.0.1:4 - "WebSocket /_nicegui_ws/socket.io/?client_id=9c&EIO=4" [accepted]', False),
        ("Uvicorn running on http://127.0.0.1:8080", True),
    ],
)
def test_no_page_id_reaches_the_log(message: str, *, is_kept: bool) -> None:
    record = logging.LogRecord("uvicorn.error", logging.INFO, __file__, 1, message, (), None)

    assert app._fit_for_the_log(record) is is_kept
