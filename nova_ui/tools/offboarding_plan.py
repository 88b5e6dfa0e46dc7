"""What is left to do when an identity leaves: read first, as steps from safe to unsafe and as the card's words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import Consequence, Nova
from nova_ui.errors import NovaConflict
from nova_ui.tools.arguments import MAX_ROWS
from nova_ui.tools.flow import Step
from nova_ui.tools.results import Filters, rows_of
from nova_ui.tools.showing import Look, name_of, read_consequences

MAX_OBJECTS: Final = 25
MAX_NAMES: Final = 10

ONE: Final = "GET /identities/{identity_id}"
IMPACT: Final = "GET /identities/{identity_id}/impact"
ACCESS: Final = "GET /identities/{identity_id}/access"
TRANSFER: Final = "POST /identities/{identity_id}/transfer"

# What a transfer hands over: the list, its filter for the leaver, and what the card calls it.
_OWNED: Final[Sequence[tuple[str, str, str]]] = (
    ("GET /groups", "owner_id", "group"),
    ("GET /roles", "owner_id", "role"),
    ("GET /applications", "owner_id", "application"),
    ("GET /entitlements", "owner_id", "entitlement"),
    ("GET /identities", "manager_id", "report"),
)
_DECIDED: Final = "GET /approvals"
READS: Final = (ONE, IMPACT, ACCESS, *(endpoint for endpoint, _, _ in _OWNED), _DECIDED)

# What comes with the job or with a group ends with these and can't be revoked by itself.
_REVOCABLE_SOURCES: Final = frozenset({"direct", "request", "routine", "review"})
_HELD: Final = frozenset({"active", "scheduled", "pending"})
# What disabling does beyond the steps before it.
_DISABLING_ALSO: Final = frozenset({"session", "access_request"})
_DISABLED: Final = "disabled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaving:
    """Who leaves, who takes over, and why."""

    leaver: JsonObject
    identity_id: str
    successor_id: str
    reason: str | None

    @property
    def is_disabled(self) -> bool:
        """Whether the last step is done already."""
        return self.leaver.get("status") == _DISABLED

    @property
    def name(self) -> str:
        """The leaver's name."""
        return name_of(self.leaver, self.identity_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The steps that are left, and what the card says of them; `successor` is the name of who takes over."""

    steps: tuple[Step, ...]
    successor: str
    consequences: tuple[Consequence, ...]


async def make_plan(leaving: Leaving, nova: Nova) -> Plan:
    """Read everything and plan what is left, so that running the flow again continues it.

    Raises:
        NovaProblem: a step would be refused, nothing is left, or there is too much for one flow.

    """
    successor = await _get_successor(leaving, nova)
    effects = await _read_disabling(leaving, nova)
    handed_over = await _read_handed_over(leaving, nova)
    access = rows_of((await nova.call(ACCESS, path={"identity_id": leaving.identity_id})).object)
    revocations = tuple(_revocation(item) for item in access if _is_held(item) and _is_revocable(item))
    groups = await _read_groups(leaving, nova)
    memberships = tuple(_removal(leaving, group) for group in groups if not _is_kept(group))
    ending = len(revocations) + len(memberships)
    if ending > MAX_OBJECTS:
        raise NovaConflict(
            f"There are {ending} assignments and memberships to end; a flow takes at most {MAX_OBJECTS}. End some of "
            "them first, one by one, or only disable the identity.",
            code="too_many_objects",
        )
    transfer = (_transfer(leaving),) if handed_over else ()
    steps = (*transfer, *_session_step(leaving), *revocations, *memberships, *_disabling_step(leaving))
    if not steps:
        raise NovaConflict("Nothing is left to do: the identity has been offboarded.", code="state_conflict")
    return Plan(
        steps=steps,
        successor=name_of(successor, leaving.successor_id),
        consequences=(
            *handed_over,
            *_told(revocations, "assignment", "revoked"),
            *_told(memberships, "membership", "removed"),
            *(effect for effect in effects if effect.type in _DISABLING_ALSO),
            *_told_by_name([_named_right(item) for item in access if _ends_later(item)], "assignment", "ends"),
            *_told_by_name([_named(group) for group in groups if _is_kept(group)], "membership", "kept"),
        ),
    )


async def _get_successor(leaving: Leaving, nova: Nova) -> JsonObject:
    if leaving.successor_id == leaving.identity_id:
        raise NovaConflict("The successor must be somebody else.", code="state_conflict")
    successor = (await nova.call(ONE, path={"identity_id": leaving.successor_id})).object
    if successor.get("status") != "active":
        raise NovaConflict("The successor must be active.", code="state_conflict")
    return successor


async def _read_disabling(leaving: Leaving, nova: Nova) -> tuple[Consequence, ...]:
    """Read what disabling would do, so that the whole is refused when its last step would be."""
    if leaving.is_disabled:
        return ()
    look = Look(endpoint=IMPACT, path={"identity_id": leaving.identity_id}, query={"action": "disable"})
    return await read_consequences(nova, look)


async def _read_handed_over(leaving: Leaving, nova: Nova) -> tuple[Consequence, ...]:
    """Read what the leaver owns, manages and decides."""
    found = [await _count(nova, endpoint, {name: leaving.identity_id}, kind) for endpoint, name, kind in _OWNED]
    waiting = [
        await _count(nova, _DECIDED, {"approver_id": leaving.identity_id, "status": status}, "approval")
        for status in ("open", "waiting")
    ]
    decided = Consequence(
        type="approval",
        count=sum(one.count for one in waiting),
        names=tuple(name for one in waiting for name in one.names)[:MAX_NAMES],
        result="transferred",
    )
    return tuple(consequence for consequence in (*found, decided) if consequence.count)


async def _count(nova: Nova, endpoint: str, filters: Filters, kind: str) -> Consequence:
    answer = (await nova.call(endpoint, query={**filters, "limit": MAX_NAMES})).object
    rows, total = rows_of(answer), answer.get("total")
    names = tuple(_named(row.get("beneficiary") if kind == "approval" else row) for row in rows)
    return Consequence(
        type=kind, count=total if isinstance(total, int) else len(rows), names=names, result="transferred"
    )


async def _read_groups(leaving: Leaving, nova: Nova) -> list[JsonObject]:
    query: Filters = {"member_id": leaving.identity_id, "limit": MAX_ROWS}
    return rows_of((await nova.call("GET /groups", query=query)).object)


def _removal(leaving: Leaving, group: JsonObject) -> Step:
    return Step(
        kind="membership",
        name=_named(group),
        tool="remove_group_member",
        arguments={"group_id": group.get("id"), "identity_id": leaving.identity_id},
    )


def _is_kept(group: JsonObject) -> bool:
    """Whether a connector or a rule keeps the group, whose members nobody then takes out by hand."""
    return group.get("source") != "nova" or group.get("membership") == "rule"


def _transfer(leaving: Leaving) -> Step:
    return Step(
        kind="ownership",
        name=leaving.name,
        endpoint=TRANSFER,
        path={"identity_id": leaving.identity_id},
        arguments={"to": leaving.successor_id},
    )


def _session_step(leaving: Leaving) -> tuple[Step, ...]:
    """End sessions first, so that nothing is done in them meanwhile; a disabled identity has none."""
    if leaving.is_disabled:
        return ()
    arguments: JsonObject = {"identity_id": leaving.identity_id}
    return (Step(kind="session", name=leaving.name, tool="end_identity_sessions", arguments=arguments),)


def _disabling_step(leaving: Leaving) -> tuple[Step, ...]:
    if leaving.is_disabled:
        return ()
    reason: JsonObject = {} if leaving.reason is None else {"reason": leaving.reason}
    arguments: JsonObject = {"identity_id": leaving.identity_id, **reason}
    return (Step(kind="identity", name=leaving.name, tool="disable_identity", arguments=arguments),)


def _revocation(item: JsonObject) -> Step:
    return Step(
        kind="assignment",
        name=_named_right(item),
        tool="revoke_assignment",
        arguments={"assignment_id": item.get("assignment_id")},
    )


def _is_held(item: JsonObject) -> bool:
    return item.get("status") in _HELD


def _is_revocable(item: JsonObject) -> bool:
    return item.get("source") in _REVOCABLE_SOURCES


def _ends_later(item: JsonObject) -> bool:
    return _is_held(item) and not _is_revocable(item)


def _told(steps: Sequence[Step], kind: str, result: str) -> tuple[Consequence, ...]:
    return _told_by_name([step.name for step in steps], kind, result)


def _told_by_name(names: Sequence[str], kind: str, result: str) -> tuple[Consequence, ...]:
    return (Consequence(type=kind, count=len(names), names=tuple(names), result=result),) if names else ()


def _named_right(item: JsonObject) -> str:
    return _named(item.get("role") or item.get("entitlement"))


def _named(value: JsonValue) -> str:
    return name_of(value, "?") if isinstance(value, dict) else "?"
