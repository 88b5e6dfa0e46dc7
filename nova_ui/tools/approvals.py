"""What the model may do with approvals: see those that wait, decide one."""

from typing import Annotated, Final, Literal, Self

from pydantic import Field, model_validator

from nova_ui.domain.identity import EVERYONE, Language
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, Change, Example, Nova, Shown, Tool, ToolArguments, ToolKind
from nova_ui.errors import NovaConflict
from nova_ui.tools.arguments import (
    CURSOR_HELP,
    ROWS_HELP,
    ApprovalRef,
    Cursor,
    IdentityRef,
    LongText,
    RequestRef,
    Rows,
)
from nova_ui.tools.definition import any_tool
from nova_ui.tools.phrases import requests as phrases
from nova_ui.tools.requesting import names_of_items
from nova_ui.tools.results import list_rows, readable_object
from nova_ui.tools.showing import Look, find_object, name_of, read_consequences

AREA: Final = mark("Access requests")

_ROWS_THAT_FIT: Final = 15  # these rows are wider than those of other lists (rule E4)
_ROW: Final = (
    "id",
    "request_id",
    "status",
    "requester",
    "beneficiary",
    "items",
    "justification",
    "approver",
    "due_at",
    "decided_by",
    "decided_at",
    "comment",
)

_ONE: Final = "GET /approvals/{approval_id}"
_IMPACT: Final = "GET /approvals/decisions/impact"
_STATE: Final = tuple(name for name in _ROW if name not in {"decided_by", "decided_at", "comment"})

ApprovalStatus = Literal["waiting", "open", "approved", "denied", "skipped", "expired"]
Decision = Literal["approve", "deny"]


class ListApprovals(ToolArguments):
    """Which approvals to list."""

    status: ApprovalStatus | None = Field(
        None,
        description="Only in this state: open (waits for its approver now), waiting (for an earlier step), approved, "
        "denied, skipped (not needed any more), expired (not decided in time).",
    )
    mine: bool | None = Field(None, description="Only those that oneself decides or decided.")
    request_id: RequestRef | None = Field(None, description="Only of this request (req_…).")
    approver_id: IdentityRef | None = Field(None, description="Only those of this approver (idn_…).")
    limit: Rows = Field(_ROWS_THAT_FIT, description=ROWS_HELP)
    cursor: Cursor | None = Field(None, description=CURSOR_HELP)


async def _list_approvals(arguments: ListApprovals, nova: Nova) -> JsonValue:
    filters = arguments.model_dump(exclude={"limit", "cursor"})
    return await list_rows(
        nova, "GET /approvals", filters=filters, limit=arguments.limit, cursor=arguments.cursor, fields=_ROW
    )


LIST_APPROVALS = Tool(
    name="list_approvals",
    title=mark("List approvals"),
    summary=mark("List the decisions that access requests wait for, with what is asked for and by whom."),
    area=AREA,
    icon="rule",
    kind=ToolKind.READ,
    roles=EVERYONE,
    endpoints=("GET /approvals",),
    arguments=ListApprovals,
    run=_list_approvals,
    phrases=phrases.LIST_APPROVALS,
    examples={
        Language.ENGLISH: (
            Example(text="Which approvals are waiting for me?", arguments={"status": "open", "mine": True}),
            Example(text="Show all open approvals", arguments={"status": "open"}),
        ),
        Language.GERMAN: (
            Example(text="Welche Genehmigungen warten auf mich?", arguments={"status": "open", "mine": True}),
            Example(text="Zeige alle offenen Genehmigungen", arguments={"status": "open"}),
        ),
    },
)


class DecideApproval(ToolArguments):
    """Which approval to decide, and how."""

    approval_id: ApprovalRef = Field(description="Id of the approval (apv_…), as list_approvals returns it.")
    decision: Decision = Field(description="Whether to approve or to deny.")
    comment: Annotated[LongText | None, Field(description="Why; needed to deny.")] = None

    @model_validator(mode="after")
    def _denial_has_a_reason(self) -> Self:
        if self.decision == "deny" and self.comment is None:
            raise ValueError("a denial needs a comment that says why")
        return self


async def _decide_approval(arguments: DecideApproval, nova: Nova) -> JsonValue:
    body: JsonObject = {} if arguments.comment is None else {"comment": arguments.comment}
    endpoint = "POST /approvals/{approval_id}/approve"
    if arguments.decision == "deny":
        endpoint = "POST /approvals/{approval_id}/deny"
    path = {"approval_id": arguments.approval_id}
    return readable_object((await nova.call(endpoint, path=path, body=body, if_match=nova.if_match)).object)


async def _show_decision(arguments: DecideApproval, nova: Nova) -> Shown:
    """Show what is asked for and for whom, and what the decision does; nobody can take it back.

    Raises:
        NovaConflict: Nova would refuse it, so nobody is asked to confirm it.

    """
    found = await find_object(nova, Look(endpoint=_ONE, path={"approval_id": arguments.approval_id}))
    if found is None:
        return Shown(subject=arguments.approval_id)
    impact = Look(endpoint=_IMPACT, path={}, query={arguments.decision: arguments.approval_id})
    consequences = await read_consequences(nova, impact)
    if any(one.result == "refused" for one in consequences):
        raise NovaConflict(
            "Nova would refuse this decision: it was taken already, is somebody else's, or is not for a chat.",
            code="state_conflict",
        )
    after = "approved" if arguments.decision == "approve" else "denied"
    beneficiary = found.object.get("beneficiary")
    whom = name_of(beneficiary, "?") if isinstance(beneficiary, dict) else "?"
    return Shown(
        subject=f"{names_of_items(found.object) or arguments.approval_id} ({whom})",
        current_state=readable_object(found.object, _STATE),
        changes=(Change(field="status", before=found.object.get("status"), after=after),),
        consequences=consequences,
        etag=found.etag,
    )


DECIDE_APPROVAL = Tool(
    name="decide_approval",
    title=mark("Decide approval"),
    summary=mark("Approve or deny one access request that waits for one's own decision."),
    area=AREA,
    icon="gavel",
    kind=ToolKind.DESTRUCTIVE,  # who decided can't take it back: neither the decision nor what it gives
    roles=EVERYONE,
    self_service=True,
    endpoints=("POST /approvals/{approval_id}/approve", "POST /approvals/{approval_id}/deny", _ONE, _IMPACT),
    arguments=DecideApproval,
    run=_decide_approval,
    action=mark("Decide on {subject}"),
    show=_show_decision,
    phrases=phrases.DECIDE_APPROVAL,
    examples={
        Language.ENGLISH: (
            Example(text="Approve Tim Vogt's request", arguments={"decision": "approve"}),
            Example(
                text="Deny the request because it is not needed",
                arguments={"decision": "deny", "comment": "it is not needed"},
            ),
        ),
        Language.GERMAN: (
            Example(text="Genehmige den Antrag von Tim Vogt", arguments={"decision": "approve"}),
            Example(
                text="Lehne den Antrag ab, Grund: nicht mehr nötig",
                arguments={"decision": "deny", "comment": "nicht mehr nötig"},
            ),
        ),
    },
)

TOOLS: Final[tuple[AnyTool, ...]] = (any_tool(LIST_APPROVALS), any_tool(DECIDE_APPROVAL))
