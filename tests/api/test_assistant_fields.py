"""Icon, temperature and prompt variables of assistants: checked when stored, and kept by the audit log."""

from dataclasses import replace

import pytest
from httpx import Response

from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.assistant_icons import ASSISTANT_ICONS
from nova_ui.llm.registry import ModelRegistry
from storage.chat.assistants import AssistantStore
from tests.api.site import Site, a_group, a_membership
from tests.api.test_ai_configuration import a_profile
from tests.api.test_assistants import a_desk, patch


async def entries(site: Site) -> list[object]:
    return [entry.details["changes"] for entry in await site.entries("assistant.updated")]


async def test_an_icon_out_of_the_list_is_stored_and_each_change_logged(site: Site) -> None:
    await a_desk(site)

    changed = await patch(site, {"icon": "school"})
    foreign = await patch(site, {"icon": "<b>"})

    assert changed.json()["icon"] == "school"
    assert foreign.status_code == 422
    assert await entries(site) == [[{"field": "icon", "before": ASSISTANT_ICONS[0], "after": "school"}]]


@pytest.mark.parametrize(
    ("prompt", "place"),
    [("Help {nobody}.", ("nobody", 1, 6)), ("One\n{", ("", 2, 1))],
)
async def test_a_slip_in_a_prompt_is_refused_with_its_place(
    site: Site, prompt: str, place: tuple[str, int, int]
) -> None:
    created = await a_desk(site, prompt=prompt)
    await a_desk(site)
    changed = await patch(site, {"prompt": prompt})

    for answer in (created, changed):
        problem = answer.json()
        assert (answer.status_code, problem["field"]) == (400, "prompt")
        assert (problem["variable"], problem["line"], problem["column"]) == place


async def test_a_prompt_of_before_stays_as_long_as_nobody_changes_it(site: Site) -> None:
    await a_desk(site)
    async with site.database.transaction() as session:
        store = AssistantStore(session)
        stored = (await store.get(AssistantKey("desk"))).assistant
        await store.save(replace(stored, prompt="Old {style}"), site.clock.now())

    renamed = await patch(site, {"names": {"en": "Front desk"}, "prompt": "Old {style}"})

    assert renamed.status_code == 200, renamed.text


async def with_temperature(site: Site, temperature: float | None, **fields: object) -> Response:
    return await patch(site, {"temperature": temperature, **fields})


async def test_a_temperature_is_taken_where_the_model_takes_one(site: Site) -> None:
    await a_profile(site)
    await a_profile(site, key="claude", name="Claude", kind="anthropic", base_url="http://127.0.0.1:9/v1")
    await a_desk(site)

    built_in = await with_temperature(site, 0.5)
    usual = await with_temperature(site, 1.5, model="house")
    too_hot = await with_temperature(site, 1.5, model="claude")
    moved = await patch(site, {"model": "claude"})
    none = await with_temperature(site, None, model="claude")

    assert [one.status_code for one in (built_in, usual, too_hot, moved, none)] == [400, 200, 400, 400, 200]
    assert {one.json()["field"] for one in (built_in, too_hot, moved)} == {"temperature"}
    assert (built_in.json()["most"], too_hot.json()["most"]) == (None, 1.0)


async def test_the_assistants_temperature_counts_before_the_profiles(site: Site) -> None:
    await a_profile(site, parameters={"temperature": 0.2})
    await a_profile(site, key="claude", name="Claude", kind="anthropic", base_url="http://127.0.0.1:9/v1")
    models: ModelRegistry = site.models

    asked = [
        getattr(models.find(name, wanted), "_profile").temperature  # noqa: B009 - what is sent is in the wire tests
        for name, wanted in (("house", None), ("house", 1.5), ("house/qwen", 0.0), ("claude", 1.5))
    ]

    assert asked == [0.2, 1.5, 0.0, 1.0]


async def test_deleting_a_group_names_the_assistants_open_to_it(site: Site) -> None:
    group = a_group()
    path = f"/groups/{group.id}"
    await site.add(group, a_membership(group, site.people["lea"].id))
    await a_desk(site, audience="groups", audience_group_ids=[group.id])

    impact = (await site.call("mara", f"GET {path}/impact", query={"action": "delete"})).json()
    done = (await site.call("mara", f"DELETE {path}")).json()

    named = {"type": "assistant", "count": 1, "names": ["Desk"], "result": "closed"}
    assert named in impact["effects"]
    assert {"type": "assistant", "id": "desk", "display": "Desk", "result": "closed"} in done["effects"]
    (entry,) = await site.entries("group.deleted")
    assert entry.details["assistants"] == ["desk"]
