"""What the model may do with entitlements: list them, or read one."""

from typing import Final, Literal

from pydantic import Field

from nova_ui.domain.identity import Language, Role
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, Example, Nova, Tool, ToolArguments, ToolKind
from nova_ui.tools.arguments import (
    CURSOR_HELP,
    DEFAULT_ROWS,
    ROWS_HELP,
    ApplicationRef,
    Cursor,
    EntitlementRef,
    IdentityRef,
    RoleRef,
    Rows,
    Words,
)
from nova_ui.tools.definition import any_tool
from nova_ui.tools.phrases import entitlements as phrases
from nova_ui.tools.results import list_rows, readable_object
from nova_ui.tools.roles import AREA, RISKS, Risk

_ROW: Final = (
    "id",
    "display_name",
    "native_name",
    "application",
    "description",
    "status",
    "risk",
    "privileged",
    "requestable",
    "roles",
    "holder_count",
)

EntitlementStatus = Literal["discovered", "managed", "gone"]


class ListEntitlements(ToolArguments):
    """Which entitlements to list."""

    entitlement_id: EntitlementRef | None = Field(None, description="Id of one entitlement (ent_…) to read in full.")
    q: Words | None = Field(None, description="Part of its name, its name inside the application, or description.")
    application_id: ApplicationRef | None = Field(None, description="Only of this application (app_…).")
    role_id: RoleRef | None = Field(None, description="Only those that this role (rol_…) bundles itself.")
    owner_id: IdentityRef | None = Field(None, description="Only those that this identity (idn_…) owns.")
    risk: Risk | None = Field(None, description=f"Only of this risk: {RISKS}.")
    privileged: bool | None = Field(None, description="Only privileged ones, or only others.")
    requestable: bool | None = Field(None, description="Only those that can be requested, or only others.")
    status: EntitlementStatus | None = Field(
        None, description="Only in this state: discovered (found, not adopted), managed, gone."
    )
    limit: Rows = Field(DEFAULT_ROWS, description=ROWS_HELP)
    cursor: Cursor | None = Field(None, description=CURSOR_HELP)


async def _list_entitlements(arguments: ListEntitlements, nova: Nova) -> JsonValue:
    if arguments.entitlement_id is not None:
        path = {"entitlement_id": arguments.entitlement_id}
        return readable_object((await nova.call("GET /entitlements/{entitlement_id}", path=path)).object)
    filters = arguments.model_dump(exclude={"entitlement_id", "limit", "cursor"})
    return await list_rows(
        nova, "GET /entitlements", filters=filters, limit=arguments.limit, cursor=arguments.cursor, fields=_ROW
    )


LIST_ENTITLEMENTS = Tool(
    name="list_entitlements",
    title=mark("List entitlements"),
    summary=mark("List the single rights inside applications and the roles that bundle them, or read one in full."),
    area=AREA,
    icon="vpn_key",
    kind=ToolKind.READ,
    roles=frozenset({Role.ADMINISTRATOR, Role.AUDITOR}),
    endpoints=("GET /entitlements", "GET /entitlements/{entitlement_id}"),
    arguments=ListEntitlements,
    run=_list_entitlements,
    phrases=phrases.LIST_ENTITLEMENTS,
    examples={
        Language.ENGLISH: (
            Example(text="Which entitlements does the application Payroll have?"),
            Example(text="Which entitlements are there?"),
        ),
        Language.GERMAN: (
            Example(text="Welche Einzelberechtigungen hat die Anwendung Payroll?"),
            Example(text="Welche Einzelberechtigungen gibt es?"),
        ),
    },
)

TOOLS: Final[tuple[AnyTool, ...]] = (any_tool(LIST_ENTITLEMENTS),)
