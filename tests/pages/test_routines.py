"""Administration › Lifecycle routines: for administrators, with what a run would do now and what runs have done."""

from nova_ui.components.object_table import ObjectTable
from tests.pages.conftest import Visitor
from tests.pages.tables import cells

LIST = "/administration/routines"


async def test_an_administrator_sees_the_routines_and_nobody_else_has_the_page(visitor: Visitor) -> None:
    mara, paul = await visitor("mara.koenig"), await visitor("paul.adler")

    await mara.open(LIST)

    await mara.should_see(ObjectTable)
    assert (await paul.http_client.get(LIST)).status_code == 404


async def test_a_routine_says_what_it_would_do_and_why(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    found = (await mara.http_client.get("/api/v1/lifecycle-routines?type=inactivity")).json()["items"][0]

    await mara.open(f"{LIST}/{found['id']}")

    await mara.should_see("every day at 02:00 (UTC)")
    await mara.should_see("What a run would do now")
    await mara.should_see(marker="do-run")
    assert "last signed in" in str(cells(mara))


async def test_a_run_shows_its_steps(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    found = (await mara.http_client.get("/api/v1/lifecycle-runs")).json()["items"][0]

    await mara.open(f"/administration/routine-runs/{found['id']}")

    await mara.should_see("Steps")
