"""The audit log for those who oversee: filter, page, count. No other verb exists."""

from typing import Final

from sqlmodel import col, select

from nova_ui.nova.context import RequestContext
from nova_ui.nova.core import Core, page_of
from nova_ui.nova.identities import visible_identity
from nova_ui.nova.list_filters import AUDIT_LOG, filtered
from nova_ui.nova.permissions import require_found, require_overseer
from nova_ui.nova.views import (
    ActorView,
    AuditEntryView,
    AuditFilter,
    AuditQuery,
    BrokenEntry,
    Page,
    SummaryGroup,
    SummaryQuery,
    SummaryView,
    TargetView,
    TimelineQuery,
    VerificationView,
)
from nova_ui.nova_client.origin import INTERFACE_NAME
from storage.nova.audit_chain import verify
from storage.nova.audit_log import PERSON, EntryFilter, count_by, select_about, select_entries
from storage.nova.paging import Order, Wanted, read_merged_slice, read_slice
from storage.nova.tables import AuditEntryRow

COUNT_CAP: Final = 1_000
_ORDER: Final = {"time": "time"}


class AuditLog:
    """Entries as administrators and auditors read them."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def list_page(self, context: RequestContext, query: AuditQuery) -> Page[AuditEntryView]:
        """Return a page of entries; the total counts up to 1,000.

        Raises:
            NovaForbidden: the caller oversees nothing.

        """
        require_overseer(context.identity)
        async with self._core.database.reading() as session:
            found = await read_slice(
                session,
                select_entries(_filter(query)).where(await filtered(session, query.filter, AUDIT_LOG)),
                Order.by(AuditEntryRow, query.sort, _ORDER, unique="seq"),
                Wanted.of(query, cursor=query.cursor, limit=query.limit),
                count_cap=COUNT_CAP,
            )
        return page_of(found, [entry_view(row) for row in found.rows])

    async def get(self, context: RequestContext, entry_id: str) -> AuditEntryView:
        """Return one entry.

        Raises:
            NovaForbidden: the caller oversees nothing.
            NovaNotFound: there is none.

        """
        require_overseer(context.identity)
        async with self._core.database.reading() as session:
            row = (await session.exec(select(AuditEntryRow).where(col(AuditEntryRow.id) == entry_id))).first()
        return entry_view(require_found(row, "audit entry"))

    async def summary(self, context: RequestContext, query: SummaryQuery) -> SummaryView:
        """Count entries by day (UTC), actor, action, origin or outcome.

        Raises:
            NovaForbidden: the caller oversees nothing.

        """
        require_overseer(context.identity)
        async with self._core.database.reading() as session:
            wanted = await filtered(session, query.filter, AUDIT_LOG)
            groups, total = await count_by(session, _filter(query), query.group_by, query.limit, wanted)
        return SummaryView(
            group_by=query.group_by,
            groups=[SummaryGroup(key=key, label=label or key, count=count) for key, label, count in groups],
            total=total,
        )

    async def verify(self, context: RequestContext, newest: int) -> VerificationView:
        """Check the hash chain over the newest entries (rule F5); a command checks all of it.

        Raises:
            NovaForbidden: the caller oversees nothing.

        """
        require_overseer(context.identity)
        async with self._core.database.reading() as session:
            found = await verify(session, newest=newest)
        broken = None
        if found.broken_seq is not None:
            broken = BrokenEntry(seq=found.broken_seq, id=found.broken_id, reason=found.reason or "")
        return VerificationView(
            intact=broken is None,
            checked=found.checked,
            length=found.length,
            is_whole=found.is_whole,
            uncovered=found.uncovered,
            end_seq=found.end_seq,
            end_hash=found.end_hash,
            broken=broken,
        )

    async def timeline(self, context: RequestContext, identity_id: str, query: TimelineQuery) -> Page[AuditEntryView]:
        """Return what was done to or by an identity, newest first.

        Raises:
            NovaNotFound: there is no such identity, or its data may not be read.
            NovaForbidden: the caller oversees nothing.

        """
        async with self._core.database.reading() as session:
            await visible_identity(session, context, identity_id)
            require_overseer(context.identity)
            found = await read_merged_slice(
                session,
                select_about(identity_id),
                Order.by(AuditEntryRow, "-time", _ORDER, unique="seq"),
                Wanted.of(query, cursor=query.cursor, limit=query.limit),
                count_cap=COUNT_CAP,
            )
        return page_of(found, [entry_view(row) for row in found.rows])


def entry_view(row: AuditEntryRow) -> AuditEntryView:
    """Return an entry as it is read."""
    return AuditEntryView(
        seq=row.seq or 0,
        id=row.id,
        time=row.time,
        action=row.action,
        outcome=row.outcome,
        actor=ActorView(type=row.actor_type, id=row.actor_id, display=row.actor_display),
        target=TargetView(type=row.target_type, id=row.target_id, display=row.target_display),
        details=row.details,
        origin=row.via or (INTERFACE_NAME if row.actor_type == PERSON else row.actor_type),
        via=row.via,
        request_id=row.request_id,
        caused_by=row.caused_by,
        ip=row.ip,
        session_id=row.session_id,
        prev_hash=row.prev_hash,
        hash=row.hash,
    )


def _filter(query: AuditFilter) -> EntryFilter:
    return EntryFilter.model_validate(query.model_dump(include=set(EntryFilter.model_fields)))
