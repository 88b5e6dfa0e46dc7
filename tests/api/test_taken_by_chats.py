"""C1: what takes something away from people is confirmed on a card; no writing tool gets around that."""

import pytest

from tests.api.site import Site, a_role
from tests.api.test_identity_endings import an_assignment
from tests.api.test_requests import file
from tests.api.test_rules import SALES, holdings, make_group, members, new_role


@pytest.mark.parametrize(
    "change", [{"rule": 'user_name eq "nobody"'}, {"role_ids": []}, {"rule": 'user_name eq "tim"'}]
)
@pytest.mark.parametrize("via", ["admin", "helpdesk"])
async def test_c1_no_chat_takes_members_or_their_roles_from_a_group_by_changing_it(
    site: Site, change: dict[str, object], via: str
) -> None:
    role_id = await new_role(site)
    group_id = await make_group(site, rule=SALES, role_ids=[role_id])
    path, before = f"PATCH /groups/{group_id}", await holdings(site, role_id)

    by_chat = await site.call("mara", path, body=change, via=via)
    still = (await members(site, group_id), await holdings(site, role_id))
    by_page = await site.call("mara", path, body=change)

    assert (by_chat.status_code, by_chat.json()["code"]) == (403, "interface_only")
    assert still == (["lea", "nina", "tim"], before)
    [refused] = [one for one in await site.entries() if one.outcome == "refused"]
    assert (refused.action, refused.via) == ("group.updated", f"ai_chat:{via}")
    assert by_page.status_code == 200


@pytest.mark.parametrize(
    "change",
    [
        {"display_name": "Others"},
        {"description": "All"},
        {"rule": f'{SALES} or user_name eq "sam"'},
        {"membership": "manual"},
    ],
)
async def test_c1_a_chat_changes_a_group_where_nobody_loses_anything(site: Site, change: dict[str, object]) -> None:
    group_id = await make_group(site, rule=SALES, role_ids=[await new_role(site)])

    answer = await site.call("mara", f"PATCH /groups/{group_id}", body=change, via="helpdesk")

    assert answer.status_code == 200
    assert {"lea", "nina", "tim"} <= set(await members(site, group_id))


@pytest.mark.parametrize(("end_date", "status"), [("2026-03-01", 403), ("2026-03-02", 200), ("2026-12-31", 200)])
async def test_c1_no_chat_lets_an_identity_have_ended(site: Site, end_date: str, status: int) -> None:
    path, body = f"PATCH /identities/{site.people['tim'].id}", {"end_date": end_date}

    by_chat = await site.call("mara", path, body=body, via="helpdesk")
    by_page = await site.call("mara", path, body=body)

    assert by_chat.status_code == status
    assert by_page.status_code == 200


async def test_c1_no_chat_agrees_that_access_is_taken_away(site: Site) -> None:
    role = a_role()
    role_id = role.id
    await site.add(role)
    await site.add(an_assignment(site.people["tim"].id, role_id))
    [step] = (await file(site, "tim", role_id, action="revoke")).json()["approvals"]
    path = f"POST /approvals/{step['id']}/approve"

    by_chat = await site.call("lea", path, via="my-access")
    many = {"decisions": [{"approval_id": step["id"], "decision": "approve"}]}
    [among_many] = (await site.call("lea", "POST /approvals/decisions", body=many, via="my-access")).json()["answers"]
    still_held = (await site.call("tim", "GET /me/access")).json()["items"]
    by_page = await site.call("lea", path)

    assert (by_chat.status_code, by_chat.json()["code"], len(still_held)) == (403, "interface_only", 1)
    assert (among_many["result"], among_many["code"]) == ("refused", "interface_only")
    assert by_page.status_code == 200
    assert (await site.call("tim", "GET /me/access")).json()["items"] == []
