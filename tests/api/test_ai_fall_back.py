"""Who stands in for a model that does not answer: ordered by administrators, checked, logged without values."""

import pytest
from httpx import Response

from storage.chat.assistants import AssistantStore
from tests.api.site import Site
from tests.api.test_ai_configuration import BASE, ONE, a_profile, an_assistant

ORDER = f"PUT {BASE}/fall-back"
ADMIN = "PATCH /administration/assistants/admin"


async def order(site: Site, *names: str, **more: object) -> Response:
    return await site.call("mara", ORDER, body={"fall_back": [*names], **more})


async def test_an_order_is_stored_read_back_used_and_logged_without_its_values(site: Site) -> None:
    await a_profile(site)
    await a_profile(site, key="spare")

    stored = await order(site, "spare/qwen", "built-in", may_widen=True)
    again = await order(site, "spare/qwen", "built-in", may_widen=True)

    found = (await site.call("mara", f"GET {BASE}")).json()
    assert stored.status_code == again.status_code == 200
    assert (found["fall_back"], found["fall_back_may_widen"]) == (["spare/qwen", "built-in"], True)
    places = site.models.places_for(an_assistant("house"))
    assert [one.name for one in places] == ["house", "spare/qwen", "built-in"]
    entries = [one for one in await site.entries("ai_configuration.updated") if "ordered" in str(one.details)]
    assert [one.details["changes"] for one in entries] == [[{"field": "fall_back"}, {"field": "fall_back_may_widen"}]]


@pytest.mark.parametrize("names", [["gone"], ["house/gpt"], ["built-in/x"], ["environment"], ["built-in", "house"]])
async def test_only_what_can_be_asked_stands_in_an_order(site: Site, names: list[str]) -> None:
    await a_profile(site)

    refused = await order(site, *names)
    of_assistant = await site.call("mara", ADMIN, body={"fall_back": names})

    assert [(one.status_code, one.json()["field"]) for one in (refused, of_assistant)] == [(400, "fall_back")] * 2


async def test_an_order_has_an_end(site: Site) -> None:
    assert (await order(site, *["built-in"] * 11)).status_code in {400, 422}


async def test_an_assistant_has_an_order_of_its_own_or_the_one_for_all(site: Site) -> None:
    await a_profile(site)
    await a_profile(site, key="spare")

    own = (await site.call("mara", ADMIN, body={"fall_back": ["spare", "spare"]})).json()
    async with site.database.reading() as session:
        stored = await AssistantStore(session).get(own["key"])
    back = (await site.call("mara", ADMIN, body={"fall_back": None})).json()

    assert (own["fall_back"], stored.assistant.fall_back, back["fall_back"]) == (["spare"], ("spare",), None)


async def test_a_profile_that_stands_in_for_others_is_not_deleted(site: Site) -> None:
    await a_profile(site)
    await order(site, "house")
    in_order = await site.call("mara", f"DELETE {ONE}")
    await order(site)
    await site.call("mara", ADMIN, body={"fall_back": ["house/qwen"]})
    in_own = await site.call("mara", f"DELETE {ONE}")
    users = (await site.call("mara", f"GET {ONE}")).json()["used_by"]
    await site.call("mara", ADMIN, body={"fall_back": []})

    gone = await site.call("mara", f"DELETE {ONE}")

    assert [in_order.status_code, in_own.status_code, gone.status_code] == [409, 409, 200]
    assert [user["id"] for user in users] == ["admin"]


async def test_b6_no_model_and_nobody_else_orders(site: Site) -> None:
    by_model = await site.call("mara", ORDER, body={"fall_back": []}, via="admin")
    others = [(await site.call(who, ORDER, body={"fall_back": []})).status_code for who in ("paul", "lea", "sam")]

    assert by_model.json()["code"] == "interface_only"
    assert others == [403, 403, 403]
