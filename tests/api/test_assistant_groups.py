"""Assistants for groups: what can be stored, and that real memberships decide, by entry and by rule (B3, B5)."""

import pytest
from httpx import Response

from nova_ui.chat.assistants import Assistants
from nova_ui.domain.identity import Identity, IdentityId, Role
from storage.ids import new_id
from storage.nova.membership import groups_among
from tests.api.site import Site, a_group, a_membership, changes_of

ONE = "/administration/assistants/desk"


async def store(site: Site, *group_ids: str, **fields: object) -> Response:
    body = {"key": "desk", "names": {"en": "Desk"}, "audience": "groups", "audience_group_ids": group_ids, **fields}
    return await site.call("mara", "POST /administration/assistants", body=body)


async def patch(site: Site, **body: object) -> Response:
    return await site.call("mara", f"PATCH {ONE}", body=body)


async def has_desk(site: Site, name: str) -> bool:
    person = site.people[name]
    identity = Identity(
        id=IdentityId(person.id), user_name=name, display_name=name, roles=frozenset({Role.USER, Role.ADMINISTRATOR})
    )
    return "desk" in [one.key for one in await Assistants(site.database, groups_among).visible_to(identity)]


async def the_group(site: Site, *members: str, **fields: object) -> str:
    group = a_group(**fields)
    group_id = group.id
    await site.add(group, *(a_membership(group, site.people[name].id) for name in members))
    return group_id


async def test_b5_members_have_it_and_nobody_else_not_even_administrators(site: Site) -> None:
    """Abuse case 13."""
    group_id = await the_group(site, "lea")
    stored = await store(site, group_id)
    assert stored.status_code == 201, stored.text
    assert stored.json()["audience_groups"] == [{"type": "group", "id": group_id, "display": "Contractors"}]
    assert [await has_desk(site, name) for name in ("lea", "tim", "mara")] == [True, False, False]

    removed = await site.call("mara", f"DELETE /groups/{group_id}/members/{site.people['lea'].id}")

    assert removed.status_code == 200, removed.text
    assert not await has_desk(site, "lea")


async def test_b5_a_group_by_rule_counts_as_its_rule_finds(site: Site) -> None:
    body = {"display_name": "Sellers", "membership": "rule", "rule": 'department eq "Sales"'}
    group_id = (await site.call("mara", "POST /groups", body=body)).json()["id"]
    await store(site, group_id)
    assert await has_desk(site, "tim")

    await site.call("mara", f"PATCH /identities/{site.people['tim'].id}", body={"department": "Finance"})

    assert not await has_desk(site, "tim")


async def test_b5_a_deleted_group_lets_nobody_in_and_can_be_taken_off(site: Site) -> None:
    gone, kept = await the_group(site, "lea"), await the_group(site, "tim", name="Staff")
    await store(site, gone, kept)

    await site.call("mara", f"DELETE /groups/{gone}")

    assert [await has_desk(site, name) for name in ("lea", "tim")] == [False, True]
    shown = (await site.call("mara", f"GET {ONE}")).json()
    assert shown["audience_group_ids"] == sorted([gone, kept])
    assert [one["id"] for one in shown["audience_groups"]] == [kept]
    renamed = await patch(site, names={"en": "Sales desk"}, audience="groups", audience_group_ids=[gone, kept])
    cleared = await patch(site, audience_group_ids=[kept])
    again = await patch(site, audience_group_ids=[gone, kept])
    assert [one.status_code for one in (renamed, cleared, again)] == [200, 200, 400]


@pytest.mark.parametrize("group_ids", [[], ["grp_nothing"], [new_id("grp")], [new_id("idn")], ["x"] * 51])
async def test_groups_that_are_none_are_refused_and_so_is_none_at_all(site: Site, group_ids: list[str]) -> None:
    answer = await store(site, *group_ids)

    assert answer.status_code in {400, 422}
    assert str(answer.json()["field"]).startswith("audience_group_ids")
    assert (await site.call("mara", f"GET {ONE}")).status_code == 404


async def test_b3_an_assistant_of_a_group_never_has_all_tools(site: Site) -> None:
    """Abuse case 14."""
    group_id = await the_group(site, "mara")
    together = await store(site, group_id, all_tools=True)
    await store(site, group_id)
    widened = await patch(site, all_tools=True)

    assert [one.status_code for one in (together, widened)] == [409, 409]
    assert widened.json()["rule"] == "B3"


async def test_a_change_of_the_groups_is_audited_with_before_and_after(site: Site) -> None:
    one, other = await the_group(site), await the_group(site, name="Staff")
    await store(site, one)

    await patch(site, audience_group_ids=[other])

    entry = (await site.entries())[-1]
    assert entry.action == "assistant.updated"
    assert changes_of(entry)["audience_group_ids"] == ([one], [other])
