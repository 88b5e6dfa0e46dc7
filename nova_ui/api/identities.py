"""`/directory` and `/identities`."""

from typing import Annotated, Final

from fastapi import APIRouter, Query

from nova_ui.api.caller import Signed
from nova_ui.api.marks import FOLLOWS, marks
from nova_ui.api.routes import IfMatch, NovaRoutes
from nova_ui.nova.services import NovaServices
from nova_ui.nova.views import (
    AccessView,
    AuditEntryView,
    ComparisonQuery,
    ComparisonView,
    DirectoryQuery,
    DirectoryView,
    Done,
    IdentityCreate,
    IdentityImpactQuery,
    IdentityPatch,
    IdentityQuery,
    IdentityView,
    Impact,
    Page,
    ReportLine,
    ReportLinesQuery,
    StatusChange,
    TimelineQuery,
    Transfer,
    TransferredView,
)
from nova_ui.nova.views.types import IdentityRef

_IMPACT: Final = "get_identity_impact"
_ENDS: Final = ("session.ended",)
_FOLLOW_UPS: Final = (*_ENDS, "request.cancelled", "approval.skipped")


class _Endpoints:
    def __init__(self, nova: NovaServices) -> None:
        self._nova = nova

    async def directory(self, context: Signed, query: Annotated[DirectoryQuery, Query()]) -> Page[DirectoryView]:
        """Look up colleagues."""
        del context
        return await self._nova.identities.directory(query)

    async def list_page(self, context: Signed, query: Annotated[IdentityQuery, Query()]) -> Page[IdentityView]:
        """List identities within reach."""
        return await self._nova.identities.list_page(context, query)

    async def create(self, context: Signed, body: IdentityCreate) -> IdentityView:
        """Create an identity."""
        return await self._nova.identities.create(context, body)

    async def get(self, context: Signed, identity_id: IdentityRef) -> IdentityView:
        """Read one identity."""
        return await self._nova.identities.get(context, identity_id)

    async def patch(
        self, context: Signed, identity_id: IdentityRef, body: IdentityPatch, if_match: IfMatch = None
    ) -> IdentityView:
        """Change an identity."""
        return await self._nova.identities.update(context, identity_id, body, if_match)

    async def delete(self, context: Signed, identity_id: IdentityRef, if_match: IfMatch = None) -> Done[IdentityView]:
        """Delete an identity with what hangs on it."""
        return await self._nova.endings.delete(context, identity_id, if_match)

    async def access(self, context: Signed, identity_id: IdentityRef) -> AccessView:
        """Tell what an identity may use, and why."""
        return await self._nova.access.of(context, identity_id)

    async def compare(self, context: Signed, query: Annotated[ComparisonQuery, Query()]) -> ComparisonView:
        """Compare what two identities hold."""
        return await self._nova.comparing.compare(context, query.left, query.right)

    async def reports(
        self, context: Signed, identity_id: IdentityRef, query: Annotated[ReportLinesQuery, Query()]
    ) -> Page[ReportLine]:
        """List who reports to an identity."""
        return await self._nova.comparing.reports(context, identity_id, query)

    async def timeline(
        self, context: Signed, identity_id: IdentityRef, query: Annotated[TimelineQuery, Query()]
    ) -> Page[AuditEntryView]:
        """List what was done to or by an identity."""
        return await self._nova.audit_log.timeline(context, identity_id, query)

    async def impact(
        self, context: Signed, identity_id: IdentityRef, query: Annotated[IdentityImpactQuery, Query()]
    ) -> Impact:
        """Tell what an action on an identity would do."""
        if query.action == "archive":
            return await self._nova.archiving.impact(context, identity_id)
        return await self._nova.endings.impact(context, identity_id, query.action)

    async def activate(
        self, context: Signed, identity_id: IdentityRef, body: StatusChange | None = None, if_match: IfMatch = None
    ) -> IdentityView:
        """Let an identity in."""
        return await self._nova.endings.activate(context, identity_id, body.reason if body else None, if_match)

    async def suspend(
        self, context: Signed, identity_id: IdentityRef, body: StatusChange | None = None, if_match: IfMatch = None
    ) -> Done[IdentityView]:
        """Lock an identity out for now."""
        return await self._nova.endings.suspend(context, identity_id, body.reason if body else None, if_match)

    async def disable(
        self, context: Signed, identity_id: IdentityRef, body: StatusChange | None = None, if_match: IfMatch = None
    ) -> Done[IdentityView]:
        """Take an identity out of service."""
        return await self._nova.endings.disable(context, identity_id, body.reason if body else None, if_match)

    async def archive(
        self, context: Signed, identity_id: IdentityRef, body: StatusChange | None = None, if_match: IfMatch = None
    ) -> Done[IdentityView]:
        """Archive a disabled identity: end what it holds, keep what records need."""
        return await self._nova.archiving.archive(context, identity_id, body.reason if body else None, if_match)

    async def unlock(self, context: Signed, identity_id: IdentityRef, if_match: IfMatch = None) -> IdentityView:
        """Forget failed sign-ins."""
        return await self._nova.endings.unlock(context, identity_id, if_match)

    async def transfer(
        self, context: Signed, identity_id: IdentityRef, body: Transfer, if_match: IfMatch = None
    ) -> TransferredView:
        """Hand over everything an identity owns, decides on or manages."""
        return await self._nova.transfers.transfer(context, identity_id, body.to, if_match)

    async def end_sessions(
        self, context: Signed, identity_id: IdentityRef, if_match: IfMatch = None
    ) -> Done[IdentityView]:
        """End every session of an identity."""
        return await self._nova.endings.end_sessions(context, identity_id, if_match)


def router_for(nova: NovaServices) -> APIRouter:
    """Return the router of identities."""
    routes, identities = NovaRoutes(nova, "Identities"), _Endpoints(nova)
    one = "/identities/{identity_id}"
    routes.add("GET /directory", identities.directory, "search_directory", marks("read", "*"))
    routes.add("GET /identities", identities.list_page, "list_identities", marks("read", "A U M S"))
    create = marks("write", "A", audit=["identity.created", *FOLLOWS])
    routes.add("POST /identities", identities.create, "create_identity", create, status=201)
    routes.add("GET /identities/compare", identities.compare, "compare_identities", marks("read", "A U M S"))
    routes.add(f"GET {one}", identities.get, "get_identity", marks("read", "A U M S"))
    routes.add(
        f"PATCH {one}", identities.patch, "update_identity", marks("write", "A", audit=["identity.updated", *FOLLOWS])
    )
    routes.add(f"GET {one}/access", identities.access, "get_identity_access", marks("read", "A U M S"))
    routes.add(f"GET {one}/reports", identities.reports, "list_identity_reports", marks("read", "A U M S"))
    routes.add(f"GET {one}/timeline", identities.timeline, "get_identity_timeline", marks("read", "A U"))
    routes.add(f"GET {one}/impact", identities.impact, _IMPACT, marks("read", "A U M S"))
    _add_states(routes, identities, one)
    return routes.router


def _add_states(routes: NovaRoutes, identities: _Endpoints, one: str) -> None:
    delete = marks(
        "destructive",
        "A",
        audit=["identity.deleted", *_FOLLOW_UPS, "assignment.revoked", "group.member_removed", "chat.deleted"],
        impact=_IMPACT,
    )
    routes.add(f"DELETE {one}", identities.delete, "delete_identity", delete)
    activate = marks("write", "A", audit=["identity.activated", *FOLLOWS])
    routes.add(f"POST {one}/activate", identities.activate, "activate_identity", activate)
    unlock = marks("write", "A", audit=["identity.unlocked"])
    routes.add(f"POST {one}/unlock", identities.unlock, "unlock_identity", unlock)
    suspend = marks("destructive", "A", audit=["identity.suspended", *_ENDS], impact=_IMPACT)
    routes.add(f"POST {one}/suspend", identities.suspend, "suspend_identity", suspend)
    disable = marks(
        "destructive",
        "A",
        audit=["identity.disabled", *_FOLLOW_UPS, "approval.delegated", "assignment.changed", *FOLLOWS],
        impact=_IMPACT,
    )
    routes.add(f"POST {one}/disable", identities.disable, "disable_identity", disable)
    archive = marks(
        "destructive",
        "A",
        audit=["identity.archived", *_FOLLOW_UPS, "assignment.revoked", "group.member_removed", "chat.deleted"],
        impact=_IMPACT,
    )
    routes.add(f"POST {one}/archive", identities.archive, "archive_identity", archive)
    transfer = marks("write", "A", audit=["ownership.transferred", *FOLLOWS])
    routes.add(f"POST {one}/transfer", identities.transfer, "transfer_ownership", transfer)
    end = marks("destructive", "A", audit=_ENDS, impact=_IMPACT)
    routes.add(f"DELETE {one}/sessions", identities.end_sessions, "end_identity_sessions", end)
