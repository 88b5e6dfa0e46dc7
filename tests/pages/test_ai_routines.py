import pytest

from tests.pages.conftest import Visitor

ROUTINES = "/administration/ai-routines"


async def a_routine(visitor: Visitor) -> str:
    """Make a routine over HTTP and return the id of whom its answer goes to."""
    mara, paul = await visitor("mara.koenig"), await visitor("paul.adler")
    token = (await mara.http_client.get("/api/v1/session")).json()["csrf_token"]
    me = (await paul.http_client.get("/api/v1/me")).json()["id"]
    body = {
        "key": "weekly",
        "names": {"en": "Weekly report"},
        "prompt": "List all groups",
        "tool_names": ["list_groups"],
        "schedule": "0 7 * * 1",
        "acts_as": me,
        "deliver_to": [me],
    }
    made = await mara.http_client.post(f"/api/v1{ROUTINES}", json=body, headers={"X-CSRF-Token": token})
    assert made.status_code == 201, made.text
    return str(me)


async def test_a_routine_is_listed_and_opened_with_its_schedule_in_words(visitor: Visitor) -> None:
    await a_routine(visitor)
    mara = await visitor("mara.koenig")

    await mara.open(f"{ROUTINES}/weekly")

    await mara.should_see("every Monday at 07:00 (UTC)", retries=50)
    await mara.should_see("This routine only reads: writing tools can be ticked once “Only reads” is off.", retries=50)


async def test_c2_destructive_tools_are_not_even_offered_and_writing_ones_can_not_be_ticked(visitor: Visitor) -> None:
    await a_routine(visitor)
    mara = await visitor("mara.koenig")
    await mara.open(f"{ROUTINES}/weekly")
    await mara.should_see(marker="release-list_roles", retries=50)

    await mara.should_not_see(marker="release-delete_group")
    mara.find(marker="release-update_group").click()
    mara.find(marker="release-list_roles").click()
    mara.find(marker="save-tools").click()

    await mara.should_see("Stored. It counts from the next call on.", retries=50)
    stored = (await mara.http_client.get(f"/api/v1{ROUTINES}/weekly")).json()
    assert stored["tool_names"] == ["list_groups", "list_roles"]


@pytest.mark.parametrize("login", ["paul.adler", "lea.brandt", "tim.vogt"])
async def test_b6_only_administrators_reach_the_administration_of_routines(visitor: Visitor, login: str) -> None:
    await a_routine(visitor)
    other = await visitor(login)

    pages = [await other.http_client.get(path) for path in (ROUTINES, f"{ROUTINES}/weekly")]

    assert [page.status_code for page in pages] == [404, 404]


async def test_a_run_that_is_not_there_looks_like_one_that_is_not_for_one(visitor: Visitor) -> None:
    tim = await visitor("tim.vogt")

    page = await tim.http_client.get("/ai-routine-runs/arn_00000000000000000000")

    assert page.status_code == 404
