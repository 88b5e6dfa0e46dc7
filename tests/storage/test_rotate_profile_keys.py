"""The keys of model providers change with the key of all secrets (rule D5), and open for their address only."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

from nova_ui.settings import Settings
from storage import rotate_keys
from storage.database import Database
from storage.encryption import Encryption, UnsealFailed
from storage.key_file import load_or_create, read_key_file
from storage.nova.ai_tables import SECRET_COLUMNS, AiProfileRow, secret_place

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
KEY = "sk-1234567890abcdef"


def a_row() -> AiProfileRow:
    return AiProfileRow(
        id="aip_1",
        key="house",
        name="House",
        kind="openai-compatible",
        base_url="https://models.example/v1",
        models=["m"],
        created_at=NOW,
        updated_at=NOW,
    )


async def _store(folder: Path) -> None:
    encryption = load_or_create(folder / "keys.json")
    database = Database(Settings(data_dir=folder).database_address)
    await database.migrate()
    row = a_row()
    row.proxy_url, row.ca_certificates = "http://proxy.example:3128", "PEM"
    for column in SECRET_COLUMNS:
        setattr(row, column, encryption.seal(f"{KEY} {column}", secret_place(row, column)))
    async with database.transaction() as session:
        session.add(row)
    await database.close()


async def _read(folder: Path) -> AiProfileRow:
    database = Database(Settings(data_dir=folder).database_address)
    async with database.reading() as session:
        row = await session.get_one(AiProfileRow, "aip_1")
    await database.close()
    return row


def test_d5_the_keys_of_providers_are_sealed_under_the_new_key(tmp_path: Path) -> None:
    asyncio.run(_store(tmp_path))
    before = read_key_file(tmp_path / "keys.json")

    code = rotate_keys.main(["--data-dir", str(tmp_path)])

    row, after = asyncio.run(_read(tmp_path)), read_key_file(tmp_path / "keys.json")
    assert code == 0
    for column in SECRET_COLUMNS:
        place = secret_place(row, column)
        assert Encryption(after).open(getattr(row, column), place) == f"{KEY} {column}"
        with pytest.raises(UnsealFailed):
            Encryption(before).open(getattr(row, column), place)


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("base_url", "https://attacker.example/v1"),
        ("proxy_url", "https://attacker.example"),
        ("proxy_url", None),
        ("ca_certificates", "another PEM"),
        ("ca_certificates", None),
    ],
)
def test_d5_a_key_opens_for_the_way_it_was_given_for_and_no_other(
    tmp_path: Path, column: str, value: str | None
) -> None:
    """Abuse case 50."""
    asyncio.run(_store(tmp_path))
    row, ring = asyncio.run(_read(tmp_path)), read_key_file(tmp_path / "keys.json")

    setattr(row, column, value)

    for secret in ("api_key", "headers"):
        with pytest.raises(UnsealFailed):
            Encryption(ring).open(getattr(row, secret), secret_place(row, secret))
