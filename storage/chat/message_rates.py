"""How fast an identity sends messages: one number each, advanced by one statement, over all processes.

Kept apart from the chats, so that deleting them gives nobody more. The number is the moment from which the identity
would have its whole allowance again; each message moves it on by the time that one message stands for.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import text
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.identity import IdentityId

# One statement, so that messages that come at once are counted one by one; both databases read it alike.
_COUNT = text(
    "INSERT INTO message_rates (identity_id, whole_at_ms) VALUES (:identity_id, :now_ms + :each_ms) "
    "ON CONFLICT (identity_id) DO UPDATE SET whole_at_ms = :each_ms + "
    "CASE WHEN message_rates.whole_at_ms > :now_ms THEN message_rates.whole_at_ms ELSE :now_ms END "
    "WHERE message_rates.whole_at_ms <= :now_ms + :at_once_ms - :each_ms RETURNING whole_at_ms"
)
_WHOLE_AT = text("SELECT whole_at_ms FROM message_rates WHERE identity_id = :identity_id")
_MINUTE_MS = 60_000


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRate:
    """So many messages at once, and as many in every minute."""

    per_minute: int


async def count(session: AsyncSession, identity_id: IdentityId, rate: MessageRate, now: datetime) -> int:
    """Count one message; return how many milliseconds it comes too early, 0 if it counts.

    One that comes too early does not count, so nobody is kept out for longer by trying on.
    """
    each_ms, now_ms = _MINUTE_MS // rate.per_minute, int(now.timestamp() * 1000)
    at_once_ms = each_ms * rate.per_minute
    connection = await session.connection()
    values = {"identity_id": identity_id, "now_ms": now_ms, "each_ms": each_ms, "at_once_ms": at_once_ms}
    if (await connection.execute(_COUNT, values)).scalar_one_or_none() is not None:
        return 0
    whole_at_ms = int((await connection.execute(_WHOLE_AT, {"identity_id": identity_id})).scalar_one())
    return max(1, whole_at_ms + each_ms - at_once_ms - now_ms)
