import pytest
from nicegui import ui

from tests.pages.conftest import Visitor

PAGE = "/administration/ai"


async def test_a_profile_is_added_shown_without_its_key_tested_and_made_the_default(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    await mara.open(PAGE)
    await mara.should_see("What is sent where", retries=50)
    mara.find(marker="do-new").click()
    await mara.should_see(marker="field-base_url", retries=50)
    mara.find(marker="field-key").type("house")
    mara.find(marker="field-name").type("House model")
    mara.find(marker="field-base_url").type("https://models.example/v1")
    mara.find(marker="field-models").type("llama")
    mara.find(marker="run-action").click()

    await mara.should_see("External model · data leaves your network", retries=50)
    await mara.should_see("not set", retries=50)
    mara.find(marker="test-house").click()
    await mara.should_see("The address could not be reached, or Nova may not call it.", retries=200)
    mara.find(marker="default-house").click()
    await mara.should_see(marker="run-action", retries=50)
    mara.find(marker="run-action").click()

    await mara.should_see("This profile is the default now.", retries=50)


async def test_a_profile_is_changed_and_deleted_by_its_buttons(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    await mara.open(PAGE)
    await mara.should_see(marker="do-new", retries=50)
    mara.find(marker="do-new").click()
    await mara.should_see(marker="field-base_url", retries=50)
    for name, text in (("key", "house"), ("name", "House"), ("base_url", "https://m.example/v1"), ("models", "llama")):
        mara.find(marker=f"field-{name}").type(text)
    mara.find(marker="run-action").click()
    await mara.should_see(marker="edit-house", retries=50)

    mara.find(marker="edit-house").click()
    await mara.should_see(marker="field-headers", retries=50)
    mara.find(marker="field-headers").type("X-Team: blue")
    mara.find(marker="field-temperature").type("0,7")
    mara.find(marker="run-action").click()
    await mara.should_see("x-team", retries=50)
    await mara.should_see("temperature 0.7", retries=50)
    await mara.should_not_see("blue")
    mara.find(marker="delete-house").click()
    await mara.should_see(marker="run-action", retries=50)
    mara.find(marker="run-action").click()

    await mara.should_see("The profile is deleted.", retries=50)


async def test_models_that_stand_in_are_ordered_by_buttons(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    await mara.open(PAGE)
    await mara.should_see("Nobody stands in: the person is told that the model did not answer.", retries=50)

    (choice,) = mara.find(kind=ui.select, marker="order-choice").elements
    choice.value = "built-in"
    mara.find(marker="order-add").click()
    await mara.should_see(marker="order-remove-built-in", retries=50)
    mara.find(marker="order-remove-built-in").click()

    await mara.should_see("Nobody stands in: the person is told that the model did not answer.", retries=50)


@pytest.mark.parametrize("login", ["paul.adler", "lea.brandt", "tim.vogt"])
async def test_b6_only_administrators_reach_the_ai_configuration(visitor: Visitor, login: str) -> None:
    other = await visitor(login)

    page = await other.http_client.get(PAGE)

    assert page.status_code == 404
