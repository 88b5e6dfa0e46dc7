import asyncio
from typing import Final

import pytest
from fastapi import FastAPI
from nicegui import ui
from nicegui.testing import User

from nova_ui.components.object_table import ObjectTable
from nova_ui.domain.json_value import JsonObject
from tests.pages.conftest import Visitor
from tests.pages.tables import cells, rows

PATHS: Final = ["/access", "/identities", "/groups", "/roles", "/applications", "/monitoring/sessions"]


async def first(person: User, path: str) -> JsonObject:
    """Return the first object of a list, as its endpoint shows it to the person."""
    body = (await person.http_client.get(f"/api/v1{path}")).json()
    found: JsonObject = body["items"][0]
    return found


async def token(person: User) -> dict[str, str]:
    return {"X-CSRF-Token": (await person.http_client.get("/api/v1/session")).json()["csrf_token"]}


@pytest.mark.parametrize("path", PATHS)
async def test_an_administrator_opens_every_list(visitor: Visitor, path: str) -> None:
    mara = await visitor("mara.koenig")

    await mara.open(path)

    await mara.should_see(ObjectTable)


@pytest.mark.parametrize(
    ("login", "opens"),
    [
        ("paul.adler", PATHS),
        ("lea.brandt", ["/access", "/identities", "/roles"]),
        ("tim.vogt", ["/access"]),
    ],
)
async def test_lists_open_by_right_and_the_others_do_not_exist(visitor: Visitor, login: str, opens: list[str]) -> None:
    person = await visitor(login)

    answers = {path: (await person.http_client.get(path)).status_code for path in PATHS}

    assert answers == {path: 200 if path in opens else 404 for path in PATHS}


@pytest.mark.parametrize("kind", ["identities", "groups", "roles", "applications"])
async def test_an_object_page_shows_the_object(visitor: Visitor, kind: str) -> None:
    mara = await visitor("mara.koenig")
    one = await first(mara, f"/{kind}")

    await mara.open(f"/{kind}/{one['id']}")

    await mara.should_see(str(one["display_name"]))
    await mara.should_see(marker="history")


async def test_foreign_missing_and_unreadable_objects_answer_alike(visitor: Visitor) -> None:
    mara, tim = await visitor("mara.koenig"), await visitor("tim.vogt")
    group, stranger = await first(mara, "/groups"), await first(mara, "/identities?q=paul.adler")
    paths = [
        f"/groups/{group['id']}",
        f"/identities/{stranger['id']}",
        "/identities/idn_00000000000000000000",
        "/identities/no-id",
    ]

    for path in paths:
        answer = await tim.http_client.get(path)

        assert answer.status_code == 404
        assert "There is no such page, or it is not open to you." in answer.text
        assert str(group["display_name"]) not in answer.text
        assert str(stranger["display_name"]) not in answer.text


async def test_a_manager_sees_the_own_people_without_what_administrators_do(visitor: Visitor) -> None:
    lea = await visitor("lea.brandt")
    tim = await first(lea, "/identities?q=tim.vogt")

    await lea.open(f"/identities/{tim['id']}")

    assert "Requested, and approved by Lea Brandt" in cells(lea)
    await lea.should_not_see("Timeline")
    for marker in ("history", "do-edit", "do-assign", "do-delete"):
        await lea.should_not_see(marker=marker)


async def test_filters_of_the_address_are_used(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")

    await mara.open("/identities?status=suspended&nonsense=1")

    shown = (await mara.http_client.get("/api/v1/identities?status=suspended")).json()
    assert len(rows(mara)) == shown["total"]
    await mara.should_see("Status: suspended")
    await mara.should_see(marker="remove-filters")


async def test_a_search_without_a_hit_says_how_to_go_on(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")

    await mara.open("/groups?q=no-such-group-anywhere")

    await mara.should_see("Nothing matches these filters.")


async def test_deleting_shows_what_goes_with_it_and_then_runs(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    group = await first(mara, "/groups?q=external-auditors")
    await mara.open(f"/groups/{group['id']}")

    mara.find(marker="do-delete").click()
    await mara.should_see("Confirmation required", retries=50)
    await mara.should_see("Delete the group external-auditors")
    await mara.should_see("Goes with it")
    assert (await mara.http_client.get(f"/api/v1/groups/{group['id']}")).status_code == 200
    mara.find(marker="run-action").click()

    await mara.should_see("The group is deleted.", retries=50)
    assert (await mara.http_client.get(f"/api/v1/groups/{group['id']}")).status_code == 404


async def test_who_changes_what_was_changed_meanwhile_is_told_and_loses_nothing(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    group = await first(mara, "/groups?q=on-call")
    address = f"/api/v1/groups/{group['id']}"
    await mara.open(f"/groups/{group['id']}")
    mara.find(marker="do-edit").click()
    await mara.should_see(marker="field-description", retries=50)

    other = await mara.http_client.patch(address, json={"description": "by another"}, headers=await token(mara))
    assert other.status_code == 200
    mara.find(marker="field-description").clear().type("by me")
    mara.find(marker="run-action").click()

    await mara.should_see("Somebody else has changed this meanwhile, so nothing was done.", retries=50)
    assert (await mara.http_client.get(address)).json()["description"] == "by another"
    mara.find(marker="again").click()
    await mara.should_see("by another", retries=50)


async def test_a_press_on_what_is_not_offered_does_nothing(visitor: Visitor) -> None:
    paul = await visitor("paul.adler")
    await paul.open("/monitoring/sessions")
    table = paul.find(ObjectTable)

    table.trigger("act", [str(rows(paul)[-1]["_key"]), "end"])

    await paul.should_not_see("Confirmation required")


async def test_a_session_ends_from_the_list(visitor: Visitor, site: FastAPI) -> None:
    del site
    mara, tim = await visitor("mara.koenig"), await visitor("tim.vogt")
    person = await first(mara, "/identities?q=tim.vogt")
    await mara.open(f"/monitoring/sessions?identity_id={person['id']}&status=active")

    mara.find(ObjectTable).trigger("act", [str(rows(mara)[0]["_key"]), "end"])
    await mara.should_see("End the session of Tim Vogt", retries=50)
    mara.find(marker="run-action").click()

    await mara.should_see("The session is over.", retries=50)
    assert (await tim.http_client.get("/access")).status_code == 303


async def test_a_new_group_is_created_and_opened(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    await mara.open("/groups")

    mara.find(marker="do-new").click()
    await mara.should_see(marker="field-display_name", retries=50)
    mara.find(marker="run-action").click()
    await mara.should_see("Create a group")
    mara.find(marker="field-display_name").type("first-aiders")
    mara.find(marker="run-action").click()

    await mara.should_see("The group is created.", retries=50)
    assert (await first(mara, "/groups?q=first-aiders"))["display_name"] == "first-aiders"


async def test_a_rule_is_tried_before_it_is_kept(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    await mara.open("/groups")
    mara.find(marker="do-new").click()
    await mara.should_see(marker="field-rule", retries=50)

    mara.find(marker="field-rule").type('department eq "Finance"')
    mara.find(marker="check-rule").click()
    found = (
        await mara.http_client.get(
            '/api/v1/identities?filter=department eq "Finance" and (status eq "active" or status eq "suspended")'
        )
    ).json()
    await mara.should_see(f"Finds {found['total']} identities now.", retries=50)
    mara.find(marker="field-rule").clear().type("department is Finance")
    mara.find(marker="check-rule").click()

    await mara.should_not_see(f"Finds {found['total']} identities now.", retries=50)
    shown = next(iter(mara.find(marker="field-rule").elements)).props
    for _ in range(50):
        if shown.get("error-message"):
            break
        await asyncio.sleep(0.1)
    assert "It breaks at character 12" in str(shown.get("error-message"))


async def test_replacing_all_members_shows_what_goes_with_it_first(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    group = await first(mara, "/groups?q=on-call")
    await mara.open(f"/groups/{group['id']}")

    mara.find(marker="do-replace-members").click()
    await mara.should_see(marker="weigh-action", retries=50)
    select = next(iter(mara.find(marker="field-identity_ids").elements))
    assert isinstance(select, ui.select)
    kept = select.value[:1]
    select.set_value(kept)
    mara.find(marker="weigh-action").click()
    await mara.should_see(f"{int(str(group['member_count'])) - 1} group memberships: removed", retries=50)
    assert (await first(mara, "/groups?q=on-call"))["member_count"] == group["member_count"]
    mara.find(marker="run-action").click()

    await mara.should_see("The members are replaced.", retries=50)
    assert (await first(mara, "/groups?q=on-call"))["member_count"] == 1
