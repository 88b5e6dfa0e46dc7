"""`/me`: oneself, one's access, requests, decisions and sessions."""

from typing import Annotated

from fastapi import APIRouter, Query

from nova_ui.api.caller import Signed
from nova_ui.api.marks import FOLLOWS, marks
from nova_ui.api.routes import IfMatch, NovaRoutes
from nova_ui.nova.services import NovaServices
from nova_ui.nova.views import (
    AccessRequestQuery,
    AccessRequestView,
    AccessView,
    ApprovalQuery,
    ApprovalView,
    Done,
    EndImpactQuery,
    Impact,
    MePatch,
    MeView,
    Page,
    SessionQuery,
    SessionView,
)
from nova_ui.nova.views.types import SessionRef


class _Endpoints:
    def __init__(self, nova: NovaServices) -> None:
        self._nova = nova

    async def get(self, context: Signed) -> MeView:
        """Read my own data."""
        return await self._nova.profile.get(context)

    async def patch(self, context: Signed, body: MePatch, if_match: IfMatch = None) -> MeView:
        """Change my profile."""
        return await self._nova.profile.update(context, body, if_match)

    async def access(self, context: Signed) -> AccessView:
        """Tell what I may use, and why."""
        return await self._nova.access.of(context, context.identity.id)

    async def requests(self, context: Signed, query: Annotated[AccessRequestQuery, Query()]) -> Page[AccessRequestView]:
        """List requests by or for me."""
        return await self._nova.requests.list_page(context, query, own_only=True)

    async def approvals(self, context: Signed, query: Annotated[ApprovalQuery, Query()]) -> Page[ApprovalView]:
        """List decisions that wait for me, or waited."""
        return await self._nova.approvals.list_page(context, query, own_only=True)

    async def sessions(self, context: Signed, query: Annotated[SessionQuery, Query()]) -> Page[SessionView]:
        """List where I am signed in."""
        return await self._nova.sessions.list_page(context, query, own_only=True)

    async def session_impact(
        self, context: Signed, session_id: SessionRef, query: Annotated[EndImpactQuery, Query()]
    ) -> Impact:
        """Tell what ending one of my sessions would do."""
        del query
        return await self._nova.sessions.impact_of_end(context, session_id, own_only=True)

    async def end_session(self, context: Signed, session_id: SessionRef) -> Done[SessionView]:
        """End one of my other sessions."""
        return await self._nova.sessions.end(context, session_id, own_only=True)


def router_for(nova: NovaServices) -> APIRouter:
    """Return the router of `/me`."""
    routes, me = NovaRoutes(nova, "Me"), _Endpoints(nova)
    read = marks("read", "*", self_service=True)
    routes.add("GET /me", me.get, "get_me", read)
    patch = marks("write", "*", audit=["identity.updated", *FOLLOWS], self_service=True)
    routes.add("PATCH /me", me.patch, "update_me", patch)
    routes.add("GET /me/access", me.access, "get_my_access", read)
    routes.add("GET /me/requests", me.requests, "list_my_requests", read)
    routes.add("GET /me/approvals", me.approvals, "list_my_approvals", read)
    routes.add("GET /me/sessions", me.sessions, "list_my_sessions", read)
    routes.add("GET /me/sessions/{session_id}/impact", me.session_impact, "get_my_session_impact", read)
    end = marks("destructive", "*", audit=["session.ended"], impact="get_my_session_impact", self_service=True)
    routes.add("DELETE /me/sessions/{session_id}", me.end_session, "end_my_session", end)
    return routes.router
