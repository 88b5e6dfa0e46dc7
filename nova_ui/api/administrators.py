"""`/administrators`, and clearing a second factor that somebody has lost: both after a fresh sign-in only."""

from typing import Annotated, Final

from fastapi import APIRouter, Query

from nova_ui.api.caller import Signed
from nova_ui.api.marks import marks
from nova_ui.api.routes import IfMatch, NovaRoutes
from nova_ui.nova.services import NovaServices
from nova_ui.nova.views import DeleteImpactQuery, Done, IdentityView, Impact
from nova_ui.nova.views.sign_in import AdministratorsView, AdministratorView
from nova_ui.nova.views.types import IdentityRef

_IMPACT: Final = "get_administrator_impact"
_ONE: Final = "/administrators/{identity_id}"


class _Endpoints:
    def __init__(self, nova: NovaServices) -> None:
        self._nova = nova

    async def list_all(self, context: Signed) -> AdministratorsView:
        """List the administrators."""
        return await self._nova.administrators.list_all(context)

    async def add(self, context: Signed, identity_id: IdentityRef, if_match: IfMatch = None) -> AdministratorView:
        """Make an identity an administrator."""
        return await self._nova.administrators.add(context, identity_id, if_match)

    async def impact(
        self, context: Signed, identity_id: IdentityRef, query: Annotated[DeleteImpactQuery, Query()]
    ) -> Impact:
        """Tell what taking the role away would do."""
        del query
        return await self._nova.administrators.impact_of_removal(context, identity_id)

    async def remove(
        self, context: Signed, identity_id: IdentityRef, if_match: IfMatch = None
    ) -> Done[AdministratorView]:
        """Take the role administrator away."""
        return await self._nova.administrators.remove(context, identity_id, if_match)

    async def reset_mfa(self, context: Signed, identity_id: IdentityRef, if_match: IfMatch = None) -> IdentityView:
        """Clear the second factor of an identity."""
        return await self._nova.administrators.reset_mfa(context, identity_id, if_match)


def router_for(nova: NovaServices) -> APIRouter:
    """Return the router of administrators."""
    routes, administrators = NovaRoutes(nova, "Administrators"), _Endpoints(nova)
    routes.add("GET /administrators", administrators.list_all, "list_administrators", marks("read", "A U"))
    routes.add(f"GET {_ONE}/impact", administrators.impact, _IMPACT, marks("read", "A U M S"))
    add = marks("write", "A", audit=["administrator.added", "session.ended"], interface_only=True)
    routes.add(f"PUT {_ONE}", administrators.add, "add_administrator", add)
    remove = marks("destructive", "A", audit=["administrator.removed"], impact=_IMPACT, interface_only=True)
    routes.add(f"DELETE {_ONE}", administrators.remove, "remove_administrator", remove)
    reset = marks("write", "A", audit=["identity.mfa_reset", "session.ended"], interface_only=True)
    routes.add("POST /identities/{identity_id}/reset-mfa", administrators.reset_mfa, "reset_mfa", reset)
    return routes.router
