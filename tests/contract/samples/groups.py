"""Samples of `/groups`."""

from collections.abc import Mapping
from typing import Final

from storage.encryption import Encryption
from tests.api.site import a_group, a_membership
from tests.contract.sample import Sample, Things

SAMPLES: Final[Mapping[str, Sample]] = {
    "list_groups": Sample(),
    "create_group": Sample(body={"display_name": "Newcomers", "owner_ids": ["{olga}"]}),
    "get_group": Sample(),
    "update_group": Sample(body={"description": "Who may come in"}),
    "delete_group": Sample(impact={"action": "delete"}),
    "get_group_impact": Sample(query={"action": "delete"}),
    "list_group_members": Sample(),
    "add_group_members": Sample(body={"identity_ids": ["{uma}"]}),
    "evaluate_group_rule": Sample(body={"rule": 'department eq "Sales"'}),
    "replace_group_members": Sample(
        body={"identity_ids": ["{uma}"]}, impact={"action": "replace_members", "identity_ids": "{uma}"}
    ),
    "remove_group_member": Sample(
        path={"identity_id": "{sam}"}, impact={"action": "remove_member", "identity_id": "{sam}"}
    ),
}


def put(things: Things, _encryption: Encryption) -> None:
    """Put a group of olga's with sam in it, and one whose owner leaves, on the stage."""
    group = a_group("Readers", owner_ids=[things.ids["olga"]])
    things.add("group", group)
    things.also([a_membership(group, things.ids[name]) for name in ("sam", "parting")])
    things.add("orphan_group", a_group("Leavers", owner_ids=[things.ids["leaver"]]))
