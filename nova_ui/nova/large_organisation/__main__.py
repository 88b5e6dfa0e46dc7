"""Fill a database with a large organisation: `python -m nova_ui.nova.large_organisation --data-dir FOLDER`."""

import argparse
import asyncio
import getpass
import sys
import time
from pathlib import Path
from typing import Final

from nova_ui.auth.password import Passwords
from nova_ui.domain.clock import SystemClock
from nova_ui.nova.large_organisation import Size, fill
from nova_ui.settings import Settings
from storage.database import Database

_IDENTITIES: Final = 10_000
_ENTRIES: Final = 1_000_000


def parser() -> argparse.ArgumentParser:
    """Return what the command line understands."""
    found = argparse.ArgumentParser(prog="python -m nova_ui.nova.large_organisation", description=fill.__doc__)
    place = found.add_mutually_exclusive_group(required=True)
    place.add_argument("--data-dir", type=Path, help="folder of a server's data; its SQLite file is filled")
    place.add_argument("--database", help="address of a database, such as postgresql+psycopg://nova@127.0.0.1/nova")
    found.add_argument("--identities", type=int, default=_IDENTITIES)
    found.add_argument("--entries", type=int, default=_ENTRIES, help="entries of the audit log")
    found.add_argument("--seed", type=int, default=1, help="the same seed makes the same organisation")
    found.add_argument("--days", type=int, default=365, help="how far back the audit log reaches")
    found.add_argument("--password", action="store_true", help="ask for a password of the first two identities")
    return found


async def _main(options: argparse.Namespace) -> None:
    started = time.monotonic()
    address = options.database or Settings(data_dir=options.data_dir).database_address
    password_hash = await Passwords().hash(getpass.getpass()) if options.password else None
    size = Size(identities=options.identities, entries=options.entries, seed=options.seed, days=options.days)
    database = Database(address)
    await database.migrate()
    counts = await fill(database, size, SystemClock().now(), password_hash)
    await database.close()
    sys.stdout.writelines(f"{table:<16}{count:>10}\n" for table, count in counts.items())
    sys.stdout.write(f"in {time.monotonic() - started:.0f} s\n")


if __name__ == "__main__":
    asyncio.run(_main(parser().parse_args()))
