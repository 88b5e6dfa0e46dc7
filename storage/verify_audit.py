"""Check the whole audit log: `python -m storage.verify_audit --data-dir FOLDER`; servers may run meanwhile.

Exits with 1 and names the first entry that is not as it was written. Note number and hash of the end somewhere that
nobody who can write to the database can reach, and hand them in next time: `--noted 1200:3f5c…`.
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
from storage.nova.audit_chain import Verification, verify
from storage.nova.tables import AuditEntryRow

BROKEN: Final = 1
UNUSABLE: Final = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the log; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m storage.verify_audit",
        description="Check whether the audit log is as it was written, entry by entry.",
        epilog="All other settings come from the environment (NOVA_...), as for app.py.",
    )
    parser.add_argument("--data-dir", type=Path, help=Settings.model_fields["data_dir"].description)
    parser.add_argument("--noted", metavar="NUMBER:HASH", help="an end that an earlier check printed")
    options = parser.parse_args(arguments)
    try:
        settings = load_settings({} if options.data_dir is None else {"data_dir": options.data_dir})
        found, is_noted_there = asyncio.run(_check(settings, options.noted))
    except ConfigurationError as error:
        sys.stderr.write(f"The log was not checked: {error}\n")
        return UNUSABLE
    return _tell(found, options.noted, is_noted_there=is_noted_there)


def _tell(found: Verification, noted: str | None, *, is_noted_there: bool) -> int:
    if found.broken_seq is not None:
        name = f" ({found.broken_id})" if found.broken_id else ""
        sys.stdout.write(f"BROKEN at entry {found.broken_seq}{name}: {found.reason}.\n")
        return BROKEN
    if not is_noted_there:
        sys.stdout.write(f"BROKEN: the log does not hold the end that was noted, {noted}.\n")
        return BROKEN
    older = f" {found.uncovered} older entries are not covered." if found.uncovered else ""
    sys.stdout.write(f"Intact: {found.checked} entries, the end is {found.end_seq}:{found.end_hash}.{older}\n")
    return 0


async def _check(settings: Settings, noted: str | None) -> tuple[Verification, bool]:
    database = Database(settings.database_address)
    try:
        async with database.reading() as session:
            return await verify(session), noted is None or await _holds(session, noted)
    finally:
        await database.close()


async def _holds(session: AsyncSession, noted: str) -> bool:
    seq, _, noted_hash = noted.partition(":")
    if not seq.isdecimal() or not noted_hash:
        raise ConfigurationError("--noted wants NUMBER:HASH as an earlier check printed it")
    there = select(AuditEntryRow.hash).where(col(AuditEntryRow.seq) == int(seq))
    return (await session.exec(there)).first() == noted_hash


if __name__ == "__main__":
    sys.exit(main())
