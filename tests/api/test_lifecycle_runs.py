"""Runs: whom each type of routine concerns, each step once and whole, stopped where too many are concerned."""

from datetime import datetime, timedelta

import pytest
from sqlmodel import col, select

from nova_ui.nova.job_runner import JobRunner
from nova_ui.nova.lifecycle_actions import Deed, do
from nova_ui.nova.lifecycle_work import LIFECYCLE_JOB, LifecycleWork
from nova_ui.nova.scheduler import Scheduler
from nova_ui.nova.writing import Write
from storage.nova.lifecycle_tables import LifecycleRunRow
from storage.nova.notification_tables import NotificationRow
from storage.nova.schedule_tables import JobRow
from storage.nova.tables import AssignmentRow, GroupRow, IdentityRow, MembershipRow, RoleRow
from storage.workers import Worker
from tests.api.routines import LIST, leaving, make, run, steps, told
from tests.api.site import NOW, Person, Site, a_group, a_membership, a_role

GONE = "2026-02-27"
DO = "nova_ui.nova.lifecycle_work.do"


class CutOffError(BaseException):
    """The process dies."""


async def an_assignment(site: Site, person: Person, role: RoleRow, **fields: object) -> AssignmentRow:
    values = {
        "id": f"asg_{person.name:0<10}{role.key[:10]:0<10}".replace("-", "0").replace("o", "0").replace("l", "1"),
        "identity_id": person.id,
        "role_id": role.id,
        "valid_from": NOW - timedelta(days=9),
        "created_at": NOW,
        "updated_at": NOW,
        **fields,
    }
    row = AssignmentRow.model_validate(values)
    await site.add(row)
    return row


async def status_of(site: Site, name: str) -> str:
    return (await site.get(IdentityRow, site.people[name].id)).status


async def notices(site: Site) -> list[tuple[str, str]]:
    async with site.database.reading() as session:
        rows = (await session.exec(select(NotificationRow).order_by(col(NotificationRow.created_at)))).all()
    names = {person.id: name for name, person in site.people.items()}
    return sorted((names[row.identity_id], row.kind) for row in rows if row.kind.startswith("routine"))


async def test_whoever_s_last_day_is_over_is_disabled_with_all_that_goes_with_it(site: Site) -> None:
    await site.person("gone", end_date=GONE)
    await site.person("last-day", end_date="2026-03-02")
    routine = await make(site, leaving())

    done = await run(site, routine)

    assert (done["status"], done["steps"], told(done)) == ("done", {"done": 1}, [("Gone", "disable", "done")])
    assert (await status_of(site, "gone"), await status_of(site, "last-day")) == ("disabled", "active")
    [started] = await site.entries("routine.started")
    [disabled] = await site.entries("identity.disabled")
    [ended] = await site.entries("session.ended")
    assert (started.actor_id, disabled.actor_type, disabled.actor_display) == (
        site.people["mara"].id,
        "routine",
        "Leaving",
    )
    assert (disabled.caused_by, ended.caused_by) == (started.id, disabled.id)
    assert disabled.request_id == started.request_id
    assert [entry.caused_by for entry in await site.entries("routine.finished")] == [started.id]


async def test_days_of_grace_and_notices_come_before_the_end(site: Site) -> None:
    person = await site.person("leaver", end_date="2026-03-09", manager_id=site.people["lea"].id)
    body = leaving(grace_days=2, notice_days=[14, 7, 1])
    routine = await make(site, body)

    told_of = []
    for _ in range(4):
        told_of.append([(action, status) for _, action, status in told(await run(site, routine))])
        site.clock.moment += timedelta(days=4)

    assert told_of == [[("notice", "done")], [("notice", "done")], [], [("disable", "done")]]
    assert await notices(site) == [("lea", "routine_notice")] * 2 + [("leaver", "routine_notice")] * 2
    assert person.id


async def test_who_begins_today_is_activated_and_gets_what_the_routine_gives(site: Site) -> None:
    role, group = a_role(), a_group()
    await site.add(role, group)
    await site.person("new", status="staged", start_date="2026-03-02")
    await site.person("later", status="staged", start_date="2026-03-20")
    actions = [
        {"action": "activate"},
        {"action": "assign_role", "role_id": role.id, "days": 30},
        {"action": "add_to_group", "group_id": group.id},
    ]
    routine = await make(site, leaving(type="joiner", actions=actions))

    first, second = await run(site, routine), await run(site, routine)

    assert [(who, what) for who, what, _ in told(first)] == [
        ("New", "activate"),
        ("New", "assign_role"),
        ("New", "add_to_group"),
    ]
    assert first["steps"] == {"done": 3}
    assert told(second) == []
    [granted] = await site.entries("assignment.granted")
    async with site.database.reading() as session:
        held = (await session.exec(select(AssignmentRow))).one()
        assert await session.get(MembershipRow, (group.id, site.people["new"].id)) is not None
    assert (held.source, held.valid_until) == ("routine", NOW + timedelta(days=30))
    assert granted.caused_by == (await site.entries("routine.started"))[0].id
    assert await status_of(site, "later") == "staged"


async def test_who_has_moved_since_the_routine_counts_is_dealt_with_once_for_each_move(site: Site) -> None:
    group = a_group(owner_ids=[])
    await site.add(group)
    await site.add(a_membership(group, site.people["tim"].id))
    await site.call("mara", f"PATCH /identities/{site.people['nina'].id}", body={"department": "Legal"})
    site.clock.moment += timedelta(minutes=1)
    routine = await make(site, leaving(type="mover", actions=[{"action": "remove_from_groups"}]))
    site.clock.moment += timedelta(minutes=1)
    await site.call("mara", f"PATCH /identities/{site.people['tim'].id}", body={"department": "Finance"})
    await site.call("mara", f"PATCH /identities/{site.people['sam'].id}", body={"location": "Bonn"})

    first, second = await run(site, routine), await run(site, routine)

    assert (told(first), told(second)) == ([("Tim", "remove_from_groups", "done")], [])
    site.clock.moment += timedelta(minutes=1)
    await site.call("mara", f"PATCH /identities/{site.people['tim'].id}", body={"title": "Lead"})
    assert told(await run(site, routine)) == [("Tim", "remove_from_groups", "skipped")]


async def test_who_was_disabled_loses_what_is_left_after_the_days_of_grace(site: Site) -> None:
    role, group = a_role(), a_group(owner_ids=[site.people["tim"].id])
    await site.add(role, group)
    await an_assignment(site, site.people["tim"], role)
    actions = [{"action": "transfer_to_manager"}, {"action": "revoke_assignments"}]
    routine = await make(site, leaving(type="leaver", grace_days=5, actions=actions))
    site.clock.moment += timedelta(minutes=1)
    await site.call("mara", f"POST /identities/{site.people['tim'].id}/disable")

    early = await run(site, routine)
    site.clock.moment += timedelta(days=6)
    late = await run(site, routine)

    assert told(early) == []
    assert told(late) == [("Tim", "transfer_to_manager", "done"), ("Tim", "revoke_assignments", "done")]
    assert (await site.get(GroupRow, group.id)).owner_ids == [site.people["lea"].id]
    [started] = (await site.entries("routine.started"))[1:]
    assert {one.caused_by for one in await site.entries("ownership.transferred")} == {started.id}


async def test_who_has_not_signed_in_for_long_is_told_and_then_suspended(site: Site) -> None:
    await site.person("asleep", last_sign_in_at=NOW - timedelta(days=95))
    await site.person("drowsy", last_sign_in_at=NOW - timedelta(days=85))
    await site.person("awake", last_sign_in_at=NOW - timedelta(days=3))
    body = leaving(type="inactivity", inactive_days=90, notice_days=[7], actions=[{"action": "suspend"}])
    routine = await make(site, {**body, "condition": 'user_name ne "mara"'})

    done = await run(site, routine)

    assert told(done) == [("Asleep", "suspend", "done"), ("Drowsy", "notice", "done")]
    assert await status_of(site, "asleep") == "suspended"
    assert await notices(site) == [("drowsy", "routine_notice")]


async def test_who_loses_access_soon_is_told_once_for_each_number_of_days(site: Site) -> None:
    role = a_role()
    await site.add(role)
    await an_assignment(site, site.people["sam"], role, valid_until=NOW + timedelta(days=6))
    actions = [{"action": "notify", "recipients": ["identity"]}]
    routine = await make(site, leaving(type="expiring_access", notice_days=[14, 7, 1], actions=actions))

    counts = [len((await run(site, routine))["items"]) for _ in range(2)]
    site.clock.moment += timedelta(days=5, hours=1)
    last = await run(site, routine)

    assert counts == [1, 0]
    assert last["items"][0]["reason"]["role"] == "Crm User"
    assert await notices(site) == [("sam", "routine_notice")] * 2


async def test_the_condition_narrows_whom_it_concerns_and_the_protected_are_never_among_them(site: Site) -> None:
    await site.person("gone", end_date=GONE, department="Sales")
    await site.person("other", end_date=GONE, department="Legal")
    await site.person("holy", end_date=GONE, department="Sales", protected=True)
    routine = await make(site, leaving(condition='department eq "Sales"'))

    assert told(await run(site, routine)) == [("Gone", "disable", "done")]


async def test_beyond_max_affected_nobody_is_touched_and_administrators_are_told(site: Site) -> None:
    for name in ("one", "two", "three"):
        await site.person(name, end_date=GONE)
    routine = await make(site, leaving(max_affected=2))

    stopped = await run(site, routine)

    assert (stopped["status"], stopped["error_code"], stopped["items"]) == ("stopped", "max_affected", [])
    assert [await status_of(site, name) for name in ("one", "two", "three")] == ["active"] * 3
    assert await notices(site) == [("mara", "routine_stopped"), ("otto", "routine_stopped")]
    [entry] = await site.entries("routine.stopped")
    assert (entry.details["affected"], entry.details["max_affected"]) == (3, 2)


async def test_a_dry_run_touches_nobody_and_the_real_one_comes_after_it(site: Site) -> None:
    await site.person("gone", end_date=GONE)
    routine = await make(site, leaving(dry_run=True))

    rehearsed = await run(site, routine)
    before = await status_of(site, "gone")
    real = await run(site, routine, dry_run=False)

    assert (rehearsed["dry_run"], told(rehearsed), before) == (True, [("Gone", "disable", "rehearsed")], "active")
    assert (told(real), await status_of(site, "gone")) == ([("Gone", "disable", "done")], "disabled")


async def test_the_last_administrator_stays_and_the_others_are_dealt_with(site: Site) -> None:
    async with site.database.transaction() as session:
        (await session.get_one(IdentityRow, site.people["otto"].id)).end_date = GONE
        (await session.get_one(IdentityRow, site.people["mara"].id)).end_date = GONE
    routine = await make(site, leaving())

    done = await run(site, routine)

    assert told(done) == [("Mara", "disable", "done"), ("Otto", "disable", "failed")] or told(done) == [
        ("Mara", "disable", "failed"),
        ("Otto", "disable", "done"),
    ]
    [failed] = [step for step in done["items"] if step["status"] == "failed"]
    assert failed["error_code"] == "last_administrator"


async def test_who_is_no_administrator_any_more_has_begun_a_run_in_vain(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    await site.person("gone", end_date=GONE)
    routine = await make(site, leaving())
    with monkeypatch.context() as waiting:
        waiting.setattr(site.nova.background.runner, "begin", lambda _job_id: None)
        await site.call("mara", f"POST {LIST}/{routine['id']}/run")
    async with site.database.transaction() as session:
        (await session.get_one(IdentityRow, site.people["mara"].id)).nova_roles = []

    await site.nova.background.runner.tick()
    await site.nova.background.settle()

    [ended] = (await site.call("otto", "GET /lifecycle-runs")).json()["items"]
    assert (ended["status"], ended["error_code"], await status_of(site, "gone")) == ("failed", "forbidden", "active")


async def test_two_runs_of_one_routine_are_never_under_way_at_once(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    routine = await make(site, leaving())
    monkeypatch.setattr(site.nova.background.runner, "begin", lambda _job_id: None)
    await site.call("mara", f"POST {LIST}/{routine['id']}/run")

    again = await site.call("mara", f"POST {LIST}/{routine['id']}/run")

    assert (again.status_code, again.json()["code"]) == (409, "state_conflict")


@pytest.mark.parametrize("after", [0, 1, 2, 3])
async def test_whatever_step_a_process_dies_at_the_next_one_goes_on_and_nothing_happens_twice(
    site: Site, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    for name in ("a-one", "b-two", "c-three"):
        await site.person(name, end_date=GONE)
    routine = await make(site, leaving(actions=[{"action": "disable"}]))
    begun: list[str] = []
    runner = site.nova.background.runner
    with monkeypatch.context() as dying:
        dying.setattr(runner, "begin", lambda _job_id: None)
        await site.call("mara", f"POST {LIST}/{routine['id']}/run")

    async def dies(write: Write, deed: Deed) -> str | None:
        begun.append(deed.row.id)
        entry = await do(write, deed)
        if len(begun) > after:
            raise CutOffError  # what this step has done so far is lost with it
        return entry

    first, second = (_process(site, pid) for pid in (1, 2))
    monkeypatch.setattr(DO, dies)
    await first.tick()
    if after < 3:
        with pytest.raises(CutOffError):
            await next(iter(first._running.values()))
    else:
        await first.settle()
    monkeypatch.setattr(DO, do)
    await second.tick()
    await second.settle()

    disabled = await site.entries("identity.disabled")
    assert sorted(entry.target_display for entry in disabled) == ["A-one", "B-two", "C-three"]
    [ended] = (await site.call("mara", "GET /lifecycle-runs")).json()["items"]
    assert (ended["status"], ended["steps"]) == ("done", {"done": 3})


def _process(site: Site, pid: int) -> JobRunner:
    """Return a process whose like, with a smaller number, is dead."""
    worker = Worker(host="here", pid=pid, token=f"t{pid}")
    runner = JobRunner(site.database, site.clock, worker, is_alive=lambda other: other >= pid)
    scheduler = Scheduler(site.database, site.clock, worker)
    runner.register(LIFECYCLE_JOB, LifecycleWork(site.nova.core, scheduler).run)
    return runner


async def test_of_two_processes_one_begins_the_run_that_is_due(site: Site) -> None:
    await site.person("gone", end_date=GONE)
    await make(site, leaving(schedule="0 2 * * *"))
    works = [
        LifecycleWork(site.nova.core, Scheduler(site.database, site.clock, Worker(host="here", pid=pid, token="t")))
        for pid in (1, 2)
    ]
    assert [await work.start_due() for work in works] == [[], []], "two o'clock was before it was enabled"
    site.clock.moment = datetime(2026, 3, 3, 2, 0, tzinfo=NOW.tzinfo)

    begun = [job for work in works for job in await work.start_due()]
    await site.nova.background.runner.tick()
    await site.nova.background.settle()
    later = [job for work in works for job in await work.start_due()]

    assert (len(begun), later) == (1, [])
    async with site.database.reading() as session:
        runs = (await session.exec(select(LifecycleRunRow))).all()
        jobs = (await session.exec(select(JobRow).where(col(JobRow.kind) == LIFECYCLE_JOB))).all()
    assert [(one.status, one.started_by) for one in runs] == [("done", None)]
    assert [one.started_by for one in jobs] == [""]
    [started] = await site.entries("routine.started")
    assert (started.actor_type, await status_of(site, "gone")) == ("routine", "disabled")


async def test_missed_nights_are_made_up_for_by_one_run(site: Site) -> None:
    await make(site, leaving(schedule="0 2 * * *"))
    work = LifecycleWork(site.nova.core, site.nova.background.scheduler)
    site.clock.moment += timedelta(days=5)

    begun = [await work.start_due() for _ in range(2)]

    assert [len(jobs) for jobs in begun] == [1, 0]


async def test_a_cancelled_run_ends_between_two_steps_and_the_rest_may_come_again(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a-one", "b-two"):
        await site.person(name, end_date=GONE)
    routine = await make(site, leaving())

    async def cancels(write: Write, deed: Deed) -> str | None:
        for job in (await write.session.exec(select(JobRow).where(col(JobRow.status) == "running"))).all():
            job.cancel_wanted = True
        return await do(write, deed)

    with monkeypatch.context() as cancelling:
        cancelling.setattr(DO, cancels)
        stopped = await run(site, routine)
    rest = await run(site, routine)

    assert (stopped["status"], stopped["error_code"]) == ("stopped", "cancelled")
    assert told(stopped) == [("A-one", "disable", "done"), ("B-two", "disable", "skipped")]
    assert told(rest) == [("B-two", "disable", "done")]
    assert len(await steps(site)) == 3
