"""`/roles` and `/assignments`."""

from typing import Annotated, Final

from fastapi import APIRouter, Query

from nova_ui.api.caller import Signed
from nova_ui.api.marks import marks
from nova_ui.api.routes import IfMatch, NovaRoutes
from nova_ui.nova.services import NovaServices
from nova_ui.nova.views import (
    AssignmentCreate,
    AssignmentImpactQuery,
    AssignmentPatch,
    AssignmentQuery,
    AssignmentView,
    BirthrightCheck,
    BirthrightsFound,
    DeleteImpactQuery,
    Done,
    Impact,
    Page,
    RoleCreate,
    RolePatch,
    RoleQuery,
    RoleView,
)
from nova_ui.nova.views.types import AssignmentRef, RoleRef

_GIVES: Final = ("assignment.granted", "assignment.revoked")
_ROLE_IMPACT: Final = "get_role_impact"
_ASSIGNMENT_IMPACT: Final = "get_assignment_impact"


class _Roles:
    def __init__(self, nova: NovaServices) -> None:
        self._nova = nova

    async def list_page(self, context: Signed, query: Annotated[RoleQuery, Query()]) -> Page[RoleView]:
        """List roles."""
        return await self._nova.roles.list_page(context, query)

    async def create(self, context: Signed, body: RoleCreate) -> RoleView:
        """Create a role."""
        return await self._nova.roles.create(context, body)

    async def get(self, context: Signed, role_id: RoleRef) -> RoleView:
        """Read one role."""
        return await self._nova.roles.get(context, role_id)

    async def patch(self, context: Signed, role_id: RoleRef, body: RolePatch, if_match: IfMatch = None) -> RoleView:
        """Change a role."""
        return await self._nova.roles.update(context, role_id, body, if_match)

    async def delete(self, context: Signed, role_id: RoleRef, if_match: IfMatch = None) -> Done[RoleView]:
        """Delete a role that nobody holds."""
        return await self._nova.roles.delete(context, role_id, if_match)

    async def evaluate_birthrights(self, context: Signed, body: BirthrightCheck) -> BirthrightsFound:
        """Tell what rules and groups would give to and take from somebody with these attributes."""
        return await self._nova.birthrights.evaluate(context, body)

    async def impact(self, context: Signed, role_id: RoleRef, query: Annotated[DeleteImpactQuery, Query()]) -> Impact:
        """Tell what deleting a role would do."""
        del query
        return await self._nova.roles.impact_of_delete(context, role_id)


class _Assignments:
    def __init__(self, nova: NovaServices) -> None:
        self._nova = nova

    async def list_page(self, context: Signed, query: Annotated[AssignmentQuery, Query()]) -> Page[AssignmentView]:
        """List assignments within reach."""
        return await self._nova.assignments.list_page(context, query)

    async def create(self, context: Signed, body: AssignmentCreate) -> AssignmentView:
        """Assign a role to an identity."""
        return await self._nova.assignments.grant(context, body)

    async def get(self, context: Signed, assignment_id: AssignmentRef) -> AssignmentView:
        """Read one assignment."""
        return await self._nova.assignments.get(context, assignment_id)

    async def patch(
        self, context: Signed, assignment_id: AssignmentRef, body: AssignmentPatch, if_match: IfMatch = None
    ) -> AssignmentView:
        """Change the end of an assignment."""
        return await self._nova.assignments.change_end(context, assignment_id, body.valid_until, if_match)

    async def delete(
        self, context: Signed, assignment_id: AssignmentRef, if_match: IfMatch = None
    ) -> Done[AssignmentView]:
        """Revoke an assignment."""
        return await self._nova.assignments.revoke(context, assignment_id, if_match)

    async def impact(
        self, context: Signed, assignment_id: AssignmentRef, query: Annotated[AssignmentImpactQuery, Query()]
    ) -> Impact:
        """Tell what revoking an assignment would do."""
        del query
        return await self._nova.assignments.impact_of_revoke(context, assignment_id)


def router_for(nova: NovaServices) -> APIRouter:
    """Return the router of roles and assignments."""
    routes, roles, assignments = NovaRoutes(nova, "Roles"), _Roles(nova), _Assignments(nova)
    one = "/roles/{role_id}"
    routes.add("GET /roles", roles.list_page, "list_roles", marks("read", "A U M S O"))
    routes.add(
        "POST /roles", roles.create, "create_role", marks("write", "A", audit=["role.created", *_GIVES]), status=201
    )
    evaluate = marks("read", "A U")
    routes.add("POST /roles/evaluate-birthrights", roles.evaluate_birthrights, "evaluate_birthrights", evaluate)
    routes.add(f"GET {one}", roles.get, "get_role", marks("read", "A U M S O"))
    routes.add(f"PATCH {one}", roles.patch, "update_role", marks("write", "A", audit=["role.updated", *_GIVES]))
    delete = marks("destructive", "A", audit=["role.deleted"], impact=_ROLE_IMPACT)
    routes.add(f"DELETE {one}", roles.delete, "delete_role", delete)
    routes.add(f"GET {one}/impact", roles.impact, _ROLE_IMPACT, marks("read", "A U M S O"))
    one = "/assignments/{assignment_id}"
    routes.add("GET /assignments", assignments.list_page, "list_assignments", marks("read", "A U M S"))
    grant = marks("write", "A", audit=["assignment.granted"])
    routes.add("POST /assignments", assignments.create, "create_assignment", grant, status=201)
    routes.add(f"GET {one}", assignments.get, "get_assignment", marks("read", "A U M S"))
    change = marks("write", "A", audit=["assignment.changed"])
    routes.add(f"PATCH {one}", assignments.patch, "update_assignment", change)
    revoke = marks("destructive", "A", audit=["assignment.revoked"], impact=_ASSIGNMENT_IMPACT)
    routes.add(f"DELETE {one}", assignments.delete, "revoke_assignment", revoke)
    routes.add(f"GET {one}/impact", assignments.impact, _ASSIGNMENT_IMPACT, marks("read", "A U M S"))
    return routes.router
