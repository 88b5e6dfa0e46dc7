"""The model to try is found where the server's own models are, and nothing is written there."""

import asyncio
import json
from pathlib import Path

import pytest
from pydantic import SecretStr

from nova_ui.errors import ConfigurationError
from nova_ui.evaluate import GOOD_ENOUGH, main
from nova_ui.evaluation.models import find_model
from nova_ui.evaluation.place import NOW
from nova_ui.nova.ai_profiles import CONFIGURATION_ID
from nova_ui.settings import Settings
from storage.database import Database
from storage.key_file import load_or_create
from storage.nova.ai_tables import AiConfigurationRow, AiProfileRow, api_key_place
from tests.fakes.databases import copy_sqlite
from tests.fakes.scripted_model_server import ScriptedModelServer

KEY = "key-of-the-tests"


async def _store(folder: Path, base_url: str) -> None:
    encryption = load_or_create(folder / "keys.json")
    row = AiProfileRow(
        id="aip_1",
        key="house",
        name="House",
        kind="openai-compatible",
        base_url=base_url,
        models=["large", "small"],
        allow_private=True,
        created_at=NOW,
        updated_at=NOW,
    )
    row.api_key = encryption.seal(KEY, api_key_place(row))
    database = Database(f"sqlite+aiosqlite:///{folder / 'nova.sqlite3'}")
    async with database.transaction() as session:
        session.add_all([row, AiConfigurationRow(id=CONFIGURATION_ID, version=2, created_at=NOW, updated_at=NOW)])
    await database.close()


@pytest.fixture
def data_dir(tmp_path: Path, sqlite_template: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    made = copy_sqlite(sqlite_template, folder)
    Path(made.partition("///")[2]).rename(folder / "nova.sqlite3")
    return folder


async def test_a_stored_profile_is_found_with_its_key_and_each_of_its_models(data_dir: Path) -> None:
    await _store(data_dir, "http://127.0.0.1:9/v1")
    settings = Settings(data_dir=data_dir)

    first, other = await find_model("house", settings), await find_model("house/small", settings)

    assert first.keyed is not None
    assert first.keyed.api_key == SecretStr(KEY)
    assert (first.keyed, other.name) == (other.keyed, "house/small")
    for name in ("home", "house/huge"):
        with pytest.raises(ConfigurationError, match="built-in, environment, house/large, house/small"):
            await find_model(name, settings)


async def test_the_endpoint_of_the_environment_is_taken_as_it_is(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, ai_base_url="http://127.0.0.1:9/v1", ai_model="m", ai_api_key=SecretStr(KEY))

    found = await find_model("environment", settings)

    assert (found.base_url, found.model, found.api_key) == ("http://127.0.0.1:9/v1", "m", SecretStr(KEY))


def test_a_stored_profile_is_asked_at_its_address_with_its_key(
    data_dir: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    requests = tmp_path / "requests.json"
    requests.write_text(json.dumps({"language": "en", "requests": [{"text": "!say hello", "says": ["hello"]}]}))
    with ScriptedModelServer() as peer:
        asyncio.run(_store(data_dir, peer.url))

        done = main([str(requests), "--model", "house/small", "--data-dir", str(data_dir), "--json"])

        assert [(one.api_key, one.body["model"]) for one in peer.received] == [(KEY, "small")]
    assert (done, json.loads(capsys.readouterr().out)["requests"]) == (GOOD_ENOUGH, 1)
