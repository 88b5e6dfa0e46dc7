"""How an identity that leaves is taken out of Nova: one card for the whole plan, steps from safe to unsafe."""

from typing import Final

from pydantic import Field

from nova_ui.domain.identity import Language, Role
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, Change, Consequence, Example, Nova, Shown, Tool, ToolArguments, ToolKind
from nova_ui.errors import NovaConflict
from nova_ui.tools.arguments import REASON_HELP, IdentityRef, LongText
from nova_ui.tools.definition import any_tool
from nova_ui.tools.flow import Step, run_steps
from nova_ui.tools.identities import AREA
from nova_ui.tools.identity_endings import IMPACT, ONE, STATE_FIELDS
from nova_ui.tools.results import Filters, readable_object, rows_of
from nova_ui.tools.showing import Look, find_object, name_of, read_consequences

MAX_OBJECTS: Final = 25

_ACCESS: Final = "GET /identities/{identity_id}/access"
_GROUPS: Final = "GET /groups"
_TRANSFER: Final = "POST /identities/{identity_id}/transfer"

# What comes with the job or with a group ends with these and can't be revoked by itself.
_REVOCABLE_SOURCES: Final = frozenset({"direct", "request", "routine", "review"})
_HELD: Final = frozenset({"active", "scheduled", "pending"})


class OffboardIdentity(ToolArguments):
    """Who leaves, and who takes over."""

    identity_id: IdentityRef = Field(description="Id of the identity that leaves (idn_…).")
    successor_id: IdentityRef = Field(
        description="Id of the identity (idn_…) that takes over what is owned, decided or managed."
    )
    reason: LongText | None = Field(None, description=REASON_HELP)


async def _plan(arguments: OffboardIdentity, leaver: JsonObject, nova: Nova) -> tuple[Step, ...]:
    """Return what is left to do, so that running the flow again continues it.

    Raises:
        NovaProblem: a step would be refused, or there is too much for one flow.

    """
    await _require_successor(arguments, nova)
    revocations, memberships = await _revocations(arguments, nova), await _memberships(arguments, nova)
    if len(revocations) + len(memberships) > MAX_OBJECTS:
        raise NovaConflict(
            f"There are {len(revocations) + len(memberships)} assignments and memberships to end; a flow takes at most "
            f"{MAX_OBJECTS}. End some of them first, or disable the identity.",
            code="too_many_objects",
        )
    identity: JsonObject = {"identity_id": arguments.identity_id}
    name = name_of(leaver, arguments.identity_id)
    end_sessions = Step(kind="session", name=name, tool="end_identity_sessions", arguments=identity)
    reason: JsonObject = {} if arguments.reason is None else {"reason": arguments.reason}
    disable = Step(kind="identity", name=name, tool="disable_identity", arguments=identity | reason)
    is_disabled = leaver.get("status") == "disabled"
    return (
        _transfer(arguments),
        *(() if is_disabled else (end_sessions,)),
        *revocations,
        *memberships,
        *(() if is_disabled else (disable,)),
    )


def _transfer(arguments: OffboardIdentity) -> Step:
    return Step(
        kind="ownership",
        name=arguments.successor_id,
        endpoint=_TRANSFER,
        path={"identity_id": arguments.identity_id},
        arguments={"to": arguments.successor_id},
    )


async def _require_successor(arguments: OffboardIdentity, nova: Nova) -> JsonObject:
    if arguments.successor_id == arguments.identity_id:
        raise NovaConflict("The successor must be somebody else.", code="state_conflict")
    successor = (await nova.call(ONE, path={"identity_id": arguments.successor_id})).object
    if successor.get("status") != "active":
        raise NovaConflict("The successor must be active.", code="state_conflict")
    return successor


async def _revocations(arguments: OffboardIdentity, nova: Nova) -> tuple[Step, ...]:
    access = (await nova.call(_ACCESS, path={"identity_id": arguments.identity_id})).object
    return tuple(
        Step(
            kind="assignment",
            name=_display(item.get("role")),
            tool="revoke_assignment",
            arguments={"assignment_id": item.get("assignment_id")},
        )
        for item in rows_of(access)
        if item.get("source") in _REVOCABLE_SOURCES and item.get("status") in _HELD
    )


async def _memberships(arguments: OffboardIdentity, nova: Nova) -> tuple[Step, ...]:
    # Groups that a connector keeps are read-only in Nova.
    query: Filters = {"member_id": arguments.identity_id, "source": "nova", "limit": MAX_OBJECTS + 1}
    groups = rows_of((await nova.call(_GROUPS, query=query)).object)
    return tuple(
        Step(
            kind="membership",
            name=_display(group),
            tool="remove_group_member",
            arguments={"group_id": group.get("id"), "identity_id": arguments.identity_id},
        )
        for group in groups
    )


def _display(value: JsonValue) -> str:
    return name_of(value, "?") if isinstance(value, dict) else "?"


async def _offboard_identity(arguments: OffboardIdentity, nova: Nova) -> JsonValue:
    leaver = (await nova.call(ONE, path={"identity_id": arguments.identity_id})).object
    await _read_impact(arguments, leaver, nova)
    return await run_steps(await _plan(arguments, leaver, nova), nova)


async def _read_impact(arguments: OffboardIdentity, leaver: JsonObject, nova: Nova) -> tuple[Consequence, ...]:
    """Read what disabling would do, so that the whole is refused when its last step would be."""
    if leaver.get("status") == "disabled":
        return ()
    look = Look(endpoint=IMPACT, path={"identity_id": arguments.identity_id}, query={"action": "disable"})
    return await read_consequences(nova, look)


async def _show_offboarding(arguments: OffboardIdentity, nova: Nova) -> Shown:
    found = await find_object(nova, Look(endpoint=ONE, path={"identity_id": arguments.identity_id}))
    if found is None:
        return Shown(subject=arguments.identity_id)
    leaver = found.object
    effects = await _read_impact(arguments, leaver, nova)
    steps = await _plan(arguments, leaver, nova)
    successor = await _require_successor(arguments, nova)
    planned = (
        Consequence(type="ownership", count=1, names=(name_of(successor, "?"),), result="transferred"),
        *_ended(steps, "assignment", "revoked"),
        *_ended(steps, "membership", "removed"),
    )
    told = {consequence.type for consequence in planned}
    status = leaver.get("status")
    return Shown(
        subject=name_of(leaver, arguments.identity_id),
        current_state=readable_object(leaver, STATE_FIELDS),
        changes=() if status == "disabled" else (Change(field="status", before=status, after="disabled"),),
        consequences=(*planned, *(effect for effect in effects if effect.type not in told)),
        etag=found.etag,
    )


def _ended(steps: tuple[Step, ...], kind: str, result: str) -> tuple[Consequence, ...]:
    names = tuple(step.name for step in steps if step.kind == kind)
    return (Consequence(type=kind, count=len(names), names=names, result=result),) if names else ()


OFFBOARD_IDENTITY = Tool(
    name="offboard_identity",
    title=mark("Offboard identity"),
    summary=mark(
        "Take a leaver out in one go: hand over to a successor, end sessions, revoke assignments, remove memberships, "
        "then disable. Stops at the first failure; calling it again continues."
    ),
    area=AREA,
    icon="directions_walk",
    kind=ToolKind.DESTRUCTIVE,
    roles=frozenset({Role.ADMINISTRATOR}),
    is_flow=True,
    endpoints=(ONE, IMPACT, _ACCESS, _GROUPS, _TRANSFER),
    inner_tools=("end_identity_sessions", "revoke_assignment", "remove_group_member", "disable_identity"),
    arguments=OffboardIdentity,
    run=_offboard_identity,
    action=mark("Offboard the identity {subject}"),
    show=_show_offboarding,
    examples={
        Language.ENGLISH: (
            Example(text="Offboard Tim Vogt, Lea Brandt takes over"),
            Example(text="Jan Holm leaves the company, offboard him with successor Lea Brandt"),
        ),
        Language.GERMAN: (
            Example(text="Führe den Austritt von Tim Vogt durch, Lea Brandt übernimmt"),
            Example(text="Jan Holm verlässt das Unternehmen, Nachfolgerin ist Lea Brandt"),
        ),
    },
)

TOOLS: Final[tuple[AnyTool, ...]] = (any_tool(OFFBOARD_IDENTITY),)
