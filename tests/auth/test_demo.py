"""A demo start keeps what is there and makes the printed sign-ins work."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from pydantic import SecretStr
from sqlmodel import select

from nova_ui.auth.demo import prepare_demo
from nova_ui.auth.password import Passwords
from nova_ui.auth.setup import Setup, SetupClosed
from nova_ui.auth.start_note import StartNote, make_start_note
from nova_ui.errors import ConfigurationError, SignInFailed
from nova_ui.nova.sample_organisation import load
from nova_ui.settings import Settings
from storage.database import Database
from storage.encryption import Encryption, KeyRing
from storage.nova.tables import IdentityRow
from tests.auth.people import HOME, PASSWORD, AddPerson, Change, SetClock
from tests.auth.site import Site

NAMES = ("mara.koenig", "tim.vogt")
DEMO = Settings(demo=True, demo_password=SecretStr("demo"))
AGAIN = Settings(demo=True, demo_password=SecretStr("another"))
Start = Callable[[Settings], Awaitable[StartNote]]


@pytest.fixture
def start(site: Site, database: Database) -> Start:
    return lambda settings: make_start_note(database, site.auth, settings, demo_names=NAMES)


async def test_an_empty_database_gets_the_sample_organisation(site: Site, start: Start) -> None:
    note = await start(DEMO)

    _, mara = await site.auth.password_sign_in.sign_in("mara.koenig", "demo", HOME)
    assert note == StartNote(sign_ins=NAMES)
    assert site.samples == ["demo"]
    assert mara.identity.is_administrator


async def test_a_second_start_keeps_the_data_and_sets_the_password_again(
    site: Site, database: Database, start: Start, add_person: AddPerson, change: Change
) -> None:
    await start(DEMO)
    tim = await add_person("tim.vogt")
    await add_person("eva")
    await change(tim, title="Captain")
    for _ in range(5):
        with pytest.raises(SignInFailed):
            await site.auth.password_sign_in.sign_in("tim.vogt", "wrong", HOME)

    note = await start(AGAIN)

    assert note.sign_ins == NAMES
    assert site.samples == ["demo"]
    _, signed_in = await site.auth.password_sign_in.sign_in("tim.vogt", "another", HOME)
    assert signed_in.identity.id == tim
    with pytest.raises(SignInFailed):
        await site.auth.password_sign_in.sign_in("mara.koenig", "demo", HOME)
    await site.auth.password_sign_in.sign_in("eva", PASSWORD, HOME)
    async with database.reading() as session:
        assert (await session.get_one(IdentityRow, tim)).title == "Captain"


async def test_two_servers_that_start_at_once_load_the_sample_organisation_once(
    tmp_path: Path, database: Database, clock: SetClock, passwords: Passwords
) -> None:
    address = f"sqlite+aiosqlite:///{tmp_path / 'nova.sqlite3'}"
    rivals = [Database(address), Database(address)]
    encryption = Encryption(KeyRing.generate())

    loaded = await asyncio.gather(
        *(
            prepare_demo(
                rival,
                passwords,
                Setup(rival, clock, encryption, passwords, load),
                user_names=NAMES,
                password="demo",
            )
            for rival in rivals
        )
    )

    assert loaded == [NAMES, NAMES]
    async with database.reading() as session:
        assert len((await session.exec(select(IdentityRow.id))).all()) == 120
    for rival in rivals:
        await rival.close()


async def test_the_sample_organisation_is_not_loaded_over_an_administrator_made_by_another_server(
    database: Database, clock: SetClock, passwords: Passwords, add_person: AddPerson
) -> None:
    async def hash_while_another_is_quicker(password: str) -> str:
        await add_person("ada", password=None, nova_roles=["administrator"])
        return password

    passwords.hash = hash_while_another_is_quicker  # type: ignore[method-assign]
    setup = Setup(database, clock, Encryption(KeyRing.generate()), passwords, load)

    with pytest.raises(SetupClosed):
        await setup.load_sample("demo")

    async with database.reading() as session:
        assert (await session.exec(select(IdentityRow.user_name))).all() == ["ada"]


async def test_who_was_deleted_is_not_announced(site: Site, database: Database, start: Start) -> None:
    await start(DEMO)

    note = await start(DEMO)

    async with database.reading() as session:
        assert (await session.exec(select(IdentityRow.user_name))).all() == ["mara.koenig"]
    assert note.sign_ins == ("mara.koenig",)
    assert site.samples == ["demo"]


async def test_a_demo_does_not_touch_another_organisation(start: Start, add_person: AddPerson, site: Site) -> None:
    await add_person("ada", nova_roles=["administrator"])

    with pytest.raises(ConfigurationError, match="--data-dir"):
        await start(DEMO)

    await site.auth.password_sign_in.sign_in("ada", PASSWORD, HOME)
    assert site.samples == []


async def test_without_demo_the_note_tells_the_setup_code_until_it_is_set_up(
    site: Site, start: Start, add_person: AddPerson
) -> None:
    before = await start(Settings())
    await add_person("ada", nova_roles=["administrator"])

    assert before.setup_code == site.auth.setup.code
    assert await start(Settings()) == StartNote()
