"""Access requests and approvals: filing, deciding step by step, withdrawing."""

import asyncio

import pytest
from httpx import Response

from storage.nova.tables import IdentityRow
from tests.api.site import Site, a_role
from tests.api.test_identity_endings import an_assignment

REASON = "needed for the spring campaign"


async def file(site: Site, who: str, role_id: str, *, beneficiary: str | None = None, **item: object) -> Response:
    body: dict[str, object] = {"items": [{"role_id": role_id, **item}], "justification": REASON}
    if beneficiary:
        body["beneficiary_id"] = site.people[beneficiary].id
    return await site.call(who, "POST /access-requests", body=body)


async def a_new_role(site: Site, **fields: object) -> str:
    role = a_role(**fields)
    role_id = role.id
    await site.add(role)
    return role_id


async def held(site: Site, who: str) -> list[str]:
    return [item["role"]["id"] for item in (await site.call(who, "GET /me/access")).json()["items"]]


async def test_a_request_goes_to_the_manager_and_then_gives_the_access(site: Site) -> None:
    role_id = await a_new_role(site)
    filed = (await file(site, "tim", role_id)).json()
    [step] = filed["approvals"]

    decided = await site.call("lea", f"POST /approvals/{step['id']}/approve", body={"comment": "fine"})

    assert (filed["status"], step["approver"]["display_name"]) == ("pending", "Lea")
    assert decided.json()["status"] == "approved"
    assert await held(site, "tim") == [role_id]
    assert (await site.call("tim", f"GET /access-requests/{filed['id']}")).json()["status"] == "completed"
    entries = await site.entries()
    assert [entry.action for entry in entries] == [
        "request.submitted",
        "approval.approved",
        "request.approved",
        "assignment.granted",
        "request.completed",
    ]
    assert {entry.caused_by for entry in entries[2:]} == {entries[1].id}


async def test_manager_then_owner_opens_one_step_after_the_other(site: Site) -> None:
    role_id = await a_new_role(site, approval="manager_then_owner", owner_ids=[site.people["sam"].id])
    filed = (await file(site, "tim", role_id)).json()
    first, second = filed["approvals"]

    early = await site.call("sam", f"POST /approvals/{second['id']}/approve")
    await site.call("lea", f"POST /approvals/{first['id']}/approve")
    between = await held(site, "tim")
    late = await site.call("sam", f"POST /approvals/{second['id']}/approve")

    assert (first["status"], second["status"]) == ("open", "waiting")
    assert early.json()["code"] == "state_conflict"
    assert between == []
    assert late.status_code == 200
    assert await held(site, "tim") == [role_id]


async def test_of_several_owners_one_decides_and_only_one(site: Site) -> None:
    owners = [site.people["sam"].id, site.people["paul"].id]
    role_id = await a_new_role(site, approval="owner", owner_ids=owners)
    filed = (await file(site, "tim", role_id)).json()
    by = {step["approver"]["display_name"].lower(): step["id"] for step in filed["approvals"]}

    answers = await asyncio.gather(*(site.call(who, f"POST /approvals/{by[who]}/approve") for who in ("sam", "paul")))

    assert sorted(answer.status_code for answer in answers) == [200, 409]
    assert len(await site.entries("assignment.granted")) == 1


async def test_a_role_without_approval_is_given_at_once(site: Site) -> None:
    role_id = await a_new_role(site, approval="none")

    filed = await file(site, "sam", role_id)

    assert filed.json()["status"] == "completed"
    assert await held(site, "sam") == [role_id]


async def test_nobody_decides_on_their_own_request_not_even_an_administrator(site: Site) -> None:
    role_id = await a_new_role(site, approval="owner", owner_ids=[site.people["mara"].id])

    filed = (await file(site, "mara", role_id)).json()
    [step] = filed["approvals"]
    own = await site.call("mara", f"POST /approvals/{step['id']}/approve")
    foreign = await site.call("paul", f"POST /approvals/{step['id']}/approve")

    assert step["approver"]["display_name"] == "Otto"
    assert own.json()["code"] == "approver_conflict"
    assert foreign.json()["code"] == "forbidden"
    assert await held(site, "mara") == []


async def test_a_manager_who_files_for_a_report_does_not_approve_it(site: Site) -> None:
    role_id = await a_new_role(site)

    filed = (await file(site, "tim", role_id, beneficiary="nina")).json()

    assert [step["approver"]["display_name"] for step in filed["approvals"]] == ["Lea"]


async def test_denying_needs_a_reason_and_ends_the_request(site: Site) -> None:
    role_id = await a_new_role(site)
    filed = (await file(site, "tim", role_id)).json()
    path = f"/approvals/{filed['approvals'][0]['id']}"

    without = await site.call("lea", f"POST {path}/deny", body={"comment": "  "})
    denied = await site.call("lea", f"POST {path}/deny", body={"comment": "not this quarter"})
    again = await site.call("lea", f"POST {path}/approve")

    assert (without.status_code, without.json()["field"]) == (422, "comment")
    assert denied.json()["status"] == "denied"
    assert again.json()["code"] == "state_conflict"
    assert (await site.call("tim", f"GET /access-requests/{filed['id']}")).json()["status"] == "denied"


async def test_only_the_requester_withdraws_and_only_before_the_end(site: Site) -> None:
    filed = (await file(site, "tim", await a_new_role(site))).json()
    path = f"/access-requests/{filed['id']}"

    foreign = await site.call("lea", f"POST {path}/cancel")
    unseen = await site.call("sam", f"POST {path}/cancel")
    done = await site.call("tim", f"POST {path}/cancel")
    again = await site.call("tim", f"POST {path}/cancel")

    assert [answer.status_code for answer in (foreign, unseen, done, again)] == [403, 404, 200, 409]
    assert done.json()["approvals"][0]["status"] == "skipped"


@pytest.mark.parametrize("beneficiary", ["tim", "mara"])
async def test_nobody_files_for_whom_they_do_not_manage(site: Site, beneficiary: str) -> None:
    answer = await file(site, "sam", await a_new_role(site), beneficiary=beneficiary)

    assert answer.status_code == 404


async def test_auditors_file_for_themselves_only(site: Site) -> None:
    role_id = await a_new_role(site)

    assert (await file(site, "paul", role_id, beneficiary="tim")).status_code == 403
    assert (await file(site, "paul", role_id)).status_code == 201


async def test_what_can_not_be_asked_for(site: Site) -> None:
    closed, taken = await a_new_role(site, key="closed", requestable=False), await a_new_role(site, key="taken")
    await site.add(an_assignment(site.people["sam"].id, taken))
    asked = await a_new_role(site, key="asked")
    await file(site, "sam", asked)
    short = {"items": [{"role_id": asked}], "justification": "please"}

    answers = [
        await file(site, "sam", closed),
        await file(site, "sam", taken),
        await file(site, "sam", asked),
        await file(site, "sam", asked, action="extend"),
        await site.call("sam", "POST /access-requests", body=short),
        await site.call("sam", "POST /access-requests", body={"items": [], "justification": REASON}),
    ]

    assert [answer.status_code for answer in answers] == [400, 409, 409, 409, 422, 422]


async def test_an_approval_that_comes_too_late_gives_nothing_and_says_so(site: Site) -> None:
    role_id = await a_new_role(site)
    filed = (await file(site, "tim", role_id)).json()
    async with site.database.transaction() as session:
        row = await session.get(IdentityRow, site.people["tim"].id)
        assert row is not None
        row.status = "disabled"

    answer = await site.call("lea", f"POST /approvals/{filed['approvals'][0]['id']}/approve")

    assert answer.status_code == 200
    assert (await site.call("mara", f"GET /access-requests/{filed['id']}")).json()["status"] == "failed"
    [failed] = await site.entries("request.failed")
    assert failed.details["reason"] == "The identity is no longer active."
    assert await site.entries("assignment.granted") == []


async def test_requests_are_seen_by_those_they_concern(site: Site) -> None:
    await file(site, "nina", await a_new_role(site))

    totals = {who: (await site.call(who, "GET /access-requests")).json()["total"] for who in site.people}

    assert totals == {"mara": 1, "otto": 1, "paul": 1, "lea": 1, "tim": 1, "nina": 1, "sam": 0}
    assert (await site.call("tim", "GET /me/approvals", query={"status": "open"})).json()["total"] == 1
    assert (await site.call("lea", "GET /me/approvals")).json()["total"] == 0


async def test_the_catalogue_hints_at_what_is_held_or_asked_for(site: Site) -> None:
    held_id, asked_id = await a_new_role(site, key="held"), await a_new_role(site, key="asked")
    await a_new_role(site, key="closed", requestable=False)
    await site.add(an_assignment(site.people["sam"].id, held_id))
    filed = (await file(site, "sam", asked_id)).json()

    items = {item["key"]: item for item in (await site.call("sam", "GET /catalog")).json()["items"]}

    assert set(items) == {"held", "asked"}
    assert items["held"]["held"] is True
    assert items["asked"]["open_request_id"] == filed["id"]
    assert (await site.call("sam", "GET /catalog", query={"for": site.people["tim"].id})).status_code == 404


async def test_comments_stand_at_the_request(site: Site) -> None:
    filed = (await file(site, "tim", await a_new_role(site))).json()
    path = f"/access-requests/{filed['id']}/comments"

    answer = await site.call("lea", f"POST {path}", body={"text": "until when?"})
    refused = await site.call("paul", f"POST {path}", body={"text": "why?"})

    assert [(one["author"]["display_name"], one["text"]) for one in answer.json()["comments"]] == [
        ("Lea", "until when?")
    ]
    assert refused.status_code == 403
