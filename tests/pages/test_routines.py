"""Administration › Lifecycle routines: for administrators, with what a run would do now and what runs have done."""

from nicegui import ui

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


async def test_running_now_shows_first_what_it_would_do_and_a_rehearsal_changes_nothing(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    found = (await mara.http_client.get("/api/v1/lifecycle-routines?type=inactivity")).json()["items"][0]
    runs = f"/api/v1/lifecycle-runs?routine_id={found['id']}"
    before = (await mara.http_client.get(runs)).json()["total"]
    await mara.open(f"{LIST}/{found['id']}")

    mara.find(marker="do-rehearse").click()
    await mara.should_see("Affected now", retries=50)
    mara.find(marker="run-action").click()

    await mara.should_see("The run has begun. Past runs show what it does.", retries=50)
    after = (await mara.http_client.get(runs)).json()
    assert (after["total"], after["items"][0]["dry_run"]) == (before + 1, True)


async def test_a_routine_is_renamed_and_gets_another_action(visitor: Visitor) -> None:
    mara = await visitor("mara.koenig")
    address = "/api/v1/lifecycle-routines?type=inactivity"
    found = (await mara.http_client.get(address)).json()["items"][0]
    await mara.open(f"{LIST}/{found['id']}")

    mara.find(marker="do-edit").click()
    await mara.should_see(marker="add-actions", retries=50)
    adder = next(iter(mara.find(marker="add-actions").elements))
    assert isinstance(adder, ui.select)
    assert "activate" not in adder.options
    adder.set_value("end_sessions")
    mara.find(marker="field-name_en").clear().type("Sleepers")
    mara.find(marker="run-action").click()

    await mara.should_see("The change is stored.", retries=50)
    now = (await mara.http_client.get(address)).json()["items"][0]
    assert (now["display_name"], now["names"]["de"]) == ("Sleepers", found["names"]["de"])
    assert now["actions"] == [*found["actions"], {"action": "end_sessions"}]
