"""What begins and ends by itself, over several processes and once only."""

import asyncio
from datetime import timedelta

import pytest

from nova_ui.nova import validity
from nova_ui.nova.validity import expire_due
from storage.ids import new_id
from storage.nova.tables import AccessRequestRow, ApprovalRow, AssignmentRow
from tests.api.rights import add_entitlements
from tests.api.site import NOW, Site, a_role, changes_of
from tests.api.test_deciding import told
from tests.api.test_identity_endings import an_assignment
from tests.api.test_requests import a_new_role, file

ENDED = NOW - timedelta(minutes=1)


async def run(site: Site, limit: int = 100) -> int:
    return await expire_due(site.nova.core.writer, site.clock.now(), limit)


async def assigned(site: Site, **fields: object) -> str:
    role = a_role(f"role-{new_id('rol')[4:]}")
    role_id = role.id
    await site.add(role)
    row = an_assignment(site.people["sam"].id, role_id, **fields)
    row_id = row.id
    await site.add(row)
    return row_id


async def test_an_assignment_whose_end_has_come_expires_with_its_entry_and_its_holder_is_told(site: Site) -> None:
    [right] = await add_entitlements(site, "a")
    over = an_assignment(site.people["sam"].id, None, entitlement_id=right, valid_until=ENDED)
    row_id = over.id
    await site.add(over)

    first, second = await run(site), await run(site)

    assert (first, second) == (1, 0)
    assert (await site.get(AssignmentRow, row_id)).status == "expired"
    [entry] = await site.entries()
    assert (entry.action, entry.actor_type, entry.actor_id, entry.via) == ("assignment.expired", "system", None, None)
    assert (entry.target_display, changes_of(entry)) == ("A · Sam", {"status": ("active", "expired")})
    assert await told(site) == [("access_ended", "sam")]


async def test_what_lasts_stays_and_what_was_revoked_before_does_too(site: Site) -> None:
    lasting = await assigned(site, valid_until=NOW + timedelta(minutes=1))
    revoked = await assigned(site, valid_until=ENDED, status="revoked")

    assert await run(site) == 0
    assert [(await site.get(AssignmentRow, one)).status for one in (lasting, revoked)] == ["active", "revoked"]


async def test_what_is_scheduled_begins_and_what_would_begin_after_its_end_never_does(site: Site) -> None:
    begins = await assigned(site, status="scheduled", valid_from=ENDED, valid_until=NOW + timedelta(days=1))
    later = await assigned(site, status="scheduled", valid_from=NOW + timedelta(days=1))

    await run(site)

    assert [(await site.get(AssignmentRow, one)).status for one in (begins, later)] == ["active", "scheduled"]
    assert [entry.action for entry in await site.entries()] == ["assignment.started"]


async def test_several_processes_at_once_expire_each_once(site: Site) -> None:
    [right] = await add_entitlements(site, "a")
    for name in ("sam", "tim", "nina", "lea"):
        await site.add(an_assignment(site.people[name].id, None, entitlement_id=right, valid_until=ENDED))

    counts = await asyncio.gather(*(run(site) for _ in range(4)))

    assert sum(counts) == 4
    assert len(await site.entries("assignment.expired")) == 4


async def test_no_more_than_the_limit_is_done_and_the_next_run_continues(site: Site) -> None:
    [right] = await add_entitlements(site, "a")
    for name in ("sam", "tim", "nina"):
        await site.add(an_assignment(site.people[name].id, None, entitlement_id=right, valid_until=ENDED))

    assert [await run(site, 2), await run(site, 2), await run(site, 2)] == [2, 1, 0]


async def test_a_request_that_nobody_decided_in_time_expires_with_its_approvals(site: Site) -> None:
    role_id = await a_new_role(site, approval="manager_then_owner", owner_ids=[site.people["sam"].id])
    filed = (await file(site, "tim", role_id)).json()
    early = await run(site)
    site.clock.moment = NOW + timedelta(days=7)

    late, again = await run(site), await run(site)

    assert (early, late, again) == (0, 1, 0)
    assert (await site.get(AccessRequestRow, filed["id"])).status == "expired"
    stati = [(await site.get(ApprovalRow, one["id"])).status for one in filed["approvals"]]
    assert stati == ["expired", "skipped"]
    [cause] = await site.entries("request.expired")
    assert {one.caused_by for one in await site.entries() if one.action.startswith("approval.")} == {cause.id}
    assert ("request_expired", "tim") in await told(site)


async def test_the_next_step_has_its_own_time(site: Site) -> None:
    role_id = await a_new_role(site, approval="manager_then_owner", owner_ids=[site.people["sam"].id])
    filed = (await file(site, "tim", role_id)).json()
    site.clock.moment = NOW + timedelta(days=6)
    await site.call("lea", f"POST /approvals/{filed['approvals'][0]['id']}/approve")
    site.clock.moment = NOW + timedelta(days=8)

    assert await run(site) == 0
    assert (await site.get(AccessRequestRow, filed["id"])).status == "pending"


async def test_a_decision_at_the_same_moment_or_the_end_of_its_time_one_of_both_happens(site: Site) -> None:
    filed = (await file(site, "tim", await a_new_role(site))).json()
    approval_id = filed["approvals"][0]["id"]
    site.clock.moment = NOW + timedelta(days=7)

    await asyncio.gather(run(site), site.call("lea", f"POST /approvals/{approval_id}/approve"))

    assert (await site.get(AccessRequestRow, filed["id"])).status == "expired"
    assert await site.entries("assignment.granted") == []


async def test_what_is_not_due_takes_no_room_from_what_is(site: Site) -> None:
    early = (await file(site, "tim", await a_new_role(site, key="one"))).json()
    site.clock.moment = NOW + timedelta(minutes=1)
    due = (await file(site, "nina", await a_new_role(site, key="two"))).json()
    async with site.database.transaction() as session:
        row = await session.get(ApprovalRow, early["approvals"][0]["id"])
        assert row is not None
        row.due_at = NOW + timedelta(days=30)
        session.add(row)
    site.clock.moment = NOW + timedelta(days=8)

    assert await run(site, 1) == 1
    stati = [(await site.get(AccessRequestRow, one["id"])).status for one in (early, due)]
    assert stati == ["pending", "expired"]


async def test_what_was_changed_since_it_was_found_due_is_left_alone(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    longer = await assigned(site, valid_until=NOW + timedelta(days=1))
    revoked = await assigned(site, status="revoked", valid_until=ENDED)
    asked = (await file(site, "tim", await a_new_role(site))).json()["id"]

    async def found_before(*_: object) -> list[str]:
        return [longer, revoked, asked]

    monkeypatch.setattr(validity, "_due_ids", found_before)

    assert await run(site) == 0
    assert [(await site.get(AssignmentRow, one)).status for one in (longer, revoked)] == ["active", "revoked"]
    assert (await site.get(AccessRequestRow, asked)).status == "pending"
