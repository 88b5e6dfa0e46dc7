"""The audit entries that explain the sample organisation's present state: who joined, was granted, asked, left."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from nova_ui.domain.json_value import JsonValue
from nova_ui.nova.sample_organisation.groups import People
from nova_ui.nova.sample_organisation.requests import (
    REQUESTS,
    SampleRequest,
    approvers,
    closed_at,
    items_of,
    submitted_at,
)
from nova_ui.nova.sample_organisation.seeds import sample_id, spread, working_time
from nova_ui.nova.sample_organisation.trail import (
    VIA_ADMIN,
    VIA_HELPDESK,
    Happening,
    Target,
    Trail,
    changed,
    of_assignment,
    of_group,
    of_member,
    of_person,
)
from storage.nova.entitlement_tables import EntitlementRow
from storage.nova.tables import AssignmentRow, GroupRow, IdentityRow, MembershipRow, RoleRow

WINDOW: Final = timedelta(days=90)
_MOMENT: Final = timedelta(milliseconds=40)
_STATE_ACTIONS: Final = {"suspended": "identity.suspended", "disabled": "identity.disabled"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Organisation:
    """What the entries are about."""

    people: People
    groups: Sequence[GroupRow]
    memberships: Sequence[MembershipRow]
    roles: Mapping[str, RoleRow]
    entitlements: Sequence[EntitlementRow]
    assignments: Sequence[AssignmentRow]
    now: datetime


def tell_history(trail: Trail, organisation: Organisation) -> None:
    """Add the entries that led to what `organisation` is now, as far as they lie within `WINDOW`."""
    by_id = {person.id: person for person in organisation.people.values()}
    _tell_states(trail, organisation)
    _tell_memberships(trail, organisation, by_id)
    _tell_assignments(trail, organisation, by_id)
    for request in REQUESTS:
        _tell_request(trail, organisation, request)


def administrator_for(people: People, name: str) -> IdentityRow:
    """Return who of the administrators did the thing called `name`."""
    return people["mara.koenig" if spread(f"administrator:{name}", 5) else "stefan.kuhn"]


def chat_or_not(actor: IdentityRow, name: str, *, in_ten: int) -> str | None:
    """Return the mark of a chat for `in_ten` of ten things, and None for the others."""
    if spread(f"via:{name}", 10) >= in_ten:
        return None
    return VIA_ADMIN if "administrator" in actor.nova_roles else VIA_HELPDESK


def _tell_states(trail: Trail, organisation: Organisation) -> None:
    people, now = organisation.people, organisation.now
    for name, person in people.items():
        actor = administrator_for(people, f"state:{name}")
        target = of_person(person)
        if person.status == "staged":
            after = {"user_name": name, "display_name": person.display_name, "department": person.department}
            created = changed(*((key, None, value) for key, value in after.items()))
            trail.add(
                Happening(
                    time=person.created_at, action="identity.created", target=target, actor=actor, details=created
                )
            )
        if action := _STATE_ACTIONS.get(person.status):
            at = working_time(now, 12 + spread(f"state:{name}", 18), f"state:{name}")
            details = changed(("status", "active", person.status), ("status_reason", None, person.status_reason))
            via = chat_or_not(actor, f"state:{name}", in_ten=5)
            cause = trail.add(Happening(time=at, action=action, target=target, actor=actor, details=details, via=via))
            ended = Target("session", sample_id("ses", name), person.display_name)
            trail.add(Happening(time=at + _MOMENT, action="session.ended", target=ended, cause=cause))
            person.updated_at = at


def _tell_memberships(trail: Trail, organisation: Organisation, by_id: Mapping[str, IdentityRow]) -> None:
    groups = {group.id: group for group in organisation.groups}
    for membership in organisation.memberships:
        group, person = groups[membership.group_id], by_id[membership.identity_id]
        if organisation.now - membership.added_at > WINDOW or group.rule is not None:
            continue  # nobody adds to a group by rule
        name = f"{group.display_name}:{person.user_name}"
        owner = by_id[group.owner_ids[0]]
        actor = owner if spread(f"owner adds:{name}", 2) else administrator_for(organisation.people, name)
        trail.add(
            Happening(
                time=membership.added_at,
                action="group.member_added",
                target=of_group(group),
                actor=actor,
                details=of_member(person),
                via=chat_or_not(actor, name, in_ten=4),
            )
        )


def _tell_assignments(trail: Trail, organisation: Organisation, by_id: Mapping[str, IdentityRow]) -> None:
    rights: dict[str, RoleRow | EntitlementRow] = {role.id: role for role in organisation.roles.values()}
    rights |= {entitlement.id: entitlement for entitlement in organisation.entitlements}
    for assignment in organisation.assignments:
        right = rights[assignment.role_id or assignment.entitlement_id or ""]
        target = of_assignment(assignment, right, by_id[assignment.identity_id])
        granter = None if assignment.granted_by is None else by_id[assignment.granted_by]
        if assignment.source == "direct" and granter is not None and organisation.now - assignment.created_at <= WINDOW:
            trail.add(
                Happening(
                    time=assignment.created_at,
                    action="assignment.granted",
                    target=target,
                    actor=granter,
                    details=_granted(assignment),
                    via=chat_or_not(granter, assignment.id, in_ten=3),
                )
            )
        if assignment.status in {"revoked", "expired"}:
            actor = granter if assignment.status == "revoked" else None
            ended: dict[str, JsonValue] = changed(("status", "active", assignment.status))
            trail.add(
                Happening(
                    time=assignment.updated_at,
                    action=f"assignment.{assignment.status}",
                    target=target,
                    actor=actor,
                    details=ended,
                )
            )


def _granted(assignment: AssignmentRow) -> dict[str, JsonValue]:
    until = None if assignment.valid_until is None else assignment.valid_until.isoformat()
    fields: tuple[tuple[str, JsonValue], ...] = (
        ("identity_id", assignment.identity_id),
        ("role_id", assignment.role_id),
        ("entitlement_id", assignment.entitlement_id),
        ("status", "active"),
        ("valid_until", until),
    )
    changes = changed(*((name, None, value) for name, value in fields if value is not None))
    return {**changes, "justification": assignment.justification}


def _tell_request(trail: Trail, organisation: Organisation, request: SampleRequest) -> None:
    people, now = organisation.people, organisation.now
    requester = people[request.by]
    target = Target("access_request", request.id, request.why[:80])
    filed, closed = submitted_at(request, now), closed_at(request, now)
    submitted = trail.add(
        Happening(
            time=filed,
            action="request.submitted",
            target=target,
            actor=requester,
            details={
                "beneficiary": {"id": requester.id, "display": requester.display_name},
                "items": [*items_of(request, now)],
            },
            via=chat_or_not(requester, request.id, in_ten=6),
        )
    )
    if request.asked is not None:
        asker = people[request.asked[0]]
        trail.add(Happening(time=filed + timedelta(minutes=25), action="request.commented", target=target, actor=asker))
    if request.status == "cancelled":
        cancelled = changed(("status", "pending", "cancelled"))
        trail.add(Happening(time=closed, action="request.cancelled", target=target, actor=requester, details=cancelled))
    if request.status == "expired":
        expired = changed(("status", "pending", "expired"))
        trail.add(Happening(time=closed, action="request.expired", target=target, details=expired))
    _tell_decisions(trail, organisation, request, submitted)


def _tell_decisions(trail: Trail, organisation: Organisation, request: SampleRequest, cause: Happening) -> None:
    """Tell how the request went on; what `cause` was is what it rests on when nobody had to agree."""
    target = cause.target
    closed = closed_at(request, organisation.now)
    for step, approver in enumerate(approvers(request, organisation.people), start=1):
        agreed = step <= request.agreed
        if not agreed and not (request.status == "denied" and step == request.agreed + 1):
            break
        approval = Target("approval", sample_id("apv", f"{request.id}:{step}"), target.display)
        cause = trail.add(
            Happening(
                time=closed + step * _MOMENT,
                action="approval.approved" if agreed else "approval.denied",
                target=approval,
                actor=approver,
                details=_decided(request, agreed=agreed),
                via=chat_or_not(approver, approval.id, in_ten=5),
            )
        )
    if request.status in {"completed", "failed"}:
        approved = changed(("status", "pending", "approved"))
        at = closed + 2.5 * _MOMENT
        trail.add(Happening(time=at, action="request.approved", target=target, details=approved, cause=cause))
    if request.status == "completed":
        assignment = next(row for row in organisation.assignments if row.source_id == request.id)
        requester = organisation.people[request.by]
        granted = of_assignment(assignment, organisation.roles[request.role], requester)
        at = closed + 3 * _MOMENT
        trail.add(
            Happening(time=at, action="assignment.granted", target=granted, details=_granted(assignment), cause=cause)
        )
    if request.status in {"completed", "denied", "failed"}:
        before = "pending" if request.status == "denied" else "approved"
        ended = changed(("status", before, request.status))
        details = {**ended, "reason": request.comment} if request.status == "failed" else ended
        at = closed + 4 * _MOMENT
        trail.add(Happening(time=at, action=f"request.{request.status}", target=target, details=details, cause=cause))


def _decided(request: SampleRequest, *, agreed: bool) -> dict[str, JsonValue]:
    changes = changed(("status", "open", "approved" if agreed else "denied"))
    reason: dict[str, JsonValue] = {} if agreed else {"reason": request.comment}
    return {**changes, "request_id": request.id, **reason}
