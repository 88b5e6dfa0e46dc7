"""Administrators: a fresh sign-in, every administrator told, and never without one, whatever happens at once."""

import asyncio
from datetime import timedelta

import pytest
from sqlmodel import col, select

from nova_ui.nova.fresh_sign_in import FRESH_FOR
from storage.nova.identities import json_holds
from storage.nova.notification_tables import NotificationRow
from storage.nova.sign_in_tables import RecoveryCodeRow, TotpFactorRow
from storage.nova.tables import IdentityRow, SessionRow
from tests.api.site import NOW, Site, changes_of


async def freshen(site: Site, *names: str, ago: timedelta = timedelta(0)) -> None:
    async with site.database.transaction() as session:
        for name in names:
            row = await session.get_one(SessionRow, site.people[name].session_id)
            row.confirmed_at = site.clock.moment - ago


async def administrators(site: Site) -> set[str]:
    found = select(IdentityRow.user_name).where(
        json_holds(IdentityRow.nova_roles, "administrator"), col(IdentityRow.status) == "active"
    )
    async with site.database.reading() as session:
        return set((await session.exec(found)).all())


def place(site: Site, name: str) -> str:
    return f"/administrators/{site.people[name].id}"


async def test_overseers_see_the_administrators(site: Site) -> None:
    listed = await site.call("paul", "GET /administrators")

    assert [one["user_name"] for one in listed.json()["items"]] == ["mara", "otto"]
    assert (await site.call("lea", "GET /administrators")).status_code == 403


@pytest.mark.parametrize("ago", [None, FRESH_FOR])
@pytest.mark.parametrize("action", ["PUT {sam}", "DELETE {otto}", "reset"])
async def test_a_session_alone_is_not_enough(site: Site, action: str, ago: timedelta | None) -> None:
    if ago is not None:
        await freshen(site, "mara", ago=ago)
    endpoint = action.format(sam=place(site, "sam"), otto=place(site, "otto"))
    if action == "reset":
        endpoint = f"POST /identities/{site.people['sam'].id}/reset-mfa"

    answer = await site.call("mara", endpoint)

    assert (answer.status_code, answer.json()["code"]) == (403, "fresh_sign_in_required")
    assert await administrators(site) == {"mara", "otto"}


async def test_b6_no_chat_makes_or_removes_an_administrator(site: Site) -> None:
    await freshen(site, "mara")

    for endpoint in (f"PUT {place(site, 'sam')}", f"DELETE {place(site, 'otto')}"):
        answer = await site.call("mara", endpoint, via="admin-chat")
        assert (answer.status_code, answer.json()["code"]) == (403, "interface_only")

    assert await administrators(site) == {"mara", "otto"}


async def test_others_can_not_name_administrators(site: Site) -> None:
    await freshen(site, "paul", "lea", "sam")

    codes = [(await site.call(who, f"PUT {place(site, 'lea')}")).status_code for who in ("paul", "lea", "sam")]

    assert set(codes) <= {403, 404}
    assert await administrators(site) == {"mara", "otto"}


async def test_a_new_administrator_is_logged_told_and_has_the_rights_at_once(site: Site) -> None:
    await freshen(site, "mara")

    answer = await site.call("mara", f"PUT {place(site, 'sam')}")

    (entry,) = await site.entries("administrator.added")
    assert answer.status_code == 200
    assert changes_of(entry) == {"nova_roles": ([], ["administrator"])}
    assert (await site.call("sam", "GET /identities")).json()["total"] == len(site.people)
    async with site.database.reading() as session:
        told = (await session.exec(select(NotificationRow.identity_id))).all()
    assert set(told) == {site.people[name].id for name in ("mara", "otto", "sam")}
    again = await site.call("mara", f"PUT {place(site, 'sam')}")
    assert (again.status_code, again.json()["code"]) == (409, "state_conflict")


@pytest.mark.parametrize("fields", [{"status": "suspended"}, {"status": "staged"}, {"user_type": "service"}])
async def test_only_active_people_become_administrators(site: Site, fields: dict[str, str]) -> None:
    await freshen(site, "mara")
    other = await site.person("eva", **fields)

    answer = await site.call("mara", f"PUT /administrators/{other.id}")

    assert (answer.status_code, answer.json()["code"]) == (409, "state_conflict")


async def test_a_removed_administrator_has_no_right_left_and_is_told(site: Site) -> None:
    await freshen(site, "mara")
    impact = await site.call("mara", f"GET {place(site, 'otto')}/impact", query={"action": "delete"})

    answer = await site.call("mara", f"DELETE {place(site, 'otto')}")

    assert impact.json()["refusal"] is None
    assert answer.status_code == 200
    assert (await site.call("otto", "GET /administrators")).status_code == 403
    assert len(await site.entries("administrator.removed")) == 1
    async with site.database.reading() as session:
        told = (await session.exec(select(NotificationRow.identity_id))).all()
    assert set(told) == {site.people["mara"].id, site.people["otto"].id}


async def test_nobody_removes_itself(site: Site) -> None:
    await freshen(site, "mara")

    impact = await site.call("mara", f"GET {place(site, 'mara')}/impact", query={"action": "delete"})
    answer = await site.call("mara", f"DELETE {place(site, 'mara')}")

    assert (answer.status_code, answer.json()["code"]) == (409, "self_lockout")
    assert impact.json()["refusal"]["code"] == "self_lockout"


WAYS = ("DELETE /administrators/{id}", "POST /identities/{id}/suspend", "POST /identities/{id}/disable")


@pytest.mark.parametrize("first", WAYS)
@pytest.mark.parametrize("second", [*WAYS, "DELETE /identities/{id}"])
async def test_two_who_remove_each_other_at_once_leave_one(site: Site, first: str, second: str) -> None:
    await freshen(site, "mara", "otto")

    answers = await asyncio.gather(
        site.call("mara", first.format(id=site.people["otto"].id)),
        site.call("otto", second.format(id=site.people["mara"].id)),
    )

    assert sorted(answer.status_code == 200 for answer in answers) == [False, True]
    assert len(await administrators(site)) == 1


async def test_who_lost_the_role_while_waiting_changes_nothing(site: Site) -> None:
    await freshen(site, "mara", "otto")
    third = await site.person("eva", nova_roles=["administrator"])

    answers = await asyncio.gather(
        site.call("mara", f"DELETE {place(site, 'otto')}"), site.call("otto", f"DELETE {place(site, 'eva')}")
    )

    assert answers[0].status_code == 200
    left = await administrators(site)
    assert left in ({"mara", "eva"}, {"mara"})
    assert third.id


async def test_no_patch_and_no_creation_sets_nova_roles(site: Site) -> None:
    patched = await site.call("mara", f"PATCH /identities/{site.people['otto'].id}", body={"nova_roles": []})
    status = await site.call("mara", f"PATCH /identities/{site.people['otto'].id}", body={"status": "disabled"})

    assert (patched.json()["field"], status.json()["field"]) == ("nova_roles", "status")
    assert await administrators(site) == {"mara", "otto"}


async def test_a_lost_factor_is_cleared_with_its_sessions_and_its_owner_told(site: Site) -> None:
    await freshen(site, "mara")
    sam = site.people["sam"].id
    await site.add(
        TotpFactorRow(id="fac_1", identity_id=sam, seed="sealed", confirmed_at=NOW, created_at=NOW),
        RecoveryCodeRow(identity_id=sam, code_hash="x", created_at=NOW),
    )
    async with site.database.transaction() as session:
        (await session.get_one(IdentityRow, sam)).mfa_methods = ["totp", "recovery_code"]

    answer = await site.call("mara", f"POST /identities/{sam}/reset-mfa")

    assert (answer.status_code, answer.json()["mfa_methods"]) == (200, [])
    assert (await site.call("sam", "GET /me")).status_code == 401
    (entry,) = await site.entries("identity.mfa_reset")
    assert changes_of(entry) == {"mfa_methods": (["totp", "recovery_code"], [])}
    assert [one.caused_by for one in await site.entries("session.ended")] == [entry.id]
    async with site.database.reading() as session:
        assert (await session.exec(select(TotpFactorRow))).all() == []
        assert (await session.exec(select(RecoveryCodeRow))).all() == []
        assert (await session.exec(select(NotificationRow.identity_id))).all() == [sam]
    again = await site.call("mara", f"POST /identities/{sam}/reset-mfa")
    assert (again.status_code, again.json()["code"]) == (409, "state_conflict")


async def test_nobody_resets_its_own_factor_this_way(site: Site) -> None:
    await freshen(site, "mara")

    answer = await site.call("mara", f"POST /identities/{site.people['mara'].id}/reset-mfa")

    assert (answer.status_code, answer.json()["code"]) == (409, "self_lockout")


async def test_a_new_administrator_without_the_factor_that_one_needs_signs_in_anew(site: Site) -> None:
    read = (await site.call("mara", "GET /sign-in-policy")).json()
    rules = {name: read[name] for name in ("methods", "password", "lockout", "session", "networks")}
    mfa = {"requirement": "required_for", "required_for": ["administrator"]}
    await freshen(site, "mara")
    await site.call("mara", "PUT /sign-in-policy", body={**rules, "mfa": mfa})

    await site.call("mara", f"PUT {place(site, 'sam')}")

    assert (await site.call("sam", "GET /me")).status_code == 401
