"""Roles and assignments: checks, periods, what blocks, what is logged."""

import asyncio
from datetime import timedelta

import pytest

from storage.nova.tables import AssignmentRow
from tests.api.site import NOW, Site, a_role, changes_of
from tests.api.test_identity_endings import a_request, an_assignment


async def grant(site: Site, role_id: str, name: object = "sam", **fields: object) -> dict[str, object]:
    body = {"identity_id": site.people[str(name)].id, "role_id": role_id, **fields}
    answer = await site.call("mara", "POST /assignments", body=body)
    return {"status": answer.status_code, **answer.json()}


async def test_others_see_roles_that_concern_them(site: Site) -> None:
    shown, hidden = a_role("open-role"), a_role("closed-role", requestable=False)
    held, owned = (
        a_role("held-role", requestable=False),
        a_role("own-role", requestable=False, owner_ids=[site.people["lea"].id]),
    )
    hidden_id = hidden.id
    await site.add(shown, hidden, held, owned)
    await site.add(an_assignment(site.people["tim"].id, held.id))

    seen = (await site.call("lea", "GET /roles")).json()["items"]

    assert [item["key"] for item in seen] == ["held-role", "open-role", "own-role"]
    assert (await site.call("lea", f"GET /roles/{hidden_id}")).status_code == 404
    assert len((await site.call("paul", "GET /roles")).json()["items"]) == 4


async def test_a_role_that_somebody_holds_is_not_deleted_and_the_answer_counts(site: Site) -> None:
    role = a_role()
    path = f"/roles/{role.id}"
    await site.add(role)
    await site.add(an_assignment(site.people["sam"].id, role.id))

    answer = await site.call("mara", f"DELETE {path}")

    assert (answer.status_code, answer.json()["count"]) == (409, 1)


async def test_a_role_that_is_asked_for_is_not_deleted(site: Site) -> None:
    role, sam = a_role(), site.people["sam"].id
    path = f"/roles/{role.id}"
    await site.add(role, a_request(sam, sam, role.id))

    assert (await site.call("mara", f"DELETE {path}")).status_code == 409


async def test_granting_is_logged_and_shown_with_its_reason(site: Site) -> None:
    role = a_role()
    await site.add(role)

    made = await grant(site, role.id, justification="covers for Tim")

    access = (await site.call("sam", "GET /me/access")).json()["items"]
    assert (made["status"], access[0]["role"]["id"]) == ("active", role.id) or made["status"] == 201
    assert access[0]["why"] == "Granted by Mara since 2026-03-02."
    [entry] = await site.entries("assignment.granted")
    assert entry.target_display == "Crm User · Sam"


async def test_nothing_is_granted_twice_also_at_the_same_moment(site: Site) -> None:
    role = a_role()
    role_id = role.id
    await site.add(role)

    answers = await asyncio.gather(*(grant(site, role_id) for _ in range(5)))

    assert sorted(str(answer.get("code", "done")) for answer in answers) == ["conflict"] * 4 + ["done"]
    assert (await site.call("mara", "GET /assignments", query={"role_id": role_id})).json()["total"] == 1


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"valid_until": "2026-03-01"}, "valid_until"),
        ({"valid_until": "2026-06-30"}, "valid_until"),
        ({"valid_from": "2026-04-01", "valid_until": "2026-03-20"}, "valid_until"),
        ({"valid_until": "2026-03-20T10:00:00"}, "valid_until"),
        ({"identity_id": "idn_00000000000000000000"}, "identity_id"),
    ],
)
async def test_periods_that_are_not_possible(site: Site, given: dict[str, object], field: str) -> None:
    role = a_role(max_days=30)
    await site.add(role)

    answer = await grant(site, role.id, **given)

    assert answer["field"] == field


async def test_without_an_end_the_longest_period_counts(site: Site) -> None:
    role = a_role(max_days=30)
    await site.add(role)

    assert (await grant(site, role.id))["valid_until"] == "2026-04-01T09:00:00Z"


async def test_an_assignment_ends_within_the_calendar(site: Site) -> None:
    role = a_role(max_days=30)
    await site.add(role)
    body = {"identity_id": site.people["sam"].id, "role_id": role.id, "valid_from": "9999-12-30"}

    without_end = await site.call("mara", "POST /assignments", body=body)
    with_end = await site.call("mara", "POST /assignments", body={**body, "valid_until": "9999-12-30"})

    assert (without_end.status_code, without_end.json()["field"]) == (400, "valid_from")
    assert with_end.status_code == 201


async def test_an_assignment_starts_and_ends_by_the_clock(site: Site) -> None:
    role = a_role()
    await site.add(role)
    made = await grant(site, role.id, valid_from="2026-03-10", valid_until="2026-03-20")
    path = f"/assignments/{made['id']}"

    stati = []
    for day in (0, 10, 30):
        site.clock.moment = NOW + timedelta(days=day) if day < 30 else NOW + timedelta(days=19)
        shown = (await site.call("mara", f"GET {path}")).json()["status"]
        listed = (await site.call("mara", "GET /assignments", query={"status": shown})).json()["total"]
        stati.append((shown, listed))

    assert stati == [("scheduled", 1), ("active", 1), ("expired", 1)]


async def test_a_new_end_is_logged_with_before_and_after(site: Site) -> None:
    role = a_role(max_days=60)
    await site.add(role)
    made = await grant(site, role.id, valid_until="2026-03-20")
    path = f"/assignments/{made['id']}"

    later = await site.call("mara", f"PATCH {path}", body={"valid_until": "2026-04-20"})
    never = await site.call("mara", f"PATCH {path}", body={"valid_until": None})
    missing = await site.call("mara", f"PATCH {path}", body={})

    assert later.json()["valid_until"] == "2026-04-20T23:59:59Z"
    assert (never.status_code, missing.status_code) == (400, 422)
    [entry] = await site.entries("assignment.changed")
    assert list(changes_of(entry)) == ["valid_until"]


@pytest.mark.parametrize("source", ["birthright", "group"])
async def test_what_comes_from_elsewhere_is_not_revoked_here(site: Site, source: str) -> None:
    role = a_role()
    await site.add(role)
    fixed = an_assignment(site.people["sam"].id, role.id, source=source, source_id="grp_1")
    fixed_id = fixed.id
    await site.add(fixed)

    answer = await site.call("mara", f"DELETE /assignments/{fixed_id}")

    assert (answer.status_code, answer.json()["source"]) == (409, source)
    assert (await site.get(AssignmentRow, fixed_id)).status == "active"


async def test_managers_see_assignments_of_their_tree(site: Site) -> None:
    role = a_role()
    await site.add(role)
    await grant(site, role.id, "nina")
    made = await grant(site, role.id, "sam")

    seen = (await site.call("lea", "GET /assignments")).json()["items"]

    assert [item["identity"]["display_name"] for item in seen] == ["Nina"]
    assert (await site.call("lea", f"GET /assignments/{made['id']}")).status_code == 404
