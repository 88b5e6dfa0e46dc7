"""Change the key that secrets are sealed under: `python -m storage.rotate_keys --data-dir FOLDER`, servers stopped.

Each of its three steps leaves a key file that opens every value: whoever is interrupted begins again.
"""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.errors import ConfigurationError
from nova_ui.settings import Settings, load_settings
from storage.database import Database
from storage.encryption import Encryption, Place, UnsealFailed
from storage.key_file import read_key_file, replace_key_file
from storage.nova.ai_tables import SECRET_COLUMNS, AiProfileRow
from storage.nova.ai_tables import secret_place as profile_place
from storage.nova.application_tables import SECRET_OF, ConnectionRow, secret_place
from storage.nova.sign_in_tables import TotpFactorRow

UNUSABLE: Final = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Change the key; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m storage.rotate_keys",
        description="Seal every stored secret under a new key and drop the old one. Stop every server first.",
        epilog="All other settings come from the environment (NOVA_...), as for app.py.",
    )
    parser.add_argument("--data-dir", type=Path, help=Settings.model_fields["data_dir"].description)
    data_dir = parser.parse_args(arguments).data_dir
    try:
        settings = load_settings({} if data_dir is None else {"data_dir": data_dir})
        sealed = asyncio.run(_rotate(settings))
    except ConfigurationError as error:
        sys.stderr.write(f"The key was not changed: {error}\n")
        return UNUSABLE
    sys.stdout.write(
        f"{sealed} secrets are sealed under a new key; the old one is gone. Back up {settings.key_path}.\n"
    )
    return 0


async def _rotate(settings: Settings) -> int:
    path = settings.key_path
    ring = read_key_file(path).with_new_key()
    database = Database(settings.database_address)
    try:
        replace_key_file(path, ring)  # first: a value may only be sealed under a key that is kept
        sealed = await seal_anew(database, Encryption(ring))
    finally:
        await database.close()
    replace_key_file(path, ring.only_current())  # last: no value needs the others any more
    return sealed


async def seal_anew(database: Database, encryption: Encryption) -> int:
    """Seal every secret column under the current key, all or nothing; return how many values there are.

    Raises:
        ConfigurationError: a value can't be opened; it names the place.

    """
    async with database.transaction() as session:
        connections = [await _seal_connections(session, encryption, column) for column in SECRET_OF.values()]
        others = await _seal_profiles(session, encryption) + await _seal_factors(session, encryption)
        return sum(connections) + others


async def _seal_connections(session: AsyncSession, encryption: Encryption, column: str) -> int:
    sealed: str | None = getattr(ConnectionRow, column)
    found = select(ConnectionRow).where(col(sealed).is_not(None)).order_by(col(ConnectionRow.id))
    rows = (await session.exec(found)).all()
    for row in rows:
        setattr(row, column, _rotated(getattr(row, column), secret_place(column, row.id), encryption))
    return len(rows)


async def _seal_profiles(session: AsyncSession, encryption: Encryption) -> int:
    count = 0
    for row in (await session.exec(select(AiProfileRow).order_by(col(AiProfileRow.id)))).all():
        for column in SECRET_COLUMNS:
            sealed = getattr(row, column)
            if sealed is not None:
                setattr(row, column, _rotated(sealed, profile_place(row, column), encryption))
                count += 1
    return count


async def _seal_factors(session: AsyncSession, encryption: Encryption) -> int:
    rows = (await session.exec(select(TotpFactorRow).order_by(col(TotpFactorRow.id)))).all()
    for row in rows:
        place = Place(table="totp_factors", column="seed", row_id=row.id)
        row.seed = _rotated(row.seed, place, encryption)
    return len(rows)


def _rotated(sealed: str, place: Place, encryption: Encryption) -> str:
    try:
        return encryption.rotate(sealed, place)
    except UnsealFailed as failed:
        raise ConfigurationError(f"{place.table}.{place.column} of {place.row_id.split()[0]}: {failed}") from None


if __name__ == "__main__":
    sys.exit(main())
