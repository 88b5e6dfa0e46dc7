"""The page of an application: its connection for administrators, with a secret that can only be written."""

from nicegui import ui
from nicegui.testing import User

from nova_ui.domain.json_value import JsonObject
from tests.pages.conftest import Visitor

SECRET = "typed-by-an-administrator"


async def _one(person: User, key: str) -> JsonObject:
    found = (await person.http_client.get(f"/api/v1/applications?q={key}")).json()["items"]
    one: JsonObject = next(row for row in found if row["key"] == key)
    return one


async def _connection(person: User, one: JsonObject) -> JsonObject:
    read: JsonObject = (await person.http_client.get(f"/api/v1/applications/{one['id']}/connection")).json()
    return read


async def test_a_secret_is_replaced_and_never_shown(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    one = await _one(mara, "git")
    before = await _connection(mara, one)
    await mara.open(f"/applications/{one['id']}")

    await mara.should_see("https://code.nova.example/scim/v2")
    mara.find(marker="do-change-scim").click()
    await mara.should_see(marker="field-bearer_token", retries=50)
    assert {
        field.value for field in mara.find(marker="field-bearer_token").elements if isinstance(field, ui.input)
    } == {""}
    mara.find(marker="field-bearer_token").type(SECRET)
    mara.find(marker="run-action").click()

    await mara.should_see("The connection is stored. Test it before you rely on it.", retries=50)
    after = await _connection(mara, one)
    assert after["state"] == "untested"
    assert after["bearer_token"] != before["bearer_token"]
    await mara.should_not_see(SECRET)


async def test_a_secret_is_cleared_only_on_purpose(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    one = await _one(mara, "git")
    await mara.open(f"/applications/{one['id']}")

    mara.find(marker="do-change-scim").click()
    await mara.should_see(marker="clear-secret", retries=50)
    mara.find(marker="clear-secret").click()
    mara.find(marker="run-action").click()

    await mara.should_see("The connection is stored. Test it before you rely on it.", retries=50)
    assert (await _connection(mara, one))["bearer_token"] == {"set": False, "updated_at": None, "hint": None}


async def test_another_address_asks_for_the_secret_again(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    one = await _one(mara, "git")
    await mara.open(f"/applications/{one['id']}")

    mara.find(marker="do-change-scim").click()
    await mara.should_see(marker="field-base_url", retries=50)
    mara.find(marker="field-base_url").clear().type("https://scim.elsewhere.example/v2")
    mara.find(marker="run-action").click()

    await mara.should_see("Bearer token: Nova did not accept this value.", retries=50)
    assert (await _connection(mara, one))["base_url"] == "https://code.nova.example/scim/v2"


async def test_an_auditor_sees_the_state_but_no_settings(visitor: Visitor) -> None:
    paul = await visitor("paul.adler")
    one = await _one(paul, "git")

    await paul.open(f"/applications/{one['id']}")

    await paul.should_see("SCIM")
    await paul.should_not_see("Connection settings")
    await paul.should_not_see("https://code.nova.example/scim/v2")
    for marker in ("do-edit", "do-disable", "do-test-connection", "do-change-scim", "do-rotate-secret"):
        await paul.should_not_see(marker=marker)


async def test_disabling_says_who_loses_access_and_then_does_it(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    one = await _one(mara, "crm")
    await mara.open(f"/applications/{one['id']}")

    mara.find(marker="do-disable").click()
    await mara.should_see("Disable the application Customer Relations", retries=50)
    await mara.should_see("Signing in through Nova stops")
    mara.find(marker="run-action").click()

    await mara.should_see("The application is disabled.", retries=50)
    assert (await _one(mara, "crm"))["status"] == "disabled"
    await mara.should_see(marker="do-delete", retries=50)


async def test_a_new_application_begins_as_a_draft_on_its_own_page(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    await mara.open("/applications")

    mara.find(marker="do-new").click()
    await mara.should_see(marker="field-key", retries=50)
    mara.find(marker="field-key").type("intranet")
    mara.find(marker="field-display_name").type("Intranet")
    mara.find(marker="run-action").click()

    await mara.should_see("The application is created as a draft.", retries=50)
    assert (await _one(mara, "intranet"))["status"] == "draft"
