"""`/groups` and their members."""

from typing import Annotated, Final

from fastapi import APIRouter, Query

from nova_ui.api.caller import Signed
from nova_ui.api.marks import FOLLOWS, marks
from nova_ui.api.routes import IfMatch, NovaRoutes
from nova_ui.nova.services import NovaServices
from nova_ui.nova.views import (
    Done,
    GroupChanged,
    GroupCreate,
    GroupImpactQuery,
    GroupPatch,
    GroupQuery,
    GroupView,
    Impact,
    MemberQuery,
    MembersAdd,
    MembersAdded,
    MembersReplace,
    MemberView,
    Page,
    RuleCheck,
    RuleFound,
)
from nova_ui.nova.views.types import GroupRef, IdentityRef

_IMPACT: Final = "get_group_impact"


class _Endpoints:
    def __init__(self, nova: NovaServices) -> None:
        self._nova = nova

    async def list_page(self, context: Signed, query: Annotated[GroupQuery, Query()]) -> Page[GroupView]:
        """List groups."""
        return await self._nova.groups.list_page(context, query)

    async def create(self, context: Signed, body: GroupCreate) -> GroupChanged:
        """Create a group."""
        return await self._nova.groups.create(context, body)

    async def get(self, context: Signed, group_id: GroupRef) -> GroupView:
        """Read one group."""
        return await self._nova.groups.get(context, group_id)

    async def patch(
        self, context: Signed, group_id: GroupRef, body: GroupPatch, if_match: IfMatch = None
    ) -> GroupChanged:
        """Change a group."""
        return await self._nova.groups.update(context, group_id, body, if_match)

    async def delete(self, context: Signed, group_id: GroupRef, if_match: IfMatch = None) -> Done[GroupView]:
        """Delete a group; its members lose what it grants."""
        return await self._nova.groups.delete(context, group_id, if_match)

    async def impact(self, context: Signed, group_id: GroupRef, query: Annotated[GroupImpactQuery, Query()]) -> Impact:
        """Tell what deleting a group, or removing or replacing members, would do."""
        if query.action == "delete":
            return await self._nova.groups.impact_of_delete(context, group_id)
        if query.action == "replace_members":
            ids = [one for one in (query.identity_ids or "").split(",") if one]
            return await self._nova.members.impact_of_replace(context, group_id, ids)
        return await self._nova.members.impact_of_remove(context, group_id, query.identity_id)

    async def members(
        self, context: Signed, group_id: GroupRef, query: Annotated[MemberQuery, Query()]
    ) -> Page[MemberView]:
        """List the members of a group."""
        return await self._nova.members.list_page(context, group_id, query)

    async def add_members(
        self, context: Signed, group_id: GroupRef, body: MembersAdd, if_match: IfMatch = None
    ) -> MembersAdded:
        """Add members to a group."""
        return await self._nova.members.add(context, group_id, body.identity_ids, if_match)

    async def replace_members(
        self, context: Signed, group_id: GroupRef, body: MembersReplace, if_match: IfMatch = None
    ) -> Done[GroupView]:
        """Make exactly these the members of a group."""
        return await self._nova.members.replace(context, group_id, body.identity_ids, if_match)

    async def evaluate_rule(self, context: Signed, body: RuleCheck) -> RuleFound:
        """Tell whom a rule finds now."""
        return await self._nova.groups.evaluate(context, body)

    async def remove_member(
        self, context: Signed, group_id: GroupRef, identity_id: IdentityRef, if_match: IfMatch = None
    ) -> Done[GroupView]:
        """Remove a member from a group."""
        return await self._nova.members.remove(context, group_id, identity_id, if_match)


def router_for(nova: NovaServices) -> APIRouter:
    """Return the router of groups."""
    routes, groups = NovaRoutes(nova, "Groups"), _Endpoints(nova)
    one = "/groups/{group_id}"
    routes.add("GET /groups", groups.list_page, "list_groups", marks("read", "A U O"))
    routes.add("POST /groups/evaluate-rule", groups.evaluate_rule, "evaluate_group_rule", marks("read", "A U"))
    routes.add(
        "POST /groups",
        groups.create,
        "create_group",
        marks("write", "A", audit=["group.created", *FOLLOWS]),
        status=201,
    )
    routes.add(f"GET {one}", groups.get, "get_group", marks("read", "A U O"))
    routes.add(f"PATCH {one}", groups.patch, "update_group", marks("write", "A", audit=["group.updated", *FOLLOWS]))
    delete = marks(
        "destructive", "A", audit=["group.deleted", "group.member_removed", "assignment.revoked"], impact=_IMPACT
    )
    routes.add(f"DELETE {one}", groups.delete, "delete_group", delete)
    routes.add(f"GET {one}/impact", groups.impact, _IMPACT, marks("read", "A U O"))
    routes.add(f"GET {one}/members", groups.members, "list_group_members", marks("read", "A U O"))
    add = marks("write", "A O", audit=["group.member_added", "assignment.granted"])
    routes.add(f"POST {one}/members", groups.add_members, "add_group_members", add)
    replace = marks("destructive", "A", audit=["group.member_removed", *FOLLOWS], impact=_IMPACT)
    routes.add(f"PUT {one}/members", groups.replace_members, "replace_group_members", replace)
    remove = marks("destructive", "A O", audit=["group.member_removed", "assignment.revoked"], impact=_IMPACT)
    routes.add(f"DELETE {one}/members/{{identity_id}}", groups.remove_member, "remove_group_member", remove)
    return routes.router
