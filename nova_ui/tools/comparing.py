"""What the model may ask about access beside access: two people compared, and why somebody has a right."""

from collections.abc import Sequence
from typing import Final, Self

from pydantic import Field, model_validator

from nova_ui.domain.identity import EVERYONE, Language, Role
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, Example, Nova, Tool, ToolArguments, ToolKind
from nova_ui.errors import NovaForbidden, NovaNotFound
from nova_ui.tools.arguments import EntitlementRef, IdentityRef, RoleRef
from nova_ui.tools.definition import any_tool
from nova_ui.tools.identities import AREA
from nova_ui.tools.phrases import comparing as phrases
from nova_ui.tools.results import Filters, readable_object, rows_of

COMPARE: Final = "GET /identities/compare"
SOURCES: Final = (
    "direct (given by an administrator), request (asked for and approved), birthright (comes with the job), group "
    "(comes with a group), routine, review, membership (the person is in the group)"
)
MAX_ROWS: Final = 20
_PARTS: Final = ("shared", "only_left", "only_right")
_EARLIER_ROWS: Final = 5


class CompareAccess(ToolArguments):
    """Whose access to compare."""

    left_id: IdentityRef = Field(description="Id of the one identity (idn_…), as search_identities returns it.")
    right_id: IdentityRef = Field(description="Id of the other identity (idn_…).")


async def _compare_access(arguments: CompareAccess, nova: Nova) -> JsonValue:
    query = {"left": arguments.left_id, "right": arguments.right_id}
    answer = (await nova.call(COMPARE, query=query)).object
    counted = {f"{part}_total": len(part_rows(answer, part)) for part in _PARTS}
    shown: JsonObject = {**counted, "left": answer.get("left"), "right": answer.get("right")}
    for part in _PARTS:
        rows = part_rows(answer, part)
        shown[part] = [_row(row) for row in rows[:MAX_ROWS]]
        if len(rows) > MAX_ROWS:
            shown[f"{part}_shown"] = MAX_ROWS
    if any(len(part_rows(answer, part)) > MAX_ROWS for part in _PARTS):
        shown["rest"] = "Read get_identity_access for each of the two to see all rows."
    return readable_object(shown)


def part_rows(comparison: JsonObject, part: str) -> list[JsonObject]:
    """Return the items of one part of a comparison."""
    return rows_of({"items": comparison.get(part)})


def ways_of(row: JsonObject, side: str) -> list[JsonObject]:
    """Return through what one of the two holds an item."""
    return rows_of({"items": row.get(side)})


def _row(row: JsonObject) -> JsonObject:
    sides: JsonObject = {side: [_way(way) for way in ways_of(row, side)] for side in ("left", "right")}
    fields = ("type", "id", "display_name", "application")
    privileged: JsonObject = {"privileged": True} if row.get("privileged") is True else {}
    return readable_object({**{name: row.get(name) for name in fields}, **privileged, **sides})


def _way(way: JsonObject) -> JsonObject:
    return {name: way.get(name) for name in ("source", "assignment_id", "valid_until")}


COMPARE_ACCESS = Tool(
    name="compare_access",
    title=mark("Compare access"),
    summary=mark(
        "Compare what two identities may use: shared, only the left one's, only the right one's, each with its source: "
        "direct, request, birthright (comes with the job), group, routine, review, or membership of the group."
    ),
    area=AREA,
    icon="compare_arrows",
    kind=ToolKind.READ,
    roles=frozenset({Role.ADMINISTRATOR, Role.AUDITOR, Role.MANAGER}),
    endpoints=(COMPARE,),
    arguments=CompareAccess,
    run=_compare_access,
    phrases=phrases.COMPARE_ACCESS,
    examples={
        Language.ENGLISH: (
            Example(text="Compare the access of Tim Vogt and Lea Brandt"),
            Example(text="Compare Tim Vogt with Lea Brandt"),
        ),
        Language.GERMAN: (
            Example(text="Vergleiche die Zugriffe von Tim Vogt und Lea Brandt"),
            Example(text="Vergleiche Tim Vogt mit Lea Brandt"),
        ),
    },
)


class ExplainAccess(ToolArguments):
    """Which right of whom to explain."""

    role_id: RoleRef | None = Field(None, description="Id of the role to explain (rol_…).")
    entitlement_id: EntitlementRef | None = Field(
        None, description="Id of the entitlement to explain (ent_…), in place of a role."
    )
    identity_id: IdentityRef | None = Field(None, description="Id of who has it (idn_…). Left out: oneself.")

    @model_validator(mode="after")
    def _names_one_right(self) -> Self:
        if (self.role_id is None) == (self.entitlement_id is None):
            raise ValueError("name either a role_id or an entitlement_id")
        return self

    @property
    def right_id(self) -> str:
        """The id of what is to be explained."""
        return self.role_id or self.entitlement_id or ""


async def _explain_access(arguments: ExplainAccess, nova: Nova) -> JsonValue:
    identity_id = arguments.identity_id or nova.identity.id
    access = await _access(arguments.identity_id, nova)
    held = _held(access, arguments.right_id)
    result: JsonObject = {"total": len(held), "shown": len(held), "identity": access.get("identity")}
    if held:
        explained: list[JsonValue] = [await _explained(item, nova) for item in held]
        return readable_object(result | {"items": explained})
    earlier = await _earlier(identity_id, arguments.right_id, nova)
    told = f"{arguments.right_id} is not held now." + (" It was, earlier." if earlier else " Nor was it ever.")
    return readable_object(result | {"items": [], "nothing_matches": told, "earlier": [*earlier]})


async def _access(identity_id: str | None, nova: Nova) -> JsonObject:
    if identity_id is None:
        return (await nova.call("GET /me/access")).object
    return (await nova.call("GET /identities/{identity_id}/access", path={"identity_id": identity_id})).object


def _held(access: JsonObject, right_id: str) -> list[JsonObject]:
    """Return what gives a right: assignments of it, and of roles that include it, with the roles on the way."""
    reached = [one for one in rows_of({"items": access.get("entitlements")}) if right_id in _ids(one)]
    paths = {str(path.get("assignment_id")): path for one in reached for path in rows_of({"items": one.get("paths")})}
    held = []
    for item in rows_of(access):
        path = paths.get(str(item.get("assignment_id")), {})
        if path.get("roles"):
            held.append({**item, "included_in": path["roles"]})
        elif path or right_id in _ids(item):
            held.append(item)
    return held


def _ids(item: JsonObject) -> list[JsonValue]:
    return [right.get("id") for name in ("role", "entitlement") if isinstance(right := item.get(name), dict)]


async def _explained(item: JsonObject, nova: Nova) -> JsonObject:
    """Return one right with where it comes from; what the person may not read of that is left out."""
    found: JsonObject = {name: value for name, value in item.items() if name != "application" or value}
    assignment = await _find(nova, "GET /assignments/{assignment_id}", {"assignment_id": item.get("assignment_id")})
    if assignment is not None:
        found["granted_at"] = assignment.get("created_at")
    if item.get("source") == "request":
        request = await _find(nova, "GET /access-requests/{request_id}", {"request_id": item.get("source_id")})
        found["request"] = _request(request) if request is not None else "not visible to this person"
    return found


async def _find(nova: Nova, endpoint: str, path: JsonObject) -> JsonObject | None:
    given = {name: value for name, value in path.items() if isinstance(value, str) and value}
    if len(given) != len(path):
        return None
    try:
        return (await nova.call(endpoint, path=given)).object
    except (NovaNotFound, NovaForbidden):
        return None


def _request(request: JsonObject) -> JsonObject:
    steps = rows_of({"items": request.get("approvals")})
    told: Sequence[str] = ("step", "approver", "status", "decided_at", "comment")
    decided: list[JsonValue] = [
        {name: step.get(name) for name in told} for step in steps if step.get("status") in {"approved", "denied"}
    ]
    fields = ("id", "requester", "justification", "created_at", "status")
    return {**{name: request.get(name) for name in fields}, "agreed": decided}


async def _earlier(identity_id: str, right_id: str, nova: Nova) -> list[JsonObject]:
    """Return how the right was held before, newest first."""
    name = "role_id" if right_id.startswith("rol_") else "entitlement_id"
    query: Filters = {"identity_id": identity_id, name: right_id, "limit": _EARLIER_ROWS}
    answer = (await nova.call("GET /assignments", query=query)).object
    fields = ("id", "status", "source", "created_at", "valid_until", "updated_at")
    return [readable_object(row, fields) for row in rows_of(answer)]


EXPLAIN_ACCESS = Tool(
    name="explain_access",
    title=mark("Explain access"),
    summary=mark(
        "Say why somebody has a role or an entitlement: where it comes from, since when, who granted it or agreed, and "
        "until when. Also says if it is not held, and whether it was."
    ),
    area=AREA,
    icon="help_center",
    kind=ToolKind.READ,
    roles=EVERYONE,
    is_flow=True,
    endpoints=(
        "GET /identities/{identity_id}/access",
        "GET /me/access",
        "GET /assignments",
        "GET /assignments/{assignment_id}",
        "GET /access-requests/{request_id}",
    ),
    arguments=ExplainAccess,
    run=_explain_access,
    phrases=phrases.EXPLAIN_ACCESS,
    examples={
        Language.ENGLISH: (
            Example(text="Why does Tim Vogt have the role VPN Access?"),
            Example(text="Why do I have the role VPN Access?"),
        ),
        Language.GERMAN: (
            Example(text="Warum hat Tim Vogt die Rolle VPN-Zugang?"),
            Example(text="Warum habe ich die Rolle VPN-Zugang?"),
        ),
    },
)

TOOLS: Final[tuple[AnyTool, ...]] = (any_tool(COMPARE_ACCESS), any_tool(EXPLAIN_ACCESS))
