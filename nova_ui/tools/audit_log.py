"""What the model may ask of the audit log: entries by filter, counts by group, one entry in full."""

from typing import Annotated, Final, Literal

from pydantic import Field

from nova_ui.domain.assistant import ORIGIN_SHAPE
from nova_ui.domain.identity import Language, Role
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, Example, Nova, Tool, ToolArguments, ToolKind
from nova_ui.tools.arguments import (
    CURSOR_HELP,
    DEFAULT_ROWS,
    ROWS_HELP,
    AuditEntryRef,
    Cursor,
    Day,
    IdentityRef,
    Rows,
    Words,
)
from nova_ui.tools.definition import any_tool
from nova_ui.tools.phrases import monitoring as phrases
from nova_ui.tools.results import Filters, list_rows, readable_object, why_empty

AREA: Final = mark("Monitoring")

_ROW: Final = ("id", "time", "actor", "action", "target", "outcome", "origin", "request_id")

ActionName = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[a-z0-9_.*]+$")]
OriginName = Annotated[str, Field(pattern=f"^({ORIGIN_SHAPE})$")]
ObjectId = Annotated[str, Field(pattern=r"^[a-z]{3}_[0-9a-z]{20}$")]
RequestId = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_.:-]+$")]
TargetType = Annotated[str, Field(pattern=r"^[a-z_]{1,40}$")]


class SearchAuditLog(ToolArguments):
    """Which entries to look for."""

    entry_id: AuditEntryRef | None = Field(None, description="Id of one entry (log_…) to read in full.")
    q: Words | None = Field(None, description="Part of a name in the entry.")
    after: Day | None = Field(None, description="Only on this day (YYYY-MM-DD, UTC) or later.")
    before: Day | None = Field(None, description="Only on this day (YYYY-MM-DD, UTC) or earlier.")
    actor_id: IdentityRef | None = Field(None, description="Only what this identity (idn_…) did.")
    action: ActionName | None = Field(None, description="Only this action, such as identity.disabled or group.*.")
    target_id: ObjectId | None = Field(None, description="Only what was done to this object, by its id.")
    target_type: TargetType | None = Field(None, description="Only what was done to objects such as identity, group.")
    outcome: Literal["success", "refused", "failed"] | None = Field(
        None, description="Only with this outcome: success, refused (not allowed), failed."
    )
    origin: OriginName | None = Field(
        None, description="Only from interface, from ai_chat, or from one assistant as ai_chat:<its key>."
    )
    request_id: RequestId | None = Field(None, description="Only entries of one request, as another entry names it.")
    group_by: Literal["day", "actor", "action", "origin", "outcome"] | None = Field(
        None, description="Return counts instead of entries, by day, actor, action, origin (through what) or outcome."
    )
    limit: Rows = Field(DEFAULT_ROWS, description=ROWS_HELP)
    cursor: Cursor | None = Field(None, description=CURSOR_HELP)


async def _search_audit_log(arguments: SearchAuditLog, nova: Nova) -> JsonValue:
    if arguments.entry_id is not None:
        path = {"entry_id": arguments.entry_id}
        return readable_object((await nova.call("GET /audit-log/{entry_id}", path=path)).object)
    filters = arguments.model_dump(exclude={"entry_id", "group_by", "limit", "cursor"})
    if arguments.group_by is not None:
        query = {**filters, "group_by": arguments.group_by, "limit": arguments.limit}
        answer = (await nova.call("GET /audit-log/summary", query=query)).object
        groups = answer.get("groups")
        shown = len(groups) if isinstance(groups, list) else 0
        counts: JsonObject = {"total": answer.get("total"), "shown": shown, "group_by": arguments.group_by}
        grouped: Filters = {"group_by": arguments.group_by}
        why = {} if groups else await why_empty(nova, "GET /audit-log/summary", filters=filters, always=grouped)
        return {**counts, "groups": groups, **why}
    return await list_rows(
        nova, "GET /audit-log", filters=filters, limit=arguments.limit, cursor=arguments.cursor, fields=_ROW
    )


SEARCH_AUDIT_LOG = Tool(
    name="search_audit_log",
    title=mark("Search audit log"),
    summary=mark("Search who did what, when and from where, newest first; or count entries by day, actor or action."),
    area=AREA,
    icon="manage_search",
    kind=ToolKind.READ,
    roles=frozenset({Role.ADMINISTRATOR, Role.AUDITOR}),
    endpoints=("GET /audit-log", "GET /audit-log/{entry_id}", "GET /audit-log/summary"),
    arguments=SearchAuditLog,
    run=_search_audit_log,
    phrases=phrases.SEARCH_AUDIT_LOG,
    examples={
        Language.ENGLISH: (
            Example(text="What was done through the AI chat?", arguments={"origin": "ai_chat"}),
            Example(text="How many audit entries per day?", arguments={"group_by": "day"}),
        ),
        Language.GERMAN: (
            Example(text="Was wurde über den KI-Chat gemacht?", arguments={"origin": "ai_chat"}),
            Example(text="Wie viele Audit-Einträge gab es pro Tag?", arguments={"group_by": "day"}),
        ),
    },
)


class VerifyAuditLog(ToolArguments):
    """How far back to check."""

    newest: Annotated[int, Field(ge=1, le=20_000)] = Field(
        20_000, description="How many of the newest entries to check, at most 20,000."
    )


async def _verify_audit_log(arguments: VerifyAuditLog, nova: Nova) -> JsonValue:
    answer = await nova.call("GET /audit-log/verification", query=arguments.model_dump())
    return readable_object(answer.object)


VERIFY_AUDIT_LOG = Tool(
    name="verify_audit_log",
    title=mark("Verify audit log"),
    summary=mark("Check by the hash chain whether entries of the audit log were changed, added or removed afterwards."),
    area=AREA,
    icon="verified_user",
    kind=ToolKind.READ,
    roles=frozenset({Role.ADMINISTRATOR, Role.AUDITOR}),
    endpoints=("GET /audit-log/verification",),
    arguments=VerifyAuditLog,
    run=_verify_audit_log,
    phrases=phrases.VERIFY_AUDIT_LOG,
    examples={
        Language.ENGLISH: (Example(text="Is the audit log intact?"), Example(text="Verify the audit log")),
        Language.GERMAN: (Example(text="Ist das Audit-Log unversehrt?"), Example(text="Prüfe das Audit-Log")),
    },
)

TOOLS: Final[tuple[AnyTool, ...]] = (any_tool(SEARCH_AUDIT_LOG), any_tool(VERIFY_AUDIT_LOG))
