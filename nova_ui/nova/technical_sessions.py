"""Sessions in which no person is signed in: for one run of an AI routine assistant (rule A2, decision 0009).

Nobody ever holds their token, so none can be used from outside; they end with the run, and everything that ends an
identity's sessions ends them too.
"""

import secrets
from datetime import datetime, timedelta
from typing import Final

from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.ai_routine import SESSION_METHOD
from nova_ui.domain.identity import SessionId
from storage.ids import new_id
from storage.nova import sessions as stored
from storage.nova.tables import SessionRow

LIFETIME: Final = timedelta(minutes=10)
_HASH_BYTES: Final = 32


async def open_session(session: AsyncSession, identity_id: str, now: datetime, *, note: str) -> SessionId:
    """Store a session of an identity that only this process can name, within the caller's transaction."""
    row = SessionRow(
        id=new_id("ses"),
        token_hash=secrets.token_bytes(_HASH_BYTES),  # the hash of no token: none exists
        csrf_token=secrets.token_urlsafe(_HASH_BYTES),
        identity_id=identity_id,
        ip=None,
        user_agent=note,
        methods=[SESSION_METHOD],
        created_at=now,
        last_seen_at=now,
        expires_at=now + LIFETIME,
    )
    await stored.add(session, row)
    return SessionId(row.id)
