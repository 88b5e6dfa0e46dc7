"""The page of the sign-in policy, and one's own password and second factor."""

import pytest

from tests.pages.conftest import Visitor


async def test_administrators_see_policy_words_and_administrators(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    await mara.open("/administration/sign-in")

    await mara.should_see("Who needs a second factor", retries=20)
    await mara.should_see("What this means")
    await mara.should_see(marker="administrators")


@pytest.mark.parametrize("name", ["paul.adler", "tim.vogt"])
async def test_for_others_the_page_is_not_there(visitor: Visitor, name: str) -> None:
    other = await visitor(name)

    answer = await other.http_client.get("/administration/sign-in")

    assert answer.status_code == 404


async def test_a_wrong_current_password_is_told_and_the_second_factor_asks_for_it(visitor: Visitor) -> None:
    tim = await visitor("tim.vogt")
    await tim.open("/me")
    await tim.should_see(marker="set-up-app", retries=20)

    tim.find(marker="set-up-app").click()

    await tim.should_see(marker="fresh-password", retries=20)
