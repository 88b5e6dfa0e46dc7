"""How the model may give one person what another has: copied by administrators, or asked for by oneself."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from pydantic import Field

from nova_ui.domain.identity import EVERYONE, Language, Role
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, Example, Nova, Shown, Tool, ToolArguments, ToolKind
from nova_ui.errors import NovaConflict, NovaForbidden, NovaNotFound
from nova_ui.tools.access_requests import AREA as REQUESTS
from nova_ui.tools.arguments import Day, IdentityRef, LongText
from nova_ui.tools.assignments import AREA as ASSIGNMENTS
from nova_ui.tools.comparing import COMPARE, MAX_ROWS, part_rows, ways_of
from nova_ui.tools.definition import any_tool
from nova_ui.tools.flow import Step, run_steps
from nova_ui.tools.identity_endings import STATE_FIELDS
from nova_ui.tools.phrases import comparing as phrases
from nova_ui.tools.requesting import Justification, read_catalogue
from nova_ui.tools.results import readable_object
from nova_ui.tools.showing import name_of, refer, told

MAX_OBJECTS: Final = 25
_ONE: Final = "GET /identities/{identity_id}"
_MAX_REQUESTED: Final = 10
_RIGHTS: Final = ("role", "entitlement")
_OUT_OF_REACH: Final = (
    "The access of this person can't be read: only one's own and one's reports' can. Ask which roles are needed by "
    "name and use request_access, or have the manager of both use request_access_for."
)


class CopyAccess(ToolArguments):
    """From whom to whom to copy."""

    from_id: IdentityRef = Field(description="Id of the identity (idn_…) that has the access.")
    to_id: IdentityRef = Field(description="Id of the identity (idn_…) that is to get it; must be active.")
    justification: LongText | None = Field(None, description="Why, in a sentence; it stands on each assignment.")
    valid_until: Day | None = Field(
        None, description="Last day (UTC), as YYYY-MM-DD. Left out: as long as it lasts for the other person."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sorted:
    """What is to be done, and what is left out, each with the reason."""

    steps: tuple[Step, ...]
    left_out: list[JsonValue]


async def _plan(arguments: CopyAccess, target: JsonObject, nova: Nova) -> _Sorted:
    """Plan from what only the one has."""
    if target.get("status") != "active":
        raise NovaConflict("Whoever is to get the access must be active.", code="state_conflict")
    query = {"left": arguments.from_id, "right": arguments.to_id}
    missing = part_rows((await nova.call(COMPARE, query=query)).object, "only_left")
    plan = _sort(missing, arguments)
    if len(plan.steps) > MAX_OBJECTS:
        raise NovaConflict(
            f"There are {len(plan.steps)} rights to copy; a flow takes at most {MAX_OBJECTS}. Assign a role that "
            "bundles them, or assign them one by one.",
            code="too_many_objects",
        )
    return plan


async def _copy_access(arguments: CopyAccess, nova: Nova) -> JsonValue:
    """Assign what is missing one by one; running it again continues."""
    target = (await nova.call(_ONE, path={"identity_id": arguments.to_id})).object
    plan = await _plan(arguments, target, nova)
    return await run_steps(plan.steps, nova) | _told(plan.left_out)


async def _show_copying(arguments: CopyAccess, nova: Nova) -> Shown:
    target = (await nova.call(_ONE, path={"identity_id": arguments.to_id})).object
    plan = await _plan(arguments, target, nova)
    source = await refer(nova, _ONE, "identity_id", arguments.from_id)
    return Shown(
        subject=f"{name_of(source, '?')} → {name_of(target, '?')}",
        current_state=readable_object(target, STATE_FIELDS),
        consequences=(
            *told("assignment", [step.name for step in plan.steps], "granted"),
            *told("assignment", _names(plan.left_out), "refused"),
        ),
    )


def _names(items: list[JsonValue]) -> list[str]:
    return [name_of(item, "?") for item in items if isinstance(item, dict)]


def _sort(missing: list[JsonObject], arguments: CopyAccess) -> _Sorted:
    steps: list[Step] = []
    left_out: list[JsonValue] = []
    for item in missing:
        reason = _why_not(item)
        if reason is None:
            steps.append(_assignment(item, arguments))
        else:
            left_out.append({"id": item.get("id"), "display_name": item.get("display_name"), "reason": reason})
    return _Sorted(steps=tuple(steps), left_out=left_out)


def _why_not(item: JsonObject) -> str | None:
    """Say why an item is not copied: only what was given directly is, and nothing that is privileged."""
    if item.get("type") == "group":
        return "a group; add the person to it where that is meant"
    if item.get("privileged") is True:
        return "privileged; it has to be requested"
    sources = {way.get("source") for way in ways_of(item, "left") if way.get("status") in {"active", "scheduled"}}
    if "direct" not in sources:
        return f"not given directly but by {', '.join(sorted(str(source) for source in sources)) or 'nothing now'}"
    return None


def _assignment(item: JsonObject, arguments: CopyAccess) -> Step:
    given: JsonObject = {"identity_id": arguments.to_id, f"{item.get('type')}_id": item.get("id")}
    end = arguments.valid_until or _last_day(item)
    if end is not None:
        given["valid_until"] = end
    if arguments.justification is not None:
        given["justification"] = arguments.justification
    return Step(kind="assignment", name=name_of(item, "?"), tool="assign_role", arguments=given)


def _last_day(item: JsonObject) -> str | None:
    """Return the day on which the longest of the direct assignments ends; None where one has no end."""
    ends = [way.get("valid_until") for way in ways_of(item, "left") if way.get("source") == "direct"]
    moments = [datetime.fromisoformat(end).astimezone(UTC) for end in ends if isinstance(end, str)]
    return f"{max(moments):%Y-%m-%d}" if moments and len(moments) == len(ends) else None


def _told(left_out: list[JsonValue]) -> JsonObject:
    if not left_out:
        return {}
    more: JsonObject = {"left_out": left_out[:MAX_ROWS]}
    return {"left_out_total": len(left_out), **more}


COPY_ACCESS = Tool(
    name="copy_access",
    title=mark("Copy access"),
    summary=mark(
        "Give one identity what another has and it lacks. Copies what was assigned directly, never what is privileged, "
        "comes with the job, a group or a request; says what is left out."
    ),
    area=ASSIGNMENTS,
    icon="content_copy",
    kind=ToolKind.WRITE,
    roles=frozenset({Role.ADMINISTRATOR}),
    is_flow=True,
    endpoints=(_ONE, COMPARE),
    inner_tools=("assign_role",),
    arguments=CopyAccess,
    run=_copy_access,
    action=mark("Copy access: {subject}"),
    show=_show_copying,
    phrases=phrases.COPY_ACCESS,
    examples={
        Language.ENGLISH: (
            Example(text="Copy the access of Tim Vogt to Lea Brandt"),
            Example(text="Give Lea Brandt the same access as Tim Vogt"),
        ),
        Language.GERMAN: (
            Example(text="Kopiere die Zugriffe von Tim Vogt auf Lea Brandt"),
            Example(text="Erteile Lea Brandt die gleichen Zugriffe wie Tim Vogt"),
        ),
    },
)


class RequestSameAccessAs(ToolArguments):
    """Whose access to ask for, and why."""

    colleague_id: IdentityRef = Field(description="Id of the identity (idn_…) that has the access.")
    justification: Justification = Field(description="Why it is needed; at least 10 characters.")
    valid_until: Day | None = Field(None, description="Last day (UTC), as YYYY-MM-DD. Left out: as long as allowed.")


async def _wanted(arguments: RequestSameAccessAs, nova: Nova) -> tuple[list[JsonObject], list[JsonValue]]:
    """Return what the other has, the caller lacks and the catalogue offers, and what is left out."""
    missing = await _what_the_colleague_has_more(arguments.colleague_id, nova)
    catalogue = await read_catalogue(nova)
    wanted: list[JsonObject] = []
    left_out: list[JsonValue] = []
    for item in missing:
        reason = _why_not_requested(item, catalogue.get(str(item.get("id"))))
        if reason is None:
            wanted.append(item)
        else:
            left_out.append({"id": item.get("id"), "display_name": item.get("display_name"), "reason": reason})
    if len(wanted) > _MAX_REQUESTED:
        raise NovaConflict(
            f"There are {len(wanted)} rights to ask for; a request takes at most {_MAX_REQUESTED}. Use request_access.",
            code="too_many_objects",
        )
    return wanted, left_out


async def _request_same_access_as(arguments: RequestSameAccessAs, nova: Nova) -> JsonValue:
    """File one request, for oneself only."""
    wanted, left_out = await _wanted(arguments, nova)
    return await run_steps(_request(wanted, arguments), nova) | _told(left_out)


async def _show_same_request(arguments: RequestSameAccessAs, nova: Nova) -> Shown:
    wanted, left_out = await _wanted(arguments, nova)
    colleague = await refer(nova, _ONE, "identity_id", arguments.colleague_id)
    return Shown(
        subject=name_of(colleague, "?"),
        consequences=(
            *(line for kind in _RIGHTS for line in told(kind, _names_of(wanted, kind), "requested")),
            *told("assignment", _names(left_out), "refused"),
        ),
    )


def _names_of(wanted: list[JsonObject], kind: str) -> list[str]:
    return [name_of(item, "?") for item in wanted if item.get("type") == kind]


async def _what_the_colleague_has_more(colleague_id: str, nova: Nova) -> list[JsonObject]:
    try:
        answer = await nova.call(COMPARE, query={"left": colleague_id, "right": nova.identity.id})
    except (NovaNotFound, NovaForbidden):
        # One answer for nobody and for somebody out of reach: what others hold is no common knowledge.
        raise NovaForbidden(_OUT_OF_REACH) from None
    return part_rows(answer.object, "only_left")


def _why_not_requested(item: JsonObject, entry: JsonObject | None) -> str | None:
    if item.get("type") == "group":
        return "a group; its owners add members"
    if entry is None:
        return "can't be requested"
    if entry.get("open_request_id"):
        return f"already asked for in {entry['open_request_id']}"
    return "held already" if entry.get("held") is True else None


def _request(wanted: list[JsonObject], arguments: RequestSameAccessAs) -> tuple[Step, ...]:
    if not wanted:
        return ()
    given: JsonObject = {"justification": arguments.justification}
    for kind in _RIGHTS:
        ids: list[JsonValue] = [item.get("id") for item in wanted if item.get("type") == kind]
        if ids:
            given[f"{kind}_ids"] = ids
    if arguments.valid_until is not None:
        given["valid_until"] = arguments.valid_until
    names = ", ".join(name_of(item, "?") for item in wanted)
    return (Step(kind="access_request", name=names, tool="request_access", arguments=given),)


REQUEST_SAME_ACCESS_AS = Tool(
    name="request_same_access_as",
    title=mark("Request the same access"),
    summary=mark(
        "Request for oneself, in one request, the roles and entitlements that a colleague has and oneself lacks, as "
        "far as they can be requested. Works only for people whose access one may see, such as one's reports."
    ),
    area=REQUESTS,
    icon="group_add",
    kind=ToolKind.WRITE,
    roles=EVERYONE,
    is_flow=True,
    self_service=True,
    endpoints=(COMPARE, "GET /catalog", _ONE),
    inner_tools=("request_access",),
    arguments=RequestSameAccessAs,
    run=_request_same_access_as,
    action=mark("Request the same access as {subject}"),
    show=_show_same_request,
    phrases=phrases.REQUEST_SAME_ACCESS_AS,
    examples={
        Language.ENGLISH: (
            Example(text="Request the same access as Tim Vogt because I work in his team"),
            Example(text="Request what Lea Brandt has for the yearly closing"),
        ),
        Language.GERMAN: (
            Example(text="Beantrage dieselben Zugriffe wie Tim Vogt, weil ich in seinem Team arbeite"),
            Example(text="Beantrage, was Lea Brandt hat, für den Jahresabschluss"),
        ),
    },
)

TOOLS: Final[tuple[AnyTool, ...]] = (any_tool(COPY_ACCESS), any_tool(REQUEST_SAME_ACCESS_AS))
