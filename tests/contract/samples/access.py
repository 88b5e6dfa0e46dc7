"""Samples of `/roles` and `/assignments`."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from storage.encryption import Encryption
from tests.api.site import NOW, a_role
from tests.api.test_identity_endings import an_assignment
from tests.contract.sample import Sample, Things

SAMPLES: Final[Mapping[str, Sample]] = {
    "list_roles": Sample(about_caller=True),
    "create_role": Sample(body={"key": "new-role", "display_name": "New Role", "owner_ids": ["{olga}"]}),
    "evaluate_birthrights": Sample(body={"identity_id": "{sam}", "department": "Sales"}),
    "get_role": Sample(),
    "update_role": Sample(body={"description": "What it gives"}),
    "delete_role": Sample(path={"role_id": "{old_role}"}, impact={"action": "delete"}),
    "get_role_impact": Sample(query={"action": "delete"}),
    "list_assignments": Sample(about_caller=True),
    "create_assignment": Sample(
        body={"identity_id": "{sam}", "role_id": "{wanted_role}", "justification": "Needed for the job"}
    ),
    "get_assignment": Sample(),
    "update_assignment": Sample(body={"valid_until": (NOW + timedelta(days=30)).isoformat()}),
    "revoke_assignment": Sample(impact={"action": "revoke"}),
    "get_assignment_impact": Sample(query={"action": "revoke"}),
}


def put(things: Things, encryption: Encryption) -> None:
    """Put roles of olga's application and what sam holds on the stage."""
    olga, sam = things.ids["olga"], things.ids["sam"]
    del encryption
    for name in ("role", "wanted_role", "old_role"):  # what may be requested, everybody sees
        values = {
            "application_id": things.ids["application"],
            "owner_ids": [olga],
            "requestable": name == "wanted_role",
        }
        things.add(name, a_role(name.replace("_", "-"), approval="owner", **values))
    things.add("assignment", an_assignment(sam, things.ids["role"]))
    things.also([an_assignment(things.ids["parting"], things.ids["role"])])
