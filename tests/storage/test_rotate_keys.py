"""The key under which secrets are sealed can be changed, and an interruption at any step loses none (rule D5)."""

import asyncio
import itertools
from datetime import UTC, datetime
from pathlib import Path

import pytest

from nova_ui.settings import Settings
from storage import rotate_keys
from storage.database import Database
from storage.encryption import Encryption, KeyRing, Place, UnsealFailed
from storage.key_file import load_or_create, read_key_file, replace_key_file
from storage.nova.application_tables import SECRET_OF, ConnectionRow, secret_place
from storage.nova.tables import ApplicationRow

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
SECRETS = {"app_1": "the secret of one", "app_2": "the secret of another", "app_3": "a token", "app_4": "a password"}
KINDS = {"app_1": "oidc", "app_2": "oidc", "app_3": "scim", "app_4": "ldap"}


def _column(row_id: str) -> str:
    return SECRET_OF[KINDS[row_id]]


def _place(row_id: str) -> Place:
    return secret_place(_column(row_id), row_id)


def _run(folder: Path) -> int:
    return rotate_keys.main(["--data-dir", str(folder)])


async def _store(folder: Path) -> None:
    encryption = load_or_create(folder / "keys.json")
    database = Database(Settings(data_dir=folder).database_address)
    await database.migrate()
    sealed = {row_id: encryption.seal(secret, _place(row_id)) for row_id, secret in SECRETS.items()}
    moments = {"created_at": NOW, "updated_at": NOW}
    async with database.transaction() as session:
        for row_id in (*SECRETS, "app_5", "app_6"):
            session.add(ApplicationRow.model_validate({"id": row_id, "key": row_id, "display_name": row_id, **moments}))
        await session.flush()
        session.add(ConnectionRow.model_validate({"id": "app_5", "kind": "oidc", **moments}))
        for row_id, value in sealed.items():
            secret = {_column(row_id): value}
            session.add(ConnectionRow.model_validate({"id": row_id, "kind": KINDS[row_id], **secret, **moments}))
    await database.close()


async def _read(folder: Path) -> dict[str, str]:
    database = Database(Settings(data_dir=folder).database_address)
    async with database.reading() as session:
        rows = [await session.get_one(ConnectionRow, row_id) for row_id in SECRETS]
    await database.close()
    return {row.id: getattr(row, _column(row.id)) for row in rows}


def _opened(ring: KeyRing, stored: dict[str, str]) -> dict[str, str]:
    return {row_id: Encryption(ring).open(value, _place(row_id)) for row_id, value in stored.items()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    asyncio.run(_store(tmp_path))
    return tmp_path


def test_d5_every_secret_is_sealed_under_a_new_key_and_the_old_one_is_gone(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = read_key_file(folder / "keys.json")

    code = _run(folder)

    after, stored = read_key_file(folder / "keys.json"), asyncio.run(_read(folder))
    assert code == 0
    assert set(after.keys).isdisjoint(before.keys)
    assert len(after.keys) == 1
    assert _opened(after, stored) == SECRETS
    assert "4 secrets" in capsys.readouterr().out
    with pytest.raises(UnsealFailed):
        _opened(before, stored)


@pytest.mark.parametrize("interrupted_at", [1, 2, 3])
def test_d5_an_interrupted_change_loses_nothing_and_can_be_run_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch, interrupted_at: int
) -> None:
    steps = itertools.count(1)

    def stop_here() -> None:
        if next(steps) == interrupted_at:
            raise KeyboardInterrupt

    seal = rotate_keys.seal_anew

    def replaced(path: Path, ring: KeyRing) -> None:
        stop_here()
        replace_key_file(path, ring)

    async def sealed(database: Database, encryption: Encryption) -> int:
        stop_here()
        return await seal(database, encryption)

    with monkeypatch.context() as patched:
        patched.setattr(rotate_keys, "replace_key_file", replaced)
        patched.setattr(rotate_keys, "seal_anew", sealed)
        with pytest.raises(KeyboardInterrupt):
            _run(folder)

    assert _opened(read_key_file(folder / "keys.json"), asyncio.run(_read(folder))) == SECRETS
    assert _run(folder) == 0
    assert len(read_key_file(folder / "keys.json").keys) == 1
    assert _opened(read_key_file(folder / "keys.json"), asyncio.run(_read(folder))) == SECRETS


def test_d5_a_secret_that_does_not_open_stops_the_change_with_nothing_half_done(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def swap() -> None:
        database = Database(Settings(data_dir=folder).database_address)
        async with database.transaction() as session:
            (await session.get_one(ConnectionRow, "app_2")).client_secret = (await _read(folder))["app_1"]
        await database.close()

    asyncio.run(swap())
    before = asyncio.run(_read(folder))

    code = _run(folder)

    assert code == rotate_keys.UNUSABLE
    assert "app_2" in capsys.readouterr().err
    assert asyncio.run(_read(folder)) == before
    assert _opened(read_key_file(folder / "keys.json"), {"app_1": before["app_1"]}) == {"app_1": SECRETS["app_1"]}


def test_without_a_key_file_there_is_nothing_to_change(tmp_path: Path) -> None:
    assert _run(tmp_path) == rotate_keys.UNUSABLE
