"""What administrators are told of an assistant before anybody uses it, and in which order assistants stand (B6)."""

import pytest
from sqlalchemy import update
from sqlmodel import col

from storage.ids import new_id
from storage.nova.tables import IdentityRow
from tests.api.site import Site, a_group, a_membership, changes_of

ONE = "/administration/assistants/desk"
ORDER = "PUT /administration/assistant-order"


async def a_desk(site: Site, key: str = "desk", **fields: object) -> None:
    body = {"key": key, "names": {"en": key.capitalize()}, "tool_names": ["list_groups", "delete_group"], **fields}
    made = await site.call("mara", "POST /administration/assistants", body=body)
    assert made.status_code == 201, made.text


async def told(site: Site, name: str) -> dict[str, tuple[str, str]]:
    answer = await site.call("mara", f"GET {ONE}/forecast", query={"identity_id": site.people[name].id})
    assert answer.status_code == 200, answer.text
    return {one["tool"]: (one["verdict"], one["rule"]) for one in answer.json()["items"]}


async def test_b5_the_forecast_knows_groups_and_who_is_no_longer_active(site: Site) -> None:
    group = a_group()
    group_id = group.id
    await site.add(group, a_membership(group, site.people["lea"].id))
    await a_desk(site, audience="groups", audience_group_ids=[group_id])

    assert await told(site, "lea") == {"list_groups": ("allowed", ""), "delete_group": ("needs_confirmation", "C2")}
    assert await told(site, "mara") == {"list_groups": ("refused", "B5"), "delete_group": ("refused", "B5")}
    async with site.database.transaction() as session:
        lea = col(IdentityRow.id) == site.people["lea"].id
        await session.exec(update(IdentityRow).where(lea).values(status="disabled"))
    assert await told(site, "lea") == {"list_groups": ("refused", "A2"), "delete_group": ("refused", "A2")}


async def test_a_forecast_for_nobody_or_of_nothing_is_not_found(site: Site) -> None:
    await a_desk(site)

    nobody = await site.call("mara", f"GET {ONE}/forecast", query={"identity_id": new_id("idn")})
    nothing = await site.call("mara", "GET /administration/assistants/none/smallest-list")
    wrong = await site.call("mara", f"GET {ONE}/forecast", query={"identity_id": "lea"})

    assert [one.status_code for one in (nobody, nothing, wrong)] == [404, 404, 400]


async def test_the_smallest_list_is_proposed_and_nothing_is_changed(site: Site) -> None:
    await a_desk(site, starters={"en": ["Sing me a song about the sea"]})

    answer = await site.call("mara", f"GET {ONE}/smallest-list")

    found = answer.json()
    assert (found["tool_names"], found["spare"]) == ([], ["delete_group", "list_groups"])
    assert [(one["text"], one["is_clear"]) for one in found["items"]] == [("Sing me a song about the sea", False)]
    assert (await site.call("mara", f"GET {ONE}")).json()["version"] == 1


async def test_the_order_is_stored_and_audited_for_what_moved(site: Site) -> None:
    await a_desk(site, position=0)
    await a_desk(site, "sales", position=10)

    answer = await site.call("mara", ORDER, body={"keys": ["desk", "admin", "sales"]})

    assert [one["key"] for one in answer.json()["items"]] == ["desk", "admin", "sales"]
    moved = [entry for entry in await site.entries() if entry.action == "assistant.updated"]
    assert [(entry.target_id, changes_of(entry)["position"]) for entry in moved] == [
        ("admin", (0, 10)),
        ("sales", (10, 20)),
    ]


@pytest.mark.parametrize("keys", [["desk"], ["desk", "desk", "admin"], ["desk", "admin", "other"]])
async def test_an_order_of_other_assistants_changes_nothing(site: Site, keys: list[str]) -> None:
    await a_desk(site)

    answer = await site.call("mara", ORDER, body={"keys": keys})

    assert (answer.status_code, answer.json()["field"]) == (409, "keys")
    assert (await site.call("mara", f"GET {ONE}")).json()["version"] == 1


@pytest.mark.parametrize("who", ["paul", "lea"])
async def test_b6_only_administrators_in_the_interface_are_told(site: Site, who: str) -> None:
    await a_desk(site)

    for endpoint in (f"GET {ONE}/forecast?identity_id={site.people['lea'].id}", f"GET {ONE}/smallest-list"):
        assert (await site.call(who, endpoint)).status_code == 403
        assert (await site.call("mara", endpoint, via="admin")).status_code == 403
    order = {"keys": ["admin", "desk"]}
    assert (await site.call(who, ORDER, body=order)).status_code == 403
    assert (await site.call("mara", ORDER, body=order, via="admin")).status_code == 403
