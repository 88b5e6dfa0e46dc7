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


async def test_what_is_held_is_given_back_after_a_look_at_it(visitor: Visitor) -> None:
    tim = await visitor("tim.vogt")
    items = (await tim.http_client.get("/api/v1/me/access")).json()["items"]
    given = next(one for one in items if one["source"] in {"direct", "request"})
    await tim.open("/access")
    await tim.should_see("What comes with your position")

    tim.find(ObjectTable).trigger("act", [given["assignment_id"], "give-back"])
    await tim.should_see(marker="field-justification", retries=50)
    tim.find(marker="field-justification").type("No longer needed for my work")
    tim.find(marker="run-action").click()

    await tim.should_see("The request is sent.", retries=50)
    newest = (await tim.http_client.get("/api/v1/me/requests")).json()["items"][0]
    assert newest["items"][0]["action"] == "revoke"
    assert newest["justification"] == "No longer needed for my work"


async def test_a_manager_requests_for_a_report_and_decides_on_several_at_once(visitor: Visitor) -> None:
    lea = await visitor("lea.brandt")
    waiting = (await lea.http_client.get("/api/v1/me/approvals?status=open")).json()["items"]
    await lea.open("/access")

    lea.find(marker="request-access").click()
    await lea.should_see(marker="for-whom", retries=50)
    lea.find(marker="request-dialog").trigger("keydown.escape")
    table = next(one for one in lea.find(ObjectTable).elements if one.selection == "multiple")
    table.selected = [row for row in table.rows if row["_key"] in {one["id"] for one in waiting[:2]}]
    lea.find(ObjectTable).trigger("selection", {"added": True, "rows": table.selected, "keys": []})
    await lea.should_see("2 chosen", retries=50)
    lea.find(marker="do-approve-several").click()
    await lea.should_see("2 approvals: approved", retries=50)
    lea.find(marker="run-action").click()

    await lea.should_see("All of them are decided.", retries=50)
    left = (await lea.http_client.get("/api/v1/me/approvals?status=open")).json()["total"]
    assert left == len(waiting) - 2


async def test_the_steps_of_a_request_say_who_decides_until_when_and_take_an_answer(visitor: Visitor) -> None:
    tim = await visitor("tim.vogt")
    asked = (await tim.http_client.get("/api/v1/me/requests?status=pending")).json()["items"][0]
    await tim.open("/access")

    tim.find(ObjectTable).trigger("act", [asked["id"], "details"])
    await tim.should_see("Decisions", retries=50)
    await tim.should_see("Due on: ")
    await tim.should_see("Lea Brandt")
    tim.find(marker="field-text").type("From Monday on")
    tim.find(marker="run-action").click()

    await tim.should_see("The comment is stored.", retries=50)
    comments = (await tim.http_client.get(f"/api/v1/access-requests/{asked['id']}")).json()["comments"]
    assert [one["text"] for one in comments] == ["From Monday on"]
