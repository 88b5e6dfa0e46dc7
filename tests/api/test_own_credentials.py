"""One's own password and second factor: shown again before, kept nowhere, and every other session ended."""

import asyncio
import re
from datetime import timedelta
from typing import Any

import pyotp
import pytest
from sqlmodel import select

from nova_ui.auth.password import Passwords
from storage.encryption import Encryption
from storage.nova.sign_in_tables import OldPasswordRow, RecoveryCodeRow, TotpFactorRow
from storage.nova.tables import AuditEntryRow, IdempotencyRow, IdentityRow, SessionRow
from tests.api.site import NOW, Site
from tests.api.test_administrators import freshen
from tests.auth.people import MAX_PER_NAME, quick_hasher

OLD, NEW = "correct horse battery", "kafka tanzt mit sieben gabeln"


@pytest.fixture
async def sam(site: Site) -> str:
    """Sam, who has a password."""
    hashed = await Passwords(quick_hasher()).hash(OLD)
    async with site.database.transaction() as session:
        row = await session.get_one(IdentityRow, site.people["sam"].id)
        row.password_hash = hashed
    return site.people["sam"].id


async def change(site: Site, current: str = OLD, new: str = NEW, **headers: str) -> Any:  # noqa: ANN401 - a response
    body = {"current_password": current, "new_password": new}
    return await site.call("sam", "POST /me/password", body=body, headers=headers)


async def enrolled(site: Site) -> tuple[str, list[str]]:
    """Set sam's app up; return its seed and the recovery codes."""
    await freshen(site, "sam")
    seed = (await site.call("sam", "POST /me/mfa/totp")).json()["totp_secret"]
    answer = await confirm(site, seed)
    assert answer.status_code == 200
    return seed, answer.json()["recovery_codes"]


async def confirm(site: Site, seed: str, steps: int = 0) -> Any:  # noqa: ANN401 - a response
    code = pyotp.TOTP(seed).at(site.clock.moment + timedelta(seconds=30 * steps))
    return await site.call("sam", "POST /me/mfa/totp/confirm", body={"one_time_code": code})


async def rules_of(site: Site, **changed: Any) -> None:  # noqa: ANN401 - JSON of a test
    read = (await site.call("mara", "GET /sign-in-policy")).json()
    rules = {name: read[name] for name in ("mfa", "methods", "password", "lockout", "session", "networks")}
    assert (await site.call("mara", "PUT /sign-in-policy", body={**rules, **changed})).status_code == 200


async def test_a_new_password_ends_every_other_session(site: Site, sam: str) -> None:
    await site.add(site.session_of("sam elsewhere", sam))

    answer = await change(site)

    assert (answer.status_code, answer.json()) == (200, {"ended_sessions": 1})
    assert (await site.call("sam", "GET /me")).status_code == 200
    assert (await site.call("sam elsewhere", "GET /me")).status_code == 401
    (entry,) = await site.entries("identity.password_changed")
    (ended,) = await site.entries("session.ended")
    assert ended.caused_by == entry.id
    assert (await site.get(IdentityRow, sam)).password_changed_at == NOW


async def test_no_password_is_in_the_log(site: Site, sam: str) -> None:
    await change(site, current="something wrong")
    await change(site)

    async with site.database.reading() as session:
        entries = (await session.exec(select(AuditEntryRow))).all()
    logged = repr([entry.model_dump() for entry in entries])
    assert not any(one in logged for one in (OLD, NEW, "something wrong", "argon2"))
    assert sam


async def test_the_current_password_is_guessed_a_few_times_only(site: Site, sam: str) -> None:
    wrong = [await change(site, current="wrong") for _ in range(MAX_PER_NAME)]
    right = await change(site)

    assert {(one.status_code, one.json()["code"], one.json()["field"]) for one in wrong} == {
        (403, "wrong_password", "current_password")
    }
    assert (right.status_code, right.json()["code"]) == (429, "too_many_attempts")
    assert (await site.get(IdentityRow, sam)).locked_until is not None


@pytest.mark.parametrize(
    "new",
    [
        "short",
        "u\u0308" * 6,
        "Sam.Sam.Sam.1",
        "Passwort-2026",
        "sam@nova.example",
        OLD,
        "x" * 257,
        "aaaaaaaaaaaaaaaaaaaa",
    ],
)
async def test_what_the_policy_does_not_take_changes_nothing(site: Site, sam: str, new: str) -> None:
    before = (await site.get(IdentityRow, sam)).password_hash

    answer = await change(site, new=new)

    assert answer.status_code in {400, 422}
    assert answer.json()["field"] == "new_password"
    assert new not in answer.text
    assert (await site.get(IdentityRow, sam)).password_hash == before


async def test_own_words_of_the_policy_count_too(site: Site, sam: str) -> None:
    await rules_of(
        site,
        password={
            "min_length": 12,
            "history": 0,
            "max_age_days": None,
            "blocklist": {"enabled": True, "words": ["Musterwerk"]},
        },
    )

    assert (await change(site, new="MusterWerk-2026")).status_code == 400
    assert (await change(site, new=NEW)).status_code == 200
    assert sam


async def test_earlier_passwords_do_not_come_back_as_long_as_the_policy_says(site: Site, sam: str) -> None:
    blocklist = {"enabled": True, "words": []}
    await rules_of(site, password={"min_length": 12, "history": 2, "max_age_days": None, "blocklist": blocklist})
    third, fourth = "sieben blaue elefanten", "vier gruene krokodile"
    for current, new in ((OLD, NEW), (NEW, third)):
        assert (await change(site, current, new)).status_code == 200

    back = [await change(site, third, new) for new in (OLD, NEW, third)]
    assert [one.status_code for one in back] == [400, 400, 400]
    assert (await change(site, third, fourth)).status_code == 200
    assert (await change(site, fourth, OLD)).status_code == 200
    async with site.database.reading() as session:
        assert len((await session.exec(select(OldPasswordRow))).all()) == 2
    assert sam


async def test_two_changes_at_once_are_one(site: Site, sam: str) -> None:
    answers = await asyncio.gather(change(site), change(site, new="sieben blaue elefanten"))

    assert sorted(one.status_code for one in answers) == [200, 409]
    assert sam


@pytest.mark.parametrize(
    "endpoint", ["POST /me/password", "POST /me/mfa/totp", "POST /me/mfa/totp/confirm", "POST /me/mfa/recovery-codes"]
)
async def test_nothing_of_a_secret_request_is_kept_under_a_key(site: Site, sam: str, endpoint: str) -> None:
    await freshen(site, "sam")
    bodies = {
        "POST /me/password": {"current_password": OLD, "new_password": NEW},
        "POST /me/mfa/totp/confirm": {"one_time_code": "123456"},
    }

    answer = await site.call("sam", endpoint, body=bodies.get(endpoint), headers={"Idempotency-Key": "once"})

    assert (answer.status_code, answer.json()["field"]) == (400, "Idempotency-Key")
    async with site.database.reading() as session:
        assert (await session.exec(select(IdempotencyRow))).all() == []
    assert sam


@pytest.mark.parametrize(
    "endpoint",
    [
        "POST /me/password",
        "GET /me/mfa",
        "POST /me/mfa/totp",
        "POST /me/mfa/totp/confirm",
        "DELETE /me/mfa/totp",
        "POST /me/mfa/recovery-codes",
    ],
)
async def test_b6_no_chat_touches_passwords_and_factors(site: Site, sam: str, endpoint: str) -> None:
    bodies = {
        "POST /me/password": {"current_password": OLD, "new_password": NEW},
        "POST /me/mfa/totp/confirm": {"one_time_code": "123456"},
    }

    answer = await site.call("sam", endpoint, body=bodies.get(endpoint), via="my-access")

    assert (answer.status_code, answer.json()["code"]) == (403, "interface_only")
    assert sam


async def test_an_app_is_set_up_after_a_fresh_sign_in_and_counts_once_confirmed(site: Site, sam: str) -> None:
    stale = await site.call("sam", "POST /me/mfa/totp")
    await freshen(site, "sam")
    begun = await site.call("sam", "POST /me/mfa/totp")
    before = (await site.call("sam", "GET /me")).json()["mfa_methods"]
    answer = await confirm(site, begun.json()["totp_secret"])

    assert (stale.status_code, stale.json()["code"]) == (403, "fresh_sign_in_required")
    assert begun.json()["totp_link"].startswith("otpauth://totp/Nova%20AI:sam?")
    assert before == []
    assert len(set(answer.json()["recovery_codes"])) == 10
    assert (await site.call("sam", "GET /me")).json()["mfa_methods"] == ["totp", "recovery_code"]
    outcomes = [entry.outcome for entry in await site.entries("identity.mfa_enrolled")]
    assert outcomes == ["success"]
    assert sam


async def test_seed_and_codes_are_stored_sealed_and_hashed_and_never_logged(site: Site, sam: str) -> None:
    seed, codes = await enrolled(site)

    async with site.database.reading() as session:
        factor = (await session.exec(select(TotpFactorRow))).one()
        hashes = [row.code_hash for row in (await session.exec(select(RecoveryCodeRow))).all()]
        logged = repr([entry.model_dump() for entry in (await session.exec(select(AuditEntryRow))).all()])
    assert Encryption.is_sealed(factor.seed)
    assert all(re.fullmatch(r"[0-9a-f]{64}", one) for one in hashes)
    assert not any(one in logged for one in (seed, *codes))
    assert (await site.call("sam", "GET /me/mfa")).json()["recovery_codes_left"] == 10
    assert sam


async def test_a_wrong_code_confirms_nothing_and_after_five_it_begins_anew(site: Site, sam: str) -> None:
    await freshen(site, "sam")
    seed = (await site.call("sam", "POST /me/mfa/totp")).json()["totp_secret"]

    wrong = [await site.call("sam", "POST /me/mfa/totp/confirm", body={"one_time_code": "000000"}) for _ in range(5)]
    late = await confirm(site, seed)

    assert [one.json()["code"] for one in wrong] == ["wrong_code"] * 5
    assert (late.status_code, late.json()["code"]) == (409, "state_conflict")
    assert (await site.get(IdentityRow, sam)).mfa_methods == []


async def test_what_was_begun_counts_a_quarter_of_an_hour(site: Site, sam: str) -> None:
    await freshen(site, "sam")
    seed = (await site.call("sam", "POST /me/mfa/totp")).json()["totp_secret"]
    site.clock.moment = NOW + timedelta(minutes=15)

    assert (await confirm(site, seed)).status_code == 409
    assert sam


async def test_a_new_app_replaces_the_old_one_only_when_it_is_confirmed(site: Site, sam: str) -> None:
    await enrolled(site)
    seed = (await site.call("sam", "POST /me/mfa/totp")).json()["totp_secret"]
    async with site.database.reading() as session:
        both = (await session.exec(select(TotpFactorRow))).all()

    await confirm(site, seed)

    async with site.database.reading() as session:
        (left,) = (await session.exec(select(TotpFactorRow))).all()
    assert [one.confirmed_at is not None for one in sorted(both, key=lambda one: one.confirmed_at is None)] == [
        True,
        False,
    ]
    assert left.confirmed_at is not None
    assert left.id == next(one.id for one in both if one.confirmed_at is None)
    assert sam


async def test_confirming_at_once_makes_one_set_of_codes(site: Site, sam: str) -> None:
    await freshen(site, "sam")
    seed = (await site.call("sam", "POST /me/mfa/totp")).json()["totp_secret"]

    answers = await asyncio.gather(*(confirm(site, seed) for _ in range(3)))

    assert sorted(one.status_code for one in answers) == [200, 409, 409]
    async with site.database.reading() as session:
        assert len((await session.exec(select(RecoveryCodeRow))).all()) == 10
    assert sam


@pytest.mark.parametrize("endpoint", ["DELETE /me/mfa/totp", "POST /me/mfa/recovery-codes", "POST /me/mfa/totp"])
async def test_a_stolen_session_neither_removes_nor_replaces_a_factor(site: Site, sam: str, endpoint: str) -> None:
    await enrolled(site)
    await freshen(site, "sam", ago=timedelta(minutes=5))

    answer = await site.call("sam", endpoint)

    assert (answer.status_code, answer.json()["code"]) == (403, "fresh_sign_in_required")
    assert (await site.get(IdentityRow, sam)).mfa_methods == ["totp", "recovery_code"]


async def test_a_factor_is_removed_unless_the_policy_requires_it(site: Site, sam: str) -> None:
    await enrolled(site)
    async with site.database.transaction() as session:
        for name in ("sam", "mara"):
            (await session.get_one(SessionRow, site.people[name].session_id)).methods = ["pwd", "otp"]
    await rules_of(site, mfa={"requirement": "required", "required_for": []})

    impact = await site.call("sam", "GET /me/mfa/totp/impact", query={"action": "delete"})
    refused = await site.call("sam", "DELETE /me/mfa/totp")
    await rules_of(site, mfa={"requirement": "optional", "required_for": []})
    removed = await site.call("sam", "DELETE /me/mfa/totp")

    assert (refused.status_code, refused.json()["code"]) == (409, "state_conflict")
    assert impact.json()["refusal"]["code"] == "state_conflict"
    assert (removed.status_code, removed.json()["object"]["mfa_methods"]) == (200, [])
    assert (await site.get(IdentityRow, sam)).mfa_methods == []


async def test_another_factor_ends_every_other_session_of_its_owner(site: Site, sam: str) -> None:
    await site.add(site.session_of("sam elsewhere", sam))
    await enrolled(site)
    after_setting_up = (await site.call("sam elsewhere", "GET /me")).status_code
    await site.add(site.session_of("sam again", sam))

    impact = await site.call("sam", "GET /me/mfa/totp/impact", query={"action": "delete"})
    removed = await site.call("sam", "DELETE /me/mfa/totp")

    ended = [site.people[name].session_id for name in ("sam elsewhere", "sam again")]
    assert after_setting_up == (await site.call("sam again", "GET /me")).status_code == 401
    assert (await site.call("sam", "GET /me")).status_code == (await site.call("mara", "GET /me")).status_code == 200
    assert [(one["type"], one["count"], one["result"]) for one in impact.json()["effects"]] == [("session", 1, "ended")]
    assert [one["id"] for one in removed.json()["effects"]] == ended[1:]
    assert [entry.target_id for entry in await site.entries("session.ended")] == ended
    assert {*ended} <= {one for announced in site.ended for one in announced}


async def test_no_factor_is_set_up_where_the_policy_wants_none(site: Site, sam: str) -> None:
    await rules_of(site, mfa={"requirement": "off", "required_for": []})
    await freshen(site, "sam")

    answer = await site.call("sam", "POST /me/mfa/totp")

    assert (answer.status_code, answer.json()["code"]) == (409, "state_conflict")
    assert sam


async def test_new_recovery_codes_make_the_old_ones_useless_and_end_every_other_session(site: Site, sam: str) -> None:
    _, old = await enrolled(site)
    await site.add(site.session_of("sam elsewhere", sam))

    new = (await site.call("sam", "POST /me/mfa/recovery-codes")).json()["recovery_codes"]

    assert (await site.call("sam elsewhere", "GET /me")).status_code == 401
    assert (await site.call("sam", "GET /me")).status_code == 200
    (created,) = await site.entries("identity.recovery_codes_created")
    assert [entry.caused_by for entry in await site.entries("session.ended")] == [created.id]

    async with site.database.reading() as session:
        assert len((await session.exec(select(RecoveryCodeRow))).all()) == 10
    assert set(old).isdisjoint(new)
    assert sam
