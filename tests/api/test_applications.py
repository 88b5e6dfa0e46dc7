"""Applications: their life from draft to deletion, and who may do what."""

import pytest

from storage.nova.application_tables import ConnectionRow
from storage.nova.entitlement_tables import EntitlementRow, RoleChildRow, RoleEntitlementRow
from storage.nova.tables import AccessRequestRow, ApplicationRow, AssignmentRow, RoleRow
from tests.api.site import NOW, Site, a_connection, a_role, an_application, changes_of
from tests.api.test_identity_endings import an_assignment


async def created(site: Site, **fields: object) -> str:
    body = {"key": "crm", "display_name": "Customers", **fields}
    answer = await site.call("mara", "POST /applications", body=body)
    assert answer.status_code == 201, answer.text
    key: str = answer.json()["id"]
    return key


async def test_an_application_begins_as_a_draft_without_a_connection(site: Site) -> None:
    key = await created(site, owner_ids=[site.people["lea"].id], provisioning="automatic", requestable=False)

    shown = (await site.call("lea", f"GET /applications/{key}")).json()

    expected = {"status": "draft", "connection": "none", "connection_state": None, "provisioning": "automatic"}
    assert shown | expected == shown
    assert [owner["display_name"] for owner in shown["owners"]] == ["Lea"]
    [entry] = await site.entries("application.created")
    assert changes_of(entry)["key"] == (None, "crm")


async def test_a_key_is_there_once_and_stays(site: Site) -> None:
    key = await created(site)

    again = await site.call("mara", "POST /applications", body={"key": "crm", "display_name": "Other"})
    renamed = await site.call("mara", f"PATCH /applications/{key}", body={"key": "other"})

    assert (again.status_code, again.json()["field"]) == (409, "key")
    assert (renamed.status_code, renamed.json()["field"]) == (422, "key")


@pytest.mark.parametrize("body", [{"status": "enabled"}, {"provisioning": "by magic"}, {"owner_ids": ["idn_1"]}])
async def test_what_a_patch_may_not_say_is_refused(site: Site, body: dict[str, object]) -> None:
    key = await created(site)

    answer = await site.call("mara", f"PATCH /applications/{key}", body=body)

    assert answer.status_code == 422
    assert answer.json()["field"].partition(".")[0] == next(iter(body))


async def test_a_change_is_logged_with_before_and_after_and_found_by_its_new_words(site: Site) -> None:
    key = await created(site)

    answer = await site.call("mara", f"PATCH /applications/{key}", body={"display_name": "Kunden"})
    await site.call("mara", f"PATCH /applications/{key}", body={"display_name": "Kunden"})

    assert answer.json()["display_name"] == "Kunden"
    [entry] = await site.entries("application.updated")
    assert changes_of(entry) == {"display_name": ("Customers", "Kunden")}
    found = await site.call("mara", "GET /applications", query={"q": "kunden"})
    assert found.json()["total"] == 1


@pytest.mark.parametrize(
    "endpoint",
    [
        "PATCH /applications/{}",
        "DELETE /applications/{}",
        "POST /applications/{}/enable",
        "POST /applications/{}/disable",
    ],
)
async def test_a_lost_race_is_a_412(site: Site, endpoint: str) -> None:
    key = await created(site)
    body = {"display_name": "X"} if endpoint.startswith("PATCH") else None

    answer = await site.call("mara", endpoint.format(key), body=body, headers={"If-Match": '"7"'})

    assert answer.status_code == 412


async def test_only_administrators_change_applications(site: Site) -> None:
    key = await created(site, owner_ids=[site.people["lea"].id])
    for who, status in (("paul", 403), ("lea", 403), ("sam", 404)):
        for endpoint in ("PATCH /applications/{}", "DELETE /applications/{}", "POST /applications/{}/enable"):
            body = {"display_name": "X"} if endpoint.startswith("PATCH") else None

            assert (await site.call(who, endpoint.format(key), body=body)).status_code == status


@pytest.mark.parametrize(("state", "status"), [("ok", 200), ("untested", 409), ("failing", 409)])
async def test_an_application_is_enabled_only_with_a_connection_that_passed(
    site: Site, state: str, status: int
) -> None:
    key = await created(site)
    await site.add(a_connection(key, test_state=state))

    answer = await site.call("mara", f"POST /applications/{key}/enable", body={"reason": "go"})

    assert answer.status_code == status, answer.text
    if status == 200:
        [entry] = await site.entries("application.enabled")
        assert (changes_of(entry), entry.details["reason"]) == ({"status": ("draft", "enabled")}, "go")
    else:
        assert answer.json()["code"] == "state_conflict"
        assert (await site.get(ApplicationRow, key)).status == "draft"


async def test_an_application_without_a_connection_needs_no_test(site: Site) -> None:
    key = await created(site)

    assert (await site.call("mara", f"POST /applications/{key}/enable")).status_code == 200
    assert (await site.call("mara", f"POST /applications/{key}/enable")).json()["code"] == "state_conflict"


async def test_disabling_names_who_is_locked_out_and_takes_nothing_away(site: Site) -> None:
    application = an_application()
    key = application.id
    role = a_role(application_id=key)
    role_id = role.id
    await site.add(application)
    await site.add(role, a_connection(key))
    await site.add(
        an_assignment(site.people["tim"].id, role_id), an_assignment(site.people["nina"].id, role_id, status="revoked")
    )

    done = await site.call("mara", f"POST /applications/{key}/disable", body={"reason": "broken in"})

    effects = [(one["type"], one["display"], one["result"]) for one in done.json()["effects"]]
    assert effects == [("synchronisation", "CRM", "stopped"), ("holder", "Tim", "locked_out")]
    assert done.json()["object"]["status"] == "disabled"
    assert [entry.action for entry in await site.entries("assignment.revoked")] == []
    again = await site.call("mara", f"GET /applications/{key}/impact", query={"action": "disable"})
    assert again.json()["refusal"]["code"] == "state_conflict"


async def test_only_a_disabled_application_is_deleted_and_everything_of_it_ends(site: Site) -> None:
    application = an_application()
    key = application.id
    role = a_role(application_id=key)
    role_id = role.id
    await site.add(application)
    await site.add(role, a_connection(key))
    assignment = an_assignment(site.people["tim"].id, role_id)
    assignment_id = assignment.id
    await site.add(assignment)

    early = await site.call("mara", f"DELETE /applications/{key}")
    await site.call("mara", f"POST /applications/{key}/disable")
    done = await site.call("mara", f"DELETE /applications/{key}")

    assert (early.status_code, early.json()["code"]) == (409, "state_conflict")
    assert done.status_code == 200, done.text
    assert (await site.get(AssignmentRow, assignment_id)).status == "revoked"
    role = await site.get(RoleRow, role_id)
    assert (role.status, role.application_id) == ("retired", None)
    async with site.database.reading() as session:
        assert await session.get(ConnectionRow, key) is None
    _, cause = await site.entries("application.deleted")
    caused = {entry.action for entry in await site.entries() if entry.caused_by == cause.id}
    assert caused == {"assignment.revoked", "role.updated"}


async def test_an_application_that_somebody_asks_for_stays(site: Site) -> None:
    application = an_application(status="disabled")
    key = application.id
    role = a_role(application_id=key)
    asked = AccessRequestRow(
        id="req_00000000000000000001",
        requester_id=site.people["tim"].id,
        beneficiary_id=site.people["tim"].id,
        items=[{"role_id": role.id, "action": "grant", "valid_until": None}],
        created_at=NOW,
        updated_at=NOW,
    )
    await site.add(application)
    await site.add(role, asked)

    answer = await site.call("mara", f"DELETE /applications/{key}")

    assert (answer.status_code, answer.json()["count"]) == (409, 1)


async def test_a_built_in_role_keeps_its_application(site: Site) -> None:
    application = an_application(status="disabled")
    key = application.id
    await site.add(application)
    await site.add(a_role(application_id=key, protected=True))

    assert (await site.call("mara", f"DELETE /applications/{key}")).json()["code"] == "protected_object"


async def test_lists_are_filtered_by_connection_and_its_state(site: Site) -> None:
    rows = {name: an_application(name) for name in ("plain", "tested", "broken", "emptied")}
    keys = {name: row.id for name, row in rows.items()}
    await site.add(*rows.values())
    await site.add(
        a_connection(keys["tested"], test_state="ok"),
        a_connection(keys["broken"], kind="ldap", test_state="failing"),
        a_connection(keys["emptied"], kind="none"),
    )

    async def names(**query: object) -> set[str]:
        found = await site.call("mara", "GET /applications", query=query)
        return {one["key"] for one in found.json()["items"]}

    assert await names(connection="none") == {"plain", "emptied"}
    assert await names(connection="scim") == {"tested"}
    assert await names(connection_state="failing") == {"broken"}
    assert await names(connection="scim", connection_state="failing") == set()
    assert (await site.call("mara", "GET /applications", query={"kind": "scim"})).status_code == 400


async def test_what_other_roles_bundle_of_a_deleted_application_is_taken_out_of_them(site: Site) -> None:
    application = an_application(status="disabled")
    key = application.id
    other = a_role("bundle")
    other_id, tim = other.id, site.people["tim"].id
    right = EntitlementRow(
        id="ent_00000000000000000001",
        application_id=key,
        native_name="sales",
        native_key="sales",
        display_name="Sales data",
        created_at=NOW,
        updated_at=NOW,
    )
    await site.add(application)
    await site.add(other, right)
    await site.add(RoleEntitlementRow(role_id=other_id, entitlement_id="ent_00000000000000000001"))
    direct = an_assignment(tim, "").model_copy(update={"role_id": None, "entitlement_id": "ent_00000000000000000001"})
    ended = direct.model_copy(update={"id": "asg_00000000000000000002", "status": "revoked"})
    await site.add(AssignmentRow(**direct.model_dump()), AssignmentRow(**ended.model_dump()))

    done = await site.call("mara", f"DELETE /applications/{key}")

    assert done.status_code == 200, done.text
    assert [(one["type"], one["result"]) for one in done.json()["effects"]] == [
        ("assignment", "revoked"),
        ("ended_assignment", "removed"),
        ("role", "reduced"),
        ("entitlement", "deleted"),
    ]
    assert (await site.get(RoleRow, other_id)).status == "active"
    [entry] = await site.entries("role.updated")
    assert changes_of(entry) == {"entitlement_ids": (["ent_00000000000000000001"], [])}


async def test_whoever_gets_in_by_a_bundle_is_locked_out_too(site: Site) -> None:
    application = an_application()
    key = application.id
    bundle, above = a_role("bundle"), a_role("above")
    ids = bundle.id, above.id
    right = EntitlementRow(
        id="ent_00000000000000000001",
        application_id=key,
        native_name="sales",
        native_key="sales",
        display_name="Sales data",
        created_at=NOW,
        updated_at=NOW,
    )
    await site.add(application)
    await site.add(bundle, above, right)
    await site.add(
        RoleEntitlementRow(role_id=ids[0], entitlement_id="ent_00000000000000000001"),
        RoleChildRow(role_id=ids[1], child_role_id=ids[0]),
        an_assignment(site.people["nina"].id, ids[1]),
    )

    told = await site.call("mara", f"GET /applications/{key}/impact", query={"action": "disable"})

    assert told.json()["effects"] == [{"type": "holder", "count": 1, "names": ["Nina"], "result": "locked_out"}]
