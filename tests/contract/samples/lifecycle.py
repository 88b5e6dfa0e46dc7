"""Samples of `/lifecycle-routines` and `/lifecycle-runs`."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from storage.encryption import Encryption
from storage.ids import new_id
from storage.nova.lifecycle_tables import LifecycleRoutineRow, LifecycleRunRow
from tests.api.site import NOW
from tests.contract.sample import Sample, Things

_RESTING: Final = {"routine_id": "{resting_lifecycle}"}
_ENABLED: Final = {"routine_id": "{enabled_lifecycle}"}

SAMPLES: Final[Mapping[str, Sample]] = {
    "list_lifecycle_routines": Sample(),
    "get_lifecycle_routine": Sample(path=_RESTING),
    "create_lifecycle_routine": Sample(
        body={"key": "new", "names": {"en": "New"}, "type": "end_date", "actions": [{"action": "disable"}]}
    ),
    "update_lifecycle_routine": Sample(path=_RESTING, body={"max_affected": 7}),
    "delete_lifecycle_routine": Sample(path=_RESTING, impact={"action": "delete"}),
    "get_lifecycle_routine_impact": Sample(path=_RESTING, query={"action": "delete"}),
    "preview_lifecycle_routine": Sample(path=_ENABLED),
    "enable_lifecycle_routine": Sample(path=_RESTING),
    "disable_lifecycle_routine": Sample(path=_ENABLED),
    "run_lifecycle_routine": Sample(path=_ENABLED, body={"dry_run": False}),
    "list_lifecycle_runs": Sample(),
    "get_lifecycle_run": Sample(path={"run_id": "{lifecycle_run}"}),
    "list_lifecycle_steps": Sample(path={"run_id": "{lifecycle_run}"}),
}


def put(things: Things, _encryption: Encryption) -> None:
    """Put a routine that rests, one that is enabled, and a run on the stage."""
    for status in ("disabled", "enabled"):
        name = "resting" if status == "disabled" else status
        routine = LifecycleRoutineRow(
            id=new_id("rtn"),
            key=name,
            names={"en": name.capitalize()},
            type="inactivity",
            inactive_days=1,
            condition='user_name eq "uma"',
            actions=[{"action": "suspend"}, {"action": "notify", "recipients": ["administrators"]}],
            schedule="0 2 * * *",
            dry_run=False,
            max_affected=5,
            status=status,
            created_at=NOW - timedelta(days=9),
            updated_at=NOW,
        )
        things.add(f"{name}_lifecycle", routine)
    run = LifecycleRunRow(
        id=new_id("lrn"),
        routine_id=things.ids["enabled_lifecycle"],
        routine_key="enabled",
        status="done",
        entry_id=new_id("log"),
        started_at=NOW - timedelta(days=1),
        updated_at=NOW,
    )
    things.add("lifecycle_run", run)
