"""Lifecycle routines of the sample organisation, with the runs of the last nights."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from nova_ui.domain.json_value import JsonValue
from nova_ui.nova.sample_organisation.groups import People
from nova_ui.nova.sample_organisation.seeds import sample_id
from nova_ui.nova.sample_organisation.trail import Happening, Target, Trail
from storage.nova.lifecycle_tables import LifecycleRoutineRow, LifecycleRunRow, LifecycleStepRow
from storage.nova.tables import AuditEntryRow, IdentityRow

_NIGHTS: Final = 3
_SHOWN: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """One routine; `status` is the state of the people whom its past runs dealt with, by the step `did`."""

    key: str
    names: dict[str, str]
    type: str
    actions: list[dict[str, JsonValue]]
    status: str
    did: str
    code: str
    step_status: str = "done"
    inactive_days: int | None = None
    grace_days: int = 0
    notice_days: list[int] = field(default_factory=list)
    condition: str | None = None
    dry_run: bool = False
    enabled: bool = True


_PLANS: Final = (
    _Plan(
        key="joiners",
        names={"en": "Joiners", "de": "Eintritte"},
        type="joiner",
        actions=[{"action": "activate"}, {"action": "notify", "recipients": ["manager"]}],
        notice_days=[7],
        status="staged",
        did="notice",
        code="start_date",
    ),
    _Plan(
        key="movers",
        names={"en": "Movers", "de": "Wechsel"},
        type="mover",
        actions=[{"action": "revoke_birthrights"}, {"action": "notify", "recipients": ["manager"]}],
        status="active",
        did="notify",
        code="moved",
    ),
    _Plan(
        key="leavers",
        names={"en": "Leavers", "de": "Austritte"},
        type="leaver",
        actions=[{"action": "transfer_to_manager"}, {"action": "remove_from_groups"}],
        grace_days=14,
        status="disabled",
        did="remove_from_groups",
        code="disabled",
    ),
    _Plan(
        key="inactive",
        names={"en": "Inactive for 90 days", "de": "90 Tage inaktiv"},
        type="inactivity",
        actions=[{"action": "suspend"}, {"action": "notify", "recipients": ["identity", "manager"]}],
        inactive_days=90,
        notice_days=[14, 3],
        condition='user_type ne "service"',
        status="active",
        did="suspend",
        code="inactive",
        step_status="rehearsed",
        dry_run=True,
    ),
)


def make_routines(
    people: People, now: datetime
) -> tuple[list[LifecycleRoutineRow], list[LifecycleRunRow], list[LifecycleStepRow]]:
    """Return the routines, their runs of the last nights and the steps of these."""
    routines, runs, steps = [], [], []
    for plan in _PLANS:
        routine = _routine(plan, now)
        routines.append(routine)
        for night in range(_NIGHTS, 0, -1):
            run = _run(routine, plan, (now - timedelta(days=night)).replace(hour=2, minute=0, second=0, microsecond=0))
            concerned = _concerned(people, plan, night)
            run.affected = len(concerned)
            runs.append(run)
            steps += [_step(run, plan, number, person) for number, person in enumerate(concerned)]
    return routines, runs, steps


def tell_routines(trail: Trail, runs: Sequence[LifecycleRunRow]) -> None:
    """Add to the trail when each run began and ended."""
    for run in runs:
        target = Target("routine", run.routine_id, run.routine_names["en"])
        started = trail.add(
            Happening(time=run.started_at, action="routine.started", target=target, details={"dry_run": run.dry_run})
        )
        ended = run.finished_at or run.started_at
        trail.add(
            Happening(time=ended, action="routine.finished", target=target, details={"status": "done"}, cause=started)
        )


def name_entries(runs: Sequence[LifecycleRunRow], entries: Sequence[AuditEntryRow]) -> None:
    """Let each run name the entry of its start."""
    begun = {(row.target_id, row.time): row.id for row in entries if row.action == "routine.started"}
    for run in runs:
        run.entry_id = begun[run.routine_id, run.started_at]


def _routine(plan: _Plan, now: datetime) -> LifecycleRoutineRow:
    made = now - timedelta(days=60)
    return LifecycleRoutineRow(
        id=sample_id("rtn", plan.key),
        key=plan.key,
        names=plan.names,
        type=plan.type,
        condition=plan.condition,
        actions=plan.actions,
        inactive_days=plan.inactive_days,
        grace_days=plan.grace_days,
        notice_days=plan.notice_days,
        schedule="0 2 * * *",
        dry_run=plan.dry_run,
        max_affected=20,
        status="enabled" if plan.enabled else "disabled",
        counts_from=now,
        scheduled_from=now,
        created_at=made,
        updated_at=made,
    )


def _run(routine: LifecycleRoutineRow, plan: _Plan, began: datetime) -> LifecycleRunRow:
    ended = began + timedelta(seconds=4)
    return LifecycleRunRow(
        id=sample_id("lrn", f"{routine.key}:{began:%Y-%m-%d}"),
        routine_id=routine.id,
        routine_key=routine.key,
        routine_names=dict(routine.names),
        dry_run=plan.dry_run,
        status="done",
        is_planned=True,
        max_affected=routine.max_affected,
        entry_id="",
        started_at=began,
        finished_at=ended,
        updated_at=ended,
    )


def _concerned(people: People, plan: _Plan, night: int) -> list[IdentityRow]:
    found = [row for row in people.values() if row.status == plan.status and not row.protected and not row.nova_roles]
    if plan.type == "inactivity":
        found = sorted(
            (row for row in found if row.last_sign_in_at), key=lambda row: (str(row.last_sign_in_at), row.id)
        )
        return found[:_SHOWN]
    return found[night - 1 : night]


def _step(run: LifecycleRunRow, plan: _Plan, position: int, person: IdentityRow) -> LifecycleStepRow:
    return LifecycleStepRow(
        id=sample_id("lst", f"{run.id}:{person.id}"),
        run_id=run.id,
        routine_id=run.routine_id,
        position=position,
        identity_id=person.id,
        identity_display=person.display_name,
        action=plan.did,
        occasion=None if plan.dry_run else f"sample:{run.id}",
        reason={"code": plan.code, "date": run.started_at.date().isoformat()},
        status=plan.step_status,
        finished_at=run.finished_at,
    )
