"""Samples of `/directory` and `/identities`."""

from collections.abc import Mapping
from typing import Final

from storage.encryption import Encryption
from tests.api.site import an_identity
from tests.contract.sample import Sample, Things

_GONE: Final = {"identity_id": "{gone}"}
_LEAVER: Final = {"identity_id": "{leaver}"}

SAMPLES: Final[Mapping[str, Sample]] = {
    "search_directory": Sample(query={"q": "sam"}),
    "list_identities": Sample(about_caller=True),
    "create_identity": Sample(body={"user_name": "new.one", "display_name": "New One", "manager_id": "{lea}"}),
    "get_identity": Sample(path={"identity_id": "{sam}"}),
    "update_identity": Sample(path={"identity_id": "{sam}"}, body={"title": "Clerk"}),
    "delete_identity": Sample(path={"identity_id": "{parting}"}, impact={"action": "delete"}),
    "get_identity_access": Sample(path={"identity_id": "{sam}"}),
    "get_identity_timeline": Sample(path={"identity_id": "{sam}"}),
    "get_identity_impact": Sample(path={"identity_id": "{sam}"}, query={"action": "delete"}),
    "activate_identity": Sample(path=_GONE, body={"reason": "Back from leave"}),
    "unlock_identity": Sample(path=_GONE),
    "suspend_identity": Sample(
        path={"identity_id": "{sam}"}, body={"reason": "On leave"}, impact={"action": "suspend"}
    ),
    "disable_identity": Sample(path={"identity_id": "{sam}"}, body={"reason": "Left"}, impact={"action": "disable"}),
    "archive_identity": Sample(path={"identity_id": "{departed}"}, impact={"action": "archive"}),
    "compare_identities": Sample(query={"left": "{sam}", "right": "{sam}"}),
    "list_identity_reports": Sample(path={"identity_id": "{sam}"}),
    "transfer_ownership": Sample(path=_LEAVER, body={"to": "{lea}"}),
    "end_identity_sessions": Sample(path={"identity_id": "{sam}"}, impact={"action": "end_sessions"}),
}


def put(things: Things, _encryption: Encryption) -> None:
    """Put somebody on the stage who leaves with a group, one who has left, and one who owns nothing any more."""
    things.add("parting", an_identity("parting", department="Finance"))
    things.add("departed", an_identity("departed", status="disabled", phone_numbers=["+49 30 1"]))
    things.add("leaver", an_identity("leaver", department="Finance"))
