"""Which attributes a list can be filtered by with `filter`: those that its views show, under the same names."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, case, func, true
from sqlmodel import col, select
from sqlmodel.ext.asyncio.session import AsyncSession

from nova_ui.domain.filter_grammar import FilterError, parse_filter
from nova_ui.domain.filter_meaning import Condition, Kind, understand
from nova_ui.errors import NovaInvalid
from nova_ui.nova.assignment_status import is_held, status_column
from nova_ui.nova.identity_views import primary_email
from nova_ui.nova_client.origin import INTERFACE_NAME
from storage.nova.application_tables import ConnectionRow
from storage.nova.entitlement_tables import EntitlementRow
from storage.nova.filter_conditions import Attribute, condition_of
from storage.nova.tables import (
    AccessRequestRow,
    ApplicationRow,
    AssignmentRow,
    AuditEntryRow,
    GroupRow,
    IdentityRow,
    MembershipRow,
    RoleRow,
    SessionRow,
)

Attributes = Mapping[str, Attribute]


async def filtered(session: AsyncSession, text: str | None, attributes: Attributes) -> ColumnElement[bool]:
    """Return the condition that a request's `filter` asks for; without one, that anything will do.

    Raises:
        NovaInvalid: names `filter` and the character.

    """
    if text is None:
        return true()
    kinds = {name: attribute.kind for name, attribute in attributes.items()}
    return await condition_of(session, understood(text, kinds, "filter"), attributes)


def understood(text: str, kinds: Mapping[str, Kind], field: str) -> Condition:
    """Read a filter that stands in `field` of a request.

    Raises:
        NovaInvalid: names the field and the character.

    """
    try:
        return understand(parse_filter(text), kinds)
    except FilterError as error:
        raise NovaInvalid(f"{field}: {error}", field=field, extra={"position": error.position}) from None


def _text(column: object) -> Attribute:
    return Attribute(kind=Kind.TEXT, column=column)


def _key(column: object) -> Attribute:
    return Attribute(kind=Kind.KEY, column=column)


def _moment(column: object) -> Attribute:
    return Attribute(kind=Kind.MOMENT, column=column)


def _number(column: object) -> Attribute:
    return Attribute(kind=Kind.NUMBER, column=column)


def _flag(column: object) -> Attribute:
    return Attribute(kind=Kind.FLAG, column=column)


def _named(table: type[IdentityRow | RoleRow | ApplicationRow | EntitlementRow], through: object) -> Attribute:
    """Return the name of another object, read over its foreign key."""
    return Attribute(kind=Kind.TEXT, column=col(table.display_name), through=through, key=col(table.id))


def _dated(table: Any) -> Attributes:  # noqa: ANN401 - a table with these columns
    return {"created_at": _moment(col(table.created_at)), "updated_at": _moment(col(table.updated_at))}


IDENTITIES: Final[Attributes] = {
    "id": _key(col(IdentityRow.id)),
    "user_name": _text(col(IdentityRow.user_name)),
    "external_id": _text(col(IdentityRow.external_id)),
    "display_name": _text(col(IdentityRow.display_name)),
    "given_name": _text(col(IdentityRow.given_name)),
    "family_name": _text(col(IdentityRow.family_name)),
    "email": Attribute(kind=Kind.TEXT, column=col(IdentityRow.emails), key=col(IdentityRow.id), read=primary_email),
    "title": _text(col(IdentityRow.title)),
    "user_type": _key(col(IdentityRow.user_type)),
    "employee_number": _text(col(IdentityRow.employee_number)),
    "organization": _text(col(IdentityRow.organization)),
    "division": _text(col(IdentityRow.division)),
    "department": _text(col(IdentityRow.department)),
    "cost_center": _text(col(IdentityRow.cost_center)),
    "location": _text(col(IdentityRow.location)),
    "manager.id": _key(col(IdentityRow.manager_id)),
    "preferred_language": _text(col(IdentityRow.preferred_language)),
    "locale": _text(col(IdentityRow.locale)),
    "timezone": _text(col(IdentityRow.timezone)),
    "start_date": Attribute(kind=Kind.DAY, column=col(IdentityRow.start_date)),
    "end_date": Attribute(kind=Kind.DAY, column=col(IdentityRow.end_date)),
    "status": _key(col(IdentityRow.status)),
    "active": _flag(col(IdentityRow.status) == "active"),
    "status_reason": _text(col(IdentityRow.status_reason)),
    "nova_roles": Attribute(kind=Kind.KEYS, column=col(IdentityRow.nova_roles)),
    "protected": _flag(col(IdentityRow.protected)),
    "last_sign_in_at": _moment(col(IdentityRow.last_sign_in_at)),
    "locked_until": _moment(col(IdentityRow.locked_until)),
    **_dated(IdentityRow),
}

_MEMBERS: Final = (
    select(func.count()).where(col(MembershipRow.group_id) == col(GroupRow.id)).correlate(GroupRow).scalar_subquery()
)
GROUPS: Final[Attributes] = {
    "id": _key(col(GroupRow.id)),
    "display_name": _text(col(GroupRow.display_name)),
    "description": _text(col(GroupRow.description)),
    "owners.id": Attribute(kind=Kind.KEYS, column=col(GroupRow.owner_ids)),
    "membership": _key(col(GroupRow.membership)),
    "rule": _text(col(GroupRow.rule)),
    "roles.id": Attribute(kind=Kind.KEYS, column=col(GroupRow.role_ids)),
    "member_count": _number(_MEMBERS),
    "source": _key(col(GroupRow.source)),
    "protected": _flag(col(GroupRow.protected)),
    **_dated(GroupRow),
}


def roles(now: datetime) -> Attributes:
    """Return the attributes of roles; how many hold one depends on the moment."""
    holders = (
        select(func.count(func.distinct(col(AssignmentRow.identity_id))))
        .where(col(AssignmentRow.role_id) == col(RoleRow.id), is_held(now))
        .correlate(RoleRow)
        .scalar_subquery()
    )
    return {
        "id": _key(col(RoleRow.id)),
        "key": _key(col(RoleRow.key)),
        "display_name": _text(col(RoleRow.display_name)),
        "description": _text(col(RoleRow.description)),
        "application.id": _key(col(RoleRow.application_id)),
        "application.display_name": _named(ApplicationRow, col(RoleRow.application_id)),
        "owners.id": Attribute(kind=Kind.KEYS, column=col(RoleRow.owner_ids)),
        "requestable": _flag(col(RoleRow.requestable)),
        "approval": _key(col(RoleRow.approval)),
        "max_days": _number(col(RoleRow.max_days)),
        "risk": _key(col(RoleRow.risk)),
        "privileged": _flag(col(RoleRow.privileged)),
        "status": _key(col(RoleRow.status)),
        "protected": _flag(col(RoleRow.protected)),
        "birthright_rule": _text(col(RoleRow.birthright_rule)),
        "holder_count": _number(holders),
        **_dated(RoleRow),
    }


ENTITLEMENTS: Final[Attributes] = {
    "id": _key(col(EntitlementRow.id)),
    "application.id": _key(col(EntitlementRow.application_id)),
    "application.display_name": _named(ApplicationRow, col(EntitlementRow.application_id)),
    "native_name": _text(col(EntitlementRow.native_name)),
    "display_name": _text(col(EntitlementRow.display_name)),
    "description": _text(col(EntitlementRow.description)),
    "owners.id": Attribute(kind=Kind.KEYS, column=col(EntitlementRow.owner_ids)),
    "requestable": _flag(col(EntitlementRow.requestable)),
    "privileged": _flag(col(EntitlementRow.privileged)),
    "risk": _key(col(EntitlementRow.risk)),
    "status": _key(col(EntitlementRow.status)),
    **_dated(EntitlementRow),
}

_ROLES: Final = (
    select(func.count()).where(col(RoleRow.application_id) == col(ApplicationRow.id)).correlate(ApplicationRow)
)
_CONNECTED: Final = (col(ConnectionRow.id) == col(ApplicationRow.id), col(ConnectionRow.kind) != "none")
APPLICATIONS: Final[Attributes] = {
    "id": _key(col(ApplicationRow.id)),
    "key": _key(col(ApplicationRow.key)),
    "display_name": _text(col(ApplicationRow.display_name)),
    "description": _text(col(ApplicationRow.description)),
    "owners.id": Attribute(kind=Kind.KEYS, column=col(ApplicationRow.owner_ids)),
    "status": _key(col(ApplicationRow.status)),
    "requestable": _flag(col(ApplicationRow.requestable)),
    "provisioning": _key(col(ApplicationRow.provisioning)),
    "connection": _key(func.coalesce(select(ConnectionRow.kind).where(*_CONNECTED).scalar_subquery(), "none")),
    "connection_state": _key(select(ConnectionRow.test_state).where(*_CONNECTED).scalar_subquery()),
    "role_count": _number(_ROLES.scalar_subquery()),
    **_dated(ApplicationRow),
}


def assignments(now: datetime) -> Attributes:
    """Return the attributes of assignments; where one stands depends on the moment."""
    return {
        "id": _key(col(AssignmentRow.id)),
        "identity.id": _key(col(AssignmentRow.identity_id)),
        "identity.display_name": _named(IdentityRow, col(AssignmentRow.identity_id)),
        "role.id": _key(col(AssignmentRow.role_id)),
        "role.display_name": _named(RoleRow, col(AssignmentRow.role_id)),
        "entitlement.id": _key(col(AssignmentRow.entitlement_id)),
        "entitlement.display_name": _named(EntitlementRow, col(AssignmentRow.entitlement_id)),
        "source": _key(col(AssignmentRow.source)),
        "source_id": _key(col(AssignmentRow.source_id)),
        "valid_from": _moment(col(AssignmentRow.valid_from)),
        "valid_until": _moment(col(AssignmentRow.valid_until)),
        "justification": _text(col(AssignmentRow.justification)),
        "granted_by.id": _key(col(AssignmentRow.granted_by)),
        "granted_by.display_name": _named(IdentityRow, col(AssignmentRow.granted_by)),
        "status": _key(status_column(now)),
        **_dated(AssignmentRow),
    }


ACCESS_REQUESTS: Final[Attributes] = {
    "id": _key(col(AccessRequestRow.id)),
    "requester.id": _key(col(AccessRequestRow.requester_id)),
    "requester.display_name": _named(IdentityRow, col(AccessRequestRow.requester_id)),
    "beneficiary.id": _key(col(AccessRequestRow.beneficiary_id)),
    "beneficiary.display_name": _named(IdentityRow, col(AccessRequestRow.beneficiary_id)),
    "justification": _text(col(AccessRequestRow.justification)),
    "status": _key(col(AccessRequestRow.status)),
    **_dated(AccessRequestRow),
}


def sessions(live: ColumnElement[bool]) -> Attributes:
    """Return the attributes of sessions; whether one is over depends on the moment and the sign-in policy."""
    return {
        "id": _key(col(SessionRow.id)),
        "identity.id": _key(col(SessionRow.identity_id)),
        "identity.display_name": _named(IdentityRow, col(SessionRow.identity_id)),
        "ip": _key(col(SessionRow.ip)),
        "user_agent": _text(col(SessionRow.user_agent)),
        "methods": Attribute(kind=Kind.KEYS, column=col(SessionRow.methods)),
        "created_at": _moment(col(SessionRow.created_at)),
        "last_seen_at": _moment(col(SessionRow.last_seen_at)),
        "expires_at": _moment(col(SessionRow.expires_at)),
        "ended_at": _moment(col(SessionRow.ended_at)),
        "status": _key(case((live, "active"), else_="ended")),
    }


AUDIT_LOG: Final[Attributes] = {
    "seq": _number(col(AuditEntryRow.seq)),
    "id": _key(col(AuditEntryRow.id)),
    "time": _moment(col(AuditEntryRow.time)),
    "action": _key(col(AuditEntryRow.action)),
    "outcome": _key(col(AuditEntryRow.outcome)),
    "actor.type": _key(col(AuditEntryRow.actor_type)),
    "actor.id": _key(col(AuditEntryRow.actor_id)),
    "target.type": _key(col(AuditEntryRow.target_type)),
    "target.id": _key(col(AuditEntryRow.target_id)),
    "origin": _key(func.coalesce(col(AuditEntryRow.via), INTERFACE_NAME)),
    "request_id": _key(col(AuditEntryRow.request_id)),
    "caused_by": _key(col(AuditEntryRow.caused_by)),
    "ip": _key(col(AuditEntryRow.ip)),
    "session_id": _key(col(AuditEntryRow.session_id)),
}
