"""How somebody who joins is brought into Nova: created, put into groups, given roles; rules and notice follow."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import Field

from nova_ui.domain.identity import Language, Role
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.domain.tool import AnyTool, Example, Nova, Shown, Tool, ToolKind
from nova_ui.errors import NovaConflict, NovaInvalid, NovaNotFound
from nova_ui.tools.arguments import GroupRef, LongText, RoleRef
from nova_ui.tools.definition import any_tool
from nova_ui.tools.flow import CREATED, Step, run_steps
from nova_ui.tools.identities import AREA
from nova_ui.tools.identity_changes import CreateIdentity, shown_name
from nova_ui.tools.phrases import identity_changes as phrases
from nova_ui.tools.results import readable_object, rows_of
from nova_ui.tools.showing import name_of, told

_ONE: Final = "GET /identities/{identity_id}"
_LIST: Final = "GET /identities"
_ACCESS: Final = "GET /identities/{identity_id}/access"
_GROUP: Final = "GET /groups/{group_id}"
_ROLE: Final = "GET /roles/{role_id}"
_RULES: Final = "POST /roles/evaluate-birthrights"
_LOOKED_AT: Final = ("user_type", "title", "department", "location", "manager_id")
_BY_RULE: Final = frozenset({"birthright", "group"})
_MAX_SHOWN: Final = 20
_OWN: Final = frozenset({"group_ids", "role_ids", "justification"})

SomeGroups = Annotated[list[GroupRef], Field(max_length=10)]
SomeRoles = Annotated[list[RoleRef], Field(max_length=10)]


class OnboardIdentity(CreateIdentity):
    """Who joins, and what they get besides what comes with the job."""

    group_ids: SomeGroups = Field(default_factory=list, description="Ids of groups to join (grp_…), at most 10.")
    role_ids: SomeRoles = Field(default_factory=list, description="Ids of roles to assign (rol_…), at most 10.")
    justification: LongText | None = Field(None, description="Why the roles are needed; it stands on each assignment.")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Present:
    """Who is there already from a run before, and what that one holds; nobody: `identity_id` is None."""

    identity_id: str | None
    group_ids: frozenset[str] = frozenset()
    role_ids: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    """What is left to do, who is told, and what comes by itself."""

    steps: tuple[Step, ...]
    present: _Present
    manager: JsonObject | None
    coming: Mapping[str, str]


async def _plan(arguments: OnboardIdentity, nova: Nova) -> _Plan:
    """Read and check everything before anything is changed."""
    manager = await _check_manager(arguments, nova)
    groups = [await _group(group_id, nova) for group_id in dict.fromkeys(arguments.group_ids)]
    coming = await _coming_by_rules(arguments, nova)
    roles = [await _role(role_id, nova) for role_id in dict.fromkeys(arguments.role_ids) if role_id not in coming]
    if roles and arguments.status == "staged":
        raise NovaInvalid("Roles can be assigned once the identity is active. Leave them out.", field="role_ids")
    present = await _present(arguments, nova)
    steps = (
        *_creation(arguments, present),
        *(_membership(group, present) for group in groups if str(group.get("id")) not in present.group_ids),
        *(_assignment(role, arguments, present) for role in roles if str(role.get("id")) not in present.role_ids),
    )
    return _Plan(steps=steps, present=present, manager=manager, coming=coming)


async def _onboard_identity(arguments: OnboardIdentity, nova: Nova) -> JsonValue:
    """Create and equip one by one; running it again continues."""
    plan = await _plan(arguments, nova)
    result = await run_steps(plan.steps, nova)
    identity_id = plan.present.identity_id or result.get("created_id")
    by_note: JsonObject = {}
    if plan.manager is not None and identity_id:
        by_note = {"manager_told": name_of(plan.manager, "?")}
    return result | by_note | await _given_by_rules(identity_id, nova)


async def _show_onboarding(arguments: OnboardIdentity, nova: Nova) -> Shown:
    plan = await _plan(arguments, nova)
    granted = [step.name for step in plan.steps if step.kind == "assignment"]
    joined = [step.name for step in plan.steps if step.kind == "membership"]
    manager = [] if plan.manager is None else [name_of(plan.manager, "?")]
    return Shown(
        subject=shown_name(arguments),
        consequences=(
            *told("membership", joined, "added"),
            *told("assignment", [*granted, *plan.coming.values()], "granted"),
            *told("notification", manager, ""),
        ),
    )


async def _check_manager(arguments: OnboardIdentity, nova: Nova) -> JsonObject | None:
    if arguments.manager_id is None:
        return None
    manager = (await nova.call(_ONE, path={"identity_id": arguments.manager_id})).object
    if manager.get("status") in {"disabled", "archived"}:
        raise NovaConflict("The manager is no longer in service.", code="state_conflict")
    return manager


async def _coming_by_rules(arguments: OnboardIdentity, nova: Nova) -> dict[str, str]:
    """Return the roles that come with the job, by id: assigning them as well would be refused half-way."""
    if arguments.status == "staged":
        return {}
    attributes: JsonObject = arguments.model_dump(include=set(_LOOKED_AT), exclude_none=True)
    granted = rows_of({"items": (await nova.call(_RULES, body=attributes)).object.get("granted")})
    roles = [role for one in granted if isinstance(role := one.get("role"), dict)]
    return {str(role.get("id")): name_of(role, "?") for role in roles}


async def _group(group_id: str, nova: Nova) -> JsonObject:
    group = (await nova.call(_GROUP, path={"group_id": group_id})).object
    if group.get("source") != "nova" or group.get("membership") not in {None, "manual"}:
        raise NovaConflict(f"{name_of(group, group_id)} gets its members by itself.", code="state_conflict")
    return group


async def _role(role_id: str, nova: Nova) -> JsonObject:
    role = (await nova.call(_ROLE, path={"role_id": role_id})).object
    if role.get("status") != "active":
        raise NovaConflict(f"The role {name_of(role, role_id)} is not in use.", code="state_conflict")
    return role


async def _present(arguments: OnboardIdentity, nova: Nova) -> _Present:
    """Return who has the user name already: the same person is from a run before, another one is in the way."""
    found = rows_of((await nova.call(_LIST, query={"user_name": arguments.user_name, "limit": 1})).object)
    if not found:
        return _Present(identity_id=None)
    same = all(found[0].get(name) == getattr(arguments, name) for name in ("given_name", "family_name"))
    identity_id = str(found[0].get("id"))
    if not same or found[0].get("status") != arguments.status:
        raise NovaConflict(
            f"The user name is taken by {name_of(found[0], identity_id)} ({identity_id}).", field="user_name"
        )
    access = (await nova.call(_ACCESS, path={"identity_id": identity_id})).object
    groups = rows_of({"items": access.get("groups")})
    held = [role for item in rows_of(access) if isinstance(role := item.get("role"), dict)]
    return _Present(
        identity_id=identity_id,
        group_ids=frozenset(str(group.get("id")) for group in groups),
        role_ids=frozenset(str(role.get("id")) for role in held),
    )


def _creation(arguments: OnboardIdentity, present: _Present) -> tuple[Step, ...]:
    if present.identity_id is not None:
        return ()
    given: JsonObject = arguments.model_dump(exclude=set(_OWN), exclude_none=True)
    return (Step(kind="identity", name=shown_name(arguments), tool="create_identity", arguments=given, creates=True),)


def _membership(group: JsonObject, present: _Present) -> Step:
    members: list[JsonValue] = [present.identity_id or CREATED]
    given: JsonObject = {"group_id": group.get("id"), "identity_ids": members}
    return Step(kind="membership", name=name_of(group, "?"), tool="add_group_members", arguments=given)


def _assignment(role: JsonObject, arguments: OnboardIdentity, present: _Present) -> Step:
    given: JsonObject = {"identity_id": present.identity_id or CREATED, "role_id": role.get("id")}
    if arguments.justification is not None:
        given["justification"] = arguments.justification
    return Step(kind="assignment", name=name_of(role, "?"), tool="assign_role", arguments=given)


async def _given_by_rules(identity_id: JsonValue, nova: Nova) -> JsonObject:
    """Tell what came with the job: nobody has to assign it, and nobody should."""
    if not isinstance(identity_id, str):
        return {}
    try:
        access = (await nova.call(_ACCESS, path={"identity_id": identity_id})).object
    except NovaNotFound:
        return {}
    given = [item for item in rows_of(access) if item.get("source") in _BY_RULE]
    rows: list[JsonValue] = [readable_object(item, ("role", "entitlement", "source")) for item in given[:_MAX_SHOWN]]
    return (
        {"identity": access.get("identity"), "came_with_the_job": rows}
        if rows
        else {"identity": access.get("identity")}
    )


ONBOARD_IDENTITY = Tool(
    name="onboard_identity",
    title=mark("Onboard identity"),
    summary=mark(
        "Bring in somebody who joins, in one go: create the identity, add it to groups, assign roles. What comes with "
        "the job follows by itself, and the manager is told. Stops at the first failure; calling it again continues."
    ),
    area=AREA,
    icon="waving_hand",
    kind=ToolKind.WRITE,
    roles=frozenset({Role.ADMINISTRATOR}),
    is_flow=True,
    endpoints=(_ONE, _LIST, _ACCESS, _GROUP, _ROLE, _RULES),
    inner_tools=("create_identity", "add_group_members", "assign_role"),
    arguments=OnboardIdentity,
    run=_onboard_identity,
    action=mark("Bring in {subject}"),
    show=_show_onboarding,
    phrases=phrases.ONBOARD_IDENTITY,
    examples={
        Language.ENGLISH: (
            Example(text="Onboard Anna Berg, user name anna.berg, in Finance", arguments={"user_name": "anna.berg"}),
            Example(text="Onboard a new contractor called Jan Holm with user name jan.holm"),
        ),
        Language.GERMAN: (
            Example(text="Führe das Onboarding von Anna Berg durch, Benutzername anna.berg, in Finance"),
            Example(text="Onboarde Jan Holm, Benutzername jan.holm, als Buchhalter"),
        ),
    },
)

TOOLS: Final[tuple[AnyTool, ...]] = (any_tool(ONBOARD_IDENTITY),)
