"""What is asked for again, and of whom a second factor can be reset."""

import pytest

from nova_ui.domain.identity import Role
from nova_ui.domain.json_value import JsonObject
from nova_ui.presenters.identity_actions import IDENTITY_ACTIONS
from tests.builders import an_identity

ACTIONS = {action.key: action for action in IDENTITY_ACTIONS}
MARA = an_identity(Role.ADMINISTRATOR)


@pytest.mark.parametrize(
    ("roles", "one", "is_offered"),
    [
        (Role.ADMINISTRATOR, {"id": "idn_tim", "mfa_methods": ["totp"]}, True),
        (Role.ADMINISTRATOR, {"id": "idn_tim", "mfa_methods": []}, False),
        (Role.ADMINISTRATOR, {"id": MARA.id, "mfa_methods": ["totp"]}, False),
        (Role.AUDITOR, {"id": "idn_tim", "mfa_methods": ["totp"]}, False),
    ],
)
def test_a_second_factor_is_reset_where_there_is_one_that_is_not_ones_own(
    roles: Role, one: JsonObject, *, is_offered: bool
) -> None:
    person = an_identity(roles)

    assert ACTIONS["reset-mfa"].is_offered(person, one) is is_offered
    assert ACTIONS["reset-mfa"].asks_again(one)


def test_the_password_is_asked_for_again_before_an_administrator_comes_back() -> None:
    assert ACTIONS["activate"].asks_again({"nova_roles": ["administrator"]})
    assert not ACTIONS["activate"].asks_again({"nova_roles": ["auditor"]})
    assert not ACTIONS["activate"].asks_again({})
