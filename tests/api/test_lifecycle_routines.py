"""Lifecycle routines: kept in the interface by administrators, checked as a whole, previewed without a trace."""

from datetime import timedelta

import pytest

from storage.nova.tables import IdentityRow
from tests.api.routines import LIST, leaving, make, run
from tests.api.site import NOW, Site


async def test_administrators_keep_routines_auditors_read_them_and_nobody_else_sees_any(site: Site) -> None:
    routine = await make(site, leaving())
    one = f"{LIST}/{routine['id']}"

    reading = {who: (await site.call(who, f"GET {one}")).status_code for who in ("mara", "paul", "lea", "sam")}
    writing = {who: (await site.call(who, f"PATCH {one}", body={"max_affected": 3})).status_code for who in reading}

    assert reading == {"mara": 200, "paul": 200, "lea": 403, "sam": 403}
    assert writing == {"mara": 200, "paul": 403, "lea": 403, "sam": 403}
    assert [entry.action for entry in await site.entries() if entry.outcome == "success"] == [
        "routine.created",
        "routine.enabled",
        "routine.updated",
    ]


@pytest.mark.parametrize(
    "endpoint", ["POST", "PATCH /1", "DELETE /1", "POST /1/enable", "POST /1/disable", "POST /1/run"]
)
async def test_b6_a_chat_changes_and_runs_no_routine(site: Site, endpoint: str) -> None:
    """Abuse case 15."""
    routine = await make(site, leaving())
    method, _, rest = endpoint.partition(" ")
    path = f"{LIST}{rest.replace('/1', '/' + routine['id'])}"

    answer = await site.call("mara", f"{method} {path}", body=leaving(key="other") if rest == "" else None, via="admin")

    assert (answer.status_code, answer.json()["code"]) == (403, "interface_only")


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"schedule": "nightly"}, "schedule"),
        ({"schedule": "* * * * *"}, "schedule"),
        ({"timezone": "Mars/Olympus"}, "timezone"),
        ({"condition": "shoe_size gt 42"}, "condition"),
        ({"condition": "department eq"}, "condition"),
        ({"actions": [{"action": "activate"}]}, "actions.0"),
        ({"actions": [{"action": "disable"}, {"action": "disable"}]}, "actions.1"),
        ({"inactive_days": 30}, "inactive_days"),
        ({"type": "inactivity"}, "inactive_days"),
        ({"type": "joiner", "actions": [{"action": "activate"}], "grace_days": 3}, "grace_days"),
        ({"type": "mover", "actions": [{"action": "revoke_birthrights"}], "notice_days": [3]}, "notice_days"),
        ({"type": "expiring_access", "actions": [{"action": "notify", "recipients": ["manager"]}]}, "notice_days"),
        ({"notice_days": [3, 3]}, "notice_days"),
        (
            {"type": "joiner", "actions": [{"action": "assign_role", "role_id": "rol_00000000000000000000"}]},
            "actions.0.role_id",
        ),
    ],
)
async def test_a_routine_that_cannot_work_is_refused_by_the_name_of_the_field(
    site: Site, changed: dict[str, object], field: str
) -> None:
    answer = await site.call("mara", f"POST {LIST}", body=leaving(**changed))

    assert (answer.status_code, answer.json()["field"]) == (400, field), answer.text


@pytest.mark.parametrize("action", [{"action": "delete"}, {"action": "disable", "days": 3}, {"action": "notify"}])
async def test_no_action_but_those_of_the_list_is_accepted(site: Site, action: dict[str, object]) -> None:
    answer = await site.call("mara", f"POST {LIST}", body=leaving(actions=[action]))

    assert answer.status_code == 422


async def test_a_change_must_leave_a_routine_that_works(site: Site) -> None:
    routine = await make(site, leaving())
    one = f"PATCH {LIST}/{routine['id']}"

    wrong = await site.call("mara", one, body={"actions": [{"action": "activate"}]})
    stale = await site.call("mara", one, body={"grace_days": 3}, headers={"If-Match": '"99"'})
    right = await site.call("mara", one, body={"grace_days": 3})

    assert (wrong.status_code, stale.status_code, right.json()["grace_days"]) == (400, 412, 3)


async def test_a_key_is_given_once(site: Site) -> None:
    await make(site, leaving())

    answer = await site.call("mara", f"POST {LIST}", body=leaving())

    assert (answer.status_code, answer.json()["field"]) == (409, "key")


async def test_only_a_routine_at_rest_is_deleted_and_its_runs_stay(site: Site) -> None:
    routine = await make(site, leaving())
    await run(site, routine)
    one = f"{LIST}/{routine['id']}"

    enabled = await site.call("mara", f"DELETE {one}")
    told = (await site.call("mara", f"GET {one}/impact", query={"action": "delete"})).json()
    await site.call("mara", f"POST {one}/disable")
    deleted = await site.call("mara", f"DELETE {one}")

    assert (enabled.status_code, told["refusal"]["code"]) == (409, "state_conflict")
    assert deleted.status_code == 200
    [kept] = (await site.call("paul", "GET /lifecycle-runs")).json()["items"]
    assert kept["routine"]["display_name"] == "Leaving"


async def test_a_preview_names_who_what_and_why_and_changes_nothing(site: Site) -> None:
    await site.person("gone", end_date="2026-02-27")
    await site.person("boss", end_date="2026-02-27", nova_roles=["administrator"])
    routine = await make(site, leaving(max_affected=1))
    before = len(await site.entries())

    told = (await site.call("paul", f"POST {LIST}/{routine['id']}/preview")).json()

    assert (told["affected"], told["would_stop"], told["actions"]) == (2, True, {"disable": 2})
    assert [(item["identity"]["display_name"], item["action"], item["refusal"]) for item in told["items"]] == [
        ("Boss", "disable", None),
        ("Gone", "disable", None),
    ]
    assert told["items"][1]["reason"] == {"code": "end_date", "date": "2026-02-27", "due": "2026-02-28"}
    assert len(await site.entries()) == before
    assert (await site.get(IdentityRow, site.people["gone"].id)).status == "active"


async def test_a_preview_says_what_nova_would_refuse(site: Site) -> None:
    async with site.database.transaction() as session:
        (await session.get_one(IdentityRow, site.people["otto"].id)).nova_roles = []
        (await session.get_one(IdentityRow, site.people["mara"].id)).end_date = "2026-02-27"
    routine = await make_by_mara(site)

    told = (await site.call("paul", f"POST {LIST}/{routine}/preview")).json()

    assert [item["refusal"] for item in told["items"]] == ["last_administrator"]


async def make_by_mara(site: Site) -> str:
    return str((await make(site, leaving()))["id"])


async def test_a_routine_tells_when_it_is_due_next(site: Site) -> None:
    routine = await make(site, leaving(schedule="30 2 * * *", timezone="Europe/Berlin"))
    resting = (await site.call("mara", f"POST {LIST}/{routine['id']}/disable")).json()

    assert routine["next_due_at"] == (NOW.replace(hour=1, minute=30) + timedelta(days=1)).isoformat().replace(
        "+00:00", "Z"
    )
    assert resting["next_due_at"] is None
