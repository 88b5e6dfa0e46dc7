"""Telling somebody in the interface what happened to the ways in which it signs in: if it was a thief, it shows."""

from datetime import datetime
from enum import StrEnum
from typing import Final

from sqlmodel.ext.asyncio.session import AsyncSession

from storage.ids import new_id
from storage.nova import second_factors as stored
from storage.nova.notification_tables import NotificationRow

OWN_SETTINGS: Final = "/me"


class OwnerNotice(StrEnum):
    """What happened; the interface has a sentence for each in each language."""

    PASSWORD_CHANGED = "password_changed"  # noqa: S105 - the name of a notice
    MFA_ENROLLED = "mfa_enrolled"
    MFA_REMOVED = "mfa_removed"
    RECOVERY_CODE_USED = "recovery_code_used"
    RECOVERY_CODES_CREATED = "recovery_codes_created"


async def tell_owner(session: AsyncSession, identity_id: str, kind: OwnerNotice, now: datetime) -> None:
    """Tell it within the transaction in which it happens; never with a code or an address in it."""
    left = await stored.codes_left(session, identity_id)
    session.add(
        NotificationRow(
            id=new_id("ntf"),
            identity_id=identity_id,
            kind=kind.value,
            values={"left": str(left)},
            link=OWN_SETTINGS,
            created_at=now,
        )
    )
    await session.flush()
