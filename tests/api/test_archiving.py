"""Archiving: only from disabled, final, and what is left is what records need."""

import pytest

from storage.nova.notification_tables import NotificationRow
from storage.nova.tables import AssignmentRow, IdentityRow
from tests.api.site import NOW, Site, a_group, a_membership, a_role, an_identity, changes_of
from tests.api.test_identity_endings import an_assignment

PERSONAL = {
    "given_name": "Gone",
    "family_name": "Person",
    "phone_numbers": ["+49 30 1"],
    "employee_number": "4711",
    "location": "Berlin",
    "password_hash": "secret",
    "department": "Sales",
}


async def a_leaver(site: Site, **fields: object) -> str:
    row, role, group = an_identity("gone", **{"status": "disabled", **PERSONAL, **fields}), a_role("mail"), a_group()
    identity_id = row.id
    await site.add(row, role, group)
    await site.add(an_assignment(identity_id, role.id), a_membership(group, identity_id))
    return identity_id


async def test_an_archived_identity_keeps_its_names_and_loses_the_rest(site: Site) -> None:
    gone = await a_leaver(site)

    answer = await site.call("mara", f"POST /identities/{gone}/archive", body={"reason": "Left in 2024"})

    assert answer.status_code == 200
    shown = answer.json()["object"]
    assert (shown["status"], shown["active"], shown["status_reason"]) == ("archived", False, "Left in 2024")
    assert (shown["display_name"], shown["user_name"], shown["department"]) == ("Gone", "gone", "Sales")
    row = await site.get(IdentityRow, gone)
    assert (row.given_name, row.family_name, row.emails, row.phone_numbers) == ("", "", [], [])
    assert (row.employee_number, row.location, row.password_hash) == (None, None, None)
    assert "nova.example" not in row.search_text


async def test_the_entry_names_what_went_but_not_what_it_was(site: Site) -> None:
    gone = await a_leaver(site)

    await site.call("mara", f"POST /identities/{gone}/archive", via="admin")

    (archived,) = await site.entries("identity.archived")
    changes = changes_of(archived)
    assert changes["status"] == ("disabled", "archived")
    assert changes["phone_numbers"] == (None, None)
    assert "4711" not in str(archived.details)
    followed = [entry for entry in await site.entries() if entry.caused_by == archived.id]
    assert {entry.action for entry in followed} == {"assignment.revoked", "group.member_removed"}
    assert all(entry.via == "ai_chat:admin" for entry in followed)


@pytest.mark.parametrize("status", ["staged", "active", "suspended", "archived"])
async def test_only_a_disabled_identity_is_archived(site: Site, status: str) -> None:
    gone = await a_leaver(site, status=status)

    told = (await site.call("mara", f"GET /identities/{gone}/impact?action=archive")).json()
    answer = await site.call("mara", f"POST /identities/{gone}/archive")

    assert (answer.status_code, answer.json()["code"]) == (409, "state_conflict")
    assert told["refusal"] == {"code": "state_conflict", "detail": answer.json()["detail"]}


async def test_a_protected_identity_is_not_archived(site: Site) -> None:
    gone = await a_leaver(site, protected=True)

    assert (await site.call("mara", f"POST /identities/{gone}/archive")).json()["code"] == "protected_object"


async def test_what_is_archived_neither_comes_back_nor_changes(site: Site) -> None:
    gone = await a_leaver(site)
    await site.call("mara", f"POST /identities/{gone}/archive")

    for endpoint, body in (
        (f"POST /identities/{gone}/activate", None),
        (f"POST /identities/{gone}/disable", None),
        (f"PATCH /identities/{gone}", {"title": "Boss"}),
    ):
        answer = await site.call("mara", endpoint, body=body)
        assert (answer.status_code, answer.json()["code"]) == (409, "state_conflict"), endpoint


async def test_archiving_ends_what_is_held(site: Site) -> None:
    gone = await a_leaver(site)

    await site.call("mara", f"POST /identities/{gone}/archive")

    access = (await site.call("mara", f"GET /identities/{gone}/access")).json()
    assert (access["items"], access["groups"]) == ([], [])
    async with site.database.reading() as session:
        kept = (await session.exec(AssignmentRow.__table__.select())).all()  # type: ignore[attr-defined] # SQLModel's
    assert len(kept) == 1


async def test_with_an_old_version_nothing_is_archived(site: Site) -> None:
    gone = await a_leaver(site, version=3)

    answer = await site.call("mara", f"POST /identities/{gone}/archive", headers={"If-Match": '"2"'})

    assert answer.status_code == 412
    assert (await site.get(IdentityRow, gone)).status == "disabled"


async def test_an_identity_with_notifications_can_be_deleted(site: Site) -> None:
    sam = site.people["sam"].id
    await site.add(NotificationRow(id="ntf_1", identity_id=sam, kind="message", created_at=NOW))

    assert (await site.call("mara", f"DELETE /identities/{sam}")).status_code == 200
