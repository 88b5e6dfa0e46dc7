"""What only somebody may do who has entered the password within the last minutes: a session alone can be stolen."""

from datetime import datetime, timedelta
from typing import Final

from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.identity import Role
from nova_ui.errors import NovaForbidden
from nova_ui.nova.context import RequestContext
from storage.nova.tables import IdentityRow, SessionRow

FRESH_FOR: Final = timedelta(minutes=5)


async def require_fresh_sign_in(session: AsyncSession, context: RequestContext, now: datetime) -> None:
    """Refuse a session whose person has not entered the password again within five minutes.

    Raises:
        NovaForbidden: with the code `fresh_sign_in_required`; `POST /session/refresh` makes it fresh.

    """
    row = await session.get(SessionRow, context.caller.session_id, populate_existing=True)
    if row is None or row.confirmed_at is None or now - row.confirmed_at >= FRESH_FOR:
        raise NovaForbidden("Enter your password again first, then repeat this.", code="fresh_sign_in_required")


async def require_still_administrator(session: AsyncSession, context: RequestContext) -> None:
    """Refuse an administrator who has lost the role, or been shut out, while waiting for a lock.

    Raises:
        NovaForbidden: the caller is none any more.

    """
    row = await session.get(IdentityRow, context.identity.id, populate_existing=True)
    if row is None or row.status != "active" or Role.ADMINISTRATOR.value not in row.nova_roles:
        raise NovaForbidden("Only administrators may do this.")
