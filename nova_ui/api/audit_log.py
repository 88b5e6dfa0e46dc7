"""`/audit-log`, for reading; no other verb exists."""

from typing import Annotated

from fastapi import APIRouter, Query

from nova_ui.api.caller import Signed
from nova_ui.api.marks import marks
from nova_ui.api.routes import NovaRoutes
from nova_ui.nova.services import NovaServices
from nova_ui.nova.views import (
    AuditEntryView,
    AuditQuery,
    Page,
    SummaryQuery,
    SummaryView,
    VerificationQuery,
    VerificationView,
)
from nova_ui.nova.views.types import EntryRef


class _Endpoints:
    def __init__(self, nova: NovaServices) -> None:
        self._nova = nova

    async def list_page(self, context: Signed, query: Annotated[AuditQuery, Query()]) -> Page[AuditEntryView]:
        """Search the audit log."""
        return await self._nova.audit_log.list_page(context, query)

    async def summary(self, context: Signed, query: Annotated[SummaryQuery, Query()]) -> SummaryView:
        """Count entries by day, actor, action, origin or outcome."""
        return await self._nova.audit_log.summary(context, query)

    async def verify(self, context: Signed, query: Annotated[VerificationQuery, Query()]) -> VerificationView:
        """Check whether the log is as it was written."""
        return await self._nova.audit_log.verify(context, query.newest)

    async def get(self, context: Signed, entry_id: EntryRef) -> AuditEntryView:
        """Read one entry."""
        return await self._nova.audit_log.get(context, entry_id)


def router_for(nova: NovaServices) -> APIRouter:
    """Return the router of the audit log."""
    routes, log = NovaRoutes(nova, "Audit log"), _Endpoints(nova)
    routes.add("GET /audit-log", log.list_page, "search_audit_log", marks("read", "A U"))
    routes.add("GET /audit-log/summary", log.summary, "summarise_audit_log", marks("read", "A U"))
    routes.add("GET /audit-log/verification", log.verify, "verify_audit_log", marks("read", "A U"))
    routes.add("GET /audit-log/{entry_id}", log.get, "get_audit_entry", marks("read", "A U"))
    return routes.router
