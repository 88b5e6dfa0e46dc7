"""`/entitlements`, and what roles bundle."""

from typing import Annotated, Final

from fastapi import APIRouter, Query

from nova_ui.api.caller import Signed
from nova_ui.api.marks import marks
from nova_ui.api.routes import IfMatch, NovaRoutes
from nova_ui.nova.services import NovaServices
from nova_ui.nova.views import (
    BundleImpactQuery,
    Done,
    EntitlementCreate,
    EntitlementPatch,
    EntitlementQuery,
    EntitlementView,
    Impact,
    Page,
    RoleBundle,
    RoleView,
)
from nova_ui.nova.views.types import EntitlementRef, RoleRef

_BUNDLE_IMPACT: Final = "get_role_bundle_impact"


class _Endpoints:
    def __init__(self, nova: NovaServices) -> None:
        self._nova = nova

    async def list_page(self, context: Signed, query: Annotated[EntitlementQuery, Query()]) -> Page[EntitlementView]:
        """List entitlements."""
        return await self._nova.entitlements.list_page(context, query)

    async def create(self, context: Signed, body: EntitlementCreate) -> EntitlementView:
        """Add an entitlement to an application."""
        return await self._nova.entitlements.create(context, body)

    async def get(self, context: Signed, entitlement_id: EntitlementRef) -> EntitlementView:
        """Read one entitlement."""
        return await self._nova.entitlements.get(context, entitlement_id)

    async def patch(
        self, context: Signed, entitlement_id: EntitlementRef, body: EntitlementPatch, if_match: IfMatch = None
    ) -> EntitlementView:
        """Change an entitlement."""
        return await self._nova.entitlements.update(context, entitlement_id, body, if_match)

    async def put_bundle(
        self, context: Signed, role_id: RoleRef, body: RoleBundle, if_match: IfMatch = None
    ) -> Done[RoleView]:
        """Replace what a role bundles."""
        return await self._nova.bundles.replace(context, role_id, body, if_match)

    async def bundle_impact(
        self, context: Signed, role_id: RoleRef, query: Annotated[BundleImpactQuery, Query()]
    ) -> Impact:
        """Tell what replacing a role's bundle would do."""
        return await self._nova.bundles.impact(context, role_id, query.bundle)


def router_for(nova: NovaServices) -> APIRouter:
    """Return the router of entitlements and bundles."""
    routes, entitlements = NovaRoutes(nova, "Entitlements"), _Endpoints(nova)
    one = "/entitlements/{entitlement_id}"
    routes.add("GET /entitlements", entitlements.list_page, "list_entitlements", marks("read", "A U O"))
    create = marks("write", "A", audit=["entitlement.created"])
    routes.add("POST /entitlements", entitlements.create, "create_entitlement", create, status=201)
    routes.add(f"GET {one}", entitlements.get, "get_entitlement", marks("read", "A U O"))
    update = marks("write", "A O", audit=["entitlement.updated"])
    routes.add(f"PATCH {one}", entitlements.patch, "update_entitlement", update)
    bundle = "/roles/{role_id}/entitlements"
    put = marks("destructive", "A", audit=["role.updated"], impact=_BUNDLE_IMPACT)
    routes.add(f"PUT {bundle}", entitlements.put_bundle, "put_role_entitlements", put)
    routes.add(f"GET {bundle}/impact", entitlements.bundle_impact, _BUNDLE_IMPACT, marks("read", "A U M S O"))
    return routes.router
