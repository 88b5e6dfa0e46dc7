"""Samples of `/entitlements` and of what roles bundle."""

from collections.abc import Mapping
from typing import Final

from nova_ui.domain.folding import fold
from storage.encryption import Encryption
from storage.ids import new_id
from storage.nova.entitlement_tables import EntitlementRow
from tests.api.site import NOW
from tests.contract.sample import Sample, Things

SAMPLES: Final[Mapping[str, Sample]] = {
    "list_entitlements": Sample(),
    "create_entitlement": Sample(
        body={"application_id": "{application}", "native_name": "CN=Readers", "display_name": "Readers"}
    ),
    "get_entitlement": Sample(),
    "update_entitlement": Sample(body={"description": "What it lets one do"}),
    "put_role_entitlements": Sample(
        body={"entitlement_ids": ["{entitlement}"]},
        impact={"entitlement_ids": "{entitlement}"},
        effects_in={"entitlement": "role_entitlements", "identity": ""},  # who holds the role gets it through it
        repeats="a bundle that is set to what it is stays so",
    ),
    "get_role_bundle_impact": Sample(query={"entitlement_ids": "{entitlement}"}),
}


def put(things: Things, _encryption: Encryption) -> None:
    """Put an entitlement of olga's on the stage."""
    row = EntitlementRow(
        id=new_id("ent"),
        application_id=things.ids["application"],
        native_name="CN=Writers",
        native_key=fold("CN=Writers"),
        display_name="Writers",
        owner_ids=[things.ids["olga"]],
        created_at=NOW,
        updated_at=NOW,
    )
    things.add("entitlement", row)
