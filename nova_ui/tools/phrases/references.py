"""How the names that people say become ids."""

from types import MappingProxyType
from typing import Final

from nova_ui.domain.tool import ONESELF, Reference

_PERSON_FIELDS: Final = ("display_name", "user_name", "emails")

IDENTITY: Final = Reference(
    tool="search_identities",
    name_fields=("display_name", "user_name", "department"),
    match_fields=_PERSON_FIELDS,
    otherwise=Reference(
        tool="search_directory",
        name_fields=("display_name", "user_name", "department"),
        match_fields=_PERSON_FIELDS,
    ),
)
GROUP: Final = Reference(tool="list_groups", name_fields=("display_name", "description"))
ROLE: Final = Reference(
    tool="list_roles", name_fields=("display_name", "application"), match_fields=("display_name", "key")
)
ENTITLEMENT: Final = Reference(
    tool="list_entitlements", name_fields=("display_name", "application"), match_fields=("display_name", "native_name")
)
CATALOGUE_ROLE: Final = Reference(
    tool="search_catalog",
    id_field="role_id",
    name_fields=("display_name", "application"),
    match_fields=("display_name", "key"),
    fixed=MappingProxyType({"type": "role"}),
)
CATALOGUE_ENTITLEMENT: Final = Reference(
    tool="search_catalog",
    id_field="entitlement_id",
    name_fields=("display_name", "application"),
    match_fields=("display_name", "key"),
    fixed=MappingProxyType({"type": "entitlement"}),
)
ANY_ROLE: Final = Reference(
    tool="list_roles",
    name_fields=("display_name", "application"),
    match_fields=("display_name", "key"),
    otherwise=CATALOGUE_ROLE,
)
ANY_ENTITLEMENT: Final = Reference(
    tool="list_entitlements",
    name_fields=("display_name", "application"),
    match_fields=("display_name", "native_name"),
    otherwise=CATALOGUE_ENTITLEMENT,
)
APPLICATION: Final = Reference(tool="list_applications", match_fields=("display_name", "key"))
ASSIGNMENT: Final = Reference(
    tool="list_assignments",
    search_argument="",
    name_fields=("role", "identity", "source"),
    match_fields=(),
    fixed=MappingProxyType({"status": "active"}),
    narrowed_by=MappingProxyType({"identity_id": "identity", "role_id": "role"}),
)
OPEN_APPROVAL: Final = Reference(
    tool="list_approvals",
    search_argument="",
    name_fields=("requester", "items", "created_at"),
    match_fields=("requester", "beneficiary", "items"),
    fixed=MappingProxyType({"status": "open", "mine": True}),
)
PENDING_REQUEST: Final = Reference(
    tool="list_access_requests",
    search_argument="",
    name_fields=("items", "created_at"),
    match_fields=("items",),
    fixed=MappingProxyType({"status": "pending", "requester_id": ONESELF}),  # nobody withdraws another's
)
OTHER_SESSION: Final = Reference(
    tool="list_sessions",
    search_argument="",
    name_fields=("user_agent", "ip", "last_seen_at"),
    match_fields=("user_agent", "ip"),
    fixed=MappingProxyType({"whose": "mine", "status": "active"}),
)
