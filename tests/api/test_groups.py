"""Groups and members: who sees, who changes, what is logged."""

import pytest

from storage.nova.tables import AssignmentRow
from tests.api.site import Site, a_group, a_membership, a_role
from tests.api.test_identity_endings import an_assignment


async def test_owners_see_their_groups_and_others_none(site: Site) -> None:
    own, other = a_group("Own", owner_ids=[site.people["tim"].id]), a_group("Other")
    own_id, other_id = own.id, other.id
    await site.add(own, other)

    listed = (await site.call("tim", "GET /groups")).json()
    refused = await site.call("sam", "GET /groups")

    assert [item["display_name"] for item in listed["items"]] == ["Own"]
    assert (await site.call("tim", f"GET /groups/{own_id}")).status_code == 200
    assert (await site.call("tim", f"GET /groups/{other_id}")).status_code == 404
    assert refused.status_code == 403


async def test_a_name_is_taken_whatever_its_case(site: Site) -> None:
    await site.add(a_group("Contractors"))

    answer = await site.call("mara", "POST /groups", body={"display_name": " CONTRACTORS  "})

    assert (answer.status_code, answer.json()["field"]) == (409, "display_name")


async def test_creating_and_changing_a_group_is_logged(site: Site) -> None:
    made = (await site.call("mara", "POST /groups", body={"display_name": "Guests"})).json()

    await site.call("mara", f"PATCH /groups/{made['id']}", body={"description": "Visitors"})

    assert [entry.action for entry in await site.entries()] == ["group.created", "group.updated"]
    [entry] = await site.entries("group.updated")
    assert entry.details["changes"] == [{"field": "description", "before": "", "after": "Visitors"}]


@pytest.mark.parametrize("who", ["mara", "tim"])
async def test_administrators_and_owners_add_members_and_who_is_in_stays_in(site: Site, who: str) -> None:
    group = a_group(owner_ids=[site.people["tim"].id])
    group_id, sam, nina = group.id, site.people["sam"].id, site.people["nina"].id
    await site.add(group)
    await site.add(a_membership(group, sam))

    answer = (await site.call(who, f"POST /groups/{group_id}/members", body={"identity_ids": [sam, nina]})).json()

    assert ([one["id"] for one in answer["added"]], [one["id"] for one in answer["already_members"]]) == ([nina], [sam])
    assert answer["group"]["member_count"] == 2
    [entry] = await site.entries("group.member_added")
    assert entry.details["member"] == {"id": nina, "display": "Nina"}


async def test_members_are_added_all_or_none(site: Site) -> None:
    group = a_group()
    path = f"/groups/{group.id}/members"
    await site.add(group)
    ids = [site.people["sam"].id, "idn_00000000000000000000"]

    answer = await site.call("mara", f"POST {path}", body={"identity_ids": ids})

    assert (answer.status_code, answer.json()["field"]) == (400, "identity_ids")
    assert (await site.call("mara", f"GET {path}")).json()["total"] == 0


async def test_removing_a_member_revokes_what_the_group_granted(site: Site) -> None:
    group, role, sam = a_group(), a_role(), site.people["sam"].id
    group_id = group.id
    await site.add(group, role)
    granted = an_assignment(sam, role.id, source="group", source_id=group_id)
    granted_id = granted.id
    await site.add(a_membership(group, sam), granted)

    answer = await site.call("mara", f"DELETE /groups/{group_id}/members/{sam}")
    again = await site.call("mara", f"DELETE /groups/{group_id}/members/{sam}")

    assert answer.json()["object"]["member_count"] == 0
    assert (await site.get(AssignmentRow, granted_id)).status == "revoked"
    removed, revoked = (await site.entries())[:2]
    assert (removed.action, revoked.action) == ("group.member_removed", "assignment.revoked")
    assert revoked.caused_by == removed.id
    assert again.status_code == 404


@pytest.mark.parametrize(
    ("fields", "code"), [({"protected": True}, "protected_object"), ({"source": "connector"}, "state_conflict")]
)
async def test_what_nova_does_not_own_is_not_deleted(site: Site, fields: dict[str, object], code: str) -> None:
    group = a_group(**fields)
    group_id = group.id
    await site.add(group)

    answer = await site.call("mara", f"DELETE /groups/{group_id}")

    assert answer.json()["code"] == code
    assert (await site.call("mara", f"GET /groups/{group_id}")).status_code == 200


async def test_a_change_of_members_outdates_what_was_shown(site: Site) -> None:
    group = a_group()
    path = f"/groups/{group.id}"
    await site.add(group)
    tag = (await site.call("mara", f"GET {path}")).headers["etag"]
    await site.call("otto", f"POST {path}/members", body={"identity_ids": [site.people["sam"].id]})

    answer = await site.call("mara", f"DELETE {path}", headers={"If-Match": tag})

    assert answer.status_code == 412
