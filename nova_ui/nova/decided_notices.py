"""Telling requester and beneficiary what became of a request: a kind of notification for each end that it may have."""

from nova_ui.nova.notices import Notice, NoticeKind, notify
from nova_ui.nova.request_items import names_of_items
from nova_ui.nova.writing import Write
from storage.nova.tables import AccessRequestRow

REQUESTS_PAGE = "/access"


async def tell_decided(write: Write, row: AccessRequestRow, reason: str = "") -> None:
    """Tell both, unless one of them has just brought it about; `reason` is why it was denied or failed."""
    values = {
        "what": await names_of_items(write.session, row),
        "reason": reason,
        "request_id": row.id,
    }
    acting = write.context.actor.identity_id
    people = [one for one in (row.requester_id, row.beneficiary_id) if one != acting]
    await notify(write, people, Notice(kind=NoticeKind(f"request_{row.status}"), values=values, link=REQUESTS_PAGE))
