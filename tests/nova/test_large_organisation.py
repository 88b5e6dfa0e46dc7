"""An organisation of any size is as consistent as the sample one, and the same for the same seed."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, TypeVar

import pytest
from sqlmodel import SQLModel, col, select

from nova_ui.nova.large_organisation import Size, fill
from storage.database import Database
from storage.nova.audit import NewEntry, append
from storage.nova.audit_chain import verify
from storage.nova.tables import (
    AccessRequestRow,
    ApprovalRow,
    AssignmentRow,
    AuditEntryRow,
    GroupRow,
    IdentityRow,
    MembershipRow,
    RoleRow,
)
from tests.fakes.databases import copy_sqlite

NOW: Final = datetime(2026, 11, 30, 15, 0, tzinfo=UTC)
SMALL: Final = Size(identities=300, entries=500, seed=7)
Row = TypeVar("Row", bound=SQLModel)


async def _all(database: Database, table: type[Row]) -> Sequence[Row]:
    async with database.reading() as session:
        return (await session.exec(select(table))).all()


async def test_it_has_as_many_as_asked_for_and_says_so(database: Database) -> None:
    counts = await fill(database, SMALL, NOW)

    assert (counts["identities"], counts["audit_entries"]) == (300, 500)
    assert counts["groups"] == len(await _all(database, GroupRow)) == SMALL.groups
    assert counts["roles"] == len(await _all(database, RoleRow)) == SMALL.roles
    assert counts["access_requests"] == len(await _all(database, AccessRequestRow)) > 100


async def test_everybody_but_the_first_has_a_manager_at_most_five_levels_up(database: Database) -> None:
    await fill(database, SMALL, NOW)
    people = {person.id: person for person in await _all(database, IdentityRow)}

    assert [one.nova_roles for one in people.values() if one.manager_id is None] == [["administrator"]]
    for person in people.values():
        steps, above = 0, person
        while above.manager_id is not None:
            above, steps = people[above.manager_id], steps + 1
        assert steps <= 5
        assert above.status == "active"
    assert len({person.department for person in people.values()}) == 9
    assert Counter(person.status for person in people.values())["active"] > 250


async def test_an_assignment_keeps_the_limits_of_its_role_and_of_its_holder(database: Database) -> None:
    await fill(database, SMALL, NOW)
    roles = {role.id: role for role in await _all(database, RoleRow)}
    people = {person.id: person for person in await _all(database, IdentityRow)}
    assignments = await _all(database, AssignmentRow)
    held = [one for one in assignments if one.status == "active"]

    for one in held:
        limit = roles[one.role_id or ""].max_days
        if limit is not None:
            assert one.valid_until is not None
            assert NOW < one.valid_until <= one.created_at + timedelta(days=limit)
        assert people[one.identity_id].status in {"active", "suspended"}
    assert len({(one.identity_id, one.role_id) for one in held}) == len(held)
    assert all(one.valid_until is not None and one.valid_until < NOW for one in assignments if one.status == "expired")


async def test_nobody_decides_for_themselves_and_only_what_waits_is_open(database: Database) -> None:
    await fill(database, SMALL, NOW)
    requests = {request.id: request for request in await _all(database, AccessRequestRow)}

    for approval in await _all(database, ApprovalRow):
        request = requests[approval.request_id]
        assert approval.approver_id not in {request.requester_id, request.beneficiary_id}
        assert (approval.status == "open") == (request.status == "pending")


async def test_owners_and_members_are_there(database: Database) -> None:
    await fill(database, SMALL, NOW)
    people = {person.id for person in await _all(database, IdentityRow)}

    assert {owner for group in await _all(database, GroupRow) for owner in group.owner_ids} <= people
    assert {one.identity_id for one in await _all(database, MembershipRow)} <= people


async def test_f5_the_log_is_chained_numbered_by_time_and_can_be_written_on(database: Database) -> None:
    await fill(database, SMALL, NOW)
    async with database.transaction() as session:
        await append(session, NewEntry(time=NOW, action="group.created"))

    async with database.reading() as session:
        entries = (await session.exec(select(AuditEntryRow).order_by(col(AuditEntryRow.seq)))).all()
        found = await verify(session)
    times = [entry.time for entry in entries]
    assert times == sorted(times)
    assert (found.checked, found.broken_seq, found.is_whole) == (501, None, True)
    assert {entry.via for entry in entries} == {None, "ai_chat:admin", "ai_chat:helpdesk"}


async def test_the_same_seed_makes_the_same_and_another_seed_another(sqlite_template: Path, tmp_path: Path) -> None:
    ends = []
    for seed in (7, 7, 8):
        database = Database(copy_sqlite(sqlite_template, tmp_path))
        await fill(database, Size(identities=40, entries=50, seed=seed), NOW)
        async with database.reading() as session:
            ends.append((await verify(session)).end_hash)  # which follows from every entry before
        await database.close()

    assert ends[0] == ends[1] != ends[2]


async def test_it_is_all_or_nothing_and_never_tiny(database: Database) -> None:
    with pytest.raises(ValueError, match="at least 20"):
        await fill(database, Size(identities=3, entries=1), NOW)
    await fill(database, SMALL, NOW)

    with pytest.raises(Exception, match=r"(?i)unique"):
        await fill(database, SMALL, NOW)

    assert len(await _all(database, IdentityRow)) == 300
