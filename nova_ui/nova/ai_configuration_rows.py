"""The stored rows of the AI configuration: found, raised in version and logged by the names of fields only."""

from collections.abc import Mapping
from typing import Final

from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.ai_profile import RESERVED_KEYS
from nova_ui.errors import NovaConflict, NovaNotFound
from nova_ui.nova.ai_profiles import CONFIGURATION_ID, configuration_row
from nova_ui.nova.audit_trail import Target
from nova_ui.nova.writing import Write
from storage.nova.ai_tables import AiConfigurationRow, AiProfileRow

UPDATED: Final = "ai_configuration.updated"
LOCK: Final = "nova.ai_configuration"


async def find_profile(session: AsyncSession, key: str) -> AiProfileRow | None:
    """Return the stored profile called `key`, or None."""
    return (await session.exec(select(AiProfileRow).where(col(AiProfileRow.key) == key))).one_or_none()


async def stored_profile(session: AsyncSession, key: str) -> AiProfileRow:
    """Return the profile called `key`, to be changed.

    Raises:
        NovaConflict: it is one that nobody changes here.
        NovaNotFound: there is none.

    """
    if key in RESERVED_KEYS:
        raise NovaConflict("This profile is not kept here and can't be changed here.", code="protected_object")
    row = await find_profile(session, key)
    if row is None:
        raise NovaNotFound("There is no such profile.")
    return row


async def configuration_for(write: Write) -> AiConfigurationRow:
    """Return the one row, made where nothing was ever configured."""
    row = await configuration_row(write.session)
    if row is None:
        row = AiConfigurationRow(id=CONFIGURATION_ID, version=0, created_at=write.now, updated_at=write.now)
        write.session.add(row)
        await write.session.flush()
    return row


async def note_change(write: Write, values: Mapping[str, object] | None = None) -> None:
    """Raise the version that every process watches."""
    await write.change(await configuration_for(write), dict(values or {}))


async def log_change(write: Write, key: str, what: str, fields: list[str]) -> None:
    """Log names of fields only: addresses and keys are nobody's business but the configuration's."""
    details: dict[str, object] = {"change": what, "changes": [{"field": field} for field in fields]}
    await write.log(UPDATED, write.target, details={"profile": key, **details} if key else details)


def target_of(key: str, name: str = "") -> Target:
    """Return what an entry about the profile called `key` names."""
    return Target("ai_configuration", key, name)
