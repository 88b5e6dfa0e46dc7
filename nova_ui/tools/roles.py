"""What the model may do with roles: list, change."""

from typing import Final, Literal

from pydantic import Field

from nova_ui.domain.identity import EVERYONE, Language, Role
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, Example, Nova, Shown, Tool, ToolArguments, ToolKind
from nova_ui.tools.arguments import (
    CURSOR_HELP,
    DEFAULT_ROWS,
    ROWS_HELP,
    ApplicationRef,
    Cursor,
    LongText,
    RoleRef,
    Rows,
    Words,
)
from nova_ui.tools.definition import any_tool
from nova_ui.tools.phrases import roles as phrases
from nova_ui.tools.results import list_rows, readable_object
from nova_ui.tools.showing import Look, show_object

AREA: Final = mark("Roles and applications")

_ROLE_ROW: Final = (
    "id",
    "display_name",
    "key",
    "application",
    "status",
    "risk",
    "privileged",
    "requestable",
    "approval",
    "max_days",
    "birthright_rule",
    "holder_count",
)

_ONE: Final = "GET /roles/{role_id}"
# Not how many hold it: that changes by itself and would make cards outdated (rule C14).
ROLE_STATE: Final = tuple(name for name in _ROLE_ROW if name != "holder_count")

RISKS: Final = "low, medium, high, critical"
APPROVALS: Final = "none (given at once), manager, owner, manager_then_owner"
RoleStatus = Literal["draft", "active", "retired"]
Risk = Literal["low", "medium", "high", "critical"]
Approval = Literal["none", "manager", "owner", "manager_then_owner"]


class ListRoles(ToolArguments):
    """Which roles to list."""

    role_id: RoleRef | None = Field(None, description="Id of one role (rol_…) to read in full.")
    q: Words | None = Field(None, description="Part of the role's name, key or description.")
    application_id: ApplicationRef | None = Field(None, description="Only roles of this application (app_…).")
    risk: Risk | None = Field(None, description=f"Only roles of this risk: {RISKS}.")
    privileged: bool | None = Field(None, description="Only privileged roles, or only others.")
    requestable: bool | None = Field(None, description="Only roles that can be requested, or only others.")
    birthright: bool | None = Field(None, description="Only roles that a rule gives by itself, or only others.")
    status: RoleStatus | None = Field(
        None, description="Only in this state: draft, active, retired (not given any more)."
    )
    limit: Rows = Field(DEFAULT_ROWS, description=ROWS_HELP)
    cursor: Cursor | None = Field(None, description=CURSOR_HELP)


async def _list_roles(arguments: ListRoles, nova: Nova) -> JsonValue:
    if arguments.role_id is not None:
        return readable_object((await nova.call("GET /roles/{role_id}", path={"role_id": arguments.role_id})).object)
    filters = arguments.model_dump(exclude={"role_id", "limit", "cursor"})
    return await list_rows(
        nova, "GET /roles", filters=filters, limit=arguments.limit, cursor=arguments.cursor, fields=_ROLE_ROW
    )


LIST_ROLES = Tool(
    name="list_roles",
    title=mark("List roles"),
    summary=mark("List the roles that can be assigned, or read one role in full."),
    area=AREA,
    icon="workspace_premium",
    kind=ToolKind.READ,
    roles=EVERYONE,  # Nova shows each person what is theirs
    endpoints=("GET /roles", "GET /roles/{role_id}"),
    arguments=ListRoles,
    run=_list_roles,
    phrases=phrases.LIST_ROLES,
    examples={
        Language.ENGLISH: (
            Example(text="Which roles are there?"),
            Example(text="List all privileged roles", arguments={"privileged": True}),
        ),
        Language.GERMAN: (
            Example(text="Welche Rollen gibt es?"),
            Example(text="Liste alle privilegierten Rollen auf", arguments={"privileged": True}),
        ),
    },
)


class UpdateRole(ToolArguments):
    """What to change in a role; what is left out stays."""

    role_id: RoleRef = Field(description="Id of the role (rol_…), as list_roles returns it.")
    display_name: Words | None = Field(None, description="New name.")
    description: LongText | None = Field(None, description="New description.")
    requestable: bool | None = Field(None, description="Whether people may request it.")
    approval: Approval | None = Field(None, description=f"Who must agree to a request: {APPROVALS}.")
    max_days: int | None = Field(None, ge=1, le=3650, description="For how many days it may be held at most.")
    risk: Risk | None = Field(None, description=f"New risk: {RISKS}.")


async def _update_role(arguments: UpdateRole, nova: Nova) -> JsonValue:
    body: JsonObject = arguments.model_dump(exclude={"role_id"}, exclude_none=True)
    path = {"role_id": arguments.role_id}
    answer = await nova.call("PATCH /roles/{role_id}", path=path, body=body, if_match=nova.if_match)
    return readable_object(answer.object)


async def _show_update(arguments: UpdateRole, nova: Nova) -> Shown:
    look = Look(endpoint=_ONE, path={"role_id": arguments.role_id})
    after: JsonObject = arguments.model_dump(exclude={"role_id"}, exclude_none=True)
    return await show_object(nova, look, None, fields=ROLE_STATE, unknown=arguments.role_id, after=after)


UPDATE_ROLE = Tool(
    name="update_role",
    title=mark("Change role"),
    summary=mark("Change a role's name, description, risk, or how it can be requested."),
    area=AREA,
    icon="edit",
    kind=ToolKind.WRITE,
    roles=frozenset({Role.ADMINISTRATOR}),
    endpoints=("PATCH /roles/{role_id}", _ONE),
    arguments=UpdateRole,
    run=_update_role,
    action=mark("Change the role {subject}"),
    show=_show_update,
    phrases=phrases.UPDATE_ROLE,
    examples={
        Language.ENGLISH: (
            Example(text="Make the role VPN Access not requestable", arguments={"requestable": False}),
            Example(text="Set the risk of the role Payroll to high", arguments={"risk": "high"}),
        ),
        Language.GERMAN: (
            Example(text="Mache die Rolle VPN-Zugang nicht beantragbar", arguments={"requestable": False}),
            Example(text="Setze das Risiko der Rolle Payroll auf hoch", arguments={"risk": "high"}),
        ),
    },
)


TOOLS: Final[tuple[AnyTool, ...]] = (
    any_tool(LIST_ROLES),
    any_tool(UPDATE_ROLE),
)
