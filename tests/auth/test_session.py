"""A session is found by its token, knows who acts as of now, and is over the moment it ends."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import event
from sqlmodel import select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.auth.session import Sessions, SignedIn, hash_token
from nova_ui.auth.sign_in import PasswordSignIn
from nova_ui.domain.identity import IdentityId, Language, Role, SessionId
from nova_ui.domain.sign_in_policy import SignInPolicy
from nova_ui.errors import NovaUnsaved
from storage.database import Database
from storage.nova.sessions import end_sessions_of
from storage.nova.tables import SessionRow
from tests.auth.people import HOME, PASSWORD, AddPerson, Change, ReadLog, SetClock, store_policy


async def test_a_token_opens_its_session_and_no_other_text_does(
    sessions: Sessions, door: PasswordSignIn, add_person: AddPerson
) -> None:
    ada = await add_person("ada", nova_roles=["administrator"], preferred_language="de", theme="dark")

    token, signed_in = await door.sign_in("ada", PASSWORD, HOME)
    found = await sessions.by_token(token)

    assert found == signed_in == await sessions.by_id(signed_in.session_id)
    assert found is not None
    assert (found.identity.id, found.identity.language, found.theme) == (ada, Language.GERMAN, "dark")
    for wrong in ("", token[:-1], token + "A", token.swapcase(), "nvs_" + "A" * 43, found.session_id, found.csrf_token):
        assert await sessions.by_token(wrong) is None


async def test_only_the_hash_of_a_token_is_stored(
    database: Database, door: PasswordSignIn, add_person: AddPerson
) -> None:
    await add_person("ada")

    token, _ = await door.sign_in("ada", PASSWORD, HOME)

    async with database.reading() as session:
        row = (await session.exec(select(SessionRow))).one()
    assert row.token_hash == hash_token(token)
    assert token not in repr(row.model_dump())


async def test_each_sign_in_makes_a_new_token_session_and_csrf_token(
    door: PasswordSignIn, add_person: AddPerson
) -> None:
    """Abuse case 65."""
    await add_person("ada")

    first_token, first = await door.sign_in("ada", PASSWORD, HOME)
    second_token, second = await door.sign_in("ada", PASSWORD, HOME)

    assert first_token != second_token
    assert first.session_id != second.session_id
    assert first.csrf_token != second.csrf_token


async def test_an_ended_session_is_refused_at_the_next_question_and_others_live_on(
    sessions: Sessions, door: PasswordSignIn, add_person: AddPerson
) -> None:
    await add_person("ada")
    token, signed_in = await door.sign_in("ada", PASSWORD, HOME)
    other_token, other = await door.sign_in("ada", PASSWORD, HOME)
    told: list[frozenset[SessionId]] = []
    sessions.ended.subscribe(told.append)

    await sessions.end(signed_in, HOME)

    assert await sessions.by_token(token) is None
    assert await sessions.by_id(signed_in.session_id) is None
    assert await sessions.identity_of(signed_in.session_id) is None
    assert await sessions.by_token(other_token) is not None
    assert await sessions.alive([signed_in.session_id, other.session_id]) == {other.session_id}
    assert told == [frozenset({signed_in.session_id})]


async def test_every_session_of_an_identity_can_be_ended_at_once(
    database: Database, sessions: Sessions, door: PasswordSignIn, add_person: AddPerson, clock: SetClock
) -> None:
    ada = await add_person("ada")
    await add_person("ben")
    started = [(await door.sign_in("ada", PASSWORD, HOME))[1].session_id for _ in range(3)]
    _, ben = await door.sign_in("ben", PASSWORD, HOME)

    async with database.transaction() as session:
        ended = await end_sessions_of(session, ada, clock.now())
    async with database.transaction() as session:
        again = await end_sessions_of(session, ada, clock.now())

    assert set(ended) == set(started)
    assert again == []
    assert await sessions.alive([*started, ben.session_id]) == {ben.session_id}


async def test_an_identity_that_is_not_active_has_no_session(
    sessions: Sessions, door: PasswordSignIn, add_person: AddPerson, change: Change
) -> None:
    ada = await add_person("ada")
    token, signed_in = await door.sign_in("ada", PASSWORD, HOME)

    for status in ("staged", "suspended", "disabled", "archived"):
        await change(ada, status=status)

        assert await sessions.by_token(token) is None
        assert await sessions.by_id(signed_in.session_id) is None
        assert await sessions.alive([signed_in.session_id]) == frozenset()

    await change(ada, status="active")
    assert await sessions.by_token(token) is not None


async def test_roles_are_those_of_now(
    sessions: Sessions, door: PasswordSignIn, add_person: AddPerson, change: Change
) -> None:
    ada = await add_person("ada", nova_roles=["administrator", "auditor", "emperor"])
    tim = await add_person("tim", manager_id=ada)
    _, signed_in = await door.sign_in("ada", PASSWORD, HOME)

    assert await _roles(sessions, signed_in) == {Role.ADMINISTRATOR, Role.AUDITOR, Role.MANAGER, Role.USER}

    await change(ada, nova_roles=["auditor"])
    assert await _roles(sessions, signed_in) == {Role.AUDITOR, Role.MANAGER, Role.USER}

    await change(tim, manager_id=None)
    await change(ada, nova_roles=[])
    assert await _roles(sessions, signed_in) == {Role.USER}


async def test_a_session_ends_after_idling_and_use_keeps_it(
    sessions: Sessions, door: PasswordSignIn, add_person: AddPerson, clock: SetClock
) -> None:
    await add_person("ada")
    used, _ = await door.sign_in("ada", PASSWORD, HOME)
    idle, _ = await door.sign_in("ada", PASSWORD, HOME)

    clock.advance(minutes=29)
    assert await sessions.by_token(used) is not None
    clock.advance(minutes=1)

    assert await sessions.by_token(idle) is None
    assert await sessions.by_token(used) is not None


async def test_a_session_ends_at_its_limit_however_much_it_is_used(
    sessions: Sessions, door: PasswordSignIn, add_person: AddPerson, clock: SetClock
) -> None:
    await add_person("ada")
    token, _ = await door.sign_in("ada", PASSWORD, HOME)

    for _ in range(31):
        clock.advance(minutes=15)
        assert await sessions.by_token(token) is not None
    clock.advance(minutes=15)

    assert await sessions.by_token(token) is None


async def test_asking_by_id_is_no_use_unless_it_says_so(
    sessions: Sessions, door: PasswordSignIn, add_person: AddPerson, clock: SetClock
) -> None:
    await add_person("ada")
    _, watched = await door.sign_in("ada", PASSWORD, HOME)
    _, used = await door.sign_in("ada", PASSWORD, HOME)

    clock.advance(minutes=20)
    await sessions.by_id(watched.session_id)
    await sessions.by_id(used.session_id, is_use=True)
    clock.advance(minutes=20)

    assert await sessions.by_id(watched.session_id) is None
    assert await sessions.by_id(used.session_id) is not None


async def test_a_question_costs_one_statement_and_a_write_at_most_once_a_minute(
    database: Database, sessions: Sessions, door: PasswordSignIn, add_person: AddPerson, clock: SetClock
) -> None:
    await add_person("ada")
    token, _ = await door.sign_in("ada", PASSWORD, HOME)
    statements: list[str] = []
    event.listen(
        database._engine.sync_engine, "before_cursor_execute", lambda *given: statements.append(given[2].split()[0])
    )

    for _ in range(10):
        clock.advance(seconds=5)
        await sessions.by_token(token)
    assert statements == ["SELECT"] * 10

    statements.clear()
    clock.advance(seconds=10)
    await sessions.by_token(token)
    assert statements.count("UPDATE") == 1


async def test_a_use_does_not_bring_an_ended_session_back(
    sessions: Sessions, door: PasswordSignIn, add_person: AddPerson, clock: SetClock
) -> None:
    await add_person("ada")
    token, signed_in = await door.sign_in("ada", PASSWORD, HOME)

    await sessions.end(signed_in, HOME)
    clock.advance(minutes=2)

    assert await sessions.by_token(token) is None
    assert await sessions.by_id(signed_in.session_id, is_use=True) is None


async def test_starting_and_ending_is_logged_once_without_the_token(
    sessions: Sessions, door: PasswordSignIn, add_person: AddPerson, audit_log: ReadLog
) -> None:
    ada = await add_person("ada")
    token, signed_in = await door.sign_in("ada", PASSWORD, HOME)

    await sessions.end(signed_in, HOME)
    await sessions.end(signed_in, HOME)

    entries = await audit_log()
    assert [(entry.action, entry.actor_id, entry.target_id, entry.ip) for entry in entries] == [
        ("session.started", ada, signed_in.session_id, "192.0.2.1"),
        ("session.ended", ada, signed_in.session_id, "192.0.2.1"),
    ]
    assert token not in repr([entry.model_dump() for entry in entries])


async def test_old_sessions_are_deleted_and_live_ones_stay(
    database: Database, sessions: Sessions, door: PasswordSignIn, add_person: AddPerson, clock: SetClock
) -> None:
    await add_person("ada")
    await door.sign_in("ada", PASSWORD, HOME)
    clock.advance(hours=17)
    token, _ = await door.sign_in("ada", PASSWORD, HOME)

    await sessions.purge()

    assert await sessions.by_token(token) is not None
    async with database.reading() as session:
        assert len((await session.exec(select(SessionRow))).all()) == 1


async def _roles(sessions: Sessions, signed_in: SignedIn) -> frozenset[Role]:
    identity = await sessions.identity_of(signed_in.session_id)
    assert identity is not None
    assert identity.id == IdentityId(signed_in.identity.id)
    return identity.roles


async def test_a_session_counts_only_where_the_policy_lets_sign_in(
    database: Database, sessions: Sessions, door: PasswordSignIn, add_person: AddPerson, clock: SetClock
) -> None:
    await add_person("ada")
    token, _ = await door.sign_in("ada", PASSWORD, HOME)
    await store_policy(database, SignInPolicy(networks=("192.0.2.0/24", "2001:db8::/32")), clock)

    for inside in ("192.0.2.9", "2001:db8::7", "::ffff:192.0.2.9"):
        assert await sessions.by_token(token, ip=inside) is not None
    for outside in ("198.51.100.1", "2001:db9::1", "not an address", "", None):
        assert await sessions.by_token(token, ip=outside) is None
    assert await sessions.by_token(token, ip="192.0.2.1") is not None


async def test_a_database_that_can_not_be_written_keeps_nobody_from_reading(
    database: Database, sessions: Sessions, door: PasswordSignIn, add_person: AddPerson, clock: SetClock
) -> None:
    """A full disk: when a session was last used can't be noted, and is not tried anew at each request."""
    await add_person("ada")
    token, _ = await door.sign_in("ada", PASSWORD, HOME)
    clock.advance(minutes=2)
    tried: list[int] = []

    @asynccontextmanager
    async def full() -> AsyncIterator[AsyncSession]:
        tried.append(1)
        raise NovaUnsaved(code="database_full")
        yield

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "transaction", full)
        found = [await sessions.by_token(token) for _ in range(3)]
    clock.advance(minutes=2)
    await sessions.by_token(token)

    assert all(found)
    assert len(tried) == 1
    async with database.reading() as session:
        assert (await session.exec(select(SessionRow))).one().last_seen_at == clock.now()
