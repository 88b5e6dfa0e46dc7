"""Name and password sign in; everything else waits, and learns nothing."""

import asyncio
import time

import pytest
from sqlmodel import select

from nova_ui.auth.password import MAX_PASSWORD_CHARS, Passwords
from nova_ui.auth.password_rules import find_fault
from nova_ui.auth.session import Sessions, Whence
from nova_ui.auth.sign_in import PasswordSignIn
from nova_ui.auth.throttle import MAX_PER_ADDRESS, WINDOW, counted_address
from nova_ui.domain.sign_in_policy import PasswordRule
from nova_ui.errors import SignInFailed, SignInThrottled
from storage.database import Database
from storage.nova.sign_in_attempts import forget, name_subject
from storage.nova.tables import IdentityRow, SignInAttemptRow
from tests.auth.people import HOME, MAX_PER_NAME, PASSWORD, AddPerson, Change, ReadLog, SetClock, quick_hasher

ELSEWHERE = Whence(ip="198.51.100.7")


@pytest.mark.parametrize("name", ["Ada", "ada", "  ADA ", "a\u0301da".replace("a\u0301", "a")])
async def test_a_name_is_compared_folded(door: PasswordSignIn, add_person: AddPerson, name: str) -> None:
    ada = await add_person("Ada")

    _, signed_in = await door.sign_in(name, PASSWORD, HOME)

    assert signed_in.identity.id == ada


async def test_a_password_typed_on_another_keyboard_is_the_same(door: PasswordSignIn, add_person: AddPerson) -> None:
    await add_person("ada", password="gr\u00fc\u00dfe aus k\u00f6ln")

    _, signed_in = await door.sign_in("ada", "gru\u0308\u00dfe aus ko\u0308ln", HOME)

    assert signed_in.identity.user_name == "ada"


@pytest.mark.parametrize(
    ("login", "password", "reason"),
    [
        ("ada", "wrong", "wrong_password"),
        ("ada", PASSWORD.upper(), "wrong_password"),
        ("ada", "", "wrong_password"),
        ("ada", "x" * (MAX_PASSWORD_CHARS + 1), "wrong_password"),
        ("ada", "\ud800", "wrong_password"),
        ("nobody", PASSWORD, "unknown_name"),
        ("", "", "unknown_name"),
        ("ada\0", PASSWORD, "unknown_name"),
        ("external", PASSWORD, "no_password"),
        ("ben", PASSWORD, "not_active"),
        ("lea", PASSWORD, "locked"),
    ],
)
async def test_every_no_is_the_same_to_the_person_and_its_reason_is_in_the_log(
    *,
    door: PasswordSignIn,
    add_person: AddPerson,
    audit_log: ReadLog,
    clock: SetClock,
    login: str,
    password: str,
    reason: str,
) -> None:
    await add_person("ada")
    await add_person("external", password=None)
    await add_person("ben", status="disabled")
    await add_person("lea", locked_until=clock.now() + WINDOW)

    with pytest.raises(SignInFailed) as refused:
        await door.sign_in(login, password, HOME)

    (entry,) = await audit_log()
    assert refused.value.params == {}
    assert (entry.action, entry.outcome, entry.details) == ("sign_in.failed", "refused", {"reason": reason})


async def test_what_was_typed_is_never_in_the_log(
    door: PasswordSignIn, add_person: AddPerson, audit_log: ReadLog
) -> None:
    await add_person("ada")

    for login, password in (("hunter2-as-name", "x"), ("ada", "hunter2-as-password")):
        with pytest.raises(SignInFailed):
            await door.sign_in(login, password, HOME)

    assert "hunter2" not in repr([entry.model_dump() for entry in await audit_log()])


async def test_a_stranger_takes_as_long_as_anybody(passwords: Passwords) -> None:
    slow = Passwords(quick_hasher(time_cost=60))
    stored = await slow.hash(PASSWORD)

    known, unknown, long = await _timed(slow, stored), await _timed(slow, None), await _timed(slow, stored, "x" * 9999)

    assert 0.4 < unknown / known < 2.5
    assert 0.4 < long / known < 2.5
    assert not (await passwords.verify(PASSWORD, "no hash at all")).matches


async def test_a_hash_with_old_parameters_is_renewed_at_the_next_sign_in(
    database: Database, clock: SetClock, sessions: Sessions, door: PasswordSignIn, add_person: AddPerson
) -> None:
    ada = await add_person("ada")
    stronger = PasswordSignIn(database, clock, Passwords(quick_hasher(time_cost=2)), sessions)
    before = await _hash_of(database, ada)

    await door.sign_in("ada", PASSWORD, HOME)
    same = await _hash_of(database, ada)
    await stronger.sign_in("ada", PASSWORD, HOME)
    renewed = await _hash_of(database, ada)
    await stronger.sign_in("ada", PASSWORD, HOME)

    assert before == same
    assert "t=2" in renewed
    assert await _hash_of(database, ada) == renewed


async def test_too_many_failures_of_a_name_wait_even_with_the_right_password(
    door: PasswordSignIn, add_person: AddPerson, clock: SetClock
) -> None:
    await add_person("ada")
    await add_person("ben")
    for _ in range(MAX_PER_NAME):
        clock.advance(seconds=10)
        with pytest.raises(SignInFailed):
            await door.sign_in("ada", "wrong", HOME)

    with pytest.raises(SignInThrottled) as waits:
        await door.sign_in(" ADA", PASSWORD, ELSEWHERE)
    _, ben = await door.sign_in("ben", PASSWORD, HOME)
    clock.advance(seconds=waits.value.retry_after_s - 1)
    with pytest.raises(SignInThrottled):
        await door.sign_in("ada", PASSWORD, HOME)
    clock.advance(seconds=1)
    _, ada = await door.sign_in("ada", PASSWORD, HOME)

    assert waits.value.retry_after_s == WINDOW.total_seconds() - 40
    assert (ada.identity.user_name, ben.identity.user_name) == ("ada", "ben")


async def test_a_name_that_nobody_has_is_throttled_alike(door: PasswordSignIn) -> None:
    for _ in range(MAX_PER_NAME):
        with pytest.raises(SignInFailed):
            await door.sign_in("nobody", "wrong", HOME)

    with pytest.raises(SignInThrottled):
        await door.sign_in("nobody", "wrong", HOME)


async def test_knocking_on_does_not_prolong_the_wait(
    door: PasswordSignIn, add_person: AddPerson, clock: SetClock
) -> None:
    await add_person("ada")
    for _ in range(MAX_PER_NAME):
        with pytest.raises(SignInFailed):
            await door.sign_in("ada", "wrong", HOME)

    for _ in range(14):
        clock.advance(minutes=1)
        with pytest.raises(SignInThrottled):
            await door.sign_in("ada", "wrong", HOME)
    clock.advance(minutes=1)

    _, ada = await door.sign_in("ada", PASSWORD, HOME)
    assert ada.identity.user_name == "ada"


async def test_many_names_from_one_address_wait_and_other_addresses_do_not(
    door: PasswordSignIn, add_person: AddPerson
) -> None:
    await add_person("ada")
    for number in range(MAX_PER_ADDRESS):
        with pytest.raises(SignInFailed):
            await door.sign_in(f"guess{number}", "wrong", HOME)

    with pytest.raises(SignInThrottled):
        await door.sign_in("ada", PASSWORD, HOME)
    _, ada = await door.sign_in("ada", PASSWORD, ELSEWHERE)

    assert ada.identity.user_name == "ada"


async def test_the_addresses_of_one_ipv6_customer_are_counted_as_one(door: PasswordSignIn) -> None:
    """Else one line, which has 2^64 addresses, could try one password on everybody."""
    for number in range(MAX_PER_ADDRESS):
        with pytest.raises(SignInFailed):
            await door.sign_in(f"guess{number}", "wrong", Whence(ip=f"2001:db8:0:1::{number:x}"))

    with pytest.raises(SignInThrottled):
        await door.sign_in("another", "wrong", Whence(ip="2001:db8:0:1:ffff::1"))
    with pytest.raises(SignInFailed):
        await door.sign_in("another", "wrong", Whence(ip="2001:db8:0:2::1"))


@pytest.mark.parametrize(
    ("ip", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        (None, "unknown"),
        ("socket", "unknown"),
    ],
)
def test_an_address_is_counted_in_one_spelling(ip: str | None, counted: str) -> None:
    assert counted_address(ip) == counted


async def test_a_hundred_guesses_at_once_are_still_counted(
    database: Database, door: PasswordSignIn, add_person: AddPerson
) -> None:
    await add_person("ada")

    outcomes = await asyncio.gather(
        *(door.sign_in("ada", f"guess {number}", HOME) for number in range(100)), return_exceptions=True
    )

    assert sum(isinstance(outcome, SignInFailed) for outcome in outcomes) == MAX_PER_NAME
    assert sum(isinstance(outcome, SignInThrottled) for outcome in outcomes) == 100 - MAX_PER_NAME
    async with database.reading() as session:
        assert len((await session.exec(select(SignInAttemptRow))).all()) == 2 * MAX_PER_NAME


async def test_a_success_forgets_the_failures_of_the_name_only(door: PasswordSignIn, add_person: AddPerson) -> None:
    await add_person("ada")

    for _ in range(MAX_PER_ADDRESS // (MAX_PER_NAME - 1)):
        for _ in range(MAX_PER_NAME - 1):
            with pytest.raises(SignInFailed):
                await door.sign_in("ada", "wrong", HOME)
        await door.sign_in("ada", PASSWORD, HOME)

    for _ in range(MAX_PER_ADDRESS % (MAX_PER_NAME - 1)):
        with pytest.raises(SignInFailed):
            await door.sign_in("ada", "wrong", HOME)
    with pytest.raises(SignInThrottled):
        await door.sign_in("ada", PASSWORD, HOME)


async def test_the_lock_shows_on_the_identity_and_an_unlock_ends_it(
    database: Database, door: PasswordSignIn, add_person: AddPerson, change: Change, clock: SetClock
) -> None:
    ada = await add_person("ada")
    for _ in range(MAX_PER_NAME):
        with pytest.raises(SignInFailed):
            await door.sign_in("ada", "wrong", HOME)
    async with database.reading() as session:
        assert (await session.get_one(IdentityRow, ada)).locked_until == clock.now() + WINDOW

    await change(ada, locked_until=None)
    async with database.transaction() as session:
        await forget(session, name_subject("ada"))

    _, signed_in = await door.sign_in("ada", PASSWORD, HOME)
    assert signed_in.identity.id == ada


@pytest.mark.parametrize(
    ("password", "fault"),
    [
        ("short", "A password has at least {min_chars} characters."),
        ("x" * (MAX_PASSWORD_CHARS + 1), "A password has at most {max_chars} characters."),
        ("abababababab", "This password has too few different characters."),
        (PASSWORD, None),
    ],
)
def test_a_new_password_has_a_certain_length(password: str, fault: str | None) -> None:
    found = find_fault(password, PasswordRule())

    assert (found.message if found else None) == fault


async def _timed(passwords: Passwords, stored: str | None, password: str = "") -> float:
    best = float("inf")
    for _ in range(5):
        started = time.perf_counter()
        await passwords.verify(password, stored)
        best = min(best, time.perf_counter() - started)
    return best


async def _hash_of(database: Database, identity_id: str) -> str:
    async with database.reading() as session:
        return (await session.get_one(IdentityRow, identity_id)).password_hash or ""
