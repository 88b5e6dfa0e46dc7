"""`/sessions`: who is signed in."""

from typing import Annotated, Final

from fastapi import APIRouter, Query

from nova_ui.api.caller import Signed
from nova_ui.api.marks import marks
from nova_ui.api.routes import NovaRoutes
from nova_ui.nova.services import NovaServices
from nova_ui.nova.views import Done, EndImpactQuery, Impact, Page, SessionQuery, SessionView
from nova_ui.nova.views.types import SessionRef

_IMPACT: Final = "get_session_impact"


class _Endpoints:
    def __init__(self, nova: NovaServices) -> None:
        self._nova = nova

    async def list_page(self, context: Signed, query: Annotated[SessionQuery, Query()]) -> Page[SessionView]:
        """List sessions."""
        return await self._nova.sessions.list_page(context, query)

    async def impact(
        self, context: Signed, session_id: SessionRef, query: Annotated[EndImpactQuery, Query()]
    ) -> Impact:
        """Tell what ending a session would do."""
        del query
        return await self._nova.sessions.impact_of_end(context, session_id)

    async def end(self, context: Signed, session_id: SessionRef) -> Done[SessionView]:
        """End a session with its pages and turns."""
        return await self._nova.sessions.end(context, session_id)


def router_for(nova: NovaServices) -> APIRouter:
    """Return the router of sessions."""
    routes, sessions = NovaRoutes(nova, "Sessions"), _Endpoints(nova)
    routes.add("GET /sessions", sessions.list_page, "list_sessions", marks("read", "A U"))
    routes.add("GET /sessions/{session_id}/impact", sessions.impact, _IMPACT, marks("read", "A U S"))
    end = marks("destructive", "A", audit=["session.ended"], impact=_IMPACT)
    routes.add("DELETE /sessions/{session_id}", sessions.end, "end_session", end)
    return routes.router
