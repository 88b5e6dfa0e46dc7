"""What a role bundles: who gains and loses by a change, and what can't be bundled."""

from collections import Counter
from itertools import pairwise

from httpx import Response

from tests.api.rights import add_entitlements, bundle
from tests.api.site import Site, a_role, changes_of
from tests.api.test_identity_endings import an_assignment


async def roles(site: Site, *keys: str) -> list[str]:
    rows = [a_role(key) for key in keys]
    ids = [row.id for row in rows]
    await site.add(*rows)
    return ids


async def put(site: Site, role_id: str, *entitlements: str, who: str = "mara", **body: object) -> Response:
    wanted = {"entitlement_ids": list(entitlements), **body}
    return await site.call(who, f"PUT /roles/{role_id}/entitlements", body=wanted)


async def told(
    site: Site, role_id: str, *entitlements: str, who: str = "mara", children: str | None = None
) -> Response:
    query = {"entitlement_ids": ",".join(entitlements)} | ({} if children is None else {"child_role_ids": children})
    return await site.call(who, f"GET /roles/{role_id}/entitlements/impact", query=query)


async def test_c13_the_impact_names_what_is_added_and_removed_and_who_gains_and_loses(site: Site) -> None:
    old, new, other = await add_entitlements(site, "old", "new", "other")
    role, parent, also = await roles(site, "one", "parent", "also")
    await bundle(site, role, old)
    await bundle(site, parent, children=(role,))
    await bundle(site, also, old)
    sam, tim, nina = (site.people[name].id for name in ("sam", "tim", "nina"))
    await site.add(
        an_assignment(sam, role), an_assignment(tim, parent), an_assignment(nina, role), an_assignment(nina, also)
    )
    await site.add(an_assignment(site.people["lea"].id, role, status="revoked"))

    before = (await told(site, role, new, other)).json()
    logged = await site.entries()
    done = await put(site, role, new, other)

    assert logged == []
    assert {(one["type"], one["result"]): sorted(one["names"]) for one in before["effects"]} == {
        ("entitlement", "removed"): ["Old"],
        ("entitlement", "added"): ["New", "Other"],
        ("identity", "gains"): ["Nina", "Sam", "Tim"],
        ("identity", "loses"): ["Sam", "Tim"],
    }
    happened = Counter((one["type"], one["result"]) for one in done.json()["effects"])
    assert {(one["type"], one["result"]): one["count"] for one in before["effects"]} == dict(happened)
    assert [one["display_name"] for one in done.json()["object"]["entitlements"]] == ["New", "Other"]
    [entry] = await site.entries("role.updated")
    assert changes_of(entry)["entitlement_ids"] == ([old], sorted([new, other]))


async def test_only_administrators_change_a_bundle_and_the_impact_says_so(site: Site) -> None:
    [role] = await roles(site, "one")
    [right] = await add_entitlements(site, "a")

    impact = await told(site, role, right, who="paul")
    refused = await put(site, role, right, who="paul")

    assert impact.json()["refusal"]["code"] == refused.json()["code"] == "forbidden"


async def test_the_same_bundle_again_changes_nothing(site: Site) -> None:
    [role] = await roles(site, "one")
    [right] = await add_entitlements(site, "a")

    first = await put(site, role, right)
    second = await put(site, role, right)

    assert second.json()["effects"] == []
    assert second.json()["object"]["version"] == first.json()["object"]["version"]
    assert len(await site.entries("role.updated")) == 1


async def test_without_child_roles_in_the_body_those_stay(site: Site) -> None:
    role, child = await roles(site, "one", "child")
    await bundle(site, role, children=(child,))
    [right] = await add_entitlements(site, "a")

    kept = await put(site, role, right)
    cleared = await put(site, role, right, child_role_ids=[])

    assert [one["id"] for one in kept.json()["object"]["child_roles"]] == [child]
    assert cleared.json()["object"]["child_roles"] == []


async def test_a_role_never_includes_itself_over_any_number_of_levels(site: Site) -> None:
    one, two, three = await roles(site, "one", "two", "three")
    await bundle(site, one, children=(two,))
    await bundle(site, two, children=(three,))

    itself = await put(site, one, child_role_ids=[one])
    around = await put(site, three, child_role_ids=[one])
    impact = await told(site, three, children=one)

    assert (itself.status_code, around.status_code, around.json()["field"]) == (409, 409, "child_role_ids")
    assert impact.json()["refusal"]["code"] == "conflict"


async def test_roles_include_each_other_over_five_levels_and_not_six(site: Site) -> None:
    chain = await roles(site, "a", "b", "c", "d", "e", "f")
    for above, below in pairwise(chain[:3]):
        await bundle(site, above, children=(below,))
    await bundle(site, chain[3], children=(chain[4],))

    five = await put(site, chain[2], child_role_ids=[chain[3]])
    six = await put(site, chain[4], child_role_ids=[chain[5]])

    assert five.status_code == 200
    assert (six.status_code, six.json()["field"]) == (409, "child_role_ids")


async def test_what_is_not_there_or_not_managed_is_not_bundled(site: Site) -> None:
    [role] = await roles(site, "one")
    [found] = await add_entitlements(site, "a", status="discovered")

    unmanaged = await put(site, role, found)
    nowhere = await put(site, role, child_role_ids=["rol_00000000000000000000"])
    mixed_up = await put(site, role, role)

    assert (unmanaged.status_code, unmanaged.json()["field"]) == (400, "entitlement_ids")
    assert (nowhere.status_code, nowhere.json()["field"]) == (400, "child_role_ids")
    assert mixed_up.status_code == 422
    assert "this is the id of a role" in mixed_up.json()["detail"]


async def test_a_new_role_may_bring_its_bundle(site: Site) -> None:
    [child] = await roles(site, "child")
    [right] = await add_entitlements(site, "a")
    body = {"key": "new", "display_name": "New", "entitlement_ids": [right], "child_role_ids": [child]}

    made = await site.call("mara", "POST /roles", body=body)

    assert made.status_code == 201
    assert [one["id"] for one in (*made.json()["entitlements"], *made.json()["child_roles"])] == [right, child]


async def test_a_role_that_others_include_is_not_deleted_and_a_deleted_one_leaves_no_bundle(site: Site) -> None:
    parent, child = await roles(site, "parent", "child")
    [right] = await add_entitlements(site, "a")
    await bundle(site, parent, right, children=(child,))

    blocked = await site.call("mara", f"DELETE /roles/{child}")
    gone = await site.call("mara", f"DELETE /roles/{parent}")
    free = await site.call("mara", f"DELETE /roles/{child}")

    assert (blocked.status_code, blocked.json()["count"]) == (409, 1)
    assert (gone.status_code, free.status_code) == (200, 200)
    assert (await site.call("mara", f"GET /entitlements/{right}")).json()["roles"] == []


async def test_a_bundle_read_by_somebody_else_meanwhile_is_a_412(site: Site) -> None:
    [role] = await roles(site, "one")
    left, right = await add_entitlements(site, "a", "b")
    headers = {"If-Match": (await site.call("mara", f"GET /roles/{role}")).headers["ETag"]}
    path = f"PUT /roles/{role}/entitlements"

    first = await site.call("mara", path, body={"entitlement_ids": [left]}, headers=headers)
    second = await site.call("mara", path, body={"entitlement_ids": [right]}, headers=headers)

    assert (first.status_code, second.status_code) == (200, 412)


async def test_access_names_each_entitlement_with_the_roles_that_lead_to_it(site: Site) -> None:
    direct, shared = await add_entitlements(site, "direct", "shared")
    parent, child = await roles(site, "parent", "child")
    await bundle(site, parent, children=(child,))
    await bundle(site, child, shared)
    sam = site.people["sam"].id
    await site.add(an_assignment(sam, parent), an_assignment(sam, None, entitlement_id=direct))
    await site.add(an_assignment(sam, child, status="scheduled", valid_from="2026-04-01T00:00:00Z"))

    access = (await site.call("sam", "GET /me/access")).json()

    ways = {
        one["entitlement"]["id"]: [[role["display_name"] for role in path["roles"]] for path in one["paths"]]
        for one in access["entitlements"]
    }
    assert ways == {direct: [[]], shared: [["Parent", "Child"]]}
    whys = [path["why"] for one in access["entitlements"] for path in one["paths"]]
    assert whys[1].startswith("Comes with the role Parent, which includes Child. Granted")
