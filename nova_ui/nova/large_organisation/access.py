"""Groups, roles, assignments, requests and sessions of a large organisation."""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from nova_ui.domain.folding import fold, searchable
from nova_ui.nova.large_organisation.people import drawn_id, weighted
from storage.nova.tables import (
    AccessRequestRow,
    ApplicationRow,
    ApprovalRow,
    AssignmentRow,
    GroupRow,
    IdentityRow,
    MembershipRow,
    RoleRow,
    SessionRow,
)

_RISKS: Final = {"low": 70, "medium": 20, "high": 8, "critical": 2}
_APPROVALS: Final = {"manager": 70, "owner": 20, "none": 10}
_MEMBERSHIPS: Final = 5
_ROLES_EACH: Final = 6
_SOURCES: Final = {"direct": 60, "request": 30, "birthright": 10}
_ENDED: Final = {"active": 80, "expired": 12, "revoked": 8}
_REQUESTS: Final = {"completed": 60, "denied": 12, "pending": 14, "cancelled": 9, "expired": 5}
_APPROVED: Final = {"completed": "approved", "denied": "denied", "pending": "open"}
_HOLDING: Final = frozenset({"active", "suspended"})


def make_groups(draw: random.Random, people: Sequence[IdentityRow], count: int, now: datetime) -> list[GroupRow]:
    """Return groups with owners."""
    made = now - timedelta(days=900)
    return [
        GroupRow(
            id=drawn_id(draw, "grp"),
            display_name=f"group-{number:05d}",
            name_key=fold(f"group-{number:05d}"),
            description=f"People of task {number}",
            owner_ids=[people[draw.randrange(len(people) // 8)].id],
            created_at=made,
            updated_at=made,
        )
        for number in range(1, count + 1)
    ]


def make_memberships(
    draw: random.Random, people: Sequence[IdentityRow], groups: Sequence[GroupRow], now: datetime
) -> list[MembershipRow]:
    """Return who is in which group: the first groups are large, most are small."""
    rows = []
    for person in people:
        inside = {int(len(groups) * draw.random() ** 3) for _ in range(_MEMBERSHIPS)}
        added = now - timedelta(days=draw.randrange(1, 600))
        rows += [
            MembershipRow(group_id=groups[one].id, identity_id=person.id, added_at=added) for one in sorted(inside)
        ]
    return rows


def make_applications(people: Sequence[IdentityRow], count: int, now: datetime) -> list[ApplicationRow]:
    """Return applications without secrets."""
    made = now - timedelta(days=1000)
    return [
        ApplicationRow(
            id=drawn_id(random.Random(number), "app"),  # noqa: S311 - as above
            key=f"application-{number:04d}",
            display_name=f"Application {number}",
            search_text=searchable(f"Application {number}", f"application-{number:04d}", ""),
            owner_ids=[people[number % len(people)].id],
            created_at=made,
            updated_at=made,
        )
        for number in range(1, count + 1)
    ]


def make_roles(
    draw: random.Random,
    people: Sequence[IdentityRow],
    applications: Sequence[ApplicationRow],
    count: int,
    now: datetime,
) -> list[RoleRow]:
    """Return roles of the applications."""
    rows = []
    for number in range(1, count + 1):
        key, name, risk = f"role-{number:05d}", f"Role {number}", weighted(draw, _RISKS)
        rows.append(
            RoleRow(
                id=drawn_id(draw, "rol"),
                key=key,
                display_name=name,
                search_text=searchable(name, key, ""),
                application_id=applications[number % len(applications)].id,
                owner_ids=[people[draw.randrange(len(people) // 8)].id],
                requestable=draw.random() < 0.8,  # noqa: PLR2004 - four of five
                approval=weighted(draw, _APPROVALS),
                max_days=90 if risk in {"high", "critical"} else None,
                risk=risk,
                privileged=risk == "critical",
                created_at=now - timedelta(days=800),
                updated_at=now - timedelta(days=800),
            )
        )
    return rows


def make_assignments(
    draw: random.Random, people: Sequence[IdentityRow], roles: Sequence[RoleRow], now: datetime
) -> list[AssignmentRow]:
    """Return who holds what, at most once at a time, within the role's limit; who is out holds nothing."""
    rows = []
    for person in people:
        for number in sorted({int(len(roles) * draw.random() ** 2) for _ in range(_ROLES_EACH)}):
            role, status = roles[number], weighted(draw, _ENDED)
            if status == "active" and person.status not in _HOLDING:
                status = "revoked"
            since = now - timedelta(days=draw.randrange(1, role.max_days or 900))
            limited = role.max_days is not None or status == "expired"
            until = since + timedelta(days=role.max_days or 1) if limited else None
            if status == "expired" and until is not None and until > now:
                until = now - timedelta(hours=1)
            rows.append(
                AssignmentRow(
                    id=drawn_id(draw, "asg"),
                    identity_id=person.id,
                    role_id=role.id,
                    source=weighted(draw, _SOURCES),
                    valid_from=since,
                    valid_until=until,
                    justification="Needed for the job",
                    granted_by=people[0].id,
                    status=status,
                    created_at=since,
                    updated_at=since,
                )
            )
    return rows


def make_requests(
    draw: random.Random, people: Sequence[IdentityRow], roles: Sequence[RoleRow], now: datetime
) -> tuple[list[AccessRequestRow], list[ApprovalRow]]:
    """Return one request for two people, decided by the manager or waiting for them."""
    requests, approvals = [], []
    asking = [one for one in people if one.status == "active" and one.manager_id is not None]
    for person in draw.sample(asking, len(asking) // 2):
        status, at = weighted(draw, _REQUESTS), now - timedelta(minutes=draw.randrange(10, 400_000))
        role = draw.choice(roles)
        request = AccessRequestRow(
            id=drawn_id(draw, "req"),
            requester_id=person.id,
            beneficiary_id=person.id,
            items=[{"role_id": role.id, "action": "grant", "valid_until": None}],
            justification=f"Needed for the job: {role.display_name}",
            status=status,
            created_at=at,
            updated_at=at,
        )
        decided = status in {"completed", "denied"}
        approval = ApprovalRow(
            id=drawn_id(draw, "apv"),
            request_id=request.id,
            approver_id=person.manager_id or "",
            status=_APPROVED.get(status, "skipped"),
            decided_by=person.manager_id if decided else None,
            decided_at=at + timedelta(minutes=5) if decided else None,
            created_at=at,
            updated_at=at,
        )
        requests.append(request)
        approvals.append(approval)
    return requests, approvals


def make_sessions(draw: random.Random, people: Sequence[IdentityRow], now: datetime) -> list[SessionRow]:
    """Return a signed-in period for one in twenty; nobody holds their tokens."""
    signed_in = [one for one in people if one.status == "active"][::20]
    return [
        SessionRow(
            id=drawn_id(draw, "ses"),
            token_hash=sha256(draw.randbytes(32)).digest(),
            csrf_token=draw.randbytes(24).hex(),
            identity_id=person.id,
            ip=f"192.0.2.{draw.randrange(1, 250)}",
            user_agent="Mozilla/5.0 (sample)",
            methods=["pwd"],
            created_at=now - timedelta(minutes=draw.randrange(1, 400)),
            last_seen_at=now,
            expires_at=now + timedelta(hours=10),
        )
        for person in signed_in
    ]
