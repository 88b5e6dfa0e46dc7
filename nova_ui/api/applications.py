"""`/applications`, for reading."""

from typing import Annotated

from fastapi import APIRouter, Query

from nova_ui.api.caller import Signed
from nova_ui.api.marks import marks
from nova_ui.api.routes import NovaRoutes
from nova_ui.nova.services import NovaServices
from nova_ui.nova.views import ApplicationQuery, ApplicationView, Page
from nova_ui.nova.views.types import ApplicationRef


class _Endpoints:
    def __init__(self, nova: NovaServices) -> None:
        self._nova = nova

    async def list_page(self, context: Signed, query: Annotated[ApplicationQuery, Query()]) -> Page[ApplicationView]:
        """List applications."""
        return await self._nova.applications.list_page(context, query)

    async def get(self, context: Signed, application_id: ApplicationRef) -> ApplicationView:
        """Read one application."""
        return await self._nova.applications.get(context, application_id)


def router_for(nova: NovaServices) -> APIRouter:
    """Return the router of applications."""
    routes, applications = NovaRoutes(nova, "Applications"), _Endpoints(nova)
    routes.add("GET /applications", applications.list_page, "list_applications", marks("read", "A U O"))
    routes.add("GET /applications/{application_id}", applications.get, "get_application", marks("read", "A U O"))
    return routes.router
