"""The sign-in policy: who may read and change it, what it refuses, and that it counts at once."""

from datetime import timedelta
from typing import Any

import pytest

from storage.nova.tables import IdentityRow, SessionRow
from tests.api.site import NOW, Site, changes_of

POLICY = "/sign-in-policy"


async def policy_of(site: Site, **changed: Any) -> dict[str, Any]:  # noqa: ANN401 - JSON of a test
    read = (await site.call("mara", f"GET {POLICY}")).json()
    rules = {name: read[name] for name in ("mfa", "methods", "password", "lockout", "session", "networks")}
    return {**rules, **changed}


async def put(site: Site, who: str = "mara", if_match: str | None = None, **changed: Any) -> Any:  # noqa: ANN401
    headers = {} if if_match is None else {"If-Match": if_match}
    return await site.call(who, f"PUT {POLICY}", body=await policy_of(site, **changed), headers=headers)


async def test_overseers_read_it_and_only_administrators_change_it(site: Site) -> None:
    assert (await site.call("paul", f"GET {POLICY}")).status_code == 200
    assert (await site.call("lea", f"GET {POLICY}")).status_code == 403
    for who in ("paul", "lea", "sam"):
        answer = await put(site, who, lockout={"attempts": 3, "minutes": 30})
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")

    answer = await put(site, lockout={"attempts": 3, "minutes": 30})

    assert (answer.status_code, answer.json()["version"]) == (200, 2)
    assert (await site.call("paul", f"GET {POLICY}")).json()["lockout"] == {"attempts": 3, "minutes": 30}


async def test_b6_no_chat_changes_it(site: Site) -> None:
    """Abuse case 15."""
    body = await policy_of(site, networks=["192.0.2.0/24"])

    answer = await site.call("mara", f"PUT {POLICY}", body=body, via="admin-chat")

    assert (answer.status_code, answer.json()["code"]) == (403, "interface_only")
    assert (await site.call("mara", f"GET {POLICY}")).json()["networks"] == []


async def test_a_change_is_logged_rule_by_rule_and_no_change_is_none(site: Site) -> None:
    same = await put(site)
    changed = await put(site, password={**(await policy_of(site))["password"], "min_length": 16, "history": 5})

    (entry,) = await site.entries("sign_in_policy.updated")
    assert (same.json()["version"], changed.json()["version"]) == (1, 2)
    assert changes_of(entry) == {"password.min_length": (12, 16), "password.history": (0, 5)}


async def test_a_lost_race_is_told(site: Site) -> None:
    first = await put(site, if_match='"1"', lockout={"attempts": 4, "minutes": 15})
    second = await put(site, "otto", if_match='"1"', lockout={"attempts": 6, "minutes": 15})

    assert (first.status_code, second.status_code) == (200, 412)
    assert (await site.call("mara", f"GET {POLICY}")).json()["lockout"]["attempts"] == 4


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"lockout": {"attempts": 2, "minutes": 15}}, "lockout.attempts"),
        ({"lockout": {"attempts": 5}}, "lockout.minutes"),
        ({"networks": ["10.0.0.5/8"]}, "networks.0"),
        ({"networks": ["somewhere"]}, "networks.0"),
        ({"networks": ["10.0.0.0/8", "10.0.0.0/8"]}, "networks"),
        ({"methods": ["password", "telepathy"]}, "methods.1"),
        ({"mfa": {"requirement": "required_for", "required_for": []}}, "mfa"),
        ({"session": {"idle_minutes": 120, "max_hours": 1}}, "session"),
        ({"colour": "red"}, "colour"),
    ],
)
async def test_a_rule_that_is_not_right_names_its_field_and_nothing_is_stored(
    site: Site, changed: dict[str, Any], field: str
) -> None:
    answer = await put(site, **changed)

    assert answer.status_code in {400, 422}
    assert answer.json()["field"] == field
    assert (await site.call("mara", f"GET {POLICY}")).json()["version"] == 1


@pytest.mark.parametrize(
    "methods", [["totp", "recovery_code"], ["password"]], ids=["no_password", "required_but_not_possible"]
)
async def test_nobody_is_locked_out_by_the_methods(site: Site, methods: list[str]) -> None:
    answer = await put(site, methods=methods, mfa={"requirement": "required", "required_for": []})

    assert answer.status_code in {409, 422}
    assert (await site.call("mara", f"GET {POLICY}")).json()["version"] == 1


async def test_the_administrator_who_stores_networks_must_be_in_one(site: Site) -> None:
    outside = await put(site, networks=["192.0.2.0/24"])
    async with site.database.transaction() as session:
        (await session.get_one(SessionRow, site.people["mara"].session_id)).ip = "192.0.2.9"
    inside = await put(site, networks=["192.0.2.0/24"])

    assert (outside.status_code, outside.json()["code"]) == (409, "self_lockout")
    assert inside.status_code == 200


async def test_sessions_that_the_new_policy_would_not_have_let_in_end_at_once(site: Site) -> None:
    async with site.database.transaction() as session:
        (await session.get_one(SessionRow, site.people["otto"].session_id)).methods = ["pwd", "otp"]

    await put(site, mfa={"requirement": "required_for", "required_for": ["administrator", "auditor"]})

    assert (await site.call("paul", "GET /me")).status_code == 401
    for who in ("mara", "otto", "sam"):
        assert (await site.call(who, "GET /me")).status_code == 200
    (entry,) = await site.entries("session.ended")
    (cause,) = await site.entries("sign_in_policy.updated")
    assert (entry.caused_by, entry.details["reason"]) == (cause.id, "sign_in_policy")
    assert site.ended == [frozenset({site.people["paul"].session_id})]


async def test_the_times_of_sessions_count_for_those_there_are(site: Site) -> None:
    await put(site, session={"idle_minutes": 30, "max_hours": 2})
    site.clock.moment = NOW + timedelta(minutes=29)
    early = await site.call("sam", "GET /me")
    site.clock.moment = NOW + timedelta(minutes=30)
    late = await site.call("sam", "GET /me")

    assert (early.status_code, late.status_code) == (200, 401)


async def test_the_list_of_sessions_knows_the_times_of_the_policy(site: Site) -> None:
    await put(site, session={"idle_minutes": 30, "max_hours": 2})
    site.clock.moment = NOW + timedelta(minutes=45)
    async with site.database.transaction() as session:
        (await session.get_one(SessionRow, site.people["mara"].session_id)).last_seen_at = site.clock.moment

    active = (await site.call("mara", "GET /sessions", query={"status": "active"})).json()
    ended = (await site.call("mara", "GET /sessions", query={"status": "ended"})).json()

    assert [one["identity"]["id"] for one in active["items"]] == [site.people["mara"].id]
    assert all(one["status"] == "ended" for one in ended["items"])
    assert ended["total"] == len(site.people) - 1


@pytest.mark.parametrize(
    ("fields", "body", "rule"),
    [
        ({}, {}, None),
        ({"status": "suspended"}, {}, "not_active"),
        ({"password_hash": None}, {}, "no_password"),
        ({"locked_until": NOW + timedelta(minutes=1)}, {}, "locked"),
        ({"locked_until": NOW}, {}, None),
        ({}, {"network": "198.51.100.1"}, "network"),
        ({}, {"network": "192.0.2.0/25"}, None),
        ({}, {"network": "192.0.2.0/23"}, "network"),
        ({}, {"network": "::ffff:192.0.2.1"}, None),
        ({}, {"method": "totp"}, "no_second_factor"),
        ({"mfa_methods": ["totp"]}, {"method": "totp"}, None),
    ],
)
async def test_it_tells_whether_somebody_would_get_in_and_by_which_rule_not(
    site: Site, fields: dict[str, object], body: dict[str, str], rule: str | None
) -> None:
    async with site.database.transaction() as session:
        (await session.get_one(SessionRow, site.people["mara"].session_id)).ip = "192.0.2.9"
        row = await session.get_one(IdentityRow, site.people["sam"].id)
        for name, value in {"password_hash": "some", **fields}.items():
            setattr(row, name, value)
    await put(site, networks=["192.0.2.0/24"])

    answer = await site.call("mara", f"POST {POLICY}/evaluate", body={"identity_id": site.people["sam"].id, **body})

    assert answer.status_code == 200
    assert (answer.json()["allowed"], answer.json()["rule"]) == (rule is None, rule)


async def test_it_tells_what_else_is_asked_for(site: Site) -> None:
    async with site.database.transaction() as session:
        row = await session.get_one(IdentityRow, site.people["sam"].id)
        row.password_hash, row.password_changed_at = "some", NOW - timedelta(days=90)
    rules = (await policy_of(site))["password"]
    await put(site, mfa={"requirement": "required", "required_for": []}, password={**rules, "max_age_days": 90})

    answer = await site.call("mara", f"POST {POLICY}/evaluate", body={"identity_id": site.people["sam"].id})

    assert answer.json()["steps"] == ["new_password", "enrol"]


async def test_only_overseers_ask_about_others(site: Site) -> None:
    body = {"identity_id": site.people["sam"].id}

    answers = [(await site.call(who, f"POST {POLICY}/evaluate", body=body)).status_code for who in ("paul", "sam")]

    assert answers == [200, 403]
