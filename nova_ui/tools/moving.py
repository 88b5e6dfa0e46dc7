"""How somebody moves within the organisation: one card for the new place, what is added, and what is dropped."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Final

from pydantic import Field

from nova_ui.domain.identity import Language, Role
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, Change, Consequence, Example, Nova, Shown, Tool, ToolArguments, ToolKind
from nova_ui.errors import NovaConflict, NovaInvalid
from nova_ui.tools.arguments import AssignmentRef, GroupRef, IdentityRef, RoleRef, Words
from nova_ui.tools.definition import any_tool
from nova_ui.tools.flow import Step, run_steps
from nova_ui.tools.identities import AREA
from nova_ui.tools.phrases import identity_changes as phrases
from nova_ui.tools.results import readable_object, rows_of
from nova_ui.tools.showing import Look, find_object, name_of

MAX_OBJECTS: Final = 25
MAX_NAMES: Final = 20
_ONE: Final = "GET /identities/{identity_id}"
_ACCESS: Final = "GET /identities/{identity_id}/access"
_ROLE: Final = "GET /roles/{role_id}"
_RULES: Final = "POST /roles/evaluate-birthrights"
_FIXED: Final = frozenset({"birthright", "group"})
_PLACE: Final = ("department", "manager_id", "title", "location")
_LINES: Final = (
    ("assignment", "revoked", "revoke_assignment", "revoked"),
    ("membership", "removed", "remove_group_member", "leaving"),
    ("assignment", "granted", "assign_role", "granted"),
    ("membership", "added", None, "joining"),
)
_STATE: Final = ("id", "display_name", "status", "department", "title", "manager", "location")


class MoveIdentity(ToolArguments):
    """Who moves where, what they get there, and what they lose."""

    identity_id: IdentityRef = Field(description="Id of the identity that moves (idn_…).")
    department: Words | None = Field(None, description="New department.")
    manager_id: IdentityRef | None = Field(None, description="Id of the new manager (idn_…).")
    title: Words | None = Field(None, description="New job title.")
    location: Words | None = Field(None, description="New place of work.")
    role_ids: Annotated[list[RoleRef], Field(max_length=10)] = Field(
        default_factory=list, description="Ids of roles to assign for the new place (rol_…)."
    )
    drop_assignment_ids: Annotated[list[AssignmentRef], Field(max_length=20)] = Field(
        default_factory=list, description="Ids of assignments (asg_…) that belong to the old place, to revoke."
    )
    leave_group_ids: Annotated[list[GroupRef], Field(max_length=20)] = Field(
        default_factory=list, description="Ids of groups (grp_…) that belong to the old place, to leave."
    )


async def _ruled(arguments: MoveIdentity, identity: JsonObject, nova: Nova) -> JsonObject:
    """Return what rules and groups will give and take once the new place is written."""
    place = _new_place(arguments, identity)
    if not place:
        return {}
    return (await nova.call(_RULES, body={"identity_id": arguments.identity_id, **place})).object


async def _plan(arguments: MoveIdentity, identity: JsonObject, ruled: JsonObject, nova: Nova) -> tuple[Step, ...]:
    """Read everything and plan what is left: the new place, what is added, then what is dropped.

    What the rules give at the new place is not assigned as well, and what they take away goes by itself.
    """
    if identity.get("status") != "active":
        raise NovaConflict("Whoever moves must be active.", code="state_conflict")
    access = (await nova.call(_ACCESS, path={"identity_id": arguments.identity_id})).object
    coming = {str(_right_of(one).get("id")) for one in rows_of({"items": ruled.get("granted")})}
    wanted = [role_id for role_id in dict.fromkeys(arguments.role_ids) if role_id not in coming]
    steps = (
        *await _place(arguments, identity, nova),
        *[step for role_id in wanted for step in await _addition(arguments, role_id, access, nova)],
        *_drops(arguments, access),
        *_leavings(arguments, access),
    )
    if not steps:
        raise NovaConflict("Nothing is left to do: the identity is there already.", code="state_conflict")
    if len(steps) > MAX_OBJECTS:
        raise NovaConflict(f"A move takes at most {MAX_OBJECTS} steps.", code="too_many_objects")
    return steps


def _new_place(arguments: MoveIdentity, identity: JsonObject) -> JsonObject:
    """Return the fields that differ from where the identity is."""
    manager = identity.get("manager")
    now: JsonObject = {**identity, "manager_id": manager.get("id") if isinstance(manager, dict) else None}
    wanted: JsonObject = arguments.model_dump(include=set(_PLACE), exclude_none=True)
    return {name: value for name, value in wanted.items() if now.get(name) != value}


async def _place(arguments: MoveIdentity, identity: JsonObject, nova: Nova) -> tuple[Step, ...]:
    changed = _new_place(arguments, identity)
    if not changed:
        return ()
    if "manager_id" in changed:
        manager = (await nova.call(_ONE, path={"identity_id": str(changed["manager_id"])})).object
        if manager.get("status") in {"disabled", "archived"} or manager.get("id") == arguments.identity_id:
            raise NovaInvalid("There is no such manager in service.", field="manager_id")
    given: JsonObject = {"identity_id": arguments.identity_id, **changed}
    name = name_of(identity, arguments.identity_id)
    return (Step(kind="identity", name=name, tool="update_identity", arguments=given),)


async def _addition(arguments: MoveIdentity, role_id: str, access: JsonObject, nova: Nova) -> tuple[Step, ...]:
    held = {role.get("id") for item in rows_of(access) if isinstance(role := item.get("role"), dict)}
    if role_id in held:
        return ()
    role = (await nova.call(_ROLE, path={"role_id": role_id})).object
    if role.get("status") != "active":
        raise NovaConflict(f"The role {name_of(role, role_id)} is not in use.", code="state_conflict")
    given: JsonObject = {"identity_id": arguments.identity_id, "role_id": role_id}
    return (Step(kind="assignment", name=name_of(role, role_id), tool="assign_role", arguments=given),)


def _drops(arguments: MoveIdentity, access: JsonObject) -> tuple[Step, ...]:
    held = {str(item.get("assignment_id")): item for item in rows_of(access)}
    steps = []
    for assignment_id in dict.fromkeys(arguments.drop_assignment_ids):
        item = held.get(assignment_id)
        if item is None:
            continue  # gone already, by an earlier run or by a rule
        if item.get("source") in _FIXED:
            raise NovaConflict(
                f"{_right(item)} comes with the job or a group and follows the rules by itself. Leave it out.",
                code="state_conflict",
            )
        given: JsonObject = {"assignment_id": assignment_id}
        steps.append(Step(kind="assignment", name=_right(item), tool="revoke_assignment", arguments=given))
    return tuple(steps)


def _right(item: JsonObject) -> str:
    return name_of(_right_of(item), "?")


def _right_of(item: JsonObject) -> JsonObject:
    right = item.get("role") or item.get("entitlement")
    return right if isinstance(right, dict) else {}


def _leavings(arguments: MoveIdentity, access: JsonObject) -> tuple[Step, ...]:
    groups = {str(group.get("id")): group for group in rows_of({"items": access.get("groups")})}
    return tuple(
        Step(
            kind="membership",
            name=name_of(groups[group_id], group_id),
            tool="remove_group_member",
            arguments={"group_id": group_id, "identity_id": arguments.identity_id},
        )
        for group_id in dict.fromkeys(arguments.leave_group_ids)
        if group_id in groups
    )


async def _move_identity(arguments: MoveIdentity, nova: Nova) -> JsonValue:
    identity = (await nova.call(_ONE, path={"identity_id": arguments.identity_id})).object
    ruled = await _ruled(arguments, identity, nova)
    result = await run_steps(await _plan(arguments, identity, ruled, nova), nova)
    by_rules: JsonObject = {name: [*names[:MAX_NAMES]] for name, names in _by_rules(ruled).items() if names}
    return result | {"by_rules": by_rules} if by_rules else result


async def _show_move(arguments: MoveIdentity, nova: Nova) -> Shown:
    found = await find_object(nova, Look(endpoint=_ONE, path={"identity_id": arguments.identity_id}))
    if found is None:
        return Shown(subject=arguments.identity_id)
    ruled = await _ruled(arguments, found.object, nova)
    steps = await _plan(arguments, found.object, ruled, nova)
    changed = _new_place(arguments, found.object)
    before: JsonObject = {**found.object, "manager_id": found.object.get("manager")}
    return Shown(
        subject=name_of(found.object, arguments.identity_id),
        current_state=readable_object(found.object, _STATE),
        changes=tuple(Change(field=name, before=before.get(name), after=value) for name, value in changed.items()),
        consequences=tuple(_told(steps, _by_rules(ruled))),
        etag=found.etag,
    )


def _by_rules(ruled: JsonObject) -> Mapping[str, list[str]]:
    """Return the names of what goes and comes by itself, in the order in which a card tells of it."""
    named = {name: rows_of({"items": ruled.get(name)}) for name in ("revoked", "leaving", "granted", "joining")}
    return {
        name: [_right(row) if name in {"revoked", "granted"} else name_of(row, "?") for row in rows]
        for name, rows in named.items()
    }


def _told(steps: Sequence[Step], by_rules: Mapping[str, Sequence[str]]) -> Iterator[Consequence]:
    """Tell what goes, then what comes; a line of its own for what the rules do."""
    for type_, result, tool, ruled in _LINES:
        names = tuple(step.name for step in steps if step.tool == tool)
        for one in (names, tuple(by_rules.get(ruled, ()))):
            if one:
                yield Consequence(type=type_, count=len(one), names=one[:MAX_NAMES], result=result)


MOVE_IDENTITY = Tool(
    name="move_identity",
    title=mark("Move identity"),
    summary=mark(
        "Move somebody to another department, manager or place in one go: change the fields, assign the roles of the "
        "new place, revoke and leave what belongs to the old one. What comes with the job follows the rules by itself, "
        "and is shown first."
    ),
    area=AREA,
    icon="moving",
    kind=ToolKind.DESTRUCTIVE,
    roles=frozenset({Role.ADMINISTRATOR}),
    is_flow=True,
    endpoints=(_ONE, _ACCESS, _ROLE, _RULES),
    inner_tools=("update_identity", "assign_role", "revoke_assignment", "remove_group_member"),
    arguments=MoveIdentity,
    run=_move_identity,
    action=mark("Move the identity {subject}"),
    show=_show_move,
    phrases=phrases.MOVE_IDENTITY,
    examples={
        Language.ENGLISH: (
            Example(text="Transfer Tim Vogt to the department Finance with manager Lea Brandt"),
            Example(text="Transfer Tim Vogt to the department Finance", arguments={"department": "Finance"}),
        ),
        Language.GERMAN: (
            Example(text="Versetze Tim Vogt in die Abteilung Finance, Vorgesetzte ist Lea Brandt"),
            Example(text="Versetze Tim Vogt in die Abteilung Finance", arguments={"department": "Finance"}),
        ),
    },
)

TOOLS: Final[tuple[AnyTool, ...]] = (any_tool(MOVE_IDENTITY),)
