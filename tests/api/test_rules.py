"""Groups by rule, the roles that groups give, birthright roles: who is in, holds what, what is logged and refused."""

from collections.abc import Mapping
from typing import Any

import pytest
from sqlmodel import col, select

from storage.nova.tables import AssignmentRow, AuditEntryRow, GroupRow, MembershipRow
from tests.api.site import Site, a_group, a_membership, a_role, changes_of
from tests.api.test_identity_endings import an_assignment

SALES = 'department eq "sales"'


async def make_group(site: Site, name: str = "Sellers", **body: object) -> str:
    wanted = {"display_name": name, "membership": "rule", "rule": SALES, **body}
    made = await site.call("mara", "POST /groups", body=wanted)
    assert made.status_code == 201, made.text
    group_id: str = made.json()["id"]
    return group_id


async def new_role(site: Site, key: str = "crm-user", **fields: object) -> str:
    role = a_role(key, **fields)
    role_id = role.id
    await site.add(role)
    return role_id


async def members(site: Site, group_id: str) -> list[str]:
    listed = await site.call("mara", f"GET /groups/{group_id}/members")
    return [item["user_name"] for item in listed.json()["items"]]


async def holdings(site: Site, role_id: str) -> set[tuple[str, str]]:
    """Return who holds a role, and by which source."""
    names = {person.id: name for name, person in site.people.items()}
    async with site.database.reading() as session:
        held = select(AssignmentRow).where(col(AssignmentRow.role_id) == role_id, col(AssignmentRow.status) == "active")
        return {(names[row.identity_id], row.source) for row in (await session.exec(held)).all()}


async def patch(site: Site, path: str, **body: object) -> Mapping[str, Any]:
    answer = await site.call("mara", f"PATCH {path}", body=body)
    assert answer.status_code == 200, answer.text
    found: Mapping[str, Any] = answer.json()
    return found


async def test_a_group_by_rule_has_whom_its_rule_finds_as_soon_as_it_is_there(site: Site) -> None:
    group_id = await make_group(site)

    assert await members(site, group_id) == ["lea", "nina", "tim"]
    created, *added = await site.entries()
    assert (created.action, created.details["members_added"]) == ("group.created", 3)
    assert {entry.action for entry in added} == {"group.member_added"}
    assert {entry.caused_by for entry in added} == {created.id}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"membership": "rule", "rule": "department is sales"}, "rule"),
        ({"membership": "rule", "rule": 'nova_roles eq "auditor"'}, "rule"),
        ({"membership": "rule", "rule": 'last_sign_in_at gt "2026-01-01"'}, "rule"),
        ({"membership": "rule", "rule": None}, "rule"),
        ({"membership": "manual", "rule": SALES}, "rule"),
        ({"role_ids": ["rol_00000000000000000000"]}, "role_ids"),
    ],
)
async def test_a_group_that_can_not_be_is_refused_with_its_field(
    site: Site, body: dict[str, object], field: str
) -> None:
    made = await site.call("mara", "POST /groups", body={"display_name": "Sellers", **body})
    group = a_group("Others")
    path = f"/groups/{group.id}"
    await site.add(group)
    changed = await site.call("mara", f"PATCH {path}", body=body)

    assert (made.status_code, made.json()["field"]) == (400, field)
    assert (changed.status_code, changed.json()["field"]) == (400, field)
    assert (await site.call("mara", "GET /groups")).json()["total"] == 1


async def test_changing_the_rule_moves_people_at_once_and_says_how_many(site: Site) -> None:
    group_id, role_id = "", await new_role(site)
    group_id = await make_group(site, role_ids=[role_id])
    assert await holdings(site, role_id) == {("lea", "group"), ("tim", "group"), ("nina", "group")}

    await patch(site, f"/groups/{group_id}", rule='department eq "finance" or user_name eq "tim"')

    assert await members(site, group_id) == ["sam", "tim"]
    assert await holdings(site, role_id) == {("sam", "group"), ("tim", "group")}
    [entry] = await site.entries("group.updated")
    counts = {name: value for name, value in entry.details.items() if name != "changes"}
    assert counts == {"members_added": 1, "members_removed": 2, "roles_granted": 1, "roles_revoked": 2}
    assert changes_of(entry)["rule"] == (SALES, 'department eq "finance" or user_name eq "tim"')


async def test_each_right_that_goes_with_a_membership_is_caused_by_the_entry_about_it(site: Site) -> None:
    role_id = await new_role(site)
    group_id = await make_group(site, role_ids=[role_id])
    await site.call("mara", f"PATCH /identities/{site.people['sam'].id}", body={"department": "Sales"})

    async with site.database.reading() as session:
        entries = (await session.exec(select(AuditEntryRow).order_by(col(AuditEntryRow.seq)))).all()
    updated, added, granted = entries[-3:]
    assert [one.action for one in (updated, added, granted)] == [
        "identity.updated",
        "group.member_added",
        "assignment.granted",
    ]
    assert (added.caused_by, granted.caused_by) == (updated.id, added.id)
    assert (added.target_id, granted.target_display) == (group_id, "Crm User · Sam")


async def test_a_group_that_becomes_manual_keeps_its_members_and_loses_its_rule(site: Site) -> None:
    group_id = await make_group(site)

    changed = await patch(site, f"/groups/{group_id}", membership="manual")
    await patch(site, f"/identities/{site.people['sam'].id}", department="Sales")

    assert (changed["membership"], changed["rule"], changed["member_count"]) == ("manual", None, 3)
    assert await members(site, group_id) == ["lea", "nina", "tim"]


async def test_a_manual_group_that_gets_a_rule_keeps_only_whom_it_finds(site: Site) -> None:
    group = a_group("Mixed")
    group_id = group.id
    await site.add(group)
    await site.add(a_membership(group, site.people["sam"].id), a_membership(group, site.people["tim"].id))

    await patch(site, f"/groups/{group_id}", membership="rule", rule=SALES)

    assert await members(site, group_id) == ["lea", "nina", "tim"]
    removed = await site.entries("group.member_removed")
    assert [entry.details["member"] for entry in removed] == [{"id": site.people["sam"].id, "display": "Sam"}]


async def test_a_change_that_is_no_matter_of_the_rule_leaves_members_as_they_are(site: Site) -> None:
    group_id = await make_group(site)
    before = len(await site.entries())

    await patch(site, f"/groups/{group_id}", description="Who sells")

    assert [entry.action for entry in (await site.entries())[before:]] == ["group.updated"]


@pytest.mark.parametrize("who", ["mara", "tim"])
async def test_nobody_adds_or_removes_members_of_a_group_by_rule_by_hand(site: Site, who: str) -> None:
    group_id = await make_group(site, owner_ids=[site.people["tim"].id])
    path, nina, sam = f"/groups/{group_id}", site.people["nina"].id, site.people["sam"].id

    added = await site.call(who, f"POST {path}/members", body={"identity_ids": [sam]})
    removed = await site.call(who, f"DELETE {path}/members/{nina}")
    replaced = await site.call("mara", f"PUT {path}/members", body={"identity_ids": [sam]})
    told = await site.call(who, f"GET {path}/impact", query={"action": "remove_member", "identity_id": nina})

    for answer in (added, removed, replaced):
        assert (answer.status_code, answer.json()["code"]) == (409, "state_conflict")
        assert "follow its rule" in answer.json()["detail"]
    assert told.json()["refusal"]["code"] == "state_conflict"
    assert await members(site, group_id) == ["lea", "nina", "tim"]


async def test_whoever_is_added_by_hand_gets_the_groups_roles_and_whoever_is_removed_loses_them(site: Site) -> None:
    role_id = await new_role(site)
    group_id = await make_group(site, membership="manual", rule=None, role_ids=[role_id])
    path, sam = f"/groups/{group_id}/members", site.people["sam"].id

    await site.call("mara", f"POST {path}", body={"identity_ids": [sam]})
    held = await holdings(site, role_id)
    why = (await site.call("mara", f"GET /identities/{sam}/access")).json()["items"][0]["why"]
    await site.call("mara", f"DELETE {path}/{sam}")

    assert held == {("sam", "group")}
    assert "the group Sellers" in why
    assert await holdings(site, role_id) == set()
    added, granted, removed, revoked = (await site.entries())[-4:]
    assert (granted.caused_by, revoked.caused_by) == (added.id, removed.id)


async def test_taking_a_role_from_a_group_takes_it_from_its_members(site: Site) -> None:
    kept, taken = await new_role(site, "kept"), await new_role(site, "taken")
    group_id = await make_group(site, role_ids=[kept, taken])

    changed = await patch(site, f"/groups/{group_id}", role_ids=[kept])

    assert [role["display_name"] for role in changed["roles"]] == ["Kept"]
    assert await holdings(site, taken) == set()
    assert len(await holdings(site, kept)) == 3


async def test_what_was_granted_by_hand_stays_when_a_rule_takes_its_own_away(site: Site) -> None:
    role_id = await new_role(site)
    await site.add(an_assignment(site.people["tim"].id, role_id))
    group_id = await make_group(site, role_ids=[role_id])
    await site.call("mara", f"DELETE /groups/{group_id}")

    assert await holdings(site, role_id) == {("tim", "direct")}


async def test_replacing_members_shows_and_does_who_comes_and_who_goes(site: Site) -> None:
    role_id = await new_role(site)
    group_id = await make_group(site, membership="manual", rule=None, role_ids=[role_id])
    path, ids = f"/groups/{group_id}", {name: site.people[name].id for name in ("sam", "tim", "lea")}
    await site.call("mara", f"POST {path}/members", body={"identity_ids": [ids["sam"], ids["tim"]]})
    wanted = [ids["tim"], ids["lea"]]

    query = {"action": "replace_members", "identity_ids": ",".join(wanted)}
    told = (await site.call("mara", f"GET {path}/impact", query=query)).json()
    done = (await site.call("mara", f"PUT {path}/members", body={"identity_ids": wanted})).json()
    again = (await site.call("mara", f"PUT {path}/members", body={"identity_ids": wanted})).json()

    effects = [(one["type"], one["result"], one["display"]) for one in done["effects"]]
    assert effects == [
        ("membership", "added", "Lea"),
        ("membership", "removed", "Sam"),
        ("assignment", "granted", "Crm User · Lea"),
        ("assignment", "revoked", "Crm User · Sam"),
    ]
    assert [(one["type"], one["result"], *one["names"]) for one in told["effects"]] == effects
    assert again["effects"] == []
    assert await members(site, group_id) == ["lea", "tim"]


@pytest.mark.parametrize(("who", "status"), [("paul", 403), ("tim", 403), ("sam", 404)])
async def test_only_administrators_replace_members(site: Site, who: str, status: int) -> None:
    group_id = await make_group(site, membership="manual", rule=None, owner_ids=[site.people["tim"].id])

    answer = await site.call(who, f"PUT /groups/{group_id}/members", body={"identity_ids": []})

    assert answer.status_code == status


async def test_a_rule_can_be_tried_without_changing_anything(site: Site) -> None:
    found = (await site.call("paul", "POST /groups/evaluate-rule", body={"rule": SALES})).json()
    broken = await site.call("mara", "POST /groups/evaluate-rule", body={"rule": 'department eq "x" or'})
    refused = await site.call("lea", "POST /groups/evaluate-rule", body={"rule": SALES})

    assert (found["count"], [one["user_name"] for one in found["sample"]]) == (3, ["lea", "nina", "tim"])
    assert (broken.status_code, broken.json()["field"], broken.json()["position"]) == (400, "rule", 21)
    assert refused.status_code == 403
    assert await site.entries() == []


async def test_a_write_that_fails_leaves_neither_members_nor_rights(site: Site) -> None:
    role_id = await new_role(site)
    group_id = await make_group(site, role_ids=[role_id])
    sam = site.people["sam"].id
    await site.add(a_group("Taken"))

    answer = await site.call(
        "mara", f"PATCH /groups/{group_id}", body={"rule": 'user_name eq "sam"', "display_name": "Taken"}
    )
    stale = await site.call(
        "mara", f"PATCH /identities/{sam}", body={"department": "Sales"}, headers={"If-Match": '"9"'}
    )

    assert (answer.status_code, stale.status_code) == (409, 412)
    assert await members(site, group_id) == ["lea", "nina", "tim"]
    assert len(await holdings(site, role_id)) == 3


async def test_deleting_a_group_by_rule_takes_what_it_gave(site: Site) -> None:
    role_id = await new_role(site)
    group_id = await make_group(site, role_ids=[role_id])

    told = (await site.call("mara", f"GET /groups/{group_id}/impact", query={"action": "delete"})).json()
    done = (await site.call("mara", f"DELETE /groups/{group_id}")).json()

    counts = {(one["type"], one["result"]): one["count"] for one in told["effects"]}
    assert counts == {("membership", "removed"): 3, ("assignment", "revoked"): 3}
    assert len(done["effects"]) == 6
    assert await holdings(site, role_id) == set()
    async with site.database.reading() as session:
        assert (await session.exec(select(MembershipRow))).all() == []
        assert (await session.exec(select(GroupRow))).all() == []


async def test_lists_are_filtered_by_kind_of_membership_and_by_the_role_given(site: Site) -> None:
    role_id = await new_role(site, birthright_rule="title pr")
    await new_role(site, "other")
    await make_group(site, role_ids=[role_id])
    await make_group(site, "Hand", membership="manual", rule=None)

    async def names(path: str, **query: object) -> list[str]:
        answer = await site.call("mara", f"GET {path}", query=query)
        return [item["display_name"] for item in answer.json()["items"]]

    assert await names("/groups", membership="rule") == ["Sellers"]
    assert await names("/groups", role_id=role_id) == ["Sellers"]
    assert await names("/groups", filter='membership eq "manual" and rule eq null') == ["Hand"]
    assert await names("/roles", birthright="true") == ["Crm User"]
    assert await names("/roles", birthright="false") == ["Other"]


async def test_the_answer_to_a_change_tells_what_followed_it(site: Site) -> None:
    role_id = await new_role(site)
    body = {"display_name": "Sellers", "membership": "rule", "rule": SALES, "role_ids": [role_id]}
    made = (await site.call("mara", "POST /groups", body=body)).json()

    named = await patch(site, f"/groups/{made['id']}", description="Who sells")
    moved = await patch(site, f"/groups/{made['id']}", rule='department eq "finance"')

    assert made["followed"] == {"members_added": 3, "roles_granted": 3}
    assert named["followed"] == {}
    assert moved["followed"] == {"members_added": 1, "members_removed": 3, "roles_granted": 1, "roles_revoked": 3}


@pytest.mark.parametrize("source", ["group", "birthright"])
async def test_the_end_of_what_a_rule_or_a_group_gives_is_not_changed_by_hand(site: Site, source: str) -> None:
    role_id = await new_role(site, birthright_rule=SALES)
    held = an_assignment(site.people["sam"].id, role_id, source=source, source_id=role_id)
    path = f"PATCH /assignments/{held.id}"
    await site.add(held)

    ended = await site.call("mara", path, body={"valid_until": "2026-12-31T00:00:00Z"})
    revoked = await site.call("mara", path.replace("PATCH", "DELETE"))

    assert (ended.status_code, ended.json()["code"], ended.json()["source_id"]) == (409, "state_conflict", role_id)
    assert (revoked.status_code, revoked.json()["code"]) == (409, "state_conflict")
    assert [entry.outcome for entry in await site.entries("assignment.changed")] == ["refused"]


async def test_why_a_birthright_is_held_names_its_rule(site: Site) -> None:
    role_id = await new_role(site)
    await patch(site, f"/roles/{role_id}", birthright_rule=SALES)

    [item] = (await site.call("mara", f"GET /identities/{site.people['tim'].id}/access")).json()["items"]

    assert (item["source"], item["rule"]) == ("birthright", SALES)
    assert SALES in item["why"]
