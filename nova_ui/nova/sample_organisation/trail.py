"""How the sample organisation's audit entries are made: gathered in any order, numbered by time."""

import hashlib
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.nova.sample_organisation.seeds import sample_id, spread
from storage.nova.audit import NewEntry, row_of
from storage.nova.entitlement_tables import EntitlementRow
from storage.nova.tables import AssignmentRow, AuditEntryRow, GroupRow, IdentityRow, RoleRow

SYSTEM: Final = "system"
VIA_ADMIN: Final = "ai_chat:admin"
VIA_HELPDESK: Final = "ai_chat:helpdesk"


@dataclass(frozen=True, slots=True)
class Target:
    """What an entry is about; the name is a copy, so that it is readable after the object is gone."""

    type: str
    id: str
    display: str


@dataclass(slots=True, kw_only=True)
class Happening:
    """One thing that was logged; without an actor the system did it. Follow-ups name what caused them."""

    time: datetime
    action: str
    target: Target
    actor: IdentityRow | None = None
    details: JsonObject = field(default_factory=dict)
    via: str | None = None
    outcome: str = "success"
    cause: "Happening | None" = None


class Trail:
    """Gathers what happened."""

    def __init__(self) -> None:
        self._happenings: list[Happening] = []

    def __len__(self) -> int:
        return len(self._happenings)

    def add(self, happening: Happening) -> Happening:
        """Take note; return it as the cause of follow-ups."""
        self._happenings.append(happening)
        return happening

    def rows(self) -> list[AuditEntryRow]:
        """Return the entries, oldest first, as the database shall number them; a follow-up comes after its cause."""
        ordered = sorted(self._happenings, key=lambda one: (one.time, one.cause is not None))
        numbers = {id(one): number for number, one in enumerate(ordered, start=1)}
        return [_row(one, numbers) for one in ordered]


def changed(*changes: tuple[str, JsonValue, JsonValue]) -> JsonObject:
    """Return the details of fields with their values before and after."""
    return {"changes": [{"field": name, "before": before, "after": after} for name, before, after in changes]}


def of_member(person: IdentityRow) -> JsonObject:
    """Return the details of who came into a group or left it."""
    return {"member": {"id": person.id, "display": person.display_name}}


def of_person(person: IdentityRow) -> Target:
    """Return an identity as target."""
    return Target("identity", person.id, person.display_name)


def of_group(group: GroupRow) -> Target:
    """Return a group as target."""
    return Target("group", group.id, group.display_name)


def of_role(role: RoleRow) -> Target:
    """Return a role as target."""
    return Target("role", role.id, role.display_name)


def of_assignment(assignment: AssignmentRow, right: RoleRow | EntitlementRow, person: IdentityRow) -> Target:
    """Return an assignment as target."""
    return Target("assignment", assignment.id, f"{right.display_name} · {person.display_name}")


def _row(one: Happening, numbers: dict[int, int]) -> AuditEntryRow:
    first = one.cause or one
    actor = one.actor or first.actor
    request = f"{numbers[id(first)]}:{first.action}"
    session_id = one.target.id if one.target.type == "session" else None
    return row_of(
        NewEntry(
            id=_entry_id(one, numbers),
            time=one.time,
            action=one.action,
            outcome=one.outcome,
            actor_type="identity" if actor else SYSTEM,
            actor_id=actor.id if actor else None,
            actor_display=actor.display_name if actor else "Nova",
            target_type=one.target.type,
            target_id=one.target.id,
            target_display=one.target.display,
            details=one.details,
            via=one.via or first.via,
            request_id=hashlib.sha256(request.encode()).hexdigest()[:32],
            caused_by=None if one.cause is None else _entry_id(one.cause, numbers),
            session_id=session_id,
            ip=f"192.0.2.{spread(actor.user_name, 200) + 10}" if actor else None,
        )
    )


def _entry_id(one: Happening, numbers: dict[int, int]) -> str:
    return sample_id("log", f"{numbers[id(one)]}:{one.action}:{one.target.id}")
