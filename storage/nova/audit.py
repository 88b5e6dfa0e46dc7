"""Append an entry to the audit log; no other verb exists."""

from dataclasses import dataclass, field
from datetime import datetime

from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.folding import searchable
from nova_ui.domain.json_value import JsonObject
from storage.ids import new_id
from storage.nova.audit_chain import hold_back
from storage.nova.tables import AuditEntryRow


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEntry:
    """An entry as whoever decides it hands it in; names are copies, so that it outlives its target.

    `via` comes from the request's origin alone (rules F1, F4); `details` can't hold that key.
    """

    time: datetime
    action: str
    outcome: str = "success"
    actor_type: str = "identity"
    actor_id: str | None = None
    actor_display: str = ""
    target_type: str | None = None
    target_id: str | None = None
    target_display: str = ""
    details: JsonObject = field(default_factory=dict)
    via: str | None = None
    request_id: str | None = None
    caused_by: str | None = None
    ip: str | None = None
    session_id: str | None = None
    id: str = field(default_factory=lambda: new_id("log"))


async def append(session: AsyncSession, entry: NewEntry) -> str:
    """Add `entry` at the end of the caller's transaction; return its id.

    Raises:
        ValueError: `details` tries to carry `via` itself.

    """
    hold_back(session, [row_of(entry)])
    return entry.id


def row_of(entry: NewEntry) -> AuditEntryRow:
    """Return the row that keeps `entry`; for loading many at once.

    Raises:
        ValueError: `details` tries to carry `via` itself.

    """
    if "via" in entry.details:
        raise ValueError("only the origin of a request sets `via`")
    details = entry.details if entry.via is None else {**entry.details, "via": entry.via}
    return AuditEntryRow(
        id=entry.id,
        time=entry.time,
        action=entry.action,
        outcome=entry.outcome,
        actor_type=entry.actor_type,
        actor_id=entry.actor_id,
        actor_display=entry.actor_display,
        target_type=entry.target_type,
        target_id=entry.target_id,
        target_display=entry.target_display,
        details=details,
        search_text=searchable(entry.actor_display, entry.target_display, entry.action, entry.target_id),
        request_id=entry.request_id,
        caused_by=entry.caused_by,
        ip=entry.ip,
        session_id=entry.session_id,
    )
