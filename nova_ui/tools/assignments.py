"""What the model may do with assignments: list, assign, change their end, revoke."""

from datetime import UTC, datetime
from typing import Final, Literal, Self

from pydantic import Field, model_validator

from nova_ui.domain.identity import EVERYONE, Language, Role
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, Example, Nova, Shown, Tool, ToolArguments, ToolKind
from nova_ui.tools.arguments import (
    CURSOR_HELP,
    DEFAULT_ROWS,
    REASON_HELP,
    ROWS_HELP,
    ApplicationRef,
    AssignmentRef,
    Cursor,
    Day,
    EntitlementRef,
    IdentityRef,
    LongText,
    RoleRef,
    Rows,
)
from nova_ui.tools.definition import any_tool
from nova_ui.tools.phrases import roles as phrases
from nova_ui.tools.results import list_rows, readable_object
from nova_ui.tools.showing import Look, changes_between, find_object, name_of, read_consequences, refer

AREA: Final = mark("Assignments")

_ADMINISTRATORS: Final = frozenset({Role.ADMINISTRATOR})
_ROW: Final = (
    "id",
    "identity",
    "role",
    "entitlement",
    "application",
    "status",
    "source",
    "valid_from",
    "valid_until",
    "justification",
)
_ONE: Final = "GET /assignments/{assignment_id}"
_IMPACT: Final = "GET /assignments/{assignment_id}/impact"
_IDENTITY: Final = "GET /identities/{identity_id}"
_ROLE: Final = "GET /roles/{role_id}"
_ENTITLEMENT: Final = "GET /entitlements/{entitlement_id}"
_RIGHT: Final = ("id", "display_name", "application", "description", "status", "risk", "privileged")
_REVOKE: Final = "DELETE /assignments/{assignment_id}"

AssignmentStatus = Literal["scheduled", "pending", "active", "failed", "expired", "revoked"]
AssignmentSource = Literal["direct", "request", "birthright", "group", "routine", "review"]


class ListAssignments(ToolArguments):
    """Which assignments to list."""

    identity_id: IdentityRef | None = Field(None, description="Only of this identity (idn_…).")
    role_id: RoleRef | None = Field(None, description="Only of this role (rol_…).")
    entitlement_id: EntitlementRef | None = Field(None, description="Only of this entitlement (ent_…), held by itself.")
    application_id: ApplicationRef | None = Field(None, description="Only for this application (app_…).")
    status: AssignmentStatus | None = Field(
        None,
        description="Only in this state: scheduled, pending (being set up), active, failed, expired, revoked.",
    )
    source: AssignmentSource | None = Field(
        None,
        description="Only from this source: direct (by an administrator), request (approved), birthright (comes with "
        "the job), group (comes with a membership), routine (by a lifecycle routine), review.",
    )
    privileged: bool | None = Field(None, description="Only of privileged rights, or only of others.")
    ends_before: Day | None = Field(None, description="Only what ends before this day (YYYY-MM-DD) is over.")
    ends_after: Day | None = Field(None, description="Only what ends on this day (YYYY-MM-DD) or later.")
    limit: Rows = Field(DEFAULT_ROWS, description=ROWS_HELP)
    cursor: Cursor | None = Field(None, description=CURSOR_HELP)


async def _list_assignments(arguments: ListAssignments, nova: Nova) -> JsonValue:
    filters = arguments.model_dump(exclude={"limit", "cursor"})
    return await list_rows(
        nova, "GET /assignments", filters=filters, limit=arguments.limit, cursor=arguments.cursor, fields=_ROW
    )


LIST_ASSIGNMENTS = Tool(
    name="list_assignments",
    title=mark("List assignments"),
    summary=mark("List who holds which role or single entitlement, since when, until when and why."),
    area=AREA,
    icon="assignment_ind",
    kind=ToolKind.READ,
    roles=EVERYONE,  # Nova shows each person what is theirs
    endpoints=("GET /assignments",),
    arguments=ListAssignments,
    run=_list_assignments,
    phrases=phrases.LIST_ASSIGNMENTS,
    examples={
        Language.ENGLISH: (Example(text="Who has the role VPN Access?"), Example(text="List the roles of Tim Vogt")),
        Language.GERMAN: (Example(text="Wer hat die Rolle VPN-Zugang?"), Example(text="Liste die Rollen von Tim Vogt")),
    },
)


class AssignRole(ToolArguments):
    """Which role, or which single entitlement, to assign to whom."""

    identity_id: IdentityRef = Field(description="Id of the identity (idn_…), as search_identities returns it.")
    role_id: RoleRef | None = Field(None, description="Id of the role (rol_…), as list_roles returns it.")
    entitlement_id: EntitlementRef | None = Field(
        None, description="Id of a single entitlement (ent_…) in place of a role, as list_entitlements returns it."
    )
    justification: LongText | None = Field(None, description=REASON_HELP)
    valid_until: Day | None = Field(None, description="Last day (UTC), as YYYY-MM-DD. Left out: no end.")

    @model_validator(mode="after")
    def _names_one_right(self) -> Self:
        if (self.role_id is None) == (self.entitlement_id is None):
            raise ValueError("name either a role_id or an entitlement_id")
        return self


async def _assign_role(arguments: AssignRole, nova: Nova) -> JsonValue:
    body: JsonObject = arguments.model_dump(exclude_none=True)
    return readable_object((await nova.call("POST /assignments", body=body)).object)


async def _show_assignment(arguments: AssignRole, nova: Nova) -> Shown:
    """Show the right as it is and who gets it; the assignment itself is not there yet."""
    who = await refer(nova, _IDENTITY, "identity_id", arguments.identity_id)
    if arguments.role_id is not None:
        look, right_id = Look(endpoint=_ROLE, path={"role_id": arguments.role_id}), arguments.role_id
    else:
        right_id = arguments.entitlement_id or ""
        look = Look(endpoint=_ENTITLEMENT, path={"entitlement_id": right_id})
    found = await find_object(nova, look)
    return Shown(
        subject=f"{right_id if found is None else name_of(found.object, right_id)} ({_named(who)})",
        current_state=None if found is None else readable_object(found.object, _RIGHT),
    )


ASSIGN_ROLE = Tool(
    name="assign_role",
    title=mark("Assign role"),
    summary=mark("Assign a role, or a single entitlement, to an identity, if needed until a last day."),
    area=AREA,
    icon="add_moderator",
    kind=ToolKind.WRITE,
    roles=_ADMINISTRATORS,
    endpoints=("POST /assignments", _IDENTITY, _ROLE, _ENTITLEMENT),
    arguments=AssignRole,
    run=_assign_role,
    action=mark("Assign {subject}"),
    show=_show_assignment,
    phrases=phrases.ASSIGN_ROLE,
    examples={
        Language.ENGLISH: (
            Example(text="Assign the role VPN Access to Tim Vogt"),
            Example(text="Give Lea Brandt the role Payroll until 2027-12-31", arguments={"valid_until": "2027-12-31"}),
        ),
        Language.GERMAN: (
            Example(text="Weise Tim Vogt die Rolle VPN-Zugang zu"),
            Example(text="Gib Lea Brandt die Rolle Payroll bis 2027-12-31", arguments={"valid_until": "2027-12-31"}),
        ),
    },
)


class ChangeAssignmentEnd(ToolArguments):
    """Which assignment ends when."""

    assignment_id: AssignmentRef = Field(description="Id of the assignment (asg_…), as list_assignments returns it.")
    valid_until: Day = Field(description="New last day (UTC), as YYYY-MM-DD.")


async def _change_assignment_end(arguments: ChangeAssignmentEnd, nova: Nova) -> JsonValue:
    body: JsonObject = {"valid_until": arguments.valid_until}
    path = {"assignment_id": arguments.assignment_id}
    answer = await nova.call("PATCH /assignments/{assignment_id}", path=path, body=body, if_match=nova.if_match)
    return readable_object(answer.object)


async def _show_new_end(arguments: ChangeAssignmentEnd, nova: Nova) -> Shown:
    found = await find_object(nova, Look(endpoint=_ONE, path={"assignment_id": arguments.assignment_id}))
    if found is None:
        return Shown(subject=arguments.assignment_id)
    ends = found.object.get("valid_until")
    before: JsonObject = {"valid_until": last_day(ends) if isinstance(ends, str) else None}
    return Shown(
        subject=_right_and_holder(found.object),
        current_state=readable_object(found.object, _ROW),
        changes=changes_between(before, {"valid_until": arguments.valid_until}),
        etag=found.etag,
    )


def last_day(moment: str) -> str:
    """Return the last day (UTC) of what ends at `moment`."""
    return f"{datetime.fromisoformat(moment).astimezone(UTC):%Y-%m-%d}"


CHANGE_ASSIGNMENT_END = Tool(
    name="change_assignment_end",
    title=mark("Change end of assignment"),
    summary=mark("Set the last day of an assignment, earlier or later than before."),
    area=AREA,
    icon="event",
    kind=ToolKind.WRITE,
    roles=_ADMINISTRATORS,
    endpoints=("PATCH /assignments/{assignment_id}", _ONE),
    arguments=ChangeAssignmentEnd,
    run=_change_assignment_end,
    action=mark("Change the end of the assignment {subject}"),
    show=_show_new_end,
    phrases=phrases.CHANGE_ASSIGNMENT_END,
    examples={
        Language.ENGLISH: (
            Example(text="Extend this assignment until 2027-06-30", arguments={"valid_until": "2027-06-30"}),
            Example(text="Let the assignment end on 2026-12-31", arguments={"valid_until": "2026-12-31"}),
        ),
        Language.GERMAN: (
            Example(text="Verlängere die Zuweisung bis 2027-06-30", arguments={"valid_until": "2027-06-30"}),
            Example(text="Lass die Zuweisung am 2026-12-31 enden", arguments={"valid_until": "2026-12-31"}),
        ),
    },
)


class RevokeAssignment(ToolArguments):
    """Which assignment to revoke."""

    assignment_id: AssignmentRef = Field(description="Id of the assignment (asg_…), as list_assignments returns it.")


async def _revoke_assignment(arguments: RevokeAssignment, nova: Nova) -> JsonValue:
    answer = await nova.call(_REVOKE, path={"assignment_id": arguments.assignment_id}, if_match=nova.if_match)
    return readable_object(answer.object)


async def _show_revocation(arguments: RevokeAssignment, nova: Nova) -> Shown:
    path = {"assignment_id": arguments.assignment_id}
    found = await find_object(nova, Look(endpoint=_ONE, path=path))
    if found is None:
        return Shown(subject=arguments.assignment_id)
    return Shown(
        subject=_right_and_holder(found.object),
        current_state=readable_object(found.object, _ROW),
        consequences=await read_consequences(nova, Look(endpoint=_IMPACT, path=path, query={"action": "revoke"})),
        etag=found.etag,
    )


def _right_and_holder(assignment: JsonObject) -> str:
    right = assignment.get("role") or assignment.get("entitlement")
    return f"{_named(right)} ({_named(assignment.get('identity'))})"


def _named(value: JsonValue) -> str:
    return name_of(value, "?") if isinstance(value, dict) else "?"


REVOKE_ASSIGNMENT = Tool(
    name="revoke_assignment",
    title=mark("Revoke assignment"),
    summary=mark(
        "Take an assigned role or entitlement away. What comes with the job or a group can't be revoked this way."
    ),
    area=AREA,
    icon="remove_moderator",
    kind=ToolKind.DESTRUCTIVE,
    roles=_ADMINISTRATORS,
    endpoints=(_REVOKE, _ONE, _IMPACT),
    arguments=RevokeAssignment,
    run=_revoke_assignment,
    action=mark("Revoke the assignment {subject}"),
    show=_show_revocation,
    phrases=phrases.REVOKE_ASSIGNMENT,
    examples={
        Language.ENGLISH: (
            Example(text="Revoke the role VPN Access of Tim Vogt"),
            Example(text="Take the role Payroll away from Lea Brandt"),
        ),
        Language.GERMAN: (
            Example(text="Entziehe Tim Vogt die Rolle VPN-Zugang"),
            Example(text="Nimm Lea Brandt die Rolle Payroll weg"),
        ),
    },
)

TOOLS: Final[tuple[AnyTool, ...]] = (
    any_tool(LIST_ASSIGNMENTS),
    any_tool(ASSIGN_ROLE),
    any_tool(CHANGE_ASSIGNMENT_END),
    any_tool(REVOKE_ASSIGNMENT),
)
