"""How the model may make an export; whoever may not list the data in this chat may not export it (rule B2)."""

import asyncio
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal

from pydantic import Field

from nova_ui.domain.identity import Language, Role
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, Example, Nova, Shown, Tool, ToolArguments, ToolKind
from nova_ui.tools.arguments import (
    ApplicationRef,
    Day,
    GroupRef,
    IdentityRef,
    RoleRef,
    Words,
)
from nova_ui.tools.audit_log import ActionName, OriginName
from nova_ui.tools.definition import any_tool
from nova_ui.tools.phrases import monitoring as phrases
from nova_ui.tools.results import readable_object

AREA: Final = mark("Monitoring")

ExportResource = Literal[
    "identities",
    "groups",
    "roles",
    "entitlements",
    "assignments",
    "applications",
    "access_requests",
    "approvals",
    "sessions",
    "audit_log",
]

# Small exports are ready after the first look; all looks together take ten seconds.
PAUSES_S: Final = (0.05, 0.1, 0.2, 0.4, 0.8, 1.2, 1.5, 1.75, 2.0, 2.0)

LISTED_BY: Final[Mapping[str, str]] = MappingProxyType(
    {
        "identities": "search_identities",
        "groups": "list_groups",
        "roles": "list_roles",
        "entitlements": "list_entitlements",
        "assignments": "list_assignments",
        "applications": "list_applications",
        "access_requests": "list_access_requests",
        "approvals": "list_approvals",
        "sessions": "list_sessions",
        "audit_log": "search_audit_log",
    }
)


class ExportFilter(ToolArguments):
    """Which rows to export; only filters that the resource's own list takes."""

    q: Words | None = Field(None, description="Part of a name.")
    status: Words | None = Field(None, description="Only in this state, by the word that the list uses.")
    department: Words | None = Field(None, description="identities: only this department.")
    manager_id: IdentityRef | None = Field(None, description="identities: only reports of this identity (idn_…).")
    group_id: GroupRef | None = Field(None, description="identities: only members of this group (grp_…).")
    signed_in_before: Day | None = Field(None, description="identities: only not signed in since this day.")
    identity_id: IdentityRef | None = Field(None, description="assignments, sessions: only of this identity (idn_…).")
    role_id: RoleRef | None = Field(None, description="identities, assignments, access_requests: only this role.")
    application_id: ApplicationRef | None = Field(
        None, description="roles, entitlements, assignments: only this application."
    )
    member_id: IdentityRef | None = Field(None, description="groups: only with this member (idn_…).")
    privileged: bool | None = Field(None, description="roles, entitlements, assignments: only privileged ones.")
    after: Day | None = Field(None, description="audit_log: only on this day (YYYY-MM-DD) or later.")
    before: Day | None = Field(None, description="audit_log: only on this day (YYYY-MM-DD) or earlier.")
    actor_id: IdentityRef | None = Field(None, description="audit_log: only what this identity (idn_…) did.")
    action: ActionName | None = Field(None, description="audit_log: only this action, such as group.*.")
    origin: OriginName | None = Field(None, description="audit_log: only interface, ai_chat or ai_chat:<key>.")


class CreateExport(ToolArguments):
    """What to export."""

    resource: ExportResource = Field(description="Which list to export.")
    filter: ExportFilter | None = Field(None, description="Which rows. Left out: all that one may see.")
    format: Literal["csv", "jsonl"] = Field("csv", description="Format of the file.")


def _listing_tool(arguments: CreateExport) -> tuple[str, ...]:
    return (LISTED_BY[arguments.resource],)


async def _create_export(arguments: CreateExport, nova: Nova) -> JsonValue:
    chosen: JsonObject = arguments.filter.model_dump(exclude_none=True) if arguments.filter else {}
    body: JsonObject = {"resource": arguments.resource, "filter": chosen, "format": arguments.format}
    answer = (await nova.call("POST /exports", body=body)).object
    answer = await _once_made(answer, nova)
    fields = ("id", "resource", "filter", "columns", "format", "rows", "status", "error", "content_path", "expires_at")
    return readable_object(answer, fields)


async def _show_export(arguments: CreateExport, _nova: Nova) -> Shown:
    return Shown(subject=arguments.resource.replace("_", " "))


async def _once_made(asked: JsonObject, nova: Nova) -> JsonObject:
    """Return the export when it is ready or has failed; after ten seconds as it is then."""
    export = asked
    for pause_s in PAUSES_S:
        if export.get("status") not in {"queued", "running"}:
            break
        await asyncio.sleep(pause_s)
        export = (await nova.call("GET /exports/{export_id}", path={"export_id": str(asked["id"])})).object
    return export


CREATE_EXPORT = Tool(
    name="create_export",
    title=mark("Create export"),
    summary=mark("Export a list as a file (CSV or JSON Lines). The person downloads it in the interface."),
    area=AREA,
    icon="download",
    kind=ToolKind.WRITE,
    roles=frozenset({Role.ADMINISTRATOR, Role.AUDITOR}),
    endpoints=("POST /exports", "GET /exports/{export_id}"),
    arguments=CreateExport,
    run=_create_export,
    action=mark("Export the list {subject}"),
    show=_show_export,
    inner_tools=tuple(LISTED_BY.values()),
    inner_tools_of=_listing_tool,
    phrases=phrases.CREATE_EXPORT,
    examples={
        Language.ENGLISH: (
            Example(text="Export the audit log as CSV", arguments={"resource": "audit_log", "format": "csv"}),
            Example(
                text="Export all active identities",
                arguments={"resource": "identities", "filter": {"status": "active"}},
            ),
        ),
        Language.GERMAN: (
            Example(text="Exportiere das Audit-Log als CSV", arguments={"resource": "audit_log", "format": "csv"}),
            Example(
                text="Exportiere alle aktiven Identitäten",
                arguments={"resource": "identities", "filter": {"status": "active"}},
            ),
        ),
    },
)

TOOLS: Final[tuple[AnyTool, ...]] = (any_tool(CREATE_EXPORT),)
