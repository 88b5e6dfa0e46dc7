from tests.pages.conftest import Visitor


async def test_language_and_theme_belong_to_the_person(visitor: Visitor) -> None:
    tim, mara = await visitor("tim.vogt"), await visitor("mara.koenig")
    await tim.open("/me")

    tim.find(marker="language").click()
    tim.find("Deutsch").click()
    await tim.open("/me")

    await tim.should_see("Eigene Einstellungen")
    await mara.open("/me")
    await mara.should_see("Own settings")


async def test_own_sessions_are_listed_and_others_can_be_ended(visitor: Visitor) -> None:
    here, there = await visitor("tim.vogt"), await visitor("tim.vogt")
    await here.open("/me")
    await here.should_see("this session", retries=20)

    here.find(marker="end-session").click()

    await here.should_not_see(marker="end-session", retries=200)
    assert (await there.http_client.get("/me")).status_code == 303
