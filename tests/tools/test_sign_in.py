"""What the model learns about signing in: the rules, and why somebody can't get in; never a secret."""

import json
from datetime import timedelta

import pytest
from pydantic import ValidationError
from sqlmodel import col, select, update

from nova_ui.domain.clock import SystemClock
from nova_ui.domain.json_value import JsonObject
from nova_ui.errors import NovaForbidden
from nova_ui.guardrails.redaction import redact
from nova_ui.tools.sign_in import EXPLAIN_SIGN_IN
from storage.nova.tables import IdentityRow
from tests.tools.conftest import Person, Site


async def set_on(site: Site, user_name: str, **values: object) -> str:
    """Change an identity behind Nova's back; return its id."""
    mine = col(IdentityRow.user_name) == user_name
    async with site.database.transaction() as session:
        if values:
            await session.exec(update(IdentityRow).where(mine).values(**values))
        return (await session.exec(select(IdentityRow.id).where(mine))).one()


async def test_the_policy_is_told_with_every_rule_and_redaction_leaves_it_readable(paul: Person) -> None:
    policy = await paul.run("get_sign_in_policy")

    assert redact(policy) == policy
    assert policy["mfa"] == {"requirement": "optional"}
    assert policy["lockout"] == {"attempts": 5, "minutes": 15}
    assert policy["chosen_words_must_have"] == {"min_length": 12, "history": 0, "refuses_common_words": True}


@pytest.mark.parametrize(
    ("values", "rule"),
    [
        ({}, None),
        ({"status": "suspended"}, "not_active"),
        ({"password_hash": None}, "no_password"),
        ({"locked_until": SystemClock().now() + timedelta(hours=1)}, "locked"),
    ],
)
async def test_why_somebody_can_not_get_in_is_named_by_its_rule(
    site: Site, paul: Person, values: JsonObject, rule: str | None
) -> None:
    tim = await set_on(site, "tim.vogt", **values)

    told = await paul.run("explain_sign_in", identity_id=tim)

    assert (told["allowed"], told.get("rule")) == (rule is None, rule)
    assert told["why"]


async def test_the_last_failures_are_told_by_reason_and_place_and_nothing_else(site: Site, mara: Person) -> None:
    tim = await set_on(site, "tim.vogt")

    told = await mara.run("explain_sign_in", identity_id=tim)

    failures, sessions = told["last_failures"], told["sessions"]
    assert isinstance(failures, list)
    assert isinstance(sessions, list)
    assert all(isinstance(one, dict) and set(one) <= {"time", "ip", "reason"} for one in failures)
    assert len(failures) <= 5
    assert len(sessions) <= 5
    assert "token" not in json.dumps(told)


async def test_another_address_and_another_factor_can_be_asked_about(site: Site, paul: Person) -> None:
    tim = await set_on(site, "tim.vogt", mfa_methods=[])

    told = await paul.run("explain_sign_in", identity_id=tim, network="192.0.2.7", method="totp")

    assert (told["allowed"], told["rule"]) == (False, "no_second_factor")


@pytest.mark.parametrize("tool", ["get_sign_in_policy", "explain_sign_in"])
async def test_a2_whoever_oversees_nothing_learns_nothing(site: Site, tool: str) -> None:
    lea = await site.sign_in("lea.brandt")
    tim = await set_on(site, "tim.vogt")

    with pytest.raises(NovaForbidden):
        await lea.run(tool, **({"identity_id": tim} if tool == "explain_sign_in" else {}))


@pytest.mark.parametrize(
    "arguments",
    [
        {"identity_id": "tim.vogt"},
        {"identity_id": "idn_0123456789abcdefghj1", "method": "passkey"},
        {"identity_id": "idn_0123456789abcdefghj1", "code": "123456"},
    ],
)
def test_d1_neither_a_name_nor_a_code_is_taken(arguments: JsonObject) -> None:
    with pytest.raises(ValidationError):
        EXPLAIN_SIGN_IN.arguments.model_validate(arguments)
