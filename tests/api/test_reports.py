"""Reports: what they find, for whom, with which parameters."""

from datetime import timedelta

import pytest

from nova_ui.nova.reports import REPORTS
from nova_ui.nova.views import ReportKey
from storage.ids import new_id
from storage.nova.audit import NewEntry, append
from storage.nova.entitlement_tables import EntitlementRow
from storage.nova.sign_in_tables import TotpFactorRow
from storage.nova.tables import ApplicationRow
from tests.api.site import NOW, Site, a_role, an_identity
from tests.api.test_identity_endings import a_request, an_approval, an_assignment

LONG_AGO = NOW - timedelta(days=100)


async def run(site: Site, key: str, **query: object) -> dict[str, object]:
    answer = await site.call("paul", f"GET /reports/{key}", query=query)
    assert answer.status_code == 200, answer.text
    report: dict[str, object] = answer.json()
    return report


def ids(report: dict[str, object], cell: str) -> list[str]:
    items = report["items"]
    assert isinstance(items, list)
    return [item[cell]["id"] if isinstance(item[cell], dict) else item[cell] for item in items]


def figures(report: dict[str, object]) -> dict[str, int]:
    counts = report["counts"]
    assert isinstance(counts, list)
    return {count["key"]: count["count"] for count in counts}


def test_every_key_has_its_report() -> None:
    assert set(REPORTS) == set(ReportKey)


@pytest.mark.parametrize("key", list(ReportKey))
async def test_each_report_runs_on_an_organisation_with_nothing_to_tell(site: Site, key: str) -> None:
    report = await run(site, key)

    assert report["key"] == key
    assert figures(report)["total"] == report["total"]
    assert report["columns"] == list(REPORTS[ReportKey(key)].columns)


@pytest.mark.parametrize(("who", "status"), [("mara", 200), ("paul", 200), ("lea", 403), ("sam", 403)])
async def test_reports_are_for_those_who_oversee(site: Site, who: str, status: int) -> None:
    assert (await site.call(who, "GET /reports/inactive_identities")).status_code == status


async def test_inactive_are_those_who_did_not_sign_in_for_so_long(site: Site) -> None:
    long_gone = an_identity("old", last_sign_in_at=LONG_AGO, created_at=LONG_AGO, department="Legal")
    never = an_identity("never", created_at=LONG_AGO, department="Sales")
    others = [
        an_identity("fresh", last_sign_in_at=NOW - timedelta(days=2), created_at=LONG_AGO),
        an_identity("robot", user_type="service", created_at=LONG_AGO),
        an_identity("away", status="disabled", last_sign_in_at=LONG_AGO),
    ]
    expected = [never.id, long_gone.id]
    await site.add(long_gone, never, *others)

    report = await run(site, "inactive_identities", days=90)
    legal = await run(site, "inactive_identities", days=90, department="legal")

    assert ids(report, "identity") == expected
    assert figures(report) == {"total": 2, "never_signed_in": 1}
    assert ids(legal, "identity") == expected[1:]


async def test_expiring_is_what_ends_within_so_many_days(site: Site) -> None:
    role, sam, tim = a_role("mail"), site.people["sam"].id, site.people["tim"].id
    soon = an_assignment(sam, role.id, valid_until=NOW + timedelta(days=5))
    later = an_assignment(tim, role.id, valid_until=NOW + timedelta(days=50))
    over = an_assignment(tim, role.id, valid_until=NOW - timedelta(days=1))
    soon_id, later_id = soon.id, later.id
    await site.add(role)
    await site.add(soon, later, over, an_assignment(tim, role.id))

    month, quarter = await run(site, "expiring_access"), await run(site, "expiring_access", days=90)

    assert ids(month, "assignment_id") == [soon_id]
    assert ids(quarter, "assignment_id") == [soon_id, later_id]
    assert figures(quarter) == {"total": 2, "identities": 2}


async def test_privileged_access_is_what_counts_now(site: Site) -> None:
    strong, weak = a_role("root", privileged=True), a_role("mail")
    sam = site.people["sam"].id
    held = an_assignment(sam, strong.id)
    held_id = held.id
    await site.add(strong, weak)
    await site.add(held, an_assignment(sam, weak.id), an_assignment(sam, strong.id, status="revoked"))

    report = await run(site, "privileged_access")

    assert ids(report, "assignment_id") == [held_id]
    assert figures(report) == {"total": 1, "identities": 1, "rights": 1, "without_end": 1}


async def test_dormant_is_what_nobody_holds_who_still_signs_in(site: Site) -> None:
    used, unused, sleeping = a_role("used"), a_role("unused"), a_role("sleeping")
    awake = an_identity("awake", last_sign_in_at=NOW)
    asleep = an_identity("asleep", last_sign_in_at=LONG_AGO)
    expected = [sleeping.id, unused.id]
    await site.add(used, unused, sleeping, awake, asleep)
    await site.add(
        an_assignment(awake.id, used.id), an_assignment(asleep.id, used.id), an_assignment(asleep.id, sleeping.id)
    )

    report = await run(site, "dormant_entitlements")

    assert ids(report, "right") == expected
    assert figures(report) == {"total": 2, "held_by_nobody": 1}


async def test_an_entitlement_given_by_itself_is_reported_like_a_role(site: Site) -> None:
    application = ApplicationRow(id=new_id("app"), key="crm", display_name="CRM", created_at=NOW, updated_at=NOW)
    right = EntitlementRow(
        id=new_id("ent"),
        application_id=application.id,
        native_name="root",
        native_key="root",
        display_name="Root",
        privileged=True,
        created_at=NOW,
        updated_at=NOW,
    )
    right_id, application_id = right.id, application.id
    await site.add(application)
    await site.add(right)
    held = an_assignment(site.people["sam"].id, "", valid_until=NOW + timedelta(days=3))
    held.role_id, held.entitlement_id = None, right_id
    await site.add(held)

    for key in ("expiring_access", "privileged_access", "dormant_entitlements"):
        report = await run(site, key, application_id=application_id)
        assert ids(report, "right") == [right_id], key
        assert ids(report, "application") == [application_id]


async def test_mfa_coverage_names_who_has_no_second_factor_administrators_first(site: Site) -> None:
    factor = TotpFactorRow(id="fct_1", identity_id=site.people["otto"].id, seed="x", confirmed_at=NOW, created_at=NOW)
    begun = TotpFactorRow(id="fct_2", identity_id=site.people["sam"].id, seed="x", created_at=NOW)
    await site.add(factor, begun)

    report = await run(site, "mfa_coverage")

    assert ids(report, "identity") == [site.people[name].id for name in ("mara", "paul", "lea", "nina", "sam", "tim")]
    assert figures(report) == {
        "total": 6,
        "identities": 7,
        "with_second_factor": 1,
        "administrators_and_auditors": 3,
        "of_these_without": 2,
    }


async def test_open_requests_tell_who_has_to_decide_and_what_is_overdue(site: Site) -> None:
    role = a_role("mail")
    request = a_request(site.people["sam"].id, site.people["tim"].id, role.id)
    done = a_request(site.people["sam"].id, site.people["sam"].id, role.id)
    done.status = "completed"
    request.created_at = NOW - timedelta(days=4)
    decision = an_approval(request, site.people["lea"].id)
    decision.due_at = NOW - timedelta(days=1)
    await site.add(role, request, done)
    await site.add(decision)

    report = await run(site, "open_requests")
    none = await run(site, "open_requests", days=5)

    assert isinstance(report["items"], list)
    (row,) = report["items"]
    assert (row["beneficiary"]["display_name"], row["approver"]["display_name"]) == ("Tim", "Lea")
    assert (row["items"], row["action"], row["waits_days"], row["overdue"]) == (["Mail"], ["grant"], 4, True)
    assert figures(report) == {"total": 1, "requests": 1, "overdue": 1}
    assert none["items"] == []


async def test_failed_sign_ins_are_counted_by_person_or_by_address(site: Site) -> None:
    sam = site.people["sam"].id
    async with site.database.transaction() as session:
        for target, address, days in (
            (sam, "192.0.2.1", 0),
            (sam, "192.0.2.2", 1),
            (None, "192.0.2.9", 2),
            (sam, "", 9),
        ):
            entry = NewEntry(
                time=NOW - timedelta(days=days),
                action="sign_in.failed",
                outcome="refused",
                target_id=target,
                target_display="Sam" if target else "",
                ip=address,
            )
            await append(session, entry)

    report = await run(site, "failed_sign_ins")

    assert isinstance(report["items"], list)
    assert [(row["identity"], row["ip"], row["attempts"]) for row in report["items"]] == [
        ({"id": sam, "display_name": "Sam"}, None, 2),
        (None, "192.0.2.9", 1),
    ]
    assert figures(report) == {"total": 2, "attempts": 3, "identities": 1, "addresses": 3}


async def test_a_report_comes_in_pages(site: Site) -> None:
    await site.add(*(an_identity(f"old{number}", created_at=LONG_AGO) for number in range(5)))

    first = await run(site, "inactive_identities", limit=2)
    second = await run(site, "inactive_identities", limit=2, cursor=first["next_cursor"])
    third = await run(site, "inactive_identities", limit=2, cursor=second["next_cursor"])

    seen = [*ids(first, "identity"), *ids(second, "identity"), *ids(third, "identity")]
    assert len(set(seen)) == 5
    assert (first["total"], third["next_cursor"]) == (5, None)


@pytest.mark.parametrize(
    ("key", "query", "field"),
    [
        ("privileged_access", {"days": 3}, "days"),
        ("failed_sign_ins", {"department": "Sales"}, "department"),
        ("inactive_identities", {"application_id": "app_00000000000000000000"}, "application_id"),
        ("inactive_identities", {"days": 0}, "days"),
        ("inactive_identities", {"colour": "red"}, "colour"),
        ("inactive_identities", {"cursor": "WyJ4IiwgMV0"}, "cursor"),
        ("inactive_identities", {"cursor": "%"}, "cursor"),
        ("orphan_accounts", {}, "key"),
    ],
)
async def test_what_a_report_does_not_know_is_refused_by_name(
    site: Site, key: str, query: dict[str, object], field: str
) -> None:
    answer = await site.call("paul", f"GET /reports/{key}", query=query)

    assert (answer.status_code, answer.json()["field"]) == (400, field)


async def test_the_summary_counts_by_day_actor_action_and_origin(site: Site) -> None:
    await site.call("mara", f"PATCH /identities/{site.people['sam'].id}", body={"title": "One"})
    await site.call("otto", f"PATCH /identities/{site.people['sam'].id}", body={"title": "Two"}, via="admin")

    for grouping, keys in (
        ("day", {f"{NOW:%Y-%m-%d}"}),
        ("actor", {site.people["mara"].id, site.people["otto"].id}),
        ("action", {"identity.updated"}),
        ("origin", {"interface", "ai_chat:admin"}),
    ):
        answer = (await site.call("paul", "GET /audit-log/summary", query={"group_by": grouping})).json()
        assert {group["key"] for group in answer["groups"]} == keys
        assert answer["total"] == sum(group["count"] for group in answer["groups"]) == 2
