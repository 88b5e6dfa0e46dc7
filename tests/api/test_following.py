"""What follows an identity, a role or a group: birthrights, memberships by rule, from the first day to the last."""

import pytest

from tests.api.site import Site
from tests.api.test_identity_endings import an_assignment
from tests.api.test_rules import SALES, holdings, make_group, members, new_role, patch
from tests.bench.statements import recording


async def test_whom_a_birthright_rule_finds_holds_the_role_until_it_does_not(site: Site) -> None:
    sam = site.people["sam"].id
    made = await site.call(
        "mara", "POST /roles", body={"key": "seller", "display_name": "Seller", "birthright_rule": SALES}
    )
    role_id = made.json()["id"]
    assert await holdings(site, role_id) == {(name, "birthright") for name in ("lea", "tim", "nina")}

    await patch(site, f"/identities/{sam}", department="Sales")
    why = (await site.call("mara", f"GET /identities/{sam}/access")).json()["items"][0]["why"]
    await patch(site, f"/identities/{site.people['tim'].id}", department="Finance")

    assert made.json()["birthright_rule"] == SALES
    assert await holdings(site, role_id) == {(name, "birthright") for name in ("lea", "nina", "sam")}
    assert f"the rule of the role: {SALES}" in why
    [created] = await site.entries("role.created")
    assert created.details["roles_granted"] == 3


@pytest.mark.parametrize(
    "changed", [{"status": "retired"}, {"status": "draft"}, {"birthright_rule": None}, {"birthright_rule": "title pr"}]
)
async def test_a_role_that_is_no_longer_given_is_taken_from_those_to_whom_it_was(
    site: Site, changed: dict[str, object]
) -> None:
    role_id = await new_role(site)
    await site.add(an_assignment(site.people["sam"].id, role_id))
    await patch(site, f"/roles/{role_id}", birthright_rule=SALES)

    await patch(site, f"/roles/{role_id}", **changed)

    assert await holdings(site, role_id) == {("sam", "direct")}
    assert (await site.entries("role.updated"))[-1].details["roles_revoked"] == 3


async def test_a_retired_role_comes_back_to_all_when_it_is_in_use_again(site: Site) -> None:
    role_id = await new_role(site, birthright_rule='user_name eq "sam"')
    group_id = await make_group(site, role_ids=[role_id])
    await patch(site, f"/roles/{role_id}", status="retired")
    retired = await holdings(site, role_id)

    await patch(site, f"/roles/{role_id}", status="active")

    assert retired == set()
    expected = {("sam", "birthright"), ("lea", "group"), ("tim", "group"), ("nina", "group")}
    assert await holdings(site, role_id) == expected
    assert group_id


@pytest.mark.parametrize("rule", ["department eq", "password_hash pr", "nova_roles pr"])
async def test_a_birthright_rule_that_can_not_be_used_is_refused_with_its_field(site: Site, rule: str) -> None:
    role_id = await new_role(site)

    answer = await site.call("mara", f"PATCH /roles/{role_id}", body={"birthright_rule": rule})

    assert (answer.status_code, answer.json()["field"]) == (400, "birthright_rule")


async def test_a_role_for_some_days_only_is_given_neither_by_a_rule_nor_by_a_group(site: Site) -> None:
    short, given = await new_role(site, "short", max_days=30), await new_role(site, "given")
    await make_group(site, role_ids=[given])

    by_rule = await site.call("mara", f"PATCH /roles/{short}", body={"birthright_rule": SALES})
    by_group = await site.call("mara", "POST /groups", body={"display_name": "More", "role_ids": [short]})
    later = await site.call("mara", f"PATCH /roles/{given}", body={"max_days": 5})

    assert (by_rule.status_code, by_rule.json()["field"]) == (400, "max_days")
    assert (by_group.status_code, by_group.json()["field"]) == (400, "role_ids")
    assert (later.status_code, later.json()["field"]) == (400, "max_days")


async def test_a_role_that_a_group_gives_is_not_deleted(site: Site) -> None:
    role_id = await new_role(site)
    await make_group(site, rule='user_name eq "nobody"', role_ids=[role_id])

    told = await site.call("mara", f"GET /roles/{role_id}/impact", query={"action": "delete"})
    answer = await site.call("mara", f"DELETE /roles/{role_id}")

    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
    assert "Sellers" in answer.json()["detail"]
    assert told.json()["refusal"]["code"] == "conflict"


async def test_a_person_is_followed_from_the_first_day_to_the_last(site: Site) -> None:
    by_birth = await new_role(site, "by-birth", birthright_rule=SALES)
    by_group = await new_role(site, "by-group")
    group_id = await make_group(site, role_ids=[by_group])
    body = {"user_name": "new", "display_name": "New", "department": "SALES", "status": "staged"}
    new = (await site.call("mara", "POST /identities", body=body)).json()["id"]
    await site.sign_in("new", new)

    async def now() -> tuple[bool, bool, bool]:
        born, grouped = await holdings(site, by_birth), await holdings(site, by_group)
        return "new" in await members(site, group_id), ("new", "birthright") in born, ("new", "group") in grouped

    assert await now() == (False, False, False)
    await site.call("mara", f"POST /identities/{new}/activate")
    assert await now() == (True, True, True)
    await site.call("mara", f"POST /identities/{new}/suspend")
    assert await now() == (True, True, True)
    told = (await site.call("mara", f"GET /identities/{new}/impact", query={"action": "disable"})).json()
    done = (await site.call("mara", f"POST /identities/{new}/disable")).json()
    assert await now() == (False, False, False)
    await site.call("mara", f"POST /identities/{new}/activate")
    assert await now() == (True, True, True)
    gone = (await site.call("mara", f"DELETE /identities/{new}")).json()

    for effects in (done["effects"], gone["effects"]):
        happened = {(one["type"], one["result"], one["display"]) for one in effects}
        assert {
            ("membership", "removed", "Sellers"),
            ("assignment", "revoked", "By Birth · New"),
            ("assignment", "revoked", "By Group · New"),
        } <= happened
    assert {(one["type"], one["result"], one["count"]) for one in told["effects"]} >= {
        ("membership", "removed", 1),
        ("assignment", "revoked", 2),
    }
    assert (await site.call("mara", f"GET /groups/{group_id}")).json()["member_count"] == 3


async def test_what_was_granted_by_hand_outlives_a_disabled_identity_for_its_grace(site: Site) -> None:
    direct, by_birth = await new_role(site, "direct"), await new_role(site, "birth", birthright_rule=SALES)
    sam = site.people["sam"].id
    await site.add(an_assignment(sam, direct))
    await patch(site, f"/identities/{sam}", department="Sales")

    done = (await site.call("mara", f"POST /identities/{sam}/disable")).json()

    assert {(one["display"], one["result"]) for one in done["effects"] if one["type"].startswith("assignment")} == {
        ("Direct · Sam", "ends"),
        ("Birth · Sam", "revoked"),
    }
    assert await holdings(site, by_birth) == set()
    assert await holdings(site, direct) == {("sam", "direct")}


async def test_a_handed_over_report_is_followed_too(site: Site) -> None:
    lea, mara = site.people["lea"].id, site.people["mara"].id
    group_id = await make_group(site, rule=f'manager.id eq "{mara}"')

    await site.call("mara", f"POST /identities/{lea}/transfer", body={"to": mara})

    assert await members(site, group_id) == ["tim"]


@pytest.mark.parametrize("rule", ['preferred_language eq "de"', 'display_name sw "A"', "locale pr", 'timezone ne "x"'])
async def test_no_rule_looks_at_what_people_change_themselves(site: Site, rule: str) -> None:
    """Else anybody could give themselves what the rule gives, by `PATCH /me`."""
    group = await site.call("mara", "POST /groups", body={"display_name": "G", "membership": "rule", "rule": rule})
    role_id = await new_role(site)
    role = await site.call("mara", f"PATCH /roles/{role_id}", body={"birthright_rule": rule})

    assert [(one.status_code, one.json()["field"]) for one in (group, role)] == [
        (400, "rule"),
        (400, "birthright_rule"),
    ]


async def test_following_twice_changes_nothing_more(site: Site) -> None:
    role_id = await new_role(site)
    await patch(site, f"/roles/{role_id}", birthright_rule=SALES)
    await make_group(site, role_ids=[role_id])
    before = len(await site.entries())

    await patch(site, f"/identities/{site.people['tim'].id}", title="Lead")

    assert [entry.action for entry in (await site.entries())[before:]] == ["identity.updated"]


async def test_c14_following_gives_a_group_a_new_version(site: Site) -> None:
    group_id = await make_group(site)
    tag = (await site.call("mara", f"GET /groups/{group_id}")).headers["etag"]
    await patch(site, f"/identities/{site.people['sam'].id}", department="Sales")

    answer = await site.call("mara", f"DELETE /groups/{group_id}", headers={"If-Match": tag})

    assert answer.status_code == 412


async def test_a_rule_costs_as_many_statements_for_one_as_for_three(site: Site) -> None:
    counts = []
    for number, rule in enumerate(('user_name eq "tim"', 'department eq "sales"')):
        body = {"display_name": f"Group {number}", "membership": "rule", "rule": rule}
        with recording(site.database) as recorded:
            made = await site.call("mara", "POST /groups", body=body)
        counts.append((made.json()["followed"]["members_added"], len(recorded.statements)))

    assert [found for found, _ in counts] == [1, 3]
    assert len({statements for _, statements in counts}) == 1
