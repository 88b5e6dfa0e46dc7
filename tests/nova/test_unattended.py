"""What no person asks for is logged as what it is: a routine, the clock, or a job with the origin that began it."""

from datetime import UTC, datetime

import pytest
from sqlmodel import select

from nova_ui.domain.assistant import AssistantKey
from nova_ui.nova.audit_trail import Target
from nova_ui.nova.context import CLOCK, Actor, Unattended
from nova_ui.nova.writing import Writer
from nova_ui.nova_client.origin import INTERFACE, Origin
from nova_ui.reactive import Event
from storage.database import Database
from storage.nova.audit_log import EntryFilter, select_entries
from storage.nova.tables import AuditEntryRow
from tests.fakes.moving_clock import MovingClock

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
ROUTINE = Actor(type="routine", id="rtn_1", display="Leavers")
PERSON = Actor(type="identity", id="idn_1", display="Ada Berg")


@pytest.fixture
async def database(sqlite_url: str) -> Database:
    return Database(sqlite_url)


@pytest.mark.parametrize(
    ("actor", "origin", "found_under"),
    [
        (ROUTINE, INTERFACE, {"routine"}),
        (CLOCK, INTERFACE, {"system"}),
        (PERSON, INTERFACE, {"interface"}),
        (PERSON, Origin(assistant_key=AssistantKey("admin")), {"ai_chat", "ai_chat:admin"}),
        (PERSON, Origin(routine_key="weekly"), {"ai_routine", "ai_routine:weekly"}),
    ],
)
async def test_f1_f2_an_unattended_entry_is_found_under_its_origin_alone(
    database: Database, actor: Actor, origin: Origin, found_under: set[str]
) -> None:
    writer = Writer(database, MovingClock(NOW), Event())

    async with writer.unattended(Unattended(actor=actor, request_id="rid_1", origin=origin)) as write:
        await write.log("identity.disabled", Target("identity", "idn_2", "Ben Arndt"))

    origins = ("interface", "routine", "system", "ai_chat", "ai_chat:admin", "ai_routine", "ai_routine:weekly")
    async with database.reading() as session:
        rows = {name: (await session.exec(select_entries(EntryFilter(origin=name)))).all() for name in origins}
        entry = (await session.exec(select(AuditEntryRow))).one()
    assert {name for name, found in rows.items() if found} == found_under
    assert (entry.actor_type, entry.actor_id, entry.via) == (actor.type, actor.id, origin.via)
    await database.close()


async def test_nobody_is_taken_for_the_person_who_asks(database: Database) -> None:
    writer = Writer(database, MovingClock(NOW), Event())

    async with writer.unattended(Unattended(actor=CLOCK, request_id="rid_1")) as write:
        with pytest.raises(TypeError, match="nobody asks"):
            _ = write.asker

    await database.close()
