"""One's own password and second factor: secrets go in once, and out once where they must be shown."""

from typing import Any, Final

from pydantic import Field, SecretStr

from nova_ui.nova.views.common import Body, View

MAX_SECRET_CHARS: Final = 256
_MARK: Final[dict[str, Any]] = {"x-nova-secret": True}


class PasswordChange(Body):
    """The password of now, and the next one."""

    current_password: SecretStr = Field(min_length=1, max_length=MAX_SECRET_CHARS, json_schema_extra=_MARK)
    new_password: SecretStr = Field(min_length=1, max_length=MAX_SECRET_CHARS, json_schema_extra=_MARK)


class PasswordChanged(View):
    """How many other sessions ended with the old password."""

    ended_sessions: int


class TotpConfirmation(Body):
    """A code of the app that is being set up."""

    one_time_code: SecretStr = Field(min_length=1, max_length=32, json_schema_extra=_MARK)


class MfaView(View):
    """Which second factors one has, and what the policy says of them."""

    mfa_methods: list[str]
    may_enrol: bool
    required: bool
    recovery_codes_left: int
    min_password_length: int


class EnrolmentView(View):
    """What an authenticator app needs; shown once, and never again."""

    totp_secret: str = Field(json_schema_extra=_MARK)
    totp_link: str = Field(json_schema_extra=_MARK)


class RecoveryCodes(View):
    """Codes that replace the app once each; shown once, and never again."""

    recovery_codes: list[str] = Field(json_schema_extra=_MARK)
