"""What the model may take away from groups: a member, or the whole group. Both wait for a confirmation."""

import dataclasses
from typing import Final

from pydantic import Field

from nova_ui.domain.identity import Language, Role
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, Example, Nova, Shown, Tool, ToolArguments, ToolKind
from nova_ui.tools.arguments import GroupRef, IdentityRef
from nova_ui.tools.definition import any_tool
from nova_ui.tools.groups import AREA
from nova_ui.tools.phrases import groups as phrases
from nova_ui.tools.results import readable_object
from nova_ui.tools.showing import Look, show_object

_ADMINISTRATORS: Final = frozenset({Role.ADMINISTRATOR})
_STATE: Final = ("id", "display_name", "description", "member_count", "owners", "source")

_ONE: Final = "GET /groups/{group_id}"
_IMPACT: Final = "GET /groups/{group_id}/impact"
_REMOVE: Final = "DELETE /groups/{group_id}/members/{identity_id}"
_DELETE: Final = "DELETE /groups/{group_id}"


class RemoveGroupMember(ToolArguments):
    """Whom to remove from which group."""

    group_id: GroupRef = Field(description="Id of the group (grp_…), as list_groups returns it.")
    identity_id: IdentityRef = Field(description="Id of the member (idn_…).")


def _membership_path(arguments: RemoveGroupMember) -> dict[str, str]:
    return {"group_id": arguments.group_id, "identity_id": arguments.identity_id}


async def _remove_group_member(arguments: RemoveGroupMember, nova: Nova) -> JsonValue:
    answer = await nova.call(_REMOVE, path=_membership_path(arguments), if_match=nova.if_match)
    return readable_object(answer.object)


async def _show_removal(arguments: RemoveGroupMember, nova: Nova) -> Shown:
    path = {"group_id": arguments.group_id}
    query = {"action": "remove_member", "identity_id": arguments.identity_id}
    shown = await show_object(
        nova,
        Look(endpoint=_ONE, path=path),
        Look(endpoint=_IMPACT, path=path, query=query),
        fields=_STATE,
        unknown=arguments.group_id,
    )
    members = [name for effect in shown.consequences if effect.type == "membership" for name in effect.names]
    return dataclasses.replace(shown, subject=f"{', '.join(members)} ({shown.subject})") if members else shown


REMOVE_GROUP_MEMBER = Tool(
    name="remove_group_member",
    title=mark("Remove group member"),
    summary=mark("Remove an identity from a group. It loses what the group gives it."),
    area=AREA,
    icon="person_remove",
    kind=ToolKind.DESTRUCTIVE,
    roles=_ADMINISTRATORS,
    endpoints=(_REMOVE, _ONE, _IMPACT),
    arguments=RemoveGroupMember,
    run=_remove_group_member,
    action=mark("Remove the group member {subject}"),
    show=_show_removal,
    phrases=phrases.REMOVE_GROUP_MEMBER,
    examples={
        Language.ENGLISH: (
            Example(text="Remove Tim Vogt from the group Contractors"),
            Example(text="Take Lea Brandt out of the group Interns"),
        ),
        Language.GERMAN: (
            Example(text="Entferne Tim Vogt aus der Gruppe Contractors"),
            Example(text="Nimm Lea Brandt aus der Gruppe Interns heraus"),
        ),
    },
)


class DeleteGroup(ToolArguments):
    """Which group to delete."""

    group_id: GroupRef = Field(description="Id of the group (grp_…), as list_groups returns it.")


async def _delete_group(arguments: DeleteGroup, nova: Nova) -> JsonValue:
    answer = await nova.call(_DELETE, path={"group_id": arguments.group_id}, if_match=nova.if_match)
    return readable_object(answer.object)


async def _show_deletion(arguments: DeleteGroup, nova: Nova) -> Shown:
    path = {"group_id": arguments.group_id}
    return await show_object(
        nova,
        Look(endpoint=_ONE, path=path),
        Look(endpoint=_IMPACT, path=path, query={"action": "delete"}),
        fields=_STATE,
        unknown=arguments.group_id,
    )


DELETE_GROUP = Tool(
    name="delete_group",
    title=mark("Delete group"),
    summary=mark("Delete a group. Its members lose what it gives them."),
    area=AREA,
    icon="group_remove",
    kind=ToolKind.DESTRUCTIVE,
    roles=_ADMINISTRATORS,
    endpoints=(_DELETE, _ONE, _IMPACT),
    arguments=DeleteGroup,
    run=_delete_group,
    action=mark("Delete the group {subject}"),
    show=_show_deletion,
    phrases=phrases.DELETE_GROUP,
    examples={
        Language.ENGLISH: (
            Example(text="Delete the group Contractors"),
            Example(text="Get rid of the group Project Apollo"),
        ),
        Language.GERMAN: (
            Example(text="Lösche die Gruppe Contractors"),
            Example(text="Lösche die Gruppe Projekt Apollo"),
        ),
    },
)

TOOLS: Final[tuple[AnyTool, ...]] = (
    any_tool(REMOVE_GROUP_MEMBER),
    any_tool(DELETE_GROUP),
)
