"""The sign-in policy, what it says about one identity, and the administrators."""

from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from nova_ui.domain.sign_in_policy import (
    LockoutRule,
    Method,
    MfaRule,
    PasswordRule,
    SessionRule,
    SignInPolicy,
    network_of,
)
from nova_ui.nova.views.common import Body, Ref, View
from nova_ui.nova.views.types import IdentityRef


class SignInPolicyView(View):
    """The policy as it counts now; `updated_at` is null while nobody has stored one."""

    mfa: MfaRule
    methods: list[Method]
    password: PasswordRule
    lockout: LockoutRule
    session: SessionRule
    networks: list[str]
    version: int
    updated_at: datetime | None


class SignInPolicyBody(SignInPolicy):
    """The whole policy, every rule of it: nothing is filled in."""


def _address_or_network(value: str) -> str:
    if network_of(value) is None:
        raise PydanticCustomError("network", "must be an address such as 192.0.2.7, or a network such as 192.0.2.0/24")
    return value


class EvaluateBody(Body):
    """Who would sign in, from where, and by what."""

    identity_id: IdentityRef
    network: Annotated[str, StringConstraints(max_length=64), AfterValidator(_address_or_network)] | None = Field(
        None, description="address or network to sign in from; null: one that every rule allows"
    )
    method: Method = Method.PASSWORD


class EvaluationView(View):
    """Whether an identity would get in now; `rule` is the one that stands against it, `steps` what else is asked."""

    identity: Ref
    allowed: bool
    rule: str | None
    why: str = Field(description="one English sentence")
    steps: list[str]
    locked_until: datetime | None


class AdministratorView(View):
    """Somebody with the role administrator."""

    id: str
    display_name: str
    user_name: str
    status: str
    mfa_methods: list[str]
    last_sign_in_at: datetime | None


class AdministratorsView(View):
    """Every administrator, by name."""

    items: list[AdministratorView]
    total: int
