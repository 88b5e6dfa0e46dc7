"""What Nova keeps sealed is known again: in every process, from the moment it is stored until it is gone."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from nova_ui.guardrails.known_secrets import NOTHING_KNOWN, hide_known_in_text
from nova_ui.nova.known_secrets import StoredSecrets
from storage.database import Database
from storage.encryption import Encryption, KeyRing
from storage.nova.ai_tables import AiProfileRow
from storage.nova.ai_tables import secret_place as profile_place
from storage.nova.application_tables import ConnectionRow, secret_place
from storage.nova.tables import ApplicationRow

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@dataclass
class Kept:
    """Two processes over one database."""

    database: Database
    encryption: Encryption

    def __post_init__(self) -> None:
        self.one, self.other = (StoredSecrets(self.database, self.encryption) for _ in range(2))

    async def connect(self, column: str, secret: str) -> None:
        async with self.database.transaction() as session:
            session.add(ApplicationRow(id="app_1", key="crm", display_name="CRM", created_at=NOW, updated_at=NOW))
            await session.flush()
            row = ConnectionRow(id="app_1", kind="ldap", created_at=NOW, updated_at=NOW)
            setattr(row, column, self.encryption.seal(secret, secret_place(column, "app_1")))
            session.add(row)

    async def add_profile(self, column: str, secret: str) -> None:
        row = AiProfileRow(
            id="aip_1", key="house", name="House", kind="openai-compatible", base_url="https://models.example/v1",
            created_at=NOW, updated_at=NOW,
        )  # fmt: skip
        setattr(row, column, self.encryption.seal(secret, profile_place(row, column)))
        async with self.database.transaction() as session:
            session.add(row)

    async def hidden(self, text: str) -> list[str]:
        return [hide_known_in_text(text, await one()) for one in (self.one, self.other)]


@pytest.fixture
def kept(database: Database) -> Kept:
    return Kept(database, Encryption(KeyRing.generate()))


@pytest.mark.parametrize("column", ["client_secret", "bearer_token", "bind_password"])
async def test_d3_the_secret_of_a_connection_is_known_everywhere_until_it_is_gone(kept: Kept, column: str) -> None:
    """Abuse case 46."""
    text = "My note: Winter2019, do not lose it"
    before = await kept.hidden(text)
    await kept.connect(column, "Winter2019")
    while_kept = await kept.hidden(text)
    async with kept.database.transaction() as session:
        row = await session.get_one(ConnectionRow, "app_1")
        setattr(row, column, kept.encryption.seal("Summer2020", secret_place(column, "app_1")))
        row.version, row.updated_at = 2, NOW + timedelta(seconds=1)
    replaced = await kept.hidden(text + " nor Summer2020")
    async with kept.database.transaction() as session:
        await session.delete(await session.get_one(ConnectionRow, "app_1"))

    assert before == await kept.hidden(text) == [text] * 2
    assert while_kept == ["My note: [secret], do not lose it"] * 2
    assert replaced == [text + " nor [secret]"] * 2


@pytest.mark.parametrize(
    ("column", "stored", "copied"),
    [
        ("api_key", "house-key-77", "house-key-77"),
        ("proxy_password", "proxy-pw-12", "proxy-pw-12"),
        ("headers", '{"X-Team": "Bearer team-key-42", "X-Other": "other-key-43"}', "team-key-42"),
        ("headers", '{"X-Team": "Bearer team-key-42", "X-Other": "other-key-43"}', "other-key-43"),
    ],
)
async def test_d3_what_a_profile_keeps_is_known(kept: Kept, column: str, stored: str, copied: str) -> None:
    """Abuse case 46."""
    await kept.add_profile(column, stored)

    assert await kept.hidden(f"({copied})") == ["([secret])"] * 2


async def test_d3_the_key_that_the_server_was_started_with_is_known(kept: Kept) -> None:
    """Abuse case 46."""
    started = StoredSecrets(kept.database, kept.encryption, also=("from-outside-1",))

    assert hide_known_in_text("from-outside-1", await started()) == "[secret]"


async def test_nothing_is_asked_anew_as_long_as_nothing_has_changed(kept: Kept) -> None:
    await kept.connect("bind_password", "Winter2019")

    assert await kept.one() is await kept.one()
    assert [*(await kept.one()).lengths.values()] == [{10}]


async def test_a_secret_that_does_not_open_and_one_that_is_a_word_are_passed_over(kept: Kept) -> None:
    await kept.connect("bind_password", "administrator")
    async with kept.database.transaction() as session:
        (await session.get_one(ConnectionRow, "app_1")).client_secret = "enc:v1:nokey:AAAA"

    assert await kept.one() is NOTHING_KNOWN


async def test_no_secret_stands_in_what_is_held(kept: Kept) -> None:
    await kept.connect("bind_password", "Winter2019")
    known = await kept.one()

    assert "Winter2019" not in repr((vars(kept.one), known, known.recognises.__closure__))
