"""The sign-in policy: its rules as values, and what they say about one person at one moment."""

import ipaddress
import unicodedata
from collections.abc import Collection
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Final, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from nova_ui.domain.identity import Role
from nova_ui.domain.json_value import JsonObject

MIN_PASSWORD_CHARS: Final = 12
MAX_NETWORKS: Final = 100
MAX_WORDS: Final = 200

IpNetwork = ipaddress.IPv4Network | ipaddress.IPv6Network


class Method(StrEnum):
    """A way to show who one is."""

    PASSWORD = "password"  # noqa: S105 - the name of a method
    TOTP = "totp"
    RECOVERY_CODE = "recovery_code"


class Requirement(StrEnum):
    """Who needs a second factor."""

    OFF = "off"
    OPTIONAL = "optional"
    REQUIRED = "required"
    REQUIRED_FOR = "required_for"


class Step(StrEnum):
    """What a sign-in still asks for after the password was right, in this order."""

    CODE = "code"
    NEW_PASSWORD = "new_password"  # noqa: S105 - the name of a step
    ENROL = "enrol"


def _network(value: str) -> str:
    try:
        return str(ipaddress.ip_network(value))
    except ValueError:
        raise PydanticCustomError(
            "network", "must be a network such as 10.0.0.0/8 or 2001:db8::/32, without bits of a host"
        ) from None


def _distinct(values: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(values)) != len(values):
        raise PydanticCustomError("doubled", "must not name the same twice")
    return values


def _one_line(value: str) -> str:
    if any(unicodedata.category(one) in {"Cc", "Zl", "Zp"} for one in value):
        raise PydanticCustomError("control_characters", "must be one line without control characters")
    return unicodedata.normalize("NFC", value)


Network = Annotated[str, StringConstraints(strip_whitespace=True, max_length=64), AfterValidator(_network)]
Networks = Annotated[tuple[Network, ...], Field(max_length=MAX_NETWORKS), AfterValidator(_distinct)]
Word = Annotated[str, StringConstraints(strip_whitespace=True, min_length=3, max_length=60), AfterValidator(_one_line)]


def _require_all(schema: JsonObject) -> None:
    properties = schema.get("properties")
    schema["required"] = list(properties) if isinstance(properties, dict) else []


class Rule(BaseModel):
    """A part of the policy; a value, and nothing undeclared."""

    model_config = ConfigDict(extra="forbid", frozen=True, json_schema_extra=_require_all)


class MfaRule(Rule):
    """Whether a second factor is asked for: never, of those who have one, of everybody, or of some roles."""

    requirement: Requirement = Requirement.OPTIONAL
    required_for: Annotated[tuple[Role, ...], AfterValidator(_distinct)] = Field(
        (), max_length=len(Role), description="roles that need one; only with required_for"
    )

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if (self.requirement is Requirement.REQUIRED_FOR) != bool(self.required_for):
            raise PydanticCustomError(
                "required_for", "required_for names at least one role with that requirement, and none with another"
            )
        return self


class BlocklistRule(Rule):
    """Words that don't make a password; the common ones, names of the person and of Nova are always among them."""

    enabled: bool = True
    words: Annotated[tuple[Word, ...], AfterValidator(_distinct)] = Field(
        (), max_length=MAX_WORDS, description="own words, such as the organisation's name"
    )


class PasswordRule(Rule):
    """What a password must be like."""

    min_length: int = Field(MIN_PASSWORD_CHARS, ge=12, le=128, description="characters, at least")
    history: int = Field(0, ge=0, le=24, description="how many earlier ones may not come back")
    max_age_days: int | None = Field(None, ge=1, le=3650, description="days until a new one is asked for; null: never")
    blocklist: BlocklistRule = BlocklistRule()


class LockoutRule(Rule):
    """After how many failures a name has to wait, and over how many minutes they are counted."""

    attempts: int = Field(5, ge=3, le=50)
    minutes: int = Field(15, ge=1, le=1440)

    @property
    def window(self) -> timedelta:
        """How long a failure counts."""
        return timedelta(minutes=self.minutes)


class SessionRule(Rule):
    """How long a session lasts without use, and at all."""

    idle_minutes: int = Field(60, ge=5, le=1440)
    max_hours: int = Field(12, ge=1, le=720)

    @property
    def idle(self) -> timedelta:
        """How long without use."""
        return timedelta(minutes=self.idle_minutes)

    @property
    def lifetime(self) -> timedelta:
        """How long at all."""
        return timedelta(hours=self.max_hours)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.idle_minutes > self.max_hours * 60:
            raise PydanticCustomError("idle", "idle_minutes must not be longer than max_hours")
        return self


class SignInPolicy(Rule):
    """All rules of signing in."""

    mfa: MfaRule = MfaRule()
    methods: Annotated[tuple[Method, ...], AfterValidator(_distinct)] = Field(tuple(Method), min_length=1, max_length=3)
    password: PasswordRule = PasswordRule()
    lockout: LockoutRule = LockoutRule()
    session: SessionRule = SessionRule()
    networks: Networks = Field((), description="from where signing in is possible; empty: from everywhere")

    @model_validator(mode="after")
    def _fits(self) -> Self:
        demands = self.mfa.requirement in {Requirement.REQUIRED, Requirement.REQUIRED_FOR}
        if demands and Method.TOTP not in self.methods:
            raise PydanticCustomError("totp", "methods must hold totp where a second factor is required")
        if Method.RECOVERY_CODE in self.methods and Method.TOTP not in self.methods:
            raise PydanticCustomError("recovery_code", "recovery_code is of use together with totp only")
        return self

    @property
    def may_enrol(self) -> bool:
        """Whether somebody may set up a second factor."""
        return self.mfa.requirement is not Requirement.OFF and Method.TOTP in self.methods

    def requires_mfa(self, roles: Collection[Role]) -> bool:
        """Whether somebody with these roles needs a second factor."""
        match self.mfa.requirement:
            case Requirement.REQUIRED:
                return True
            case Requirement.REQUIRED_FOR:
                return not set(roles).isdisjoint(self.mfa.required_for)
            case Requirement.OFF | Requirement.OPTIONAL:
                return False

    def asks_code(self, mfa_methods: Collection[str]) -> bool:
        """Whether somebody with these second factors is asked for a code."""
        return self.may_enrol and Method.TOTP.value in mfa_methods

    def allows_network(self, ip: str | None) -> bool:
        """Whether one may sign in from an address, or all of a network; an unknown one only where every address may."""
        return allows_network(self.networks, ip)

    def is_expired(self, changed_at: datetime, now: datetime) -> bool:
        """Whether a password that was set at `changed_at` has to be changed."""
        days = self.password.max_age_days
        return days is not None and now - changed_at >= timedelta(days=days)


def allows_network(networks: Collection[str], ip: str | None) -> bool:
    """Whether an address, or all of a network, lies in one of `networks`; without any, every address may."""
    if not networks:
        return True
    wanted = network_of(ip)
    return wanted is not None and any(_holds(network, wanted) for network in networks)


def network_of(text: str | None) -> IpNetwork | None:
    """Return an address, or a network, as a network; an IPv4 address inside IPv6 as what it is; None for others."""
    try:
        found = ipaddress.ip_network((text or "").partition("%")[0])
    except ValueError:
        return None
    if isinstance(found, ipaddress.IPv6Network) and found.num_addresses == 1:
        mapped = found.network_address.ipv4_mapped
        return found if mapped is None else ipaddress.IPv4Network(mapped)
    return found


def _holds(network: str, wanted: IpNetwork) -> bool:
    allowed = ipaddress.ip_network(network)
    if isinstance(allowed, ipaddress.IPv4Network):
        return isinstance(wanted, ipaddress.IPv4Network) and wanted.subnet_of(allowed)
    return isinstance(wanted, ipaddress.IPv6Network) and wanted.subnet_of(allowed)


def missing_rules(part: Rule, place: str = "") -> list[str]:
    """Return which rules of a policy were not given but filled in, at any depth."""
    missing: list[str] = []
    for name in type(part).model_fields:
        value = getattr(part, name)
        if name not in part.model_fields_set:
            missing.append(f"{place}{name}")
        elif isinstance(value, Rule):
            missing.extend(missing_rules(value, f"{place}{name}."))
    return missing


def steps_after_password(
    policy: SignInPolicy,
    *,
    roles: Collection[Role],
    mfa_methods: Collection[str],
    password_changed_at: datetime,
    now: datetime,
) -> tuple[Step, ...]:
    """Return what is asked for after the right password; the code first: an old password alone changes nothing."""
    steps: list[Step] = []
    if policy.asks_code(mfa_methods):
        steps.append(Step.CODE)
    if policy.is_expired(password_changed_at, now):
        steps.append(Step.NEW_PASSWORD)
    if policy.requires_mfa(roles) and Method.TOTP.value not in mfa_methods:
        steps.append(Step.ENROL)
    return tuple(steps)
