"""A real database, a clock that tests set, and people to sign in."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import SQLModel, col, select

import storage.all_tables  # noqa: F401 - fills SQLModel.metadata
from nova_ui.auth.password import Passwords
from nova_ui.auth.session import SessionLimits, Sessions
from nova_ui.auth.sign_in import PasswordSignIn
from nova_ui.domain.folding import fold
from nova_ui.domain.identity import IdentityId
from nova_ui.settings import Settings
from storage.database import Database
from storage.ids import new_id
from storage.nova.tables import AuditEntryRow, IdentityRow
from tests.auth.people import PASSWORD, AddPerson, Change, ReadLog, SetClock, quick_hasher
from tests.auth.site import Site, a_site


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'nova.sqlite3'}")
    async with database._engine.begin() as connection:
        await connection.run_sync(SQLModel.metadata.create_all)
    yield database
    await database.close()


@pytest.fixture
def passwords() -> Passwords:
    return Passwords(quick_hasher())


@pytest.fixture
def sessions(database: Database, clock: SetClock) -> Sessions:
    return Sessions(database, clock, SessionLimits(idle=timedelta(minutes=30), lifetime=timedelta(hours=8)))


@pytest.fixture
def door(database: Database, clock: SetClock, passwords: Passwords, sessions: Sessions) -> PasswordSignIn:
    return PasswordSignIn(database, clock, passwords, sessions)


@pytest.fixture
def add_person(database: Database, clock: SetClock, passwords: Passwords) -> AddPerson:
    async def add(user_name: str = "ada", *, password: str | None = PASSWORD, **fields: object) -> IdentityId:
        values = {
            "id": new_id("idn"),
            "user_name": user_name,
            "user_name_key": fold(user_name),
            "display_name": user_name.title(),
            "password_hash": None if password is None else await passwords.hash(password),
            "created_at": clock.now(),
            "updated_at": clock.now(),
            **fields,
        }
        async with database.transaction() as session:
            session.add(IdentityRow.model_validate(values))
        return IdentityId(str(values["id"]))

    return add


@pytest.fixture
def change(database: Database) -> Change:
    async def apply(identity_id: IdentityId, **fields: object) -> None:
        async with database.transaction() as session:
            row = await session.get_one(IdentityRow, identity_id)
            for name, value in fields.items():
                setattr(row, name, value)

    return apply


@pytest.fixture
def audit_log(database: Database) -> ReadLog:
    async def read() -> list[AuditEntryRow]:
        async with database.reading() as session:
            return list((await session.exec(select(AuditEntryRow).order_by(col(AuditEntryRow.seq)))).all())

    return read


@pytest.fixture
def settings() -> Settings:
    return Settings(max_body_bytes=65_536)


@pytest.fixture
def site(database: Database, clock: SetClock, passwords: Passwords, settings: Settings, add_person: AddPerson) -> Site:
    async def load(password: str) -> None:
        await add_person("mara.koenig", password=password, nova_roles=["administrator"])

    return a_site(database, clock, passwords, settings, load)
