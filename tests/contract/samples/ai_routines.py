"""Samples of AI routine assistants and their runs."""

from collections.abc import Mapping
from typing import Final

from nova_ui.domain.json_value import JsonObject
from storage.encryption import Encryption
from storage.nova.ai_tables import AiRoutineRow, AiRoutineRunRow
from tests.api.site import NOW
from tests.contract.sample import Sample, Things

_ROUTINE: Final = {"key": "spare-routine"}
_NEW_ROUTINE: Final[JsonObject] = {
    "key": "fresh",
    "names": {"en": "Fresh"},
    "prompt": "List the groups.",
    "tool_names": ["list_groups"],
    "schedule": "0 7 * * 1",
    "acts_as": "{sam}",
    "deliver_to": ["{sam}"],
}

SAMPLES: Final[Mapping[str, Sample]] = {
    "list_ai_routines": Sample(),
    "create_ai_routine": Sample(body=_NEW_ROUTINE),
    "get_ai_routine": Sample(path=_ROUTINE),
    "update_ai_routine": Sample(path=_ROUTINE, body={"prompt": "List the roles."}),
    "delete_ai_routine": Sample(path=_ROUTINE, impact={"action": "delete"}),
    "get_ai_routine_impact": Sample(path=_ROUTINE, query={"action": "delete"}),
    "enable_ai_routine": Sample(path=_ROUTINE),
    "disable_ai_routine": Sample(path={"key": "enabled-routine"}),
    "run_ai_routine": Sample(path=_ROUTINE),
    "list_ai_routine_runs": Sample(),
    "get_ai_routine_run": Sample(path={"run_id": "{run}"}),
}


def put(things: Things, _encryption: Encryption) -> None:
    """Put two routines and a run on the stage."""
    things.add("spare_routine", _routine(things, "1", "spare-routine"))
    things.add("enabled_routine", _routine(things, "2", "enabled-routine", enabled=True))
    run = AiRoutineRunRow(
        id="arn_" + "0" * 20,
        routine_id="air_gone",
        routine_key="gone",
        names={"en": "Gone"},
        due_at=NOW,
        acts_as=things.ids["sam"],
        status="done",
        answer="Nothing.",
        delivered_to=[things.ids["olga"]],
        worker="nobody",
        heartbeat_at=NOW,
        started_at=NOW,
        finished_at=NOW,
    )
    things.add("run", run)


def _routine(things: Things, number: str, key: str, **fields: object) -> AiRoutineRow:
    values = {
        "id": "air_" + number * 20,
        "key": key,
        "names": {"en": key},
        "prompt": "List the groups.",
        "tool_names": ["list_groups"],
        "schedule": "0 7 * * 1",
        "acts_as": things.ids["sam"],
        "deliver_to": [things.ids["sam"]],
        "scheduled_since": NOW,
        "created_at": NOW,
        "updated_at": NOW,
        **fields,
    }
    return AiRoutineRow.model_validate(values)
