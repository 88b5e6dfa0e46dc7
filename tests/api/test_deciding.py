"""Delegating decisions, deciding many at once, and who is told."""

from collections import Counter
from datetime import timedelta

from httpx import Response
from sqlmodel import select

from storage.nova.notification_tables import NotificationRow
from storage.nova.tables import ApprovalRow
from tests.api.site import NOW, Site, a_role, changes_of
from tests.api.test_requests import a_new_role, file, held


async def told(site: Site) -> list[tuple[str, str]]:
    names = {person.id: name for name, person in site.people.items()}
    async with site.database.reading() as session:
        rows = (await session.exec(select(NotificationRow))).all()
    return sorted((row.kind, names[row.identity_id]) for row in rows)


async def open_approval(site: Site, who: str = "tim", key: str = "crm-user") -> str:
    filed = (await file(site, who, await a_new_role(site, key=key))).json()
    return str(filed["approvals"][0]["id"])


async def delegate(site: Site, who: str, approval_id: str, to: str) -> Response:
    return await site.call(who, f"POST /approvals/{approval_id}/delegate", body={"to": site.people[to].id})


async def test_whoever_a_decision_is_passed_to_decides_and_the_one_before_still_sees_it(site: Site) -> None:
    approval_id = await open_approval(site)

    passed = await delegate(site, "lea", approval_id, "sam")
    own = await site.call("lea", f"POST /approvals/{approval_id}/approve")
    decided = await site.call("sam", f"POST /approvals/{approval_id}/approve")

    assert (passed.json()["approver"]["display_name"], passed.json()["escalated_from"]["display_name"]) == (
        "Sam",
        "Lea",
    )
    assert own.json()["code"] == "forbidden"
    assert decided.status_code == 200
    assert (await site.call("lea", f"GET /approvals/{approval_id}")).json()["decided_by"]["display_name"] == "Sam"
    [entry] = await site.entries("approval.delegated")
    assert changes_of(entry)["approver_id"] == (site.people["lea"].id, site.people["sam"].id)
    assert told_of(await told(site)) == {
        ("approval_waiting", "lea"),
        ("approval_delegated", "sam"),
        ("request_completed", "tim"),
    }


def told_of(rows: list[tuple[str, str]]) -> set[tuple[str, str]]:
    assert len(rows) == len(set(rows))
    return set(rows)


async def test_nobody_passes_a_decision_to_whoever_asked_or_would_get_it(site: Site) -> None:
    filed = (
        await file(
            site, "lea", await a_new_role(site, approval="owner", owner_ids=[site.people["sam"].id]), beneficiary="tim"
        )
    ).json()
    approval_id = filed["approvals"][0]["id"]

    answers = [await delegate(site, "sam", approval_id, to) for to in ("lea", "tim", "sam")]
    foreign = await delegate(site, "mara", approval_id, "otto")

    assert [answer.json().get("code") for answer in answers] == [
        "approver_conflict",
        "approver_conflict",
        "validation_failed",
    ]
    assert [answer.json()["field"] for answer in answers] == ["to", "to", "to"]
    assert foreign.status_code == 403
    assert [one for one in await site.entries("approval.delegated") if one.outcome == "success"] == []


async def test_nobody_decides_twice_on_one_step_by_having_it_passed_on(site: Site) -> None:
    owners = [site.people["sam"].id, site.people["paul"].id]
    filed = (await file(site, "tim", await a_new_role(site, approval="owner", owner_ids=owners))).json()
    of_paul = next(one["id"] for one in filed["approvals"] if one["approver"]["display_name"] == "Paul")

    refused = await delegate(site, "paul", of_paul, "sam")
    passed = await delegate(site, "paul", of_paul, "otto")

    assert (refused.status_code, refused.json()["field"]) == (409, "to")
    assert passed.status_code == 200


async def test_whoever_files_for_somebody_else_and_is_named_as_approver_decides_on_neither_way(site: Site) -> None:
    """A row that names the requester or the beneficiary is refused all the same, however it came about."""
    filed = (await file(site, "tim", await a_new_role(site), beneficiary="nina")).json()
    approval_id = filed["approvals"][0]["id"]

    for who in ("tim", "nina"):
        async with site.database.transaction() as session:
            row = await session.get(ApprovalRow, approval_id)
            assert row is not None
            row.approver_id = site.people[who].id
            session.add(row)
        answer = await site.call(who, f"POST /approvals/{approval_id}/approve")
        assert answer.json()["code"] == "approver_conflict", who


async def test_a_decision_that_is_due_no_more_is_not_taken(site: Site) -> None:
    approval_id = await open_approval(site)
    site.clock.moment = NOW + timedelta(days=7)

    late = await site.call("lea", f"POST /approvals/{approval_id}/approve")

    assert late.json()["code"] == "state_conflict"
    assert await held(site, "tim") == []


async def test_c13_many_decisions_do_what_their_impact_says_each_checked_alone(site: Site) -> None:
    yes, no = await open_approval(site, key="one"), await open_approval(site, key="two")
    foreign = await open_approval(site, who="sam", key="three")
    logged = len(await site.entries())

    query = {"approve": f"{yes},{foreign}", "deny": no}
    impact = (await site.call("lea", "GET /approvals/decisions/impact", query=query)).json()
    still = len(await site.entries())
    body = {
        "decisions": [
            {"approval_id": yes, "decision": "approve"},
            {"approval_id": foreign, "decision": "approve"},
            {"approval_id": no, "decision": "deny", "comment": "not this quarter"},
        ]
    }
    done = (await site.call("lea", "POST /approvals/decisions", body=body)).json()

    assert still == logged
    assert [answer["result"] for answer in done["answers"]] == ["approved", "refused", "denied"]
    assert done["answers"][1]["code"] == "not_found"
    happened = Counter((one["type"], one["result"]) for one in done["effects"])
    assert {(one["type"], one["result"]): one["count"] for one in impact["effects"]} == dict(happened)
    assert happened[("access_request", "completed")] == happened[("access_request", "denied")] == 1
    assert len(await held(site, "tim")) == 1


async def test_of_many_decisions_a_denial_without_reason_is_refused_and_the_others_are_taken(site: Site) -> None:
    yes, no = await open_approval(site, key="one"), await open_approval(site, key="two")
    body = {
        "decisions": [{"approval_id": no, "decision": "deny"}, {"approval_id": yes, "decision": "approve"}],
    }

    answers = (await site.call("lea", "POST /approvals/decisions", body=body)).json()["answers"]

    assert [(one["result"], one["code"]) for one in answers] == [("refused", "validation_failed"), ("approved", None)]


async def test_an_approval_stands_once_among_many_decisions_and_at_most_fifty(site: Site) -> None:
    one = {"approval_id": await open_approval(site), "decision": "approve"}

    twice = await site.call("lea", "POST /approvals/decisions", body={"decisions": [one, one]})
    many = await site.call("lea", "POST /approvals/decisions", body={"decisions": [one] * 51})
    none = await site.call("lea", "POST /approvals/decisions", body={"decisions": []})

    assert (twice.status_code, twice.json()["field"]) == (400, "decisions")
    assert (many.status_code, none.status_code) == (422, 422)


async def test_whoever_asked_and_whoever_gets_it_are_told_and_not_whoever_decided(site: Site) -> None:
    role = a_role(approval="owner", owner_ids=[site.people["sam"].id])
    role_id = role.id
    await site.add(role)
    filed = (await file(site, "lea", role_id, beneficiary="tim")).json()

    await site.call("sam", f"POST /approvals/{filed['approvals'][0]['id']}/deny", body={"comment": "not needed"})

    assert told_of(await told(site)) == {
        ("approval_waiting", "sam"),
        ("request_denied", "lea"),
        ("request_denied", "tim"),
    }
