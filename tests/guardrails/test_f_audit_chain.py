"""The audit log is a hash chain: whatever is changed, added or taken away afterwards is found and named (rule F5)."""

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlmodel import col, select

from nova_ui.domain.json_value import JsonObject
from nova_ui.settings import Settings
from storage import verify_audit
from storage.database import Database
from storage.nova.audit import NewEntry, append
from storage.nova.audit_chain import Verification, verify
from storage.nova.tables import AuditChainRow, AuditEntryRow

NOW = datetime(2026, 11, 30, 9, 0, 0, 123456, tzinfo=UTC)
COUNT = 7


async def _write(database: Database, count: int = COUNT, *, start: int = 0) -> None:
    for number in range(start, start + count):
        async with database.transaction() as session:
            details: JsonObject = {
                "changes": [{"field": "title", "before": None, "after": f"Ärztin {number} 🩺", "ratio": 0.1}]
            }
            await append(
                session,
                NewEntry(
                    id=f"log_{number}",
                    time=NOW + timedelta(minutes=number),
                    action="identity.updated",
                    actor_display="Ada",
                    details=details,
                    via="ai_chat:admin" if number % 2 else None,
                ),
            )


async def _verify(database: Database, newest: int | None = None) -> Verification:
    async with database.reading() as session:
        return await verify(session, newest=newest)


async def _run(database: Database, statement: str) -> None:
    async with database.transaction() as session:
        await (await session.connection()).execute(text(statement))


async def test_f5_an_untouched_log_is_intact_from_its_first_entry(database: Database) -> None:
    await _write(database)

    found = await _verify(database)

    assert (found.broken_seq, found.checked, found.length, found.is_whole) == (None, COUNT, COUNT, True)


@pytest.mark.parametrize(
    "change",
    [
        "action = 'group.updated'",
        "outcome = 'refused'",
        "time = '2026-11-30 09:03:00.000000+00'",
        "actor_id = 'idn_x'",
        "actor_display = 'Eve'",
        "target_id = 'idn_x'",
        "details = '{}'",
        "request_id = 'rid_x'",
        "caused_by = 'log_1'",
        "ip = '192.0.2.1'",
        "session_id = 'ses_x'",
        "id = 'log_x'",
        "hash = NULL",
    ],
)
async def test_f5_a_changed_entry_is_named(database: Database, change: str) -> None:
    await _write(database)

    await _run(database, f"UPDATE audit_entries SET {change} WHERE seq = 4")  # noqa: S608 - a list of this test

    found = await _verify(database)
    assert found.broken_seq == 4


async def test_f5_an_entry_whose_hash_was_computed_anew_breaks_the_next(database: Database) -> None:
    await _write(database)
    async with database.transaction() as session:
        row = (await session.exec(select(AuditEntryRow).where(col(AuditEntryRow.seq) == 4))).one()
        row.actor_display = "Eve"
        row.hash = "f" * 64
        session.add(row)

    assert (await _verify(database)).broken_seq == 4


async def test_f5_a_removed_entry_breaks_the_one_behind_it(database: Database) -> None:
    await _write(database)

    await _run(database, "DELETE FROM audit_entries WHERE seq = 4")

    found = await _verify(database)
    assert (found.broken_seq, found.broken_id) == (5, "log_4")


@pytest.mark.parametrize("newest", [None, 3])
async def test_f5_removed_newest_entries_are_missed(database: Database, newest: int | None) -> None:
    await _write(database)

    await _run(database, f"DELETE FROM audit_entries WHERE seq > {COUNT - 2}")  # noqa: S608 - a number of this test

    found = await _verify(database, newest)
    assert found.broken_seq == COUNT


async def test_f5_an_emptied_log_is_not_intact(database: Database) -> None:
    await _write(database)

    await _run(database, "DELETE FROM audit_entries")

    assert (await _verify(database)).broken_seq == COUNT


async def test_f5_a_slipped_in_entry_is_named(database: Database) -> None:
    await _write(database, 3)
    async with database.transaction() as session:
        session.add(AuditEntryRow(id="log_forged", time=NOW, action="identity.deleted"))
    await _write(database, 2, start=3)

    found = await _verify(database)

    assert (found.broken_seq, found.broken_id) == (4, "log_forged")


async def test_f5_the_newest_alone_can_be_checked_and_say_so(database: Database) -> None:
    await _write(database)
    await _run(database, "UPDATE audit_entries SET action = 'x.y' WHERE seq = 2")

    newest, all_of_it = await _verify(database, 4), await _verify(database)

    assert (newest.broken_seq, newest.checked, newest.is_whole) == (None, 4, False)
    assert all_of_it.broken_seq == 2


async def test_f5_many_writers_at_once_make_one_chain(database: Database) -> None:
    await asyncio.gather(*(_write(database, 3, start=10 * number) for number in range(8)))

    found = await _verify(database)

    assert (found.broken_seq, found.checked) == (None, 24)


async def test_f5_what_is_rolled_back_leaves_no_gap(database: Database) -> None:
    await _write(database, 2)
    with pytest.raises(ValueError, match="no"):
        await _write_half(database)
    await _write(database, 2, start=2)

    found = await _verify(database)

    assert (found.broken_seq, found.length) == (None, 4)


async def _write_half(database: Database) -> None:
    async with database.transaction() as session:
        await append(session, NewEntry(time=NOW, action="group.deleted"))
        raise ValueError("no")


async def test_f5_entries_from_before_the_chain_are_counted_as_not_covered(database: Database) -> None:
    async with database.transaction() as session:
        session.add(AuditEntryRow(id="log_old", time=NOW, action="identity.created"))
    await _run(database, "UPDATE audit_chain SET begins_after_seq = 1, end_seq = 1")
    await _write(database, 3)

    found = await _verify(database)

    assert (found.broken_seq, found.checked, found.uncovered, found.is_whole) == (None, 3, 1, True)


async def test_a_log_without_its_end_takes_no_entry(database: Database) -> None:
    await _run(database, "DELETE FROM audit_chain")

    with pytest.raises(RuntimeError, match="chain"):
        await _write(database, 1)


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    def run(*options: str) -> tuple[int, str]:
        code = verify_audit.main(["--data-dir", str(tmp_path), *options])
        said = capsys.readouterr()
        return code, said.out + said.err

    return run


async def _prepare(folder: Path) -> AuditChainRow:
    database = Database(Settings(data_dir=folder).database_address)
    await database.migrate()
    await _write(database)
    async with database.reading() as session:
        head = await session.get_one(AuditChainRow, "audit")
    await database.close()
    return head


def test_the_command_tells_the_end_and_names_the_first_broken_entry(
    tmp_path: Path, check: Callable[..., tuple[int, str]]
) -> None:
    head = asyncio.run(_prepare(tmp_path))
    end = f"{head.end_seq}:{head.end_hash}"

    intact, noted, other = check(), check("--noted", end), check("--noted", f"{head.end_seq}:{'0' * 64}")
    asyncio.run(_tamper(tmp_path))
    broken = check()

    assert intact == (0, f"Intact: {COUNT} entries, the end is {end}.\n")
    assert noted[0] == 0
    assert other[0] == verify_audit.BROKEN
    assert broken == (verify_audit.BROKEN, "BROKEN at entry 3 (log_2): this entry was changed.\n")


async def _tamper(folder: Path) -> None:
    database = Database(Settings(data_dir=folder).database_address)
    await _run(database, "UPDATE audit_entries SET actor_display = 'Eve' WHERE seq = 3")
    await database.close()


def test_the_command_refuses_a_note_that_is_none(tmp_path: Path, check: Callable[..., tuple[int, str]]) -> None:
    asyncio.run(_prepare(tmp_path))

    code, said = check("--noted", "yesterday")

    assert code == verify_audit.UNUSABLE
    assert "--noted" in said
