"""How assistants are stored and read back, whatever somebody has written into their rows."""

import pytest
from sqlalchemy import text

from nova_ui.chat.assistants import Assistants
from nova_ui.domain.assistant import ADMIN_CHAT_KEY, Audience, AudienceKind, ToolList
from nova_ui.domain.identity import Role
from nova_ui.errors import AssistantRuleBroken, NovaConflict, NovaNotFound, NovaPreconditionFailed
from storage.chat.assistants import AssistantStore
from storage.database import Database
from storage.nova.membership import groups_among
from tests.builders import NOW, an_admin_chat, an_administrator, an_assistant, an_identity

CLOSED = Audience(kind=AudienceKind.ADMINISTRATORS)


@pytest.fixture
async def stored(database: Database) -> Database:
    async with database.transaction() as session:
        store = AssistantStore(session)
        await store.save(an_admin_chat(), NOW)
        await store.save(an_assistant("list_groups", key="helpdesk"), NOW)
    return database


async def _write(database: Database, key: str, change: str) -> None:
    async with database.transaction() as session:
        connection = await session.connection()
        await connection.execute(text(f"UPDATE assistants SET {change} WHERE key = :key"), {"key": key})  # noqa: S608


@pytest.mark.parametrize(
    "change",
    ["all_tools = false", "audience = 'everyone'", "enabled = false", "tool_names = '7'", "audience = 'nonsense'"],
)
async def test_b4_the_admin_chat_is_what_it_must_be_whatever_its_row_says(stored: Database, change: str) -> None:
    """Abuse case 15."""
    await _write(stored, "admin", change)

    async with stored.reading() as session:
        found = (await AssistantStore(session).get(ADMIN_CHAT_KEY)).assistant

    assert (found.tools, found.audience, found.enabled) == (ToolList(all_tools=True), CLOSED, True)


async def test_b4_the_admin_chat_exists_without_a_row_and_can_not_be_deleted(stored: Database) -> None:
    """Abuse case 15."""
    async with stored.transaction() as session:
        with pytest.raises(AssistantRuleBroken):
            await AssistantStore(session).delete(ADMIN_CHAT_KEY)
        await (await session.connection()).execute(text("DELETE FROM assistants WHERE key = 'admin'"))

    async with stored.reading() as session:
        listed = await AssistantStore(session).list_all()

    assert [one.assistant.key for one in listed] == ["admin", "helpdesk"]


@pytest.mark.parametrize(
    "change",
    [
        "all_tools = true",
        "audience = 'nonsense'",
        "audience = 'roles', audience_roles = '[\"king\"]'",
        "tool_names = '{\"a\": 1}'",
        "tool_names = '[7]'",
    ],
)
async def test_b3_a_row_that_breaks_a_rule_is_read_as_disabled_and_empty(stored: Database, change: str) -> None:
    """Abuse case 14."""
    await _write(stored, "helpdesk", change)

    async with stored.reading() as session:
        found = (await AssistantStore(session).get(an_assistant(key="helpdesk").key)).assistant

    assert (found.tools, found.audience, found.enabled) == (ToolList(), CLOSED, False)
    assert [one.key for one in await Assistants(stored, groups_among).visible_to(an_administrator())] == ["admin"]


async def test_b3_two_changes_from_one_version_are_not_both_stored(stored: Database) -> None:
    """Abuse case 14."""
    opened = an_assistant("list_groups", "update_group", key="helpdesk")
    filled = an_assistant(key="helpdesk", all_tools=True, audience=AudienceKind.ADMINISTRATORS)
    async with stored.transaction() as session:
        await AssistantStore(session).save(opened, NOW, 1)

    with pytest.raises(NovaPreconditionFailed):
        async with stored.transaction() as session:
            await AssistantStore(session).save(filled, NOW, 1)


async def test_a_new_assistant_does_not_replace_another(stored: Database) -> None:
    async with stored.transaction() as session:
        with pytest.raises(NovaConflict):
            await AssistantStore(session).save(an_assistant(key="helpdesk"), NOW, 0)


async def test_b5_an_assistant_is_there_for_its_audience_only(stored: Database) -> None:
    """Abuse case 13."""
    audit = an_assistant(key="audit", audience=AudienceKind.ROLES, roles=frozenset({Role.AUDITOR}))
    off = an_assistant(key="off", enabled=False)
    async with stored.transaction() as session:
        for one in (audit, off):
            await AssistantStore(session).save(one, NOW)
    assistants = Assistants(stored, groups_among)

    seen = {
        name: [one.key for one in await assistants.visible_to(identity)]
        for name, identity in (
            ("root", an_administrator()),
            ("paul", an_identity(Role.AUDITOR)),
            ("ada", an_identity()),
        )
    }

    assert seen == {"root": ["admin", "helpdesk"], "paul": ["audit", "helpdesk"], "ada": ["helpdesk"]}
    for key in (ADMIN_CHAT_KEY, audit.key, off.key):
        with pytest.raises(NovaNotFound):
            await assistants.get_for(an_identity(), key)


async def test_what_is_stored_is_read_back(stored: Database) -> None:
    whole = an_assistant("list_groups", key="audit", audience=AudienceKind.ROLES, roles=frozenset({Role.AUDITOR}))

    async with stored.transaction() as session:
        saved = await AssistantStore(session).save(whole, NOW)
    async with stored.reading() as session:
        found = await AssistantStore(session).get(whole.key)

    assert found == saved
    assert found.assistant == whole
    assert (found.version, found.created_at) == (1, NOW)
