"""Runs of AI routine assistants: each moment once, in a session of its own, delivered to whom it is for."""

import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import update
from sqlmodel import col

from nova_ui.domain.identity import SessionId
from nova_ui.nova.ai_routine_runs import AiRoutineRuns
from storage.nova.tables import IdentityRow, SessionRow
from storage.workers import Worker
from tests.api.ai_routines import Carrier, a_routine, do, look, notifications, runs_of
from tests.api.site import Site


@pytest.fixture
def carrier(site: Site) -> Carrier:
    made = Carrier(site)
    site.nova.ai_routine_runs.connect(made.carry)
    return made


async def test_a2_a_run_has_a_session_of_its_own_that_nobody_can_use_from_outside_and_that_ends(
    site: Site, carrier: Carrier
) -> None:
    await a_routine(site)

    begun = await do(site, "run")
    await site.nova.ai_routine_runs.settle()

    assert begun.status_code == 202
    assert carrier.was_live == [True]
    row = await site.get(SessionRow, carrier.orders[0].caller.session_id)
    assert (row.identity_id, row.methods, row.ended_at is not None) == (
        site.people["paul"].id,
        ["ai_routine"],
        True,
    )
    shown = (await site.call("mara", "GET /sessions")).json()["items"]
    assert "AI routine assistant weekly" in {one["user_agent"] for one in shown}
    token = f"nvs_{row.token_hash.hex()[:43]}"
    outside = await site.outside("GET /me", headers={"Authorization": f"Bearer {token}"})
    assert outside.status_code == 401


async def test_a_run_is_delivered_with_its_answer_and_a_way_to_it(site: Site, carrier: Carrier) -> None:
    await a_routine(site, deliver_to=[site.people["paul"].id, site.people["sam"].id])
    await do(site, "run")
    await site.nova.ai_routine_runs.settle()
    [run] = await runs_of(site)

    told = [one for one in await notifications(site) if one.kind == "ai_routine_answer"]

    assert len(carrier.orders) == 1
    assert (run["status"], run["answer"], run["cause"]) == ("done", "**Two** rights end.", "manual")
    assert {one.identity_id for one in told} == {site.people["paul"].id, site.people["sam"].id}
    assert told[0].values == {"routine": "Weekly report", "answer": "**Two** rights end."}
    assert told[0].link == f"/ai-routine-runs/{run['id']}"


async def test_a_run_is_read_by_overseers_with_its_calls_and_by_recipients_without(
    site: Site, carrier: Carrier
) -> None:
    await a_routine(site, deliver_to=[site.people["sam"].id])
    await do(site, "run")
    await site.nova.ai_routine_runs.settle()
    [run] = await runs_of(site)
    endpoint = f"GET /ai-routine-runs/{run['id']}"

    overseen, received, foreign = [await site.call(who, endpoint) for who in ("paul", "sam", "lea")]

    assert len(carrier.orders) == 1
    assert [one["name"] for one in overseen.json()["calls"]] == ["list_groups"]
    assert "what was read" not in overseen.text
    assert (received.json()["answer"], received.json()["calls"]) == ("**Two** rights end.", [])
    assert foreign.status_code == 404
    assert (await site.call("sam", "GET /ai-routine-runs")).status_code == 403


async def test_each_moment_runs_once_over_all_processes(site: Site, carrier: Carrier) -> None:
    await a_routine(site)
    await do(site, "enable")
    before = await look(site)
    site.clock.moment += timedelta(days=7)

    begun = await asyncio.gather(*[site.nova.ai_routine_runs.look() for _ in range(4)])
    await site.nova.ai_routine_runs.settle()
    again = await look(site)

    assert (before, sum(begun), again) == (0, 1, 0)
    assert len(carrier.orders) == 1
    [run] = await runs_of(site)
    assert (run["due_at"], run["cause"]) == ("2026-03-09T07:00:00Z", "schedule")


async def test_a_disabled_routine_does_not_run_by_itself_and_makes_nothing_up_when_enabled(
    site: Site, carrier: Carrier
) -> None:
    await a_routine(site)
    site.clock.moment += timedelta(days=30)
    disabled = await look(site)
    await do(site, "enable")

    assert (disabled, await look(site)) == (0, 0)
    assert carrier.orders == []


async def test_a_scheduled_run_without_an_active_identity_fails_with_a_plain_reason(
    site: Site, carrier: Carrier
) -> None:
    await a_routine(site, deliver_to=[site.people["sam"].id])
    await do(site, "enable")
    async with site.database.transaction() as session:
        gone = update(IdentityRow).where(col(IdentityRow.id) == site.people["paul"].id)
        await session.exec(gone.values(status="suspended"))
    site.clock.moment += timedelta(days=7)

    await look(site)

    [run] = await runs_of(site)
    assert (run["status"], run["notices"]) == ("failed", [{"code": "acts_as_inactive", "params": {}}])
    assert carrier.orders == []
    assert "ai_routine_failed" in {one.kind for one in await notifications(site)}


async def test_a_run_whose_process_died_has_failed_and_is_not_begun_again(site: Site, carrier: Carrier) -> None:
    await a_routine(site)
    carrier.hold = asyncio.Event()
    await do(site, "run")
    await carrier.begun.wait()
    runs = site.nova.ai_routine_runs
    other = AiRoutineRuns(
        site.nova.core,
        site.nova.background.scheduler.__class__(site.database, site.clock, Worker(host="elsewhere", pid=1, token="x")),
        Worker(host="elsewhere", pid=1, token="x"),
    )
    other.connect(carrier.carry)

    alive = await other.look()
    site.clock.moment += timedelta(minutes=2)
    await other.look()
    carrier.hold.set()
    await runs.settle()

    [run] = await runs_of(site)
    assert alive == 0
    assert (run["status"], run["notices"]) == ("failed", [{"code": "server_stopped", "params": {}}])
    assert len(carrier.orders) == 1
    assert (await site.get(SessionRow, carrier.orders[0].caller.session_id)).ended_at is not None


async def test_a_run_that_breaks_has_failed_and_one_at_a_time_runs(site: Site, carrier: Carrier) -> None:
    await a_routine(site)
    carrier.hold, carrier.result = asyncio.Event(), RuntimeError("broken")
    await do(site, "run")

    second = await do(site, "run")
    carrier.hold.set()
    await site.nova.ai_routine_runs.settle()

    assert (second.status_code, second.json()["code"]) == (409, "state_conflict")
    [run] = await runs_of(site)
    assert (run["status"], run["notices"]) == ("failed", [{"code": "internal", "params": {}}])


async def test_a2_a_session_that_is_ended_from_the_list_is_announced(site: Site, carrier: Carrier) -> None:
    await a_routine(site)
    carrier.hold = asyncio.Event()
    await do(site, "run")
    await carrier.begun.wait()
    session_id = carrier.orders[0].caller.session_id

    ended = await site.call("mara", f"DELETE /sessions/{session_id}")
    carrier.hold.set()
    await site.nova.ai_routine_runs.settle()

    assert ended.status_code == 200
    assert frozenset({SessionId(session_id)}) in site.ended
