"""What the model may do with access requests: see them, and search the catalogue."""

from typing import Final, Literal

from pydantic import Field

from nova_ui.domain.identity import EVERYONE, Language
from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, Example, Nova, Tool, ToolArguments, ToolKind
from nova_ui.tools.arguments import (
    CURSOR_HELP,
    DEFAULT_ROWS,
    ROWS_HELP,
    ApplicationRef,
    Cursor,
    Day,
    EntitlementRef,
    IdentityRef,
    RequestRef,
    RoleRef,
    Rows,
    Words,
)
from nova_ui.tools.definition import any_tool
from nova_ui.tools.phrases import requests as phrases
from nova_ui.tools.results import list_rows, readable_object

AREA: Final = mark("Access requests")

REQUEST_ROW: Final = ("id", "requester", "beneficiary", "items", "justification", "status", "created_at")
_CATALOGUE_ROW: Final = (
    "role_id",
    "entitlement_id",
    "key",
    "display_name",
    "description",
    "application",
    "approval",
    "max_days",
    "risk",
    "held",
    "held_until",
    "held_through",
    "open_request_id",
)

RequestStatus = Literal[
    "submitted", "pending", "approved", "provisioning", "completed", "denied", "cancelled", "expired", "failed"
]


CatalogueType = Literal["role", "entitlement"]


class ListAccessRequests(ToolArguments):
    """Which requests to list."""

    request_id: RequestRef | None = Field(None, description="Id of one request (req_…) to read in full.")
    status: RequestStatus | None = Field(
        None,
        description="Only in this state: submitted (just filed), pending (waits for a decision), approved, "
        "provisioning (being set up), completed (the access is there), denied, cancelled (by who asked), expired "
        "(nobody decided in time), failed.",
    )
    requester_id: IdentityRef | None = Field(None, description="Only filed by this identity (idn_…).")
    beneficiary_id: IdentityRef | None = Field(None, description="Only for this identity (idn_…).")
    role_id: RoleRef | None = Field(None, description="Only for this role (rol_…).")
    entitlement_id: EntitlementRef | None = Field(None, description="Only for this entitlement (ent_…).")
    created_after: Day | None = Field(None, description="Only filed on this day (YYYY-MM-DD) or later.")
    limit: Rows = Field(DEFAULT_ROWS, description=ROWS_HELP)
    cursor: Cursor | None = Field(None, description=CURSOR_HELP)


async def _list_access_requests(arguments: ListAccessRequests, nova: Nova) -> JsonValue:
    if arguments.request_id is not None:
        path = {"request_id": arguments.request_id}
        return readable_object((await nova.call("GET /access-requests/{request_id}", path=path)).object)
    filters = arguments.model_dump(exclude={"request_id", "limit", "cursor"})
    return await list_rows(
        nova,
        "GET /access-requests",
        filters=filters,
        limit=arguments.limit,
        cursor=arguments.cursor,
        fields=REQUEST_ROW,
    )


LIST_ACCESS_REQUESTS = Tool(
    name="list_access_requests",
    title=mark("List access requests"),
    summary=mark("List the access requests that one may see (one's own, one's reports'), or read one in full."),
    area=AREA,
    icon="inbox",
    kind=ToolKind.READ,
    roles=EVERYONE,
    endpoints=("GET /access-requests", "GET /access-requests/{request_id}"),
    arguments=ListAccessRequests,
    run=_list_access_requests,
    phrases=phrases.LIST_ACCESS_REQUESTS,
    examples={
        Language.ENGLISH: (
            Example(text="Which access requests are pending?", arguments={"status": "pending"}),
            Example(text="Show my requests"),
        ),
        Language.GERMAN: (
            Example(text="Welche Anträge sind offen?", arguments={"status": "pending"}),
            Example(text="Zeige meine Anträge"),
        ),
    },
)


class SearchCatalog(ToolArguments):
    """What to look for in the catalogue."""

    q: Words | None = Field(None, description="Part of the name of a role or an entitlement.")
    type: CatalogueType | None = Field(None, description="Only of this type: role or entitlement. Left out: both.")
    application_id: ApplicationRef | None = Field(None, description="Only of this application (app_…).")
    limit: Rows = Field(DEFAULT_ROWS, description=ROWS_HELP)
    cursor: Cursor | None = Field(None, description=CURSOR_HELP)


async def _search_catalog(arguments: SearchCatalog, nova: Nova) -> JsonValue:
    filters = arguments.model_dump(include={"q", "type", "application_id"})
    return await list_rows(
        nova, "GET /catalog", filters=filters, limit=arguments.limit, cursor=arguments.cursor, fields=_CATALOGUE_ROW
    )


SEARCH_CATALOG = Tool(
    name="search_catalog",
    title=mark("Search catalogue"),
    summary=mark(
        "List the roles and entitlements that one may request for oneself, and which of them one holds already."
    ),
    area=AREA,
    icon="storefront",
    kind=ToolKind.READ,
    roles=EVERYONE,
    endpoints=("GET /catalog",),
    arguments=SearchCatalog,
    run=_search_catalog,
    phrases=phrases.SEARCH_CATALOG,
    examples={
        Language.ENGLISH: (
            Example(text="What can I request?"),
            Example(text="Is there a role for VPN in the catalogue?", arguments={"q": "VPN"}),
        ),
        Language.GERMAN: (
            Example(text="Was kann ich beantragen?"),
            Example(text="Gibt es im Katalog eine Rolle für VPN?", arguments={"q": "VPN"}),
        ),
    },
)


TOOLS: Final[tuple[AnyTool, ...]] = (
    any_tool(LIST_ACCESS_REQUESTS),
    any_tool(SEARCH_CATALOG),
)
