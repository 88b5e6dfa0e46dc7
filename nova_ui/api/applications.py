"""`/applications` with their connections; what holds a secret is for the interface only (rule B6)."""

from typing import Annotated, Final

from fastapi import APIRouter, Query

from nova_ui.api.caller import Signed
from nova_ui.api.marks import marks
from nova_ui.api.routes import IfMatch, NovaRoutes
from nova_ui.nova.services import NovaServices
from nova_ui.nova.views import (
    ApplicationCreate,
    ApplicationImpactQuery,
    ApplicationPatch,
    ApplicationQuery,
    ApplicationView,
    ConnectionSettings,
    ConnectionTest,
    ConnectionView,
    Done,
    Impact,
    Page,
    SecretRotation,
    StatusChange,
)
from nova_ui.nova.views.types import ApplicationRef

_IMPACT: Final = "get_application_impact"


class _Applications:
    def __init__(self, nova: NovaServices) -> None:
        self._nova = nova

    async def list_page(self, context: Signed, query: Annotated[ApplicationQuery, Query()]) -> Page[ApplicationView]:
        """List applications."""
        return await self._nova.applications.list_page(context, query)

    async def create(self, context: Signed, body: ApplicationCreate) -> ApplicationView:
        """Create an application, as a draft."""
        return await self._nova.applications.create(context, body)

    async def get(self, context: Signed, application_id: ApplicationRef) -> ApplicationView:
        """Read one application."""
        return await self._nova.applications.get(context, application_id)

    async def patch(
        self, context: Signed, application_id: ApplicationRef, body: ApplicationPatch, if_match: IfMatch = None
    ) -> ApplicationView:
        """Change an application."""
        return await self._nova.applications.update(context, application_id, body, if_match)

    async def delete(
        self, context: Signed, application_id: ApplicationRef, if_match: IfMatch = None
    ) -> Done[ApplicationView]:
        """Delete a disabled application."""
        return await self._nova.application_states.delete(context, application_id, if_match)

    async def enable(
        self,
        context: Signed,
        application_id: ApplicationRef,
        body: StatusChange | None = None,
        if_match: IfMatch = None,
    ) -> ApplicationView:
        """Take an application into service."""
        return await self._nova.application_states.enable(
            context, application_id, body.reason if body else None, if_match
        )

    async def disable(
        self,
        context: Signed,
        application_id: ApplicationRef,
        body: StatusChange | None = None,
        if_match: IfMatch = None,
    ) -> Done[ApplicationView]:
        """Take an application out of service."""
        return await self._nova.application_states.disable(
            context, application_id, body.reason if body else None, if_match
        )

    async def impact(
        self, context: Signed, application_id: ApplicationRef, query: Annotated[ApplicationImpactQuery, Query()]
    ) -> Impact:
        """Tell what disabling or deleting an application would do."""
        return await self._nova.application_states.impact(context, application_id, query.action)


class _Connections:
    def __init__(self, nova: NovaServices) -> None:
        self._nova = nova

    async def get(self, context: Signed, application_id: ApplicationRef) -> ConnectionView:
        """Read how an application is reached; of its secret only whether it is set."""
        return await self._nova.connections.get(context, application_id)

    async def put(
        self, context: Signed, application_id: ApplicationRef, body: ConnectionSettings, if_match: IfMatch = None
    ) -> ConnectionView:
        """Set how an application is reached; a secret that is left out stays, null clears it."""
        return await self._nova.connections.replace(context, application_id, body, if_match)

    async def rotate(
        self, context: Signed, application_id: ApplicationRef, body: SecretRotation, if_match: IfMatch = None
    ) -> ConnectionView:
        """Put a new secret in the place of the old one."""
        return await self._nova.connections.rotate(context, application_id, body.secret, if_match)

    async def test(self, context: Signed, application_id: ApplicationRef) -> ConnectionTest:
        """Call the other end of a connection and tell how it went; nothing is changed there."""
        return await self._nova.connection_tests.run(context, application_id)


def router_for(nova: NovaServices) -> APIRouter:
    """Return the router of applications."""
    routes, applications, connections = NovaRoutes(nova, "Applications"), _Applications(nova), _Connections(nova)
    one, connection = "/applications/{application_id}", "/applications/{application_id}/connection"
    reading = marks("read", "A U O")
    routes.add("GET /applications", applications.list_page, "list_applications", reading)
    create = marks("write", "A", audit=["application.created"])
    routes.add("POST /applications", applications.create, "create_application", create, status=201)
    routes.add(f"GET {one}", applications.get, "get_application", reading)
    change = marks("write", "A", audit=["application.updated"])
    routes.add(f"PATCH {one}", applications.patch, "update_application", change)
    gone = ["application.deleted", "assignment.revoked", "role.updated"]
    delete = marks("destructive", "A", audit=gone, impact=_IMPACT)
    routes.add(f"DELETE {one}", applications.delete, "delete_application", delete)
    enable = marks("write", "A", audit=["application.enabled"])
    routes.add(f"POST {one}/enable", applications.enable, "enable_application", enable)
    disable = marks("destructive", "A", audit=["application.disabled"], impact=_IMPACT)
    routes.add(f"POST {one}/disable", applications.disable, "disable_application", disable)
    routes.add(f"GET {one}/impact", applications.impact, _IMPACT, reading)
    routes.add(f"POST {one}/test", connections.test, "test_application", marks("read", "A"))
    routes.add(f"GET {connection}", connections.get, "get_connection", marks("read", "A", interface_only=True))
    put = marks("write", "A", audit=["connection.updated"], interface_only=True)
    routes.add(f"PUT {connection}", connections.put, "set_connection", put)
    rotate = marks("write", "A", audit=["connection.secret_rotated"], interface_only=True)
    routes.add(f"POST {connection}/rotate-secret", connections.rotate, "rotate_connection_secret", rotate)
    return routes.router
