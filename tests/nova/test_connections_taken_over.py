"""The client that an application had before there were connections is its connection afterwards (rule D5)."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, text

from storage import database
from storage.database import Database
from storage.encryption import Encryption, KeyRing
from storage.nova.application_tables import ConnectionRow, secret_place

_MIGRATIONS = Path(database.__file__).parent / "migrations"
_APPLICATION = (
    "INSERT INTO applications (id, key, display_name, description, search_text, owner_ids, status, client_id, "
    "client_secret, client_secret_set_at, version, created_at, updated_at) VALUES (:id, :id, 'A', '', '', '[]', "
    "'enabled', :client, :secret, :moment, 1, :moment, :moment)"
)
_ROLE = (
    "INSERT INTO roles (id, key, display_name, description, search_text, application_id, owner_ids, requestable, "
    "approval, risk, privileged, status, protected, version, created_at, updated_at) VALUES ('rol_1', 'r', 'R', '', "
    "'', 'app_1', '[]', 1, 'none', 'low', 0, 'active', 0, 1, :moment, :moment)"
)


def _config(connection: object) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS))
    config.attributes["connection"] = connection
    return config


def _before() -> str:
    mine = next(path for path in (_MIGRATIONS / "versions").glob("*_connections.py"))
    return f"{int(mine.name[:4]) - 1:04d}"


async def test_d5_a_sealed_client_secret_opens_as_before(tmp_path: Path) -> None:
    encryption = Encryption(KeyRing.generate())
    sealed = encryption.seal("the secret", secret_place("client_secret", "app_1"))
    engine = create_engine(f"sqlite:///{tmp_path / 'nova.sqlite3'}")
    with engine.begin() as connection:
        command.upgrade(_config(connection), _before())
        moment = "2026-03-02 09:00:00.000000"
        connection.execute(text(_APPLICATION), {"id": "app_1", "client": "crm", "secret": sealed, "moment": moment})
        connection.execute(text(_APPLICATION), {"id": "app_2", "client": None, "secret": None, "moment": moment})
        connection.execute(text(_ROLE), {"moment": moment})
    engine.dispose()

    now = Database(f"sqlite+aiosqlite:///{tmp_path / 'nova.sqlite3'}")
    await now.migrate()
    async with now.reading() as session:
        row = await session.get_one(ConnectionRow, "app_1")
        other = await session.get(ConnectionRow, "app_2")
    await now.close()

    assert other is None
    assert (row.kind, row.test_state, row.settings["client_id"]) == ("oidc", "untested", "crm")
    assert encryption.open(row.client_secret or "", secret_place("client_secret", "app_1")) == "the secret"
