"""AI routine assistants: interface only (B6), never destructive (B1), rights of an active identity only (A2)."""

from typing import cast

import pytest
from sqlalchemy import update
from sqlmodel import col, select

from storage.nova.ai_tables import AiRoutineRow, AiRoutineRunRow
from storage.nova.tables import IdentityRow
from tests.api.ai_routines import BASE, ONE, Carrier, a_routine, do, notifications
from tests.api.site import Site


@pytest.fixture
def carrier(site: Site) -> Carrier:
    made = Carrier(site)
    site.nova.ai_routine_runs.connect(made.carry)
    return made


async def test_a_routine_is_made_disabled_and_reading_and_says_when_it_would_run(site: Site) -> None:
    made = (await a_routine(site)).json()
    enabled = (await do(site, "enable")).json()

    assert (made["status"], made["read_only"], made["next_run_at"]) == ("disabled", True, None)
    assert (enabled["status"], enabled["next_run_at"]) == ("enabled", "2026-03-09T07:00:00Z")
    assert enabled["acts_as"]["display_name"] == "Paul"
    assert [entry.action for entry in await site.entries()] == ["ai_routine.created", "ai_routine.enabled"]


@pytest.mark.parametrize("read_only", [True, False])
async def test_b1_a_destructive_tool_is_refused_when_it_is_stored(site: Site, *, read_only: bool) -> None:
    made = await a_routine(site, tool_names=["list_groups", "delete_group"], read_only=read_only)
    await a_routine(site)
    changed = await site.call("mara", f"PATCH {ONE}", body={"tool_names": ["delete_group"]})

    assert [(one.status_code, one.json()["field"]) for one in (made, changed)] == [(400, "tool_names")] * 2
    assert made.json()["tools"] == ["delete_group"]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"schedule": "every monday"}, "schedule"),
        ({"schedule": "* * * * *"}, "schedule"),
        ({"schedule": "0 0 30 2 *"}, "schedule"),
        ({"timezone": "Mars/Olympus"}, "timezone"),
        ({"tool_names": ["no_such_tool"]}, "tool_names"),
        ({"acts_as": "idn_00000000000000000000"}, "acts_as"),
        ({"deliver_to": ["idn_00000000000000000000"]}, "deliver_to"),
        ({"deliver_to": []}, "deliver_to"),
        ({"model": "nowhere"}, "model"),
        ({"enabled": True}, "enabled"),
        ({"names": {}}, "names"),
    ],
)
async def test_what_a_routine_may_not_hold(site: Site, fields: dict[str, object], field: str) -> None:
    answer = await a_routine(site, **fields)

    assert answer.status_code in {400, 422}
    assert answer.json()["field"] == field


async def test_a2_only_an_active_identity_lends_its_rights(site: Site, carrier: Carrier) -> None:
    await a_routine(site)
    async with site.database.transaction() as session:
        gone = update(IdentityRow).where(col(IdentityRow.id) == site.people["paul"].id)
        await session.exec(gone.values(status="disabled"))

    enabled, begun = await do(site, "enable"), await do(site, "run")

    assert (enabled.json()["field"], begun.json()["code"]) == ("acts_as", "state_conflict")
    assert carrier.orders == []


async def test_whose_rights_are_used_is_told(site: Site) -> None:
    await a_routine(site)

    assert [(one.identity_id, one.kind) for one in await notifications(site)] == [
        (site.people["paul"].id, "ai_routine_acts_as")
    ]


async def test_b6_no_model_reads_changes_or_starts_a_routine(site: Site, carrier: Carrier) -> None:
    """Abuse case 15."""
    await a_routine(site)
    attempts: list[tuple[str, object]] = [
        (f"GET {BASE}", None),
        (f"POST {BASE}", {}),
        (f"GET {ONE}", None),
        (f"PATCH {ONE}", {"read_only": False}),
        (f"DELETE {ONE}", None),
        (f"POST {ONE}/enable", None),
        (f"POST {ONE}/disable", None),
        (f"POST {ONE}/run", None),
    ]

    answers = [await site.call("mara", endpoint, body=body, via="admin") for endpoint, body in attempts]

    assert {(one.status_code, one.json()["code"]) for one in answers if one.status_code != 422} == {
        (403, "interface_only")
    }
    assert carrier.orders == []
    assert (await site.get(AiRoutineRow, (await first_id(site)))).read_only is True


async def first_id(site: Site) -> str:
    async with site.database.reading() as session:
        return (await session.exec(select(AiRoutineRow.id))).one()


@pytest.mark.parametrize("who", ["paul", "lea", "sam"])
async def test_only_administrators_administer_routines(site: Site, who: str) -> None:
    await a_routine(site)

    answers = [
        await site.call(who, f"GET {BASE}"),
        await site.call(who, f"PATCH {ONE}", body={"read_only": False}),
        await site.call(who, f"POST {ONE}/run"),
        await site.call(who, f"DELETE {ONE}"),
    ]

    assert {one.status_code for one in answers} == {403}


async def test_a_change_is_logged_with_before_and_after_and_of_the_prompt_only_that(site: Site) -> None:
    await a_routine(site)

    await site.call("mara", f"PATCH {ONE}", body={"read_only": False, "prompt": "Do it.", "schedule": "0 8 * * 1"})

    [entry] = await site.entries("ai_routine.updated")
    changes = {change["field"]: change for change in cast("list[dict[str, object]]", entry.details["changes"])}
    assert changes["read_only"] == {"field": "read_only", "before": True, "after": False}
    assert changes["prompt"] == {"field": "prompt"}


async def test_reading_only_again_refuses_writing_tools_that_are_on_the_list(site: Site) -> None:
    site_tools = ["list_groups"]
    await a_routine(site, read_only=False, tool_names=site_tools)

    widened = await site.call("mara", f"PATCH {ONE}", body={"read_only": True})

    assert widened.status_code == 200


async def test_deleting_a_routine_takes_its_runs_and_ends_one_under_way(site: Site, carrier: Carrier) -> None:
    await a_routine(site)
    await do(site, "run")
    await site.nova.ai_routine_runs.settle()
    told = (await site.call("mara", f"GET {ONE}/impact", query={"action": "delete"})).json()

    deleted = await site.call("mara", f"DELETE {ONE}")

    assert [(one["type"], one["count"]) for one in told["effects"]] == [("ai_routine_run", 1)]
    assert len(deleted.json()["effects"]) == 1
    assert len(carrier.orders) == 1
    async with site.database.reading() as session:
        assert (await session.exec(select(AiRoutineRunRow))).all() == []
    assert await site.nova.ai_routines.find("weekly") is None
