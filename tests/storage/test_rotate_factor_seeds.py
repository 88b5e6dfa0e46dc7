"""The seeds of authenticator apps change with the key of all secrets (rule D5), and go on counting."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pyotp
import pytest
from sqlmodel import select

from nova_ui.auth.second_factor import SecondFactors
from nova_ui.domain.sign_in_policy import Method, SignInPolicy
from nova_ui.settings import Settings
from storage import rotate_keys
from storage.database import Database
from storage.encryption import Encryption, KeyRing, UnsealFailed
from storage.key_file import load_or_create, read_key_file
from storage.nova.sign_in_tables import TotpFactorRow
from storage.nova.tables import IdentityRow

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
LATER = datetime(2026, 3, 2, 10, 0, tzinfo=UTC)


def _database(folder: Path) -> Database:
    return Database(Settings(data_dir=folder).database_address)


async def _set_up(folder: Path) -> str:
    """Set two apps up, one of them not confirmed; return the seed of the confirmed one."""
    factors = SecondFactors(load_or_create(folder / "keys.json"))
    database = _database(folder)
    await database.migrate()
    seeds = []
    async with database.transaction() as session:
        for name in ("ada", "ben"):
            row = IdentityRow(
                id=f"idn_{name}",
                user_name=name,
                user_name_key=name,
                display_name=name,
                created_at=NOW,
                updated_at=NOW,
            )
            session.add(row)
            await session.flush()
            seeds.append((await factors.begin(session, row, NOW)).seed)
        ada = await session.get_one(IdentityRow, "idn_ada")
        assert isinstance(await factors.confirm(session, ada, pyotp.TOTP(seeds[0]).at(NOW), NOW), list)
    await database.close()
    return seeds[0]


async def _enter(folder: Path, ring: KeyRing, code: str) -> object:
    database = _database(folder)
    try:
        async with database.transaction() as session:
            ada = await session.get_one(IdentityRow, "idn_ada")
            return await SecondFactors(Encryption(ring)).use_code(session, ada, code, SignInPolicy(), LATER)
    finally:
        await database.close()


async def _move(folder: Path) -> None:
    """Put ada's sealed seed into ben's row, as somebody could who writes to the database."""
    database = _database(folder)
    async with database.transaction() as session:
        rows = {row.identity_id: row for row in (await session.exec(select(TotpFactorRow))).all()}
        rows["idn_ben"].seed = rows["idn_ada"].seed
    await database.close()


def test_d5_seeds_are_sealed_under_the_new_key_and_their_codes_still_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seed = asyncio.run(_set_up(tmp_path))
    before = read_key_file(tmp_path / "keys.json")

    code = rotate_keys.main(["--data-dir", str(tmp_path)])

    after = read_key_file(tmp_path / "keys.json")
    assert (code, "2 secrets" in capsys.readouterr().out) == (0, True)
    assert set(after.keys).isdisjoint(before.keys)
    with pytest.raises(UnsealFailed):
        asyncio.run(_enter(tmp_path, before, pyotp.TOTP(seed).at(LATER)))
    assert asyncio.run(_enter(tmp_path, after, pyotp.TOTP(seed).at(LATER))) is Method.TOTP


def test_d5_a_seed_in_anothers_row_opens_for_nobody(tmp_path: Path) -> None:
    asyncio.run(_set_up(tmp_path))
    asyncio.run(_move(tmp_path))

    assert rotate_keys.main(["--data-dir", str(tmp_path)]) == rotate_keys.UNUSABLE
