"""How many exports one identity may have: each reads a whole list, and its file lies in the database for a week."""

from typing import Final

from sqlmodel import col, func, select

from nova_ui.errors import NovaConflict, NovaTooMany
from nova_ui.nova.writing import Write
from storage.nova.jobs import OPEN
from storage.nova.locks import take_lock
from storage.nova.schedule_tables import JobRow
from storage.nova.tables import ExportRow

MAX_UNDER_WAY: Final = 3
MAX_KEPT: Final = 100
_WAIT_S: Final = 10


async def check_room(write: Write) -> None:
    """Refuse one more export of the identity that asks, where it has enough.

    Raises:
        NovaTooMany: as many as one may have are being made.
        NovaConflict: as many as one may have are kept.

    """
    mine = write.asker.identity.id
    await take_lock(write.session, f"exports {mine}")  # requests that come at once are counted one by one
    kept = select(func.count()).where(col(ExportRow.created_by) == mine, col(ExportRow.expires_at) > write.now)
    if (await write.session.exec(kept)).one() >= MAX_KEPT:
        raise NovaConflict(
            f"You have {MAX_KEPT} exports. Delete some, or wait until they expire.", code="state_conflict"
        )
    under_way = select(func.count()).where(
        col(ExportRow.created_by) == mine, col(ExportRow.job_id) == col(JobRow.id), col(JobRow.status).in_(OPEN)
    )
    if (await write.session.exec(under_way)).one() >= MAX_UNDER_WAY:
        raise NovaTooMany(
            f"{MAX_UNDER_WAY} of your exports are being made. Try again in {_WAIT_S} seconds.",
            extra={"retry_after": _WAIT_S},
        )
