"""The rows of the sample entitlements, what the roles bundle, and who holds one directly."""

from datetime import datetime, timedelta
from typing import Final

from nova_ui.domain.folding import fold
from nova_ui.nova.sample_organisation.entitlement_list import ENTITLEMENTS, entitlement_of
from nova_ui.nova.sample_organisation.groups import People
from nova_ui.nova.sample_organisation.seeds import sample_id, spread, working_time
from storage.nova.entitlement_tables import EntitlementRow, RoleChildRow, RoleEntitlementRow
from storage.nova.tables import AssignmentRow

_CHILDREN: Final = (
    ("crm-editor", "crm-user"),
    ("crm-administrator", "crm-editor"),
    ("payment-approver", "finance-viewer"),
    ("developer", "code-reader"),
    ("code-maintainer", "developer"),
    ("release-manager", "developer"),
    ("learning-administrator", "course-author"),
)
# Who holds an entitlement by itself, granted so many days ago, and in how many days it ends.
_DIRECT: Final = (
    ("markus.huber", "crm:customer.export", 12, 18),
    ("isabel.moreno", "hr:payroll.read", 40, None),
    ("linh.nguyen", "warehouse:raw.read", 25, 5),
    ("rosa.jimenez", "rooms:catering.order", 33, None),
)


def make_entitlements(people: People, now: datetime) -> list[EntitlementRow]:
    """Return the entitlements."""
    rows = []
    for one in ENTITLEMENTS:
        created = now - timedelta(days=150 + spread(f"entitlement:{one.key}", 800))
        rows.append(
            EntitlementRow(
                id=one.id,
                application_id=sample_id("app", one.application),
                native_name=one.native_name,
                native_key=fold(one.native_name),
                display_name=one.name,
                description=one.description,
                owner_ids=[people[one.owner].id] if one.owner else [],
                requestable=one.requestable,
                privileged=one.privileged,
                risk=one.risk,
                status=one.status,
                created_at=created,
                updated_at=created,
            )
        )
    return rows


def make_bundles() -> list[RoleEntitlementRow | RoleChildRow]:
    """Return what each role bundles."""
    return [
        *(
            RoleEntitlementRow(role_id=sample_id("rol", role), entitlement_id=one.id)
            for one in ENTITLEMENTS
            for role in one.roles
        ),
        *(
            RoleChildRow(role_id=sample_id("rol", role), child_role_id=sample_id("rol", child))
            for role, child in _CHILDREN
        ),
    ]


def make_direct(people: People, now: datetime) -> list[AssignmentRow]:
    """Return the assignments of entitlements, by an administrator's hand."""
    rows = []
    for name, key, days_ago, ends_in in _DIRECT:
        granted = working_time(now, days_ago, f"granted:{key}:{name}")
        rows.append(
            AssignmentRow(
                id=sample_id("asg", f"{name}:{key}"),
                identity_id=people[name].id,
                entitlement_id=entitlement_of(key).id,
                granted_by=people["stefan.kuhn"].id,
                justification="Needed for the job",
                valid_from=granted,
                valid_until=None if ends_in is None else now + timedelta(days=ends_in),
                created_at=granted,
                updated_at=granted,
            )
        )
    return rows
