"""Requests for entitlements, extensions and giving back; the catalogue of both kinds; why one holds what one holds."""

from datetime import timedelta

import pytest
from httpx import Response

from storage.nova.entitlement_tables import EntitlementRow
from tests.api.rights import add_entitlements, an_application, an_entitlement, bundle
from tests.api.site import NOW, Site, a_role
from tests.api.test_identity_endings import an_assignment

REASON = "needed for the spring campaign"


async def file(site: Site, who: str, *items: dict[str, object], beneficiary: str | None = None) -> Response:
    body: dict[str, object] = {"items": list(items), "justification": REASON}
    if beneficiary:
        body["beneficiary_id"] = site.people[beneficiary].id
    return await site.call(who, "POST /access-requests", body=body)


async def approve(site: Site, who: str, approval_id: str) -> Response:
    return await site.call(who, f"POST /approvals/{approval_id}/approve")


async def test_an_entitlement_is_decided_by_its_owner_else_by_its_applications(site: Site) -> None:
    sam, lea = site.people["sam"].id, site.people["lea"].id
    crm = an_application(owner_ids=[lea])
    own, without = an_entitlement(crm.id, "own", owner_ids=[sam]), an_entitlement(crm.id, "without")
    ids = (own.id, without.id)
    await site.add(crm)
    await site.add(own, without)

    filed = (await file(site, "tim", {"entitlement_id": ids[0]}, {"entitlement_id": ids[1]})).json()

    steps = [(one["step"], one["approver"]["display_name"], one["entitlement"]["id"]) for one in filed["approvals"]]
    assert sorted(steps) == sorted([(1, "Sam", ids[0]), (1, "Lea", ids[1])])


async def test_a_grave_entitlement_goes_to_the_manager_first_and_is_given_after_both(site: Site) -> None:
    [right] = await add_entitlements(site, "root", risk="critical", owner_ids=[site.people["sam"].id])
    filed = (await file(site, "tim", {"entitlement_id": right, "valid_until": "2026-03-20"})).json()
    first, second = filed["approvals"]

    await approve(site, "lea", first["id"])
    between = (await site.call("tim", f"GET /access-requests/{filed['id']}")).json()
    await approve(site, "sam", second["id"])

    assert [(one["status"], one["due_at"] is not None) for one in (first, second)] == [
        ("open", True),
        ("waiting", False),
    ]
    assert between["approvals"][1]["due_at"] == "2026-03-09T09:00:00Z"
    [item] = (await site.call("tim", "GET /me/access")).json()["items"]
    assert (item["entitlement"]["id"], item["valid_until"]) == (right, "2026-03-20T23:59:59Z")
    assert [one["approver"]["display_name"] for one in item["approved_by"]] == ["Lea", "Sam"]
    assert item["why"].startswith(f"Requested and approved in {filed['id']} by Lea on 2026-03-02 and Sam on 2026-03-02")


async def test_an_extension_and_a_return_change_the_same_assignment(site: Site) -> None:
    [right] = await add_entitlements(site, "a", owner_ids=[site.people["sam"].id])
    held = an_assignment(site.people["tim"].id, None, entitlement_id=right, valid_until=NOW + timedelta(days=5))
    path = f"/assignments/{held.id}"
    await site.add(held)

    longer = (
        await file(site, "tim", {"entitlement_id": right, "action": "extend", "valid_until": "2026-04-30"})
    ).json()
    await approve(site, "sam", longer["approvals"][0]["id"])
    extended = (await site.call("tim", f"GET {path}")).json()
    back = (await file(site, "tim", {"entitlement_id": right, "action": "revoke"})).json()
    await approve(site, "sam", back["approvals"][0]["id"])

    assert extended["valid_until"] == "2026-04-30T23:59:59Z"
    assert (await site.call("tim", f"GET {path}")).json()["status"] == "revoked"


@pytest.mark.parametrize(
    ("item", "field"),
    [
        ({}, "items.0.role_id"),
        ({"entitlement_id": "ent_00000000000000000000"}, "items.0.entitlement_id"),
        ({"action": "extend", "valid_until": "2026-05-01"}, "items.0"),
        ({"action": "revoke"}, "items.0"),
        ({"valid_until": "2026-03-01"}, "items.0.valid_until"),
    ],
)
async def test_what_can_not_be_asked_for_names_its_field(site: Site, item: dict[str, object], field: str) -> None:
    [right] = await add_entitlements(site, "a")
    named = item if not item or "entitlement_id" in item else {"entitlement_id": right, **item}

    answer = await file(site, "tim", named)

    assert answer.status_code in {400, 409}
    assert answer.json()["field"] == field


async def test_what_is_held_without_an_end_is_not_extended_and_what_is_returned_has_none(site: Site) -> None:
    [right] = await add_entitlements(site, "a")
    await site.add(an_assignment(site.people["tim"].id, None, entitlement_id=right))

    extended = await file(site, "tim", {"entitlement_id": right, "action": "extend", "valid_until": "2026-05-01"})
    returned = await file(site, "tim", {"entitlement_id": right, "action": "revoke", "valid_until": "2026-05-01"})

    assert (extended.status_code, extended.json()["field"]) == (409, "items.0")
    assert (returned.status_code, returned.json()["field"]) == (400, "items.0.valid_until")


@pytest.mark.parametrize("via", ["my-access", "admin"])
async def test_c1_no_chat_gives_access_back(site: Site, via: str) -> None:
    """What nobody approves is taken away at once, and filing a request is no action that is confirmed."""
    role = a_role("free", approval="none")
    row_id = role.id
    await site.add(role)
    await site.add(an_assignment(site.people["tim"].id, row_id))
    body = {"items": [{"role_id": row_id, "action": "revoke"}], "justification": REASON}

    by_chat = await site.call("tim", "POST /access-requests", body=body, via=via)
    still_held = (await site.call("tim", "GET /me/access")).json()["items"]
    by_page = await site.call("tim", "POST /access-requests", body=body)

    assert (by_chat.status_code, by_chat.json()["code"], len(still_held)) == (403, "interface_only", 1)
    [refused] = [one for one in await site.entries() if one.outcome == "refused"]
    assert (refused.action, refused.via) == ("request.submitted", f"ai_chat:{via}")
    assert (by_page.json()["status"], (await site.call("tim", "GET /me/access")).json()["items"]) == ("completed", [])


async def test_what_comes_with_a_group_is_not_returned_by_a_request(site: Site) -> None:
    [right] = await add_entitlements(site, "a")
    await site.add(an_assignment(site.people["tim"].id, None, entitlement_id=right, source="group", source_id="grp_x"))

    returned = await file(site, "tim", {"entitlement_id": right, "action": "revoke"})

    assert (returned.status_code, returned.json()["detail"]) == (
        409,
        "It comes from a group and can't be given back by a request.",
    )


async def test_an_entitlement_that_is_gone_meanwhile_fails_the_whole_request(site: Site) -> None:
    sam = [site.people["sam"].id]
    left, right = await add_entitlements(site, "a", "b", owner_ids=sam)
    filed = (await file(site, "tim", {"entitlement_id": left}, {"entitlement_id": right})).json()
    await site.call("sam", f"PATCH /entitlements/{right}", body={"requestable": False})
    async with site.database.transaction() as session:
        row = await session.get(EntitlementRow, right)
        assert row is not None
        row.status = "gone"
        session.add(row)

    for step in filed["approvals"]:
        await approve(site, "sam", step["id"])

    assert (await site.call("tim", f"GET /access-requests/{filed['id']}")).json()["status"] == "failed"
    assert (await site.call("tim", "GET /me/access")).json()["items"] == []


async def test_the_catalogue_lists_roles_then_entitlements_over_all_pages(site: Site) -> None:
    role = a_role("b-role")
    await site.add(role, a_role("a-role"), a_role("hidden", requestable=False))
    rights = await add_entitlements(site, "a", "b", "c")
    await bundle(site, role.id, rights[1])
    await site.add(an_assignment(site.people["sam"].id, role.id))

    names: list[str] = []
    cursor: str | None = None
    for _ in range(4):
        query: dict[str, object] = {"limit": 2, **({"cursor": cursor} if cursor else {})}
        page = (await site.call("sam", "GET /catalog", query=query)).json()
        assert page["total"] == 5
        names += [item["display_name"] for item in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break

    assert names == ["A Role", "B Role", "A", "B", "C"]
    items = (await site.call("sam", "GET /catalog", query={"type": "entitlement"})).json()["items"]
    assert [(one["held"], [way["display_name"] for way in one["held_through"]]) for one in items] == [
        (False, []),
        (False, ["B Role"]),
        (False, []),
    ]


@pytest.mark.parametrize("cursor", ["x", "x.abc", "r", "e.abc"])
async def test_a_foreign_cursor_of_the_catalogue_is_refused(site: Site, cursor: str) -> None:
    answer = await site.call("sam", "GET /catalog", query={"cursor": cursor})

    assert (answer.status_code, answer.json()["field"]) == (400, "cursor")
