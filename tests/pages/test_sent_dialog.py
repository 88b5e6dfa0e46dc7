"""What the model saw, and where the data goes, as a person finds it."""

from nicegui import ui
from nicegui.testing import User

from tests.pages.conftest import Visitor


async def _asked(person: User) -> None:
    await person.open("/")
    person.find(marker="composer").trigger("send", "Which groups are there?")
    await person.should_see(marker="turn-menu", retries=100)


async def test_the_menu_of_an_answer_shows_each_request_and_opens_it(visitor: Visitor) -> None:
    tim = await visitor("tim.vogt")
    await _asked(tim)

    tim.find(marker="what-model-saw").click()
    await tim.should_see(marker="sent-1", retries=50)
    tim.find(marker="sent-1").trigger("toggle", True)  # noqa: FBT003 - what the browser sends

    await tim.should_see("What the server told the model", retries=50)
    await tim.should_see("nowhere: it is part of this server")
    await tim.should_see("Which groups are there?")
    await tim.should_see(kind=ui.label, content="You are an assistant in Nova")


async def test_the_chip_says_where_the_data_goes(visitor: Visitor) -> None:
    tim = await visitor("tim.vogt")
    await tim.open("/")

    tim.find(marker="mode").trigger("click")

    await tim.should_see("Where the data of “Helpdesk” goes")
    await tim.should_see("What you write here stays on this server.")
    await tim.should_see("until you delete the chat")


async def test_the_persons_own_call_has_no_such_menu(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    await mara.open("/?assistant=admin")
    mara.find(marker="tools").click()
    mara.find(marker="tool-list_groups").trigger("click")
    mara.find(marker="run-tool").click()
    await mara.should_see("Download as CSV", retries=50)

    await mara.should_not_see(marker="turn-menu")


async def test_administrators_see_for_each_assistant_what_is_sent_where(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")

    await mara.open("/administration/ai")

    await mara.should_see("What is sent where", retries=50)
    await mara.should_see(marker="places-admin", retries=50)
    await mara.should_see("What is never sent")
    await mara.should_see("AI routine assistant")
