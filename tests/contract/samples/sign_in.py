"""Samples of the sign-in policy, of administrators, and of one's own password and second factor."""

from collections.abc import Mapping
from typing import Final

import pyotp

from nova_ui.domain.json_value import JsonValue
from storage.encryption import Encryption, Place
from storage.nova.sign_in_tables import RecoveryCodeRow, TotpFactorRow
from tests.api.site import NOW
from tests.contract.cast import LETTERS, PASSWORD
from tests.contract.sample import Sample, Things

SEED: Final = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
CODE: Final = pyotp.TOTP(SEED).at(NOW)
_POLICY: Final[JsonValue] = {
    "mfa": {"requirement": "optional", "required_for": []},
    "methods": ["password", "totp", "recovery_code"],
    "password": {
        "min_length": 14,
        "history": 3,
        "max_age_days": None,
        "blocklist": {"enabled": True, "words": ["Musterwerk"]},
    },
    "lockout": {"attempts": 5, "minutes": 15},
    "session": {"idle_minutes": 60, "max_hours": 12},
    "networks": [],
}
_OF_FACTOR: Final = {
    "totp_factors": "the factor itself",
    "recovery_codes": "they replace the app that is gone",
    "notifications": "its owner is told",
}

SAMPLES: Final[Mapping[str, Sample]] = {
    "get_sign_in_policy": Sample(),
    "replace_sign_in_policy": Sample(body=_POLICY),
    "evaluate_sign_in": Sample(body={"identity_id": "{sam}", "network": "192.0.2.7"}),
    "list_administrators": Sample(),
    "get_administrator_impact": Sample(path={"identity_id": "{sam}"}, query={"action": "delete"}),
    "add_administrator": Sample(path={"identity_id": "{sam}"}),
    "remove_administrator": Sample(
        path={"identity_id": "{otto}"},
        impact={"action": "delete"},
        follows={"notifications": "every administrator is told"},
    ),
    "reset_mfa": Sample(path={"identity_id": "{uma}"}),
    "change_my_password": Sample(body={"current_password": PASSWORD, "new_password": "kafka tanzt mit sieben gabeln"}),
    "get_my_mfa": Sample(),
    "begin_my_totp": Sample(),
    "confirm_my_totp": Sample(body={"one_time_code": CODE}),
    "get_my_totp_impact": Sample(query={"action": "delete"}),
    "remove_my_totp": Sample(impact={"action": "delete"}, follows=_OF_FACTOR),
    "replace_my_recovery_codes": Sample(),
    "refresh_session_refresh_post": Sample(body={"password": PASSWORD, "one_time_code": CODE}),
}


def put(things: Things, encryption: Encryption) -> None:
    """Give everybody of the cast an authenticator app, and another one that is being set up."""
    for name in LETTERS:
        for number, confirmed_at in enumerate((NOW, None)):
            factor_id = f"fac_{name}{number}"
            sealed = encryption.seal(SEED, Place(table="totp_factors", column="seed", row_id=factor_id))
            things.also(
                [
                    TotpFactorRow(
                        id=factor_id,
                        identity_id=things.ids[name],
                        seed=sealed,
                        confirmed_at=confirmed_at,
                        created_at=NOW,
                    )
                ]
            )
        things.also([RecoveryCodeRow(identity_id=things.ids[name], code_hash=f"code of {name}", created_at=NOW)])
