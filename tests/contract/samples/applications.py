"""Samples of `/applications`."""

from collections.abc import Mapping
from typing import Final

from storage.encryption import Encryption
from storage.nova.application_tables import ConnectionRow, secret_place
from tests.api.site import a_connection, a_role, an_application
from tests.api.test_identity_endings import an_assignment
from tests.contract.sample import Sample, Things

SECRET: Final = "a-token-on-the-stage"
_LOOPBACK: Final = "https://scim.partner.example/v2"

_RETIRING: Final = {"application_id": "{retiring_application}"}
SAMPLES: Final[Mapping[str, Sample]] = {
    "list_applications": Sample(),
    "create_application": Sample(body={"key": "new-app", "display_name": "New", "owner_ids": ["{olga}"]}),
    "get_application": Sample(),
    "update_application": Sample(body={"description": "What it is for"}),
    "delete_application": Sample(path=_RETIRING, impact={"action": "delete"}),
    "enable_application": Sample(path={"application_id": "{plain_application}"}, body={"reason": "It is back"}),
    "disable_application": Sample(
        path={"application_id": "{running_application}"}, body={"reason": "Broken into"}, impact={"action": "disable"}
    ),
    "get_application_impact": Sample(query={"action": "disable"}),
    "test_application": Sample(),
    "get_connection": Sample(),
    "set_connection": Sample(body={"kind": "scim", "base_url": _LOOPBACK, "bearer_token": "another"}),
    "rotate_connection_secret": Sample(body={"secret": "another"}),
}


def put(things: Things, encryption: Encryption) -> None:
    """Put applications of olga's on the stage: one with a secret, one to be deleted, one to be enabled or disabled."""
    things.secrets.append(SECRET)
    olga = things.ids["olga"]
    for name, status in (
        ("application", "enabled"),
        ("retiring_application", "disabled"),
        ("running_application", "enabled"),
        ("plain_application", "disabled"),
    ):
        things.add(name, an_application(name.replace("_", "-"), status=status, owner_ids=[olga]))
    connected = _connection(things.ids["application"], encryption)
    retiring = _connection(things.ids["retiring_application"], encryption)
    things.also([connected, retiring])
    role = a_role("role-of-retiring", application_id=things.ids["retiring_application"])
    held = an_assignment(things.ids["sam"], role.id)
    things.also([role, held])


def _connection(application_id: str, encryption: Encryption) -> ConnectionRow:
    # An address that is refused before anything is called: the test of it fails, which is an answer as well.
    settings = {"base_url": "https://127.0.0.1/v2", "auth": "bearer", "verify_tls": True}
    sealed = encryption.seal(SECRET, secret_place("bearer_token", application_id))
    return a_connection(application_id, settings=settings, bearer_token=sealed)
