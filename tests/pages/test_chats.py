from nicegui import ui
from nicegui.testing import User

from tests.pages.conftest import Visitor
from tests.pages.test_home import answered


async def say(person: User, text: str) -> None:
    await person.open("/?assistant=helpdesk")
    person.find(marker="composer").trigger("send", text)
    await person.should_see(marker="turn", retries=50)
    await answered(person)


async def test_g1_own_chats_are_found_renamed_and_deleted_and_nobody_elses_seen(visitor: Visitor) -> None:
    mara, tim = await visitor("mara.koenig"), await visitor("tim.vogt")
    await say(mara, "Which roles can I request?")
    await say(tim, "What access do I have?")
    await say(tim, "Show my sessions")
    await tim.open("/chats")
    await tim.should_see("What access do I have?", retries=50)
    await tim.should_see("Show my sessions", retries=50)
    await tim.should_not_see("Which roles can I request?")

    tim.find(marker="search").type("sessions")
    await tim.should_not_see("What access do I have?", retries=50)
    tim.find(marker="chat-rename").click()
    await tim.should_see("Rename chat", retries=50)
    tim.find(marker="chat-title").clear().type("Where I am signed in")
    tim.find(marker="rename").click()
    await tim.should_see(kind=ui.label, content="Where I am signed in", retries=50)
    tim.find(marker="chat-delete").click()
    await tim.should_see("“Where I am signed in” is deleted for good. The audit log is not touched.", retries=50)
    tim.find(marker="agree").click()
    await tim.should_see("No chat found", retries=50)

    await mara.open("/chats")
    await mara.should_see("Which roles can I request?", retries=50)


async def test_g4_chats_of_a_lost_assistant_are_hidden_and_can_only_be_deleted(visitor: Visitor) -> None:
    mara, tim = await visitor("mara.koenig"), await visitor("tim.vogt")
    await say(tim, "What access do I have?")
    token = {"X-CSRF-Token": (await mara.http_client.get("/api/v1/session")).json()["csrf_token"]}
    closing = {"audience": "administrators"}
    answer = await mara.http_client.patch("/api/v1/administration/assistants/helpdesk", json=closing, headers=token)
    assert answer.status_code == 200

    await tim.open("/chats")

    await tim.should_see("1 chat is with an assistant that you can no longer use. It can only be deleted.", retries=50)
    await tim.should_not_see("What access do I have?")
    await tim.should_not_see("Helpdesk")
    tim.find(marker="clear-all").click()
    await tim.should_see("All your chats are deleted for good. The audit log is not touched.", retries=50)
    tim.find(marker="agree").click()
    await tim.should_see("No chats yet", retries=50)
    await tim.should_not_see(marker="clear-all")
