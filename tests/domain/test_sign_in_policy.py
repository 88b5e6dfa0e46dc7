"""What the sign-in policy says about one person at one moment, and which policies are none."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from pydantic import ValidationError

from nova_ui.domain.identity import Role
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.sign_in_policy import (
    Method,
    MfaRule,
    PasswordRule,
    Requirement,
    SessionRule,
    SignInPolicy,
    Step,
    missing_rules,
    network_of,
    steps_after_password,
)

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def _policy(requirement: Requirement = Requirement.OPTIONAL, *roles: Role, **rules: object) -> SignInPolicy:
    mfa = MfaRule(requirement=requirement, required_for=roles)
    return SignInPolicy.model_validate({"mfa": mfa, **rules})


@pytest.mark.parametrize(
    ("policy", "roles", "required"),
    [
        (_policy(Requirement.OFF), [Role.ADMINISTRATOR], False),
        (_policy(Requirement.OPTIONAL), [Role.ADMINISTRATOR], False),
        (_policy(Requirement.REQUIRED), [], True),
        (_policy(Requirement.REQUIRED_FOR, Role.AUDITOR), [Role.USER, Role.AUDITOR], True),
        (_policy(Requirement.REQUIRED_FOR, Role.AUDITOR), [Role.USER, Role.ADMINISTRATOR], False),
    ],
)
def test_a_second_factor_is_required_of_whom_the_policy_names(
    policy: SignInPolicy, roles: list[Role], *, required: bool
) -> None:
    assert policy.requires_mfa(roles) is required


@pytest.mark.parametrize(
    ("policy", "asks"),
    [
        (_policy(), True),
        (_policy(Requirement.OFF), False),
        (_policy(methods=[Method.PASSWORD]), False),
        (_policy(Requirement.REQUIRED), True),
    ],
)
def test_a_code_is_asked_of_those_who_have_one_while_the_policy_knows_codes(
    policy: SignInPolicy, *, asks: bool
) -> None:
    assert policy.asks_code(["totp"]) is asks
    assert policy.asks_code([]) is False


@pytest.mark.parametrize(
    ("days", "age", "expired"),
    [
        (None, timedelta(days=9_000), False),
        (30, timedelta(days=30), True),
        (30, timedelta(days=30, seconds=-1), False),
        (30, timedelta(days=31), True),
    ],
)
def test_a_password_expires_on_its_day(days: int | None, age: timedelta, *, expired: bool) -> None:
    policy = SignInPolicy(password=PasswordRule(max_age_days=days))

    assert policy.is_expired(NOW - age, NOW) is expired


@pytest.mark.parametrize(
    ("networks", "ip", "allowed"),
    [
        ([], None, True),
        ([], "nonsense", True),
        (["10.0.0.0/8"], "10.1.2.3", True),
        (["10.0.0.0/8"], "11.1.2.3", False),
        (["10.0.0.0/8"], None, False),
        (["10.0.0.0/8"], "", False),
        (["10.0.0.0/8"], "nonsense", False),
        (["10.0.0.0/8"], "::ffff:10.1.2.3", True),
        (["10.0.0.0/8"], "::ffff:11.1.2.3", False),
        (["10.0.0.0/8"], "10.0.0.0/9", True),
        (["10.0.0.0/8"], "10.0.0.0/7", False),
        (["10.0.0.0/8"], "2001:db8::1", False),
        (["2001:db8::/32"], "2001:db8::1%eth0", True),
        (["2001:db8::/32"], "2001:db9::1", False),
        (["2001:db8::/32"], "10.1.2.3", False),
        (["::/0"], "::ffff:10.1.2.3", False),
        (["192.0.2.0/24", "2001:db8::/32"], "2001:db8::1", True),
    ],
)
def test_an_address_is_let_in_by_the_networks(networks: list[str], ip: str | None, *, allowed: bool) -> None:
    assert SignInPolicy(networks=tuple(networks)).allows_network(ip) is allowed


def test_a_network_of_mapped_addresses_stays_what_it_is() -> None:
    assert str(network_of("::ffff:10.0.0.0/104")) == "::ffff:a00:0/104"
    assert str(network_of("::ffff:10.0.0.1")) == "10.0.0.1/32"
    assert str(network_of("10.0.0.1")) == "10.0.0.1/32"
    assert network_of("10.0.0.1/8") is None
    assert str(network_of("fe80::1%eth0")) == "fe80::1/128"


def _steps(policy: SignInPolicy, *, mfa: list[str], age_days: int = 0) -> tuple[Step, ...]:
    changed_at = NOW - timedelta(days=age_days)
    return steps_after_password(policy, roles=[Role.USER], mfa_methods=mfa, password_changed_at=changed_at, now=NOW)


def test_the_code_comes_before_the_new_password_and_setting_one_up_comes_last() -> None:
    policy = _policy(Requirement.REQUIRED, password={"max_age_days": 30})

    assert _steps(policy, mfa=["totp"]) == (Step.CODE,)
    assert _steps(policy, mfa=["totp"], age_days=30) == (Step.CODE, Step.NEW_PASSWORD)
    assert _steps(policy, mfa=[]) == (Step.ENROL,)
    assert _steps(policy, mfa=[], age_days=30) == (Step.NEW_PASSWORD, Step.ENROL)
    assert _steps(_policy(), mfa=[]) == ()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (
            {"mfa": {"requirement": "required_for"}},
            "required_for names at least one role with that requirement, and none with another",
        ),
        (
            {"mfa": {"requirement": "required", "required_for": ["user"]}},
            "required_for names at least one role with that requirement, and none with another",
        ),
        (
            {"mfa": {"requirement": "required"}, "methods": ["password"]},
            "methods must hold totp where a second factor is required",
        ),
        ({"methods": ["recovery_code"]}, "recovery_code is of use together with totp only"),
        ({"methods": ["totp", "totp"]}, "must not name the same twice"),
        ({"networks": ["10.0.0.1/8"]}, "must be a network such as 10.0.0.0/8 or 2001:db8::/32, without bits of a host"),
        ({"networks": ["10.0.0.0/8", " 10.0.0.0/8 "]}, "must not name the same twice"),
        ({"session": {"idle_minutes": 61, "max_hours": 1}}, "idle_minutes must not be longer than max_hours"),
        ({"password": {"blocklist": {"words": ["two\nlines"]}}}, "must be one line without control characters"),
        ({"password": {"blocklist": {"words": ["a\u2028b"]}}}, "must be one line without control characters"),
        ({"password": {"blocklist": {"words": ["a\u2029b"]}}}, "must be one line without control characters"),
        (
            {"password": {"blocklist": {"words": ["a\ud800b"]}}},
            "Input should be a valid string, unable to parse raw data as a unicode string",
        ),
        ({"password": {"blocklist": {"words": ["e\u0301cole", "\u00e9cole"]}}}, "must not name the same twice"),
    ],
)
def test_a_policy_that_makes_no_sense_is_none(given: JsonObject, words: str) -> None:
    with pytest.raises(ValidationError) as found:
        SignInPolicy.model_validate(given)

    assert found.value.errors()[0]["msg"] == words
    assert re.fullmatch(r"[a-z_]+", found.value.errors()[0]["type"])


def test_a_policy_at_its_edges_is_one() -> None:
    edges = SignInPolicy(session=SessionRule(idle_minutes=60, max_hours=1), networks=(" 10.0.0.0/8 ", "2001:DB8::/32"))

    assert edges.networks == ("10.0.0.0/8", "2001:db8::/32")
    assert edges.session.idle == edges.session.lifetime == timedelta(hours=1)
    assert edges.lockout.window == timedelta(minutes=15)


def test_rules_that_were_filled_in_are_named_at_any_depth() -> None:
    given = SignInPolicy.model_validate({"mfa": {"requirement": "off"}, "password": {"blocklist": {"enabled": True}}})

    assert missing_rules(given) == [
        "mfa.required_for",
        "methods",
        "password.min_length",
        "password.history",
        "password.max_age_days",
        "password.blocklist.words",
        "lockout",
        "session",
        "networks",
    ]
    assert missing_rules(SignInPolicy.model_validate(SignInPolicy().model_dump())) == []


def test_every_rule_is_asked_for_where_a_policy_is_put() -> None:
    schema = SignInPolicy.model_json_schema()

    assert schema["required"] == list(SignInPolicy.model_fields)
    assert schema["$defs"]["LockoutRule"]["required"] == ["attempts", "minutes"]
