"""The sample organisation is believable: complete, in itself consistent, and the same at every load."""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final, TypeVar

import pytest
from pydantic import TypeAdapter
from sqlmodel import SQLModel, col, select

from nova_ui.domain.identity import EVERYONE, Identity, IdentityId, Language, Role
from nova_ui.domain.sample_sign_ins import SIGN_INS
from nova_ui.nova.connection_rules import Settings, check_settings, settings_of
from nova_ui.nova.following import difference_for
from nova_ui.nova.groups import state_of
from nova_ui.nova.rule_changes import difference_for_group
from nova_ui.nova.sample_organisation import load, sample_id
from nova_ui.nova.views import ConnectionSettings
from nova_ui.tools.registry import build_registry
from storage.chat.assistants import AssistantStore
from storage.database import Database
from storage.encryption import Encryption, KeyRing
from storage.ids import ID_PATTERN
from storage.nova.application_tables import SECRET_OF, ConnectionRow, secret_place
from storage.nova.lifecycle_tables import LifecycleRunRow
from storage.nova.tables import (
    AccessRequestRow,
    ApplicationRow,
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
Row = TypeVar("Row", bound=SQLModel)


class StoppedClock:
    def now(self) -> datetime:
        return NOW


async def _hash(password: str) -> str:
    return f"hash of {password}"


@pytest.fixture(scope="module")
def encryption() -> Encryption:
    return Encryption(KeyRing.generate())


@pytest.fixture(scope="module")
def loaded_url(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory, encryption: Encryption) -> str:
    """Loaded once: most tests only read."""
    url = copy_sqlite(sqlite_template, tmp_path_factory.mktemp("loaded"))

    async def load_once() -> None:
        database = Database(url)
        await load(database, StoppedClock(), encryption, _hash, "correct horse")
        await database.close()

    asyncio.run(load_once())
    return url


@pytest.fixture
async def loaded(loaded_url: str) -> AsyncIterator[Database]:
    database = Database(loaded_url)
    yield database
    await database.close()


async def _all(database: Database, table: type[Row]) -> Sequence[Row]:
    async with database.reading() as session:
        return (await session.exec(select(table))).all()


async def _people(database: Database) -> dict[str, IdentityRow]:
    return {person.user_name: person for person in await _all(database, IdentityRow)}


async def test_it_has_as_many_of_everything_as_promised(loaded: Database) -> None:
    counts = {
        table.__name__: len(await _all(loaded, table))
        for table in (IdentityRow, GroupRow, RoleRow, ApplicationRow, AuditEntryRow)
    }

    assert counts == {"IdentityRow": 120, "GroupRow": 25, "RoleRow": 30, "ApplicationRow": 14, "AuditEntryRow": 2000}


async def test_the_four_who_can_sign_in_are_what_they_are_said_to_be(loaded: Database) -> None:
    people = await _people(loaded)

    assert [name for name, person in people.items() if person.password_hash] == sorted(SIGN_INS, key=list(people).index)
    assert people["mara.koenig"].nova_roles == ["administrator"]
    assert people["paul.adler"].nova_roles == ["auditor"]
    assert people["tim.vogt"].manager_id == people["lea.brandt"].id
    assert people["tim.vogt"].nova_roles == people["lea.brandt"].nova_roles == []


async def test_everybody_has_a_manager_but_one_and_nobody_manages_themselves(loaded: Database) -> None:
    people = await _people(loaded)
    chiefs = {person.id: person.manager_id for person in people.values()}

    assert [identity for identity, manager in chiefs.items() if manager is None] == [people["katharina.lindner"].id]
    for manager in chiefs.values():
        steps, above = 0, manager
        while above is not None:
            steps, above = steps + 1, chiefs[above]
            assert steps <= 5


async def test_there_are_cases_worth_finding(loaded: Database) -> None:
    people = await _people(loaded)
    inactive = NOW - timedelta(days=100)

    for name in ("jonas.weber", "priya.nair"):
        person = people[name]
        assert (person.user_type, person.department) == ("contractor", "Sales")
        assert person.last_sign_in_at is not None
        assert person.last_sign_in_at < inactive
    assert {person.status for person in people.values()} == {"staged", "active", "suspended", "disabled"}
    assert any(person.locked_until and person.locked_until > NOW for person in people.values())
    assert len([person for person in people.values() if person.display_name == "Anna Schmidt"]) == 2


async def test_nobody_signed_in_after_they_were_stopped(loaded: Database) -> None:
    people = await _people(loaded)
    entries = await _all(loaded, AuditEntryRow)
    stopped = {
        entry.target_id: entry.time for entry in entries if entry.action in _STOPPING and entry.outcome == "success"
    }
    late = [
        entry.actor_display
        for entry in entries
        if entry.action == "session.started" and entry.time > stopped.get(entry.actor_id, NOW)
    ]

    assert late == []
    assert len(stopped) == sum(person.status in {"suspended", "disabled"} for person in people.values())


_STOPPING: Final = ("identity.suspended", "identity.disabled")


async def test_ids_have_the_form_of_ids_and_follow_from_names(loaded: Database) -> None:
    groups = {group.display_name: group.id for group in await _all(loaded, GroupRow)}

    assert groups["contractors"] == sample_id("grp", "contractors")
    assert all(re.fullmatch(ID_PATTERN, group) for group in groups.values())


async def test_requests_stand_in_each_state_and_some_wait_for_lea(loaded: Database) -> None:
    people = await _people(loaded)
    requests = {request.id: request for request in await _all(loaded, AccessRequestRow)}
    approvals = await _all(loaded, ApprovalRow)
    waiting = [one for one in approvals if one.approver_id == people["lea.brandt"].id and one.status == "open"]

    assert {request.status for request in requests.values()} == {
        "pending",
        "completed",
        "denied",
        "cancelled",
        "expired",
        "failed",
    }
    assert len(waiting) >= 3
    assert all(requests[one.request_id].requester_id != one.approver_id for one in approvals)


async def test_the_log_tells_of_each_request_how_it_went(loaded: Database) -> None:
    async with loaded.reading() as session:
        entries = (await session.exec(select(AuditEntryRow).order_by(col(AuditEntryRow.seq)))).all()
    told: dict[str, list[str]] = {}
    for entry in entries:
        if entry.target_type in {"access_request", "approval"}:
            told.setdefault(entry.target_id or "", []).append(entry.action)

    for request in await _all(loaded, AccessRequestRow):
        first, *others = [action for action in told[request.id] if action != "request.commented"]
        carried_out = ["request.approved"] if request.status in {"completed", "failed"} else []
        ended = [] if request.status == "pending" else [f"request.{request.status}"]
        assert (first, others) == ("request.submitted", [*carried_out, *ended]), request.justification
    for approval in await _all(loaded, ApprovalRow):
        decided = approval.status in {"approved", "denied"}
        assert told.get(approval.id, []) == ([f"approval.{approval.status}"] if decided else [])


async def test_each_tool_has_something_to_find(loaded: Database) -> None:
    people, assignments = await _all(loaded, IdentityRow), await _all(loaded, AssignmentRow)
    working = [person for person in people if person.status == "active" and person.last_sign_in_at]
    month = NOW + timedelta(days=30)
    soon = [one for one in assignments if one.status == "active" and one.valid_until and NOW < one.valid_until <= month]

    assert len({person.department for person in people if person.department}) == 9
    assert len([one for one in working if one.last_sign_in_at and one.last_sign_in_at < NOW - timedelta(days=100)]) >= 3
    assert len(soon) >= 5
    assert {one.status for one in assignments} >= {"active", "scheduled", "expired", "revoked"}
    assert any(one.entitlement_id for one in assignments)
    assert {one.status for one in await _all(loaded, ApprovalRow)} == {
        "open",
        "waiting",
        "approved",
        "denied",
        "skipped",
        "expired",
    }
    runs = await _all(loaded, LifecycleRunRow)
    assert {run.status for run in runs} == {"done"}
    assert len({run.routine_id for run in runs}) >= 4


async def test_an_assignment_keeps_the_limits_of_its_role(loaded: Database) -> None:
    roles = {role.id: role for role in await _all(loaded, RoleRow)}
    people = {person.id: person for person in await _all(loaded, IdentityRow)}
    held = [one for one in await _all(loaded, AssignmentRow) if one.status == "active"]

    for one in held:
        limit = roles[one.role_id].max_days if one.role_id else None
        if limit is not None:
            assert one.valid_until is not None
            assert one.valid_until - one.created_at <= timedelta(days=limit)
        assert people[one.identity_id].status not in {"disabled", "staged"}
    assert len({(one.identity_id, one.role_id, one.entitlement_id) for one in held}) == len(held)


async def test_an_entry_about_a_change_ends_in_what_is_stored_now(loaded: Database) -> None:
    people = {person.id: person for person in await _all(loaded, IdentityRow)}
    changed = [entry for entry in await _all(loaded, AuditEntryRow) if entry.action == "identity.updated"]

    assert len(changed) > 100
    for entry in changed:
        changes = entry.details["changes"]
        assert isinstance(changes, list)
        for change in changes:
            assert isinstance(change, dict)
            assert change["before"] != change["after"]
            assert getattr(people[entry.target_id or ""], str(change["field"])) == change["after"]


async def test_whoever_was_last_added_to_a_group_is_in_it_and_whoever_was_last_removed_is_not(loaded: Database) -> None:
    inside = {(one.group_id, one.identity_id) for one in await _all(loaded, MembershipRow)}
    groups = {group.id for group in await _all(loaded, GroupRow)}
    last: dict[tuple[str, str], str] = {}
    async with loaded.reading() as session:
        entries = (await session.exec(select(AuditEntryRow).order_by(col(AuditEntryRow.seq)))).all()
    for entry in entries:
        member = entry.details.get("member")
        if isinstance(member, dict) and entry.target_id in groups:
            last[str(entry.target_id), str(member["id"])] = entry.action

    assert {pair for pair, action in last.items() if action == "group.member_added"} <= inside
    assert {pair for pair, action in last.items() if action == "group.member_removed"} & inside == set()


async def test_entries_are_numbered_by_time_within_ninety_days_and_some_came_by_chat(
    database: Database, encryption: Encryption
) -> None:
    await load(database, StoppedClock(), encryption, _hash, "correct horse")

    async with database.reading() as session:
        entries = (await session.exec(select(AuditEntryRow).order_by(col(AuditEntryRow.seq)))).all()
    times = [entry.time for entry in entries]

    assert times == sorted(times)
    assert NOW - timedelta(days=91) < times[0]
    assert times[-1] < NOW
    assert {entry.via for entry in entries} == {None, "ai_chat:admin", "ai_chat:helpdesk"}
    known = {entry.id for entry in entries}
    assert all(entry.caused_by is None or entry.caused_by in known for entry in entries)


async def test_d5_client_secrets_are_sealed_where_they_live(loaded: Database, encryption: Encryption) -> None:
    rows = await _all(loaded, ConnectionRow)

    assert Counter(row.kind for row in rows) == {"oidc": 3, "scim": 3, "ldap": 1}
    for row in rows:
        sealed = {column: getattr(row, column) for column in SECRET_OF.values() if getattr(row, column)}
        assert [*sealed] == [SECRET_OF[row.kind]]
        for column, value in sealed.items():
            assert encryption.is_sealed(value)
            assert len(encryption.open(value, secret_place(column, row.id))) > 30


async def test_every_connection_is_as_its_endpoint_would_take_it(loaded: Database) -> None:
    for row in await _all(loaded, ConnectionRow):
        body: Settings = TypeAdapter(ConnectionSettings).validate_python({"kind": row.kind, **row.settings})

        check_settings(body, allow_private=False)
        assert settings_of(body) == row.settings


async def test_an_enabled_application_has_passed_a_test_or_needs_none(loaded: Database) -> None:
    states = {row.id: row.test_state for row in await _all(loaded, ConnectionRow)}
    applications = await _all(loaded, ApplicationRow)

    assert len(applications) == 14
    assert {states.get(one.id) for one in applications if one.status == "enabled"} <= {"ok", "failing", None}


async def test_the_assistants_are_for_whom_they_are_said_to_be(loaded: Database) -> None:
    async with loaded.reading() as session:
        found = [stored.assistant for stored in await AssistantStore(session).list_all()]
    someone = Identity(
        id=IdentityId("idn_x"), user_name="x", display_name="X", roles=frozenset({Role.USER}), language=Language.ENGLISH
    )
    auditor = Identity(
        id=IdentityId("idn_y"), user_name="y", display_name="Y", roles=frozenset({Role.USER, Role.AUDITOR})
    )

    assert [one.key for one in found] == ["admin", "helpdesk", "audit", "my-access", "service-desk"]
    assert [one.key for one in found if one.audience.admits(someone)] == ["helpdesk", "my-access"]
    assert [one.key for one in found if one.audience.admits(auditor)] == ["helpdesk", "audit", "my-access"]


async def test_their_tool_lists_hold_what_they_should_and_nothing_unknown(loaded: Database) -> None:
    registry = build_registry()
    async with loaded.reading() as session:
        lists = {
            str(stored.assistant.key): stored.assistant.tools.names
            for stored in await AssistantStore(session).list_all()
        }

    assert lists["helpdesk"] == {
        name
        for name, tool in registry.items()
        if tool.roles == EVERYONE
        and (tool.kind.value == "read" or tool.self_service or name == "request_access_for")  # for managers
    }
    assert all(registry[name].kind.value == "read" for name in lists["audit"])


async def test_it_is_all_or_nothing(database: Database, encryption: Encryption) -> None:
    await load(database, StoppedClock(), encryption, _hash, "correct horse")

    with pytest.raises(Exception, match=r"(?i)unique"):
        await load(database, StoppedClock(), encryption, _hash, "correct horse")

    assert len(await _all(database, IdentityRow)) == 120
    assert len(await _all(database, AuditEntryRow)) == 2000


async def test_what_rules_and_groups_should_give_is_what_is_there(loaded: Database) -> None:
    groups, roles = await _all(loaded, GroupRow), await _all(loaded, RoleRow)
    async with loaded.reading() as session:
        differences = [
            *[await difference_for_group(session, state_of(group), NOW) for group in groups],
            *[await difference_for(session, person, person.status, NOW) for person in await _all(loaded, IdentityRow)],
        ]

    assert len([group for group in groups if group.rule]) >= 3
    assert len([role for role in roles if role.birthright_rule]) >= 2
    assert any(group.role_ids for group in groups)
    assert all(difference.size == 0 for difference in differences), [one for one in differences if one.size]
