"""Who holds which role in the sample organisation, and why."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final

from nova_ui.nova.sample_organisation.bundle import Bundle
from nova_ui.nova.sample_organisation.catalogue import BUNDLES
from nova_ui.nova.sample_organisation.groups import People, group_roles
from nova_ui.nova.sample_organisation.requests import REQUESTS, closed_at, granter, valid_until
from nova_ui.nova.sample_organisation.seeds import sample_id, spread, working_time
from storage.nova.tables import AssignmentRow, IdentityRow

_ENDS_IN_DAYS: Final = {
    ("jonas.weber", "crm-editor"): 11,
    ("jonas.weber", "remote-access"): 26,
    ("priya.nair", "remote-access"): 19,
    ("sophie.laurent", "crm-administrator"): 6,
    ("maximilian.roth", "production-access"): 2,
    ("agnieszka.nowak", "production-access"): 3,
    ("sanjay.patel", "code-maintainer"): 28,
    ("greta.lorenz", "backup-operator"): 13,
    ("oskar.lindqvist", "warehouse-analyst"): 9,
}
_DAYS: Final = 88
_WEEKEND: Final = 3
_ENDED: Final = (
    ("ines.carvalho", "crm-editor", "revoked", 31),
    ("viktor.petrov", "code-reader", "revoked", 44),
    ("lucie.novak", "warehouse-analyst", "expired", 52),
    ("kemal.arslan", "backup-operator", "expired", 20),
    ("daniel.kim", "production-access", "expired", 36),
    ("tom.hughes", "crm-editor", "expired", 15),
)
_SCHEDULED: Final = (("jasper.koch", "service-desk-agent", 14), ("hugo.lefebvre", "finance-viewer", 5))


def make_assignments(people: People, now: datetime) -> list[AssignmentRow]:
    """Return the assignments: by rule, by group, by an administrator's hand, by request; ended and future ones too."""
    rows = [*_birthrights(people, now), *_by_groups(people, now), *_granted(people, now), *_requested(people, now)]
    for name, role, status, days in _ENDED:
        row = _row(people[name], role, now - timedelta(days=days + 180))
        ended = working_time(now, days, f"ended:{role}:{name}")
        row.status, row.valid_until, row.updated_at = status, ended, ended
        rows.append(_by(people["stefan.kuhn"], row))
    for name, role, days in _SCHEDULED:
        row = _row(people[name], role, working_time(now, 3, f"scheduled:{role}:{name}"))
        row.status, row.valid_from = "scheduled", now + timedelta(days=days)
        rows.append(_by(people["mara.koenig"], row))
    return rows


def _birthrights(people: People, now: datetime) -> Iterator[AssignmentRow]:
    for bundle in BUNDLES:
        for person in people.values():
            if _is_born_to(bundle, person):
                row = _row(person, bundle.key, max(person.created_at, now - timedelta(days=1500)))
                row.source, row.source_id = "birthright", row.role_id
                yield row


def _by_groups(people: People, now: datetime) -> Iterator[AssignmentRow]:
    for group, role, name in group_roles(people):
        row = _row(people[name], role, max(people[name].created_at, now - timedelta(days=400)))
        row.source, row.source_id = "group", sample_id("grp", group)
        yield row


def _is_born_to(bundle: Bundle, person: IdentityRow) -> bool:
    if person.status not in {"active", "suspended"} or person.user_type == "service":
        return False
    return "*" in bundle.birthright or person.department in bundle.birthright


def _granted(people: People, now: datetime) -> Iterator[AssignmentRow]:
    for bundle in BUNDLES:
        for name in bundle.direct:
            granted = f"granted:{bundle.key}:{name}"
            ends = _ENDS_IN_DAYS.get((name, bundle.key))
            longest = _DAYS if bundle.max_days is None else bundle.max_days - (ends or 0) - _WEEKEND
            row = _row(people[name], bundle.key, working_time(now, 1 + spread(granted, min(longest, _DAYS)), granted))
            if ends is not None:
                row.valid_until = now + timedelta(days=ends)
            elif bundle.max_days is not None:
                row.valid_until = row.created_at + timedelta(days=bundle.max_days)
            administrator = "mara.koenig" if spread(f"by:{bundle.key}:{name}", 3) else "stefan.kuhn"
            yield _by(people[administrator], row)


def _requested(people: People, now: datetime) -> Iterator[AssignmentRow]:
    for request in REQUESTS:
        if request.status == "completed":
            row = _row(people[request.by], request.role, closed_at(request, now))
            row.source, row.source_id, row.justification = "request", request.id, request.why
            row.valid_until, row.granted_by = valid_until(request, now), granter(request, people).id
            yield row


def _row(person: IdentityRow, role: str, at: datetime) -> AssignmentRow:
    return AssignmentRow(
        id=sample_id("asg", f"{person.user_name}:{role}"),
        identity_id=person.id,
        role_id=sample_id("rol", role),
        valid_from=at,
        created_at=at,
        updated_at=at,
    )


def _by(administrator: IdentityRow, row: AssignmentRow) -> AssignmentRow:
    row.granted_by, row.justification = administrator.id, "Needed for the job"
    return row
