"""Samples of `/catalog`, `/access-requests` and `/approvals`."""

from collections.abc import Mapping
from typing import Final

from storage.encryption import Encryption
from tests.api.site import a_role
from tests.api.test_identity_endings import a_request, an_approval
from tests.contract.sample import Sample, Things

SAMPLES: Final[Mapping[str, Sample]] = {
    "get_catalog": Sample(),
    "list_access_requests": Sample(about_caller=True),
    "create_access_request": Sample(
        body={
            "beneficiary_id": "{sam}",
            "items": [{"role_id": "{wanted_role}"}],
            "justification": "Needed for the job",
        }
    ),
    "get_access_request": Sample(),
    "cancel_access_request": Sample(),
    "comment_access_request": Sample(body={"text": "Is it urgent?"}),
    "list_approvals": Sample(about_caller=True),
    "get_approval": Sample(),
    "approve": Sample(body={"comment": "Fine"}),
    "delegate_approval": Sample(body={"to": "{lea}", "comment": "You know better"}),
    "decide_approvals": Sample(
        body={"decisions": [{"approval_id": "{approval}", "decision": "approve"}]},
        impact={"approve": "{approval}"},
        follows={
            "access_requests": "the last approval carries the request out",
            "assignments": "which grants what was asked for",
            "notifications": "and tells who asked",
        },
    ),
    "get_decisions_impact": Sample(query={"approve": "{approval}"}),
    "deny": Sample(body={"comment": "Not needed"}),
}


def put(things: Things, _encryption: Encryption) -> None:
    """Put a request of sam's that waits for olga, and one of hers that waits for sam, on the stage."""
    sam = things.ids["sam"]
    things.add("asked_role", a_role("asked-role", owner_ids=[things.ids["olga"]], approval="owner"))
    request = a_request(sam, sam, things.ids["asked_role"])
    things.add("request", request)
    things.add("approval", an_approval(request, things.ids["olga"]))
    parting = a_request(things.ids["parting"], things.ids["parting"], things.ids["asked_role"])
    things.also([parting, an_approval(parting, things.ids["olga"])])
    waiting = a_request(things.ids["olga"], things.ids["olga"], things.ids["asked_role"])
    things.add("request_to_sam", waiting)
    things.also([an_approval(waiting, sam)])
