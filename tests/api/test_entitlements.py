"""Entitlements: who sees and changes them, and what is refused."""

import pytest

from storage.nova.entitlement_tables import EntitlementRow
from tests.api.rights import add_entitlements, an_application, an_entitlement, bundle
from tests.api.site import Site, a_role, changes_of
from tests.api.test_identity_endings import an_assignment


async def test_overseers_see_all_and_others_what_they_or_their_application_own(site: Site) -> None:
    tim, lea = site.people["tim"].id, site.people["lea"].id
    crm, erp = an_application("crm", owner_ids=[lea]), an_application("erp")
    rows = [
        an_entitlement(crm.id, "crm.read"),
        an_entitlement(crm.id, "crm.write", owner_ids=[tim]),
        an_entitlement(erp.id, "erp.post"),
    ]
    hidden = rows[2].id
    await site.add(crm, erp)
    await site.add(*rows)

    seen = {who: (await site.call(who, "GET /entitlements")).json()["total"] for who in ("mara", "paul", "lea", "tim")}

    assert seen == {"mara": 3, "paul": 3, "lea": 2, "tim": 1}
    assert (await site.call("tim", f"GET /entitlements/{hidden}")).status_code == 404


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"risk": "high"}, ["Crm Delete"]),
        ({"privileged": True}, ["Crm Delete"]),
        ({"requestable": False}, ["Crm Delete"]),
        ({"status": "discovered"}, ["Crm Old"]),
        ({"q": "read"}, ["Crm Read"]),
        ({"sort": "-display_name"}, ["Crm Read", "Crm Old", "Crm Delete"]),
    ],
)
async def test_filters_keep_what_they_say(site: Site, query: dict[str, object], names: list[str]) -> None:
    crm = an_application()
    rows = [
        an_entitlement(crm.id, "crm.read"),
        an_entitlement(crm.id, "crm.delete", risk="high", privileged=True, requestable=False),
        an_entitlement(crm.id, "crm.old", status="discovered"),
    ]
    await site.add(crm)
    await site.add(*rows)

    found = (await site.call("mara", "GET /entitlements", query=query)).json()["items"]

    assert [one["display_name"] for one in found] == names


async def test_a_role_filter_keeps_what_the_role_bundles(site: Site) -> None:
    inside, _ = await add_entitlements(site, "a", "b")
    role = a_role()
    role_id = role.id
    await site.add(role)
    await bundle(site, role_id, inside)

    found = (await site.call("mara", "GET /entitlements", query={"role_id": role_id})).json()["items"]

    assert [(one["id"], [role["id"] for role in one["roles"]]) for one in found] == [(inside, [role_id])]


async def test_its_owner_may_change_it_and_whoever_owns_the_application_only_reads(site: Site) -> None:
    tim, lea = site.people["tim"].id, site.people["lea"].id
    crm = an_application(owner_ids=[lea])
    right = an_entitlement(crm.id, owner_ids=[tim])
    path = f"/entitlements/{right.id}"
    await site.add(crm)
    await site.add(right)

    own = await site.call("tim", f"PATCH {path}", body={"description": "Read it", "risk": "medium"})
    foreign = await site.call("lea", f"PATCH {path}", body={"risk": "low"})
    auditor = await site.call("paul", f"PATCH {path}", body={"risk": "low"})

    assert (own.json()["description"], own.json()["risk"]) == ("Read it", "medium")
    assert (foreign.status_code, auditor.status_code) == (403, 403)
    [entry] = [one for one in await site.entries("entitlement.updated") if one.outcome == "success"]
    assert changes_of(entry) == {"description": ("", "Read it"), "risk": ("low", "medium")}


async def test_a_lost_race_is_told(site: Site) -> None:
    [right] = await add_entitlements(site, "a")
    etag = (await site.call("mara", f"GET /entitlements/{right}")).headers["ETag"]
    headers = {"If-Match": etag}

    first = await site.call("mara", f"PATCH /entitlements/{right}", body={"risk": "high"}, headers=headers)
    second = await site.call("mara", f"PATCH /entitlements/{right}", body={"risk": "low"}, headers=headers)

    assert (first.status_code, second.status_code) == (200, 412)


async def test_a_name_stands_once_in_its_application(site: Site) -> None:
    crm = an_application()
    body = {"application_id": crm.id, "native_name": "crm.read", "display_name": "Read"}
    await site.add(crm)

    first = await site.call("mara", "POST /entitlements", body=body)
    again = await site.call("mara", "POST /entitlements", body={**body, "native_name": " CRM.Read"})
    by_other = await site.call("tim", "POST /entitlements", body={**body, "native_name": "x"})

    assert (first.status_code, first.json()["status"]) == (201, "managed")
    assert (again.status_code, again.json()["field"]) == (409, "native_name")
    assert by_other.status_code == 403


async def test_what_somebody_has_is_not_taken_out_of_use(site: Site) -> None:
    right, free = await add_entitlements(site, "a", "b")
    await site.add(an_assignment(site.people["sam"].id, None, entitlement_id=right))

    held = await site.call("mara", f"PATCH /entitlements/{right}", body={"status": "gone"})
    unused = await site.call("mara", f"PATCH /entitlements/{free}", body={"status": "gone"})
    back = await site.call("mara", f"PATCH /entitlements/{free}", body={"status": "managed"})

    assert (held.status_code, held.json()["field"], held.json()["count"]) == (409, "status", 1)
    assert unused.json()["status"] == "gone"
    assert back.json()["code"] == "state_conflict"


async def test_a_discovered_entitlement_is_adopted_before_it_can_be_given(site: Site) -> None:
    [right] = await add_entitlements(site, "a", status="discovered")
    grant = {"identity_id": site.people["sam"].id, "entitlement_id": right}

    early = await site.call("mara", "POST /assignments", body=grant)
    await site.call("mara", f"PATCH /entitlements/{right}", body={"status": "managed"})
    late = await site.call("mara", "POST /assignments", body=grant)

    assert (early.status_code, early.json()["field"]) == (400, "entitlement_id")
    assert late.json()["entitlement"]["id"] == right
    assert (await site.get(EntitlementRow, right)).status == "managed"


@pytest.mark.parametrize("both", [True, False])
async def test_an_assignment_is_of_exactly_one_right(site: Site, *, both: bool) -> None:
    [right] = await add_entitlements(site, "a")
    role = a_role()
    rights = {"role_id": role.id, "entitlement_id": right} if both else {}
    await site.add(role)

    answer = await site.call("mara", "POST /assignments", body={"identity_id": site.people["sam"].id, **rights})

    assert (answer.status_code, answer.json()["field"]) == (400, "role_id")


async def test_an_entitlement_is_not_given_twice(site: Site) -> None:
    [right] = await add_entitlements(site, "a")
    body = {"identity_id": site.people["sam"].id, "entitlement_id": right}

    first = await site.call("mara", "POST /assignments", body=body)
    second = await site.call("mara", "POST /assignments", body=body)
    listed = (await site.call("sam", "GET /assignments", query={"entitlement_id": right})).json()["items"]

    assert (first.status_code, second.status_code, second.json()["field"]) == (201, 409, "entitlement_id")
    assert [(one["role"], one["entitlement"]["id"]) for one in listed] == [(None, right)]


async def test_who_owns_an_entitlement_hands_it_over_before_they_go(site: Site) -> None:
    sam, lea = site.people["sam"].id, site.people["lea"].id
    [right] = await add_entitlements(site, "a", owner_ids=[sam, lea])

    blocked = await site.call("mara", f"DELETE /identities/{sam}")
    moved = await site.call("mara", f"POST /identities/{sam}/transfer", body={"to": lea})
    gone = await site.call("mara", f"DELETE /identities/{sam}")

    assert (blocked.status_code, [(one["type"], one["id"]) for one in blocked.json()["owned"]]) == (
        409,
        [("entitlement", right)],
    )
    assert [(one["type"], one["id"]) for one in moved.json()["transferred"]] == [("entitlement", right)]
    [entry] = await site.entries("ownership.transferred")
    assert (entry.target_type, entry.target_id) == ("entitlement", right)
    assert changes_of(entry) == {"owner_ids": ([sam, lea], [lea])}
    assert (await site.get(EntitlementRow, right)).owner_ids == [lea]
    assert gone.status_code == 200
