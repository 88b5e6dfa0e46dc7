from nicegui.testing import User

from nova_ui.components.object_table import ObjectTable
from nova_ui.pages.frame import CountLabel
from tests.pages.conftest import Visitor
from tests.pages.tables import cells, until


def count_of(person: User) -> int:
    label = next(iter(person.find(CountLabel).elements))
    return int(label.text)


async def test_one_sees_what_one_holds_why_and_what_one_asked_for(visitor: Visitor) -> None:
    tim = await visitor("tim.vogt")

    await tim.open("/access")

    await tim.should_see("Your access")
    assert "Requested, and approved by Lea Brandt" in cells(tim)
    assert "I prepare the yearly figures of my accounts" in cells(tim)
    await tim.should_not_see("Waiting for your decision")


async def test_access_is_requested_from_the_catalogue_with_a_reason(visitor: Visitor) -> None:
    tim = await visitor("tim.vogt")
    item = (await tim.http_client.get("/api/v1/catalog?q=code-reader")).json()["items"][0]
    await tim.open("/access")

    tim.find(marker="request-access").click()
    await tim.should_see(marker=f"choose-{item['role_id']}", retries=50)
    tim.find(marker=f"choose-{item['role_id']}").click()
    tim.find(marker="justification").type("short")
    tim.find(marker="send-request").click()
    await tim.should_see(marker="send-request")
    tim.find(marker="justification").type(" is not enough, so here is more")
    tim.find(marker="send-request").click()

    await tim.should_see("The request is sent.", retries=50)
    await until(lambda: "short is not enough, so here is more" in cells(tim))


async def test_an_own_request_is_withdrawn(visitor: Visitor) -> None:
    tim = await visitor("tim.vogt")
    asked = (await tim.http_client.get("/api/v1/me/requests?status=pending")).json()["items"][0]
    await tim.open("/access")

    tim.find(ObjectTable).trigger("act", [asked["id"], "withdraw"])
    await tim.should_see("Withdraw this request", retries=50)
    tim.find(marker="run-action").click()

    await tim.should_see("The request is withdrawn.", retries=50)
    assert (await tim.http_client.get(f"/api/v1/access-requests/{asked['id']}")).json()["status"] == "cancelled"


async def test_a_manager_is_told_how_many_wait_and_denies_with_a_reason(visitor: Visitor) -> None:
    lea = await visitor("lea.brandt")
    waiting = (await lea.http_client.get("/api/v1/me/approvals?status=open")).json()
    first = waiting["items"][0]
    await lea.open("/access")
    assert count_of(lea) == waiting["total"]

    lea.find(ObjectTable).trigger("act", [first["id"], "deny"])
    await lea.should_see(marker="field-comment", retries=50)
    lea.find(marker="run-action").click()
    await lea.should_see(marker="field-comment")
    lea.find(marker="field-comment").type("Not needed for this work")
    lea.find(marker="run-action").click()

    await lea.should_see("You have denied it.", retries=50)
    assert (await lea.http_client.get(f"/api/v1/approvals/{first['id']}")).json()["status"] == "denied"
    await until(lambda: count_of(lea) == waiting["total"] - 1)
