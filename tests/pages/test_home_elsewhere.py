"""What happens in another tab, or by a script, while a page is open."""

from nicegui.testing import User

from nova_ui.domain.json_value import JsonValue
from tests.pages.conftest import Visitor
from tests.pages.test_home import answered

GROUP = "external-auditors"


async def open_card(mara: User) -> str:
    """Have a card shown, and return the address of its chat."""
    await mara.open("/?assistant=admin")
    mara.find(marker="composer").trigger("send", f"Delete the group {GROUP}")
    await mara.should_see(marker="confirm", retries=50)
    await answered(mara)
    chats = (await mara.http_client.get("/api/v1/ai/chats")).json()
    return f"/?chat={chats['items'][0]['id']}"


async def send(mara: User, body: dict[str, JsonValue]) -> None:
    """Send a message as a script does, and wait for the end of its answer."""
    session = (await mara.http_client.get("/api/v1/session")).json()
    answer = await mara.http_client.post(
        "/api/v1/ai/assistants/admin/messages", json=body, headers={"X-CSRF-Token": session["csrf_token"]}
    )
    assert answer.status_code == 200, answer.text


async def test_a_card_cancelled_in_one_tab_loses_its_buttons_in_the_other(visitor: Visitor) -> None:
    first, second = await visitor("mara.koenig"), await visitor("mara.koenig")
    await second.open(await open_card(first))
    await second.should_see(marker="confirm", retries=50)

    first.find(marker="cancel").click()

    await second.should_see("Cancelled in another tab.", retries=50)
    await second.should_not_see(marker="confirm")
    await first.should_see("Cancelled. Nothing was executed.", retries=50)


async def test_c10_a_card_confirmed_in_one_tab_says_so_in_the_other(visitor: Visitor) -> None:
    first, second = await visitor("mara.koenig"), await visitor("mara.koenig")
    await second.open(await open_card(first))
    await second.should_see(marker="confirm", retries=50)

    second.find(marker="confirm").click()

    await first.should_see("Executed in another tab.", retries=100)
    await first.should_not_see(marker="confirm")
    await second.should_see("Executed.", retries=50)


async def test_c4_a_message_in_another_chat_makes_the_card_void_at_once(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    await open_card(mara)

    await send(mara, {"text": "Show all groups"})

    await mara.should_see("answered otherwise in another tab", retries=50)
    await mara.should_not_see(marker="confirm")


async def test_what_a_script_asks_in_the_open_chat_appears_and_counts_show_as_a_chart(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    address = await open_card(mara)
    arguments: dict[str, JsonValue] = {"group_by": "origin"}

    await send(
        mara,
        {
            "chat_id": address.partition("=")[2],
            "tool": {"name": "search_audit_log", "arguments": arguments},
        },
    )
    await mara.should_see(marker="show-chart", retries=50)
    mara.find(marker="show-chart").click()

    await mara.should_see(marker="chart", retries=50)


async def test_a_form_takes_only_objects_that_it_has_offered(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    await mara.open("/?assistant=admin")
    found = (await mara.http_client.get("/api/v1/groups", params={"q": GROUP})).json()["items"][0]["id"]
    mara.find(marker="tools").click()
    await mara.should_see(marker="tool-delete_group")
    mara.find(marker="tool-delete_group").trigger("click")

    mara.find(marker="argument-group_id").trigger("choose", [[found]])
    mara.find(marker="run-tool").click()
    await mara.should_not_see(marker="turn")
    mara.find(marker="argument-group_id").trigger("search", ["external"])
    await mara.should_see(marker="argument-group_id")
    mara.find(marker="argument-group_id").trigger("choose", [[found]])
    mara.find(marker="run-tool").click()

    await mara.should_see(f"Delete the group {GROUP}", retries=50)


async def test_the_icon_is_there_for_strangers_too(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    mara.http_client.cookies.clear()

    answer = await mara.http_client.get("/favicon.ico")

    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml; charset=utf-8")
