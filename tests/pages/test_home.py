from nicegui.testing import User

from tests.pages.conftest import Visitor


async def test_an_administrator_finds_the_admin_chat_and_what_to_ask(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")

    await mara.open("/")

    await mara.should_see("Admin Chat")
    await mara.should_see("All tools · administrators only")
    await mara.should_see(marker="starter")


async def test_b5_an_ordinary_user_sees_nothing_of_the_admin_chat(visitor: Visitor) -> None:
    tim = await visitor("tim.vogt")

    await tim.open("/?assistant=admin")

    await tim.should_see("Helpdesk")
    await tim.should_not_see("Admin Chat")
    await tim.should_not_see("AI assistants")


async def test_c_a_deletion_waits_on_its_card_and_runs_by_the_button(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    await mara.open("/?assistant=admin")

    mara.find(marker="composer").trigger("send", "Delete the group external-auditors")
    await mara.should_see("Confirmation required", retries=50)
    await mara.should_see("Delete the group external-auditors")
    await mara.should_see("Current state")
    await answered(mara)
    mara.find(marker="confirm").click()

    await mara.should_see("Executed.", retries=50)
    await mara.should_not_see(marker="confirm")


async def test_c12_cancel_takes_the_buttons_away_and_says_so(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    await mara.open("/?assistant=admin")
    mara.find(marker="composer").trigger("send", "Delete the group external-auditors")
    await mara.should_see(marker="cancel", retries=50)
    await answered(mara)

    mara.find(marker="cancel").click()

    await mara.should_see("Cancelled. Nothing was executed.", retries=50)
    await mara.should_not_see(marker="confirm")


async def test_the_persons_own_call_shows_its_result_as_a_table(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    await mara.open("/?assistant=admin")

    mara.find(marker="tools").click()
    await mara.should_see(marker="tool-list_groups")
    mara.find(marker="tool-list_groups").trigger("click")
    mara.find(marker="run-tool").click()

    await mara.should_see("Download as CSV", retries=50)


async def test_what_a_browser_should_not_send_is_dropped(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    await mara.open("/?assistant=admin")

    mara.find(marker="composer").trigger("send", {"text": "Delete the group external-auditors"})

    await mara.should_not_see(marker="turn")


async def answered(person: User) -> None:
    """Wait until the answer is complete and the next message may be sent."""
    await person.should_see(marker="send", retries=100)
