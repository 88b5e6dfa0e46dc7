"""What it costs to disable somebody with all that follows: `python -m tests.bench.offboarding [IDENTITIES] [ENTRIES]`.

The API does it on one file; on a copy of it the statements that it made are run bare, each request in one transaction.
"""

import asyncio
import logging
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from sqlmodel import col, select

from nova_ui.settings import Settings
from storage.database import Database
from storage.nova.tables import ApprovalRow, AssignmentRow, IdentityRow
from tests.bench.large_site import IDENTITIES, LargeSite, copy_of, fill_once, open_site
from tests.bench.statements import recording, run_bare
from tests.bench.table import show

ENTRIES: Final = 100_000
PEOPLE: Final = 40
WARM_UP: Final = 3


async def leavers(site: LargeSite) -> list[str]:
    """Return people with much that hangs on them: roles that they hold, decisions that wait for them."""
    deciding = select(ApprovalRow.approver_id).where(col(ApprovalRow.status) == "open")
    holding = select(AssignmentRow.identity_id).where(col(AssignmentRow.status) == "active")
    wanted = select(IdentityRow.id).where(
        col(IdentityRow.status) == "active", col(IdentityRow.id).in_(holding), col(IdentityRow.nova_roles) == []
    )
    async with site.database.reading() as session:
        deciders = (await session.exec(wanted.where(col(IdentityRow.id).in_(deciding)).limit(PEOPLE // 2))).all()
        others = (await session.exec(wanted.where(col(IdentityRow.id).not_in(deciding)).limit(PEOPLE // 2))).all()
    return [one for pair in zip(deciders, others, strict=False) for one in pair]


async def _measure(settings: Settings, untouched: Settings) -> list[tuple[str, str]]:
    site, other = await open_site(settings), Database(untouched.database_address)
    whole_ms, bare_ms, effects, counts = [], [], 0, []
    for number, identity_id in enumerate(await leavers(site)):
        with recording(site.database) as recorded:
            started = time.perf_counter()
            answer = await site.ask(f"POST /identities/{identity_id}/disable")
            whole = time.perf_counter() - started
        started = time.perf_counter()
        await run_bare(other, recorded)
        bare = time.perf_counter() - started
        if number >= WARM_UP:
            whole_ms.append(whole * 1000)
            bare_ms.append(bare * 1000)
            effects += len(answer.json()["effects"])
            counts.append(len(recorded.statements))
    await site.close()
    await other.close()
    whole, bare = statistics.median(whole_ms), statistics.median(bare_ms)
    return [
        (f"disabled, ms each (median of {len(whole_ms)})", f"{whole:.1f}"),
        ("the same statements bare, ms", f"{bare:.1f}"),
        ("ratio", f"{whole / bare:.2f}"),
        ("statements each (median)", f"{statistics.median(counts):.0f}"),
        ("effects each", f"{effects / len(whole_ms):.1f}"),
    ]


def _main(folder: Path, identities: int, entries: int) -> None:
    settings = Settings(data_dir=folder / "one")
    (folder / "one").mkdir()
    asyncio.run(fill_once(settings.database_address, identities=identities, entries=entries))
    asyncio.run(_close_key(settings))
    rows = asyncio.run(_measure(settings, copy_of(settings, folder / "other")))
    show(f"Offboarding, {identities} identities and {entries} entries", rows, sys.stdout)


async def _close_key(settings: Settings) -> None:
    """Open the site once, so that key file and session are there, and all of it is in the one file."""
    site = await open_site(settings)
    async with site.database.asking() as connection:
        await connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    await site.close()


if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    given = [int(one) for one in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as made:
        _main(Path(made), *given, *(IDENTITIES, ENTRIES)[len(given) :])
