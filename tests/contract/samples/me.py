"""Samples of `/me` and `/session`."""

from collections.abc import Mapping
from typing import Final

from storage.encryption import Encryption
from tests.contract.cast import PASSWORD
from tests.contract.sample import Sample, Things
from tests.contract.samples.sign_in import CODE

_OWN: Final = {"session_id": "{own_session}"}

SAMPLES: Final[Mapping[str, Sample]] = {
    "get_me": Sample(),
    "update_me": Sample(body={"timezone": "Europe/Berlin"}),
    "get_my_access": Sample(),
    "get_my_ai_usage": Sample(),
    "list_my_requests": Sample(),
    "list_my_approvals": Sample(),
    "list_my_sessions": Sample(),
    "get_my_session_impact": Sample(path=_OWN, query={"action": "end"}),
    "end_my_session": Sample(path=_OWN, impact={"action": "end"}),
    "sign_in_session_post": Sample(body={"login": "sam", "password": PASSWORD, "one_time_code": CODE}),
    "who_am_i_session_get": Sample(),
    "sign_out_session_delete": Sample(),
}


def put(_things: Things, _encryption: Encryption) -> None:
    """Need nothing but the cast."""
