"""Settings come from the environment; what is unusable is named."""

from pathlib import Path

import pytest

from nova_ui.errors import ConfigurationError
from nova_ui.settings import SecureCookies, Settings, load_settings, variable


@pytest.fixture(autouse=True)
def _bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for field in Settings.model_fields:
        monkeypatch.delenv(variable(field), raising=False)


def test_the_environment_is_read_and_the_command_line_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOVA_PORT", "9000")
    monkeypatch.setenv("NOVA_HOST", "127.0.0.2")

    settings = load_settings({"port": 9100})

    assert (settings.host, settings.port, settings.secure_cookies) == ("127.0.0.2", 9100, SecureCookies.AUTO)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("NOVA_PORT", "eighty", "valid integer"),
        ("NOVA_PORT", "65536", "less than or equal to 65535"),
        ("NOVA_DATABASE_URL", "mysql://nova@localhost/nova", "must begin with sqlite:// or postgresql://"),
        ("NOVA_DATABASE_URL", "nowhere", "is not a database address"),
        ("NOVA_AI_BASE_URL", "ftp://models.example", "must begin with http://"),
        ("NOVA_AI_BASE_URL", "https://me:pass-word@models.example/v1", "NOVA_AI_API_KEY"),
        ("NOVA_PATH_PREFIX", "//elsewhere.example", "should match pattern"),
        ("NOVA_SECURE_COOKIES", "maybe", "'auto', 'always' or 'never'"),
        ("NOVA_SESSION_IDLE_MINUTES", "1", "greater than or equal to 5"),
    ],
)
def test_an_unusable_value_names_its_variable(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, words: str
) -> None:
    monkeypatch.setenv(name, value)

    with pytest.raises(ConfigurationError) as stopped:
        load_settings()

    assert f"{name}: " in str(stopped.value)
    assert words in str(stopped.value)
    assert "pass-word" not in str(stopped.value)


def test_every_fault_is_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOVA_PORT", "eighty")
    monkeypatch.setenv("NOVA_LOG_LEVEL", "loud")

    with pytest.raises(ConfigurationError, match=r"NOVA_PORT: .*NOVA_LOG_LEVEL: "):
        load_settings()


def test_a_mistyped_variable_stops_the_start_and_suggests_the_right_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOVA_SECURE_COOKIE", "always")

    with pytest.raises(ConfigurationError, match="NOVA_SECURE_COOKIE: is not a setting; did you mean NOVA_SECURE_COOK"):
        load_settings()


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ({"NOVA_AI_BASE_URL": "http://localhost:1/v1"}, "NOVA_AI_MODEL: is needed together with NOVA_AI_BASE_URL"),
        ({"NOVA_AI_API_KEY": "key"}, "NOVA_AI_BASE_URL: is needed together with NOVA_AI_API_KEY"),
        ({"NOVA_AI_MODEL": "small"}, "NOVA_AI_BASE_URL: is needed together with NOVA_AI_MODEL"),
    ],
)
def test_half_a_model_is_refused(monkeypatch: pytest.MonkeyPatch, given: dict[str, str], missing: str) -> None:
    for name, value in given.items():
        monkeypatch.setenv(name, value)

    with pytest.raises(ConfigurationError, match=missing):
        load_settings()


def test_no_secret_shows_in_the_text_of_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOVA_DATABASE_URL", "postgresql://nova:hush-hush@localhost/nova")
    monkeypatch.setenv("NOVA_DEMO_PASSWORD", "hush-hush")

    settings = load_settings()

    assert "hush-hush" not in repr(settings)
    assert settings.database_address == "postgresql+psycopg://nova:hush-hush@localhost/nova"


def test_database_and_keys_lie_in_the_data_folder(tmp_path: Path) -> None:
    settings = load_settings({"data_dir": tmp_path})

    assert settings.database_address == f"sqlite+aiosqlite:///{tmp_path}/nova.sqlite3"
    assert settings.key_path == tmp_path / "keys.json"


def test_the_demo_has_a_folder_of_its_own() -> None:
    real, demo = load_settings(), load_settings({"demo": True})

    assert real.data_path != demo.data_path


def test_an_env_file_found_by_chance_sets_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_text("NOVA_PORT=9999\n")
    monkeypatch.chdir(tmp_path)

    assert load_settings().port == 8080


def test_every_setting_says_what_it_does() -> None:
    undescribed = [name for name, field in Settings.model_fields.items() if not field.description]

    assert undescribed == []
