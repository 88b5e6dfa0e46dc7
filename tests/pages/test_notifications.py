"""The bell: on every page, live, and what is behind it."""

from tests.pages.conftest import Visitor


async def _send(mara: object, body: dict[str, object]) -> int:
    client = mara.http_client  # type: ignore[attr-defined] # NiceGUI's User
    token = (await client.get("/api/v1/session")).json()["csrf_token"]
    answer = await client.post("/api/v1/notifications", json=body, headers={"X-CSRF-Token": token})
    return int(answer.status_code)


async def test_a_message_rings_on_an_open_page_and_is_read_there(visitor: Visitor) -> None:
    mara, tim = await visitor("mara.koenig"), await visitor("tim.vogt")
    await tim.open("/me")

    assert await _send(mara, {"audience": {"everyone": True}, "title": "Maintenance", "body": "On Sunday."}) == 200
    await tim.should_see(marker="unread", content="1", retries=50)
    tim.find(marker="bell").click()
    await tim.should_see("On Sunday.", retries=50)
    tim.find(marker="read-notification").click()

    await tim.should_not_see(marker="read-notification", retries=50)


async def test_without_anything_to_tell_the_panel_says_so(visitor: Visitor) -> None:
    tim = await visitor("tim.vogt")
    await tim.open("/access")

    tim.find(marker="bell").click()

    await tim.should_see("No notifications", retries=50)
