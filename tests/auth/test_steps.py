"""After the right password: a code, a new password, a second factor; each once, each bounded, each only here."""

import asyncio
import re
from datetime import timedelta

import httpx
import pyotp
import pytest
from sqlalchemy import update
from sqlmodel import col, select

from nova_ui.auth.steps import LASTS, MAX_CODES
from nova_ui.domain.identity import IdentityId
from nova_ui.domain.sign_in_policy import MfaRule, PasswordRule, Requirement, SignInPolicy
from storage.database import Database
from storage.encryption import Encryption
from storage.nova.sign_in_tables import PendingSignInRow, RecoveryCodeRow, TotpFactorRow
from storage.nova.tables import IdentityRow, SessionRow
from tests.auth.people import HOME, PASSWORD, AddPerson, Change, ReadLog, SetClock, store_policy
from tests.auth.plain_forms import FROM_US, live_session, token_in
from tests.auth.site import Site

ANOTHER = "kafka tanzt mit sieben gabeln"
STEP = "/sign-in/step"


@pytest.fixture
async def ada(site: Site, database: Database, add_person: AddPerson, clock: SetClock) -> tuple[IdentityId, str]:
    """Somebody with an authenticator app; its seed."""
    del clock
    identity_id = await add_person("ada", nova_roles=["administrator"])
    return identity_id, await enrol(site, database, identity_id)


async def enrol(site: Site, database: Database, identity_id: IdentityId) -> str:
    parts, clock = site.auth.signing_in, site.auth.setup
    async with database.transaction() as session:
        identity = await session.get_one(IdentityRow, identity_id)
        seed = (await parts.factors.begin(session, identity, clock.now())).seed
        code = pyotp.TOTP(seed).at(clock.now())
        codes = await parts.factors.confirm(session, identity, code, clock.now())
        assert isinstance(codes, list)
        identity.mfa_methods = ["totp", "recovery_code"]
        await session.exec(update(TotpFactorRow).values(last_step=None))  # as if that had been long ago
    return seed


async def begun(site: Site) -> str:
    return await site.auth.steps.begin(await site.auth.password_sign_in.show("ada", PASSWORD, HOME))


async def enter_password(visitor: httpx.AsyncClient, login: str = "ada") -> httpx.Response:
    page = await visitor.get("/sign-in")
    fields = {"form_token": token_in(page), "login": login, "password": PASSWORD}
    return await visitor.post("/sign-in", data=fields, headers=FROM_US)


async def enter(visitor: httpx.AsyncClient, **fields: str) -> httpx.Response:
    """Fill the step in that is shown."""
    page = await visitor.get(STEP)
    hidden = dict(re.findall(r'type="hidden" name="([a-z_]+)" value="([^"]*)"', page.text))
    return await visitor.post(STEP, data={**hidden, **fields}, headers=FROM_US)


def code_of(seed: str, clock: SetClock, steps: int = 0) -> str:
    return pyotp.TOTP(seed).at(clock.now() + timedelta(seconds=30 * steps))


async def test_the_password_alone_is_no_session_and_the_code_makes_it_one(
    site: Site, ada: tuple[IdentityId, str], clock: SetClock
) -> None:
    async with site.visitor() as visitor:
        first = await enter_password(visitor)
        before = await live_session(site, visitor)
        last = await enter(visitor, code=code_of(ada[1], clock))
        session = await live_session(site, visitor)

    assert (first.status_code, first.headers["location"]) == (303, STEP)
    assert before is None
    assert (last.status_code, last.headers["location"]) == (303, "/")
    assert session is not None
    assert session.identity.id == ada[0]


async def test_the_session_says_how_it_was_begun(
    site: Site, ada: tuple[IdentityId, str], clock: SetClock, database: Database
) -> None:
    async with site.visitor() as visitor:
        await enter_password(visitor)
        await enter(visitor, code=code_of(ada[1], clock))

    async with database.reading() as session:
        assert (await session.exec(select(SessionRow))).one().methods == ["pwd", "otp"]
        assert (await session.exec(select(PendingSignInRow))).all() == []


@pytest.mark.parametrize(("drift", "counts"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
async def test_a_watch_may_be_one_step_off(
    site: Site, ada: tuple[IdentityId, str], clock: SetClock, *, drift: int, counts: bool
) -> None:
    async with site.visitor() as visitor:
        await enter_password(visitor)
        answer = await enter(visitor, code=code_of(ada[1], clock, drift))

    assert answer.status_code == (303 if counts else 401)


async def test_a_code_counts_once_also_a_moment_earlier_one(
    site: Site, ada: tuple[IdentityId, str], clock: SetClock
) -> None:
    """Abuse case 65."""
    code, earlier = code_of(ada[1], clock), code_of(ada[1], clock, -1)
    async with site.visitor() as first, site.visitor() as second:
        await enter_password(first)
        assert (await enter(first, code=code)).status_code == 303
        await enter_password(second)
        replayed = await enter(second, code=code)
        older = await enter(second, code=earlier)

    assert (replayed.status_code, older.status_code) == (401, 401)
    assert "used already" in replayed.text


async def test_the_same_code_at_once_in_many_tabs_makes_one_session(
    site: Site, ada: tuple[IdentityId, str], clock: SetClock, database: Database
) -> None:
    tokens = [await begun(site) for _ in range(4)]
    pending = [await site.auth.steps.find(token, HOME.ip) for token in tokens]

    code = code_of(ada[1], clock)
    problems = await asyncio.gather(
        *(site.auth.steps.enter_code(one, code, HOME) for one in pending if one is not None)
    )

    assert problems.count(None) == 1
    async with database.reading() as session:
        assert len((await session.exec(select(PendingSignInRow))).all()) == 4


async def test_a_finished_sign_in_makes_one_session_however_often_it_is_pressed(
    site: Site, ada: tuple[IdentityId, str], clock: SetClock, database: Database
) -> None:
    token = await site.auth.steps.begin(await site.auth.password_sign_in.show("ada", PASSWORD, HOME))
    pending = await site.auth.steps.find(token, HOME.ip)
    assert pending is not None
    assert await site.auth.steps.enter_code(pending, code_of(ada[1], clock), HOME) is None

    finished = await asyncio.gather(
        *(site.auth.steps.finish(pending.id, token, HOME) for _ in range(5)), return_exceptions=True
    )

    assert sum(isinstance(one, tuple) for one in finished) == 1
    async with database.reading() as session:
        assert len((await session.exec(select(SessionRow))).all()) == 1


async def test_codes_are_guessed_a_few_times_only_and_then_the_name_waits(
    site: Site, ada: tuple[IdentityId, str], clock: SetClock, database: Database
) -> None:
    async with site.visitor() as visitor:
        await enter_password(visitor)
        answers = [await enter(visitor, code="000000") for _ in range(MAX_CODES)]
        again = await enter_password(visitor)

    assert [answer.status_code for answer in answers] == [401] * MAX_CODES
    assert "begin again" in answers[-1].text
    assert again.status_code == 429
    async with database.reading() as session:
        assert (await session.get_one(IdentityRow, ada[0])).locked_until is not None
    clock.advance(minutes=16)
    async with site.visitor() as visitor:
        await enter_password(visitor)
        assert (await enter(visitor, code=code_of(ada[1], clock))).status_code == 303


async def test_the_right_password_in_between_buys_no_further_codes(site: Site, ada: tuple[IdentityId, str]) -> None:
    tried = 0
    async with site.visitor() as visitor:
        for _ in range(10):
            if (await enter_password(visitor)).status_code == 429:
                break
            tried += (await enter(visitor, code="000000")).status_code == 401

    assert tried <= MAX_CODES
    assert ada


async def test_a_sign_in_under_way_ends_after_five_minutes(
    site: Site, ada: tuple[IdentityId, str], clock: SetClock
) -> None:
    async with site.visitor() as visitor:
        await enter_password(visitor)
        clock.advance(seconds=LASTS.total_seconds())
        shown = await visitor.get(STEP)

    assert (shown.status_code, shown.headers["location"]) == (303, "/sign-in")
    assert ada


@pytest.mark.parametrize(
    "change_to",
    [{"status": "suspended"}, {"password_hash": "another"}, {"locked": True}],
    ids=["suspended", "another_password", "locked"],
)
async def test_who_is_kept_out_meanwhile_does_not_go_on(
    *,
    site: Site,
    ada: tuple[IdentityId, str],
    clock: SetClock,
    change: Change,
    change_to: dict[str, object],
) -> None:
    until = {"locked_until": clock.now() + timedelta(minutes=1)}
    async with site.visitor() as visitor:
        await enter_password(visitor)
        page = await visitor.get(STEP)
        await change(ada[0], **(until if "locked" in change_to else change_to))
        hidden = dict(re.findall(r'type="hidden" name="([a-z_]+)" value="([^"]*)"', page.text))
        answer = await visitor.post(STEP, data={**hidden, "code": code_of(ada[1], clock)}, headers=FROM_US)

        assert answer.status_code == 401
        assert await live_session(site, visitor) is None


async def test_a_form_of_another_tabs_sign_in_is_not_taken(
    site: Site, ada: tuple[IdentityId, str], clock: SetClock
) -> None:
    """Abuse case 65."""
    async with site.visitor() as visitor:
        await enter_password(visitor)
        page = await visitor.get(STEP)
        await enter_password(visitor)
        hidden = dict(re.findall(r'type="hidden" name="([a-z_]+)" value="([^"]*)"', page.text))
        answer = await visitor.post(STEP, data={**hidden, "code": code_of(ada[1], clock)}, headers=FROM_US)

        assert answer.status_code == 200
        assert await live_session(site, visitor) is None


async def test_the_cookie_of_a_sign_in_under_way_is_no_session(site: Site, ada: tuple[IdentityId, str]) -> None:
    async with site.visitor() as visitor:
        await enter_password(visitor)
        pending = visitor.cookies["nova_pending"]
        visitor.cookies.set("nova_session", pending)

        assert (await visitor.get("/")).status_code == 303
        assert await site.auth.sessions.by_token(pending) is None
    assert ada


async def test_a_planted_token_of_a_sign_in_signs_nobody_in(
    site: Site, ada: tuple[IdentityId, str], clock: SetClock
) -> None:
    """Abuse case 65."""
    async with site.visitor() as attacker, site.visitor() as victim:
        await enter_password(attacker)
        stolen = attacker.cookies["nova_pending"]
        await enter(attacker, code=code_of(ada[1], clock))
        victim.cookies.set("nova_pending", stolen)
        shown = await victim.get(STEP)

        assert shown.headers["location"] == "/sign-in"
        assert stolen not in (attacker.cookies.get("nova_session") or "")


async def test_the_seed_is_sealed_and_recovery_codes_and_tokens_are_hashes(
    site: Site, ada: tuple[IdentityId, str], database: Database
) -> None:
    async with site.visitor() as visitor:
        await enter_password(visitor)
        token = visitor.cookies["nova_pending"]

    async with database.reading() as session:
        factor = (await session.exec(select(TotpFactorRow))).one()
        codes = (await session.exec(select(RecoveryCodeRow))).all()
        pending = (await session.exec(select(PendingSignInRow))).one()
    assert Encryption.is_sealed(factor.seed)
    assert all(re.fullmatch(r"[0-9a-f]{64}", one.code_hash) for one in codes)
    assert len(codes) == 10
    assert token not in repr(pending.model_dump())
    assert ada


async def test_a_recovery_code_counts_exactly_once_also_when_pressed_at_once(
    site: Site, ada: tuple[IdentityId, str], database: Database, audit_log: ReadLog
) -> None:
    async with database.transaction() as session:
        codes = await site.auth.signing_in.factors.new_codes(session, ada[0], site.auth.setup.now())
    tokens = [await begun(site) for _ in range(4)]
    pending = [await site.auth.steps.find(token, HOME.ip) for token in tokens]

    problems = await asyncio.gather(
        *(site.auth.steps.enter_code(one, codes[0].lower(), HOME) for one in pending if one is not None)
    )

    assert problems.count(None) == 1
    used = [entry for entry in await audit_log() if entry.action == "identity.recovery_code_used"]
    assert len(used) == 1
    logged = repr([entry.model_dump() for entry in await audit_log()])
    assert not any(code in logged for code in codes)


async def test_who_needs_a_second_factor_sets_it_up_right_after_the_password(
    site: Site, database: Database, add_person: AddPerson, clock: SetClock, audit_log: ReadLog
) -> None:
    ben = await add_person("ben", nova_roles=["administrator"])
    _, before = await site.auth.password_sign_in.sign_in("ben", PASSWORD, HOME)
    await store_policy(database, SignInPolicy(mfa=MfaRule(requirement=Requirement.REQUIRED)), clock)
    async with site.visitor() as visitor:
        await enter_password(visitor, "ben")
        page = await visitor.get(STEP)
        seed = re.search(r"<code>([A-Z2-7 ]{39})</code>", page.text)
        assert seed is not None
        again = await visitor.get(STEP)
        wrong = await enter(visitor, code="000000")
        done = await enter(visitor, code=code_of(seed[1].replace(" ", ""), clock))
        session = await live_session(site, visitor)

    assert "<svg" in page.text
    assert seed[0] in again.text
    assert wrong.status_code == 401
    assert len(re.findall(r"<code>[A-Z2-7]{4}(?:-[A-Z2-7]{4}){5}</code>", done.text)) == 10
    assert session is not None
    assert session.identity.id == ben
    assert "identity.mfa_enrolled" in [entry.action for entry in await audit_log()]
    async with database.reading() as reading:
        assert (await reading.get_one(IdentityRow, ben)).mfa_methods == ["totp", "recovery_code"]
        live = select(SessionRow).where(col(SessionRow.ended_at).is_(None))
        assert (await reading.exec(live)).one().methods == ["pwd", "otp"]
    assert await site.auth.sessions.by_id(before.session_id) is None


async def test_an_old_password_is_changed_after_the_code_and_ends_every_session(
    site: Site, database: Database, ada: tuple[IdentityId, str], clock: SetClock
) -> None:
    await store_policy(database, SignInPolicy(password=PasswordRule(max_age_days=30, history=3)), clock)
    async with site.visitor() as old:
        await enter_password(old)
        await enter(old, code=code_of(ada[1], clock))
        clock.advance(days=31)
        async with site.visitor() as visitor:
            await enter_password(visitor)
            early = await enter(visitor, password=ANOTHER, repeated=ANOTHER)
            await enter(visitor, code=code_of(ada[1], clock))
            same = await enter(visitor, password=PASSWORD, repeated=PASSWORD)
            differs = await enter(visitor, password=ANOTHER, repeated=PASSWORD)
            done = await enter(visitor, password=ANOTHER, repeated=ANOTHER)
            session = await live_session(site, visitor)

    assert early.status_code == 401
    assert (same.status_code, differs.status_code, done.status_code) == (422, 422, 303)
    assert "one that you had before" in same.text
    assert session is not None
    _, signed_in = await _again(site, ANOTHER, code_of(ada[1], clock, 1))
    assert signed_in == ada[0]


async def _again(site: Site, password: str, code: str) -> tuple[str, IdentityId]:
    token, signed_in = await site.auth.steps.sign_in("ada", password, code, HOME)
    return token, signed_in.identity.id
