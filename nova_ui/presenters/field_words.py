"""What Nova's fields, states and kinds of objects are called by people."""

from collections.abc import Callable, Mapping
from typing import Final

from nova_ui.domain.json_value import JsonValue
from nova_ui.domain.text import mark
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.visible import value_text

FIELD_WORDS: Final[Mapping[str, str]] = {
    "id": mark("Id"),
    "display_name": mark("Name"),
    "name": mark("Name"),
    "identity_display": mark("Identity"),
    "role_display": mark("Role"),
    "group_display": mark("Group"),
    "identity_id": mark("Identity"),
    "identity_ids": mark("Identities"),
    "group_id": mark("Group"),
    "role_id": mark("Role"),
    "assignment_id": mark("Assignment"),
    "application_id": mark("Application"),
    "request_id": mark("Request"),
    "approval_id": mark("Approval"),
    "session_id": mark("Session"),
    "user_name": mark("User name"),
    "given_name": mark("Given name"),
    "family_name": mark("Family name"),
    "email": mark("Email"),
    "emails": mark("Email addresses"),
    "phone_numbers": mark("Phone numbers"),
    "status": mark("Status"),
    "state": mark("Status"),
    "status_reason": mark("Reason of the status"),
    "user_type": mark("Type"),
    "type": mark("Type"),
    "kind": mark("Kind"),
    "title": mark("Title"),
    "department": mark("Department"),
    "division": mark("Division"),
    "organization": mark("Organisation"),
    "location": mark("Location"),
    "cost_center": mark("Cost centre"),
    "employee_number": mark("Employee number"),
    "manager": mark("Manager"),
    "manager_id": mark("Manager"),
    "owner": mark("Owner"),
    "owners": mark("Owners"),
    "description": mark("Description"),
    "members": mark("Members"),
    "member_count": mark("Members"),
    "membership": mark("Membership"),
    "nova_roles": mark("Nova roles"),
    "roles": mark("Roles"),
    "groups": mark("Groups"),
    "accounts": mark("Accounts"),
    "start_date": mark("Start date"),
    "end_date": mark("End date"),
    "starts_at": mark("Starts at"),
    "ends_at": mark("Ends at"),
    "expires_at": mark("Expires at"),
    "created_at": mark("Created at"),
    "updated_at": mark("Changed at"),
    "last_sign_in_at": mark("Last sign-in"),
    "last_seen_at": mark("Last seen"),
    "at": mark("Time"),
    "actor": mark("Actor"),
    "action": mark("Action"),
    "target": mark("Target"),
    "outcome": mark("Outcome"),
    "origin": mark("Origin"),
    "via": mark("Origin"),
    "reason": mark("Reason"),
    "justification": mark("Justification"),
    "risk": mark("Risk"),
    "language": mark("Language"),
    "locale": mark("Region"),
    "timezone": mark("Time zone"),
    "q": mark("Search text"),
    "limit": mark("At most"),
    "nova_role": mark("Nova role"),
    "signed_in_before": mark("Last signed in before"),
    "ends_before": mark("Ends before"),
    "ends_after": mark("Ends after"),
    "cursor": mark("Continue from"),
    "preferred_language": mark("Language"),
    "clear": mark("Fields to empty"),
    "successor": mark("Successor"),
    "successor_id": mark("Successor"),
    "member_id": mark("Member"),
    "owner_id": mark("Owner"),
    "owner_ids": mark("Owners"),
    "privileged": mark("Privileged"),
    "requestable": mark("Can be requested"),
    "approval": mark("Approval"),
    "max_days": mark("Days at most"),
    "source": mark("Source"),
    "valid_until": mark("Valid until"),
    "requester_id": mark("Requested by"),
    "beneficiary_id": mark("Requested for"),
    "created_after": mark("Created after"),
    "role_ids": mark("Roles"),
    "mine": mark("Only mine"),
    "approver_id": mark("Decided by"),
    "decision": mark("Decision"),
    "comment": mark("Comment"),
    "whose": mark("Whose"),
    "entry_id": mark("Entry"),
    "after": mark("After"),
    "before": mark("Before"),
    "actor_id": mark("Actor"),
    "target_id": mark("Target"),
    "target_type": mark("Kind of target"),
    "group_by": mark("Count by"),
    "theme": mark("Appearance"),
    "resource": mark("What to export"),
    "filter": mark("Filter"),
    "format": mark("Format"),
    "label": mark("Value"),
    "count": mark("Count"),
    "total": mark("In total"),
    "shown": mark("Shown"),
    "items": mark("Entries"),
    "object": mark("Object"),
    "effects": mark("Effects"),
    "version": mark("Version"),
    "result": mark("Result"),
    "display": mark("Name"),
    "locked_until": mark("Locked until"),
    "api_token": mark("API token"),
    "client_secret": mark("Client secret"),
}

VALUE_WORDS: Final[Mapping[str, str]] = {
    "active": mark("active"),
    "staged": mark("staged"),
    "suspended": mark("suspended"),
    "disabled": mark("disabled"),
    "archived": mark("archived"),
    "pending": mark("pending"),
    "approved": mark("approved"),
    "denied": mark("denied"),
    "cancelled": mark("cancelled"),
    "expired": mark("expired"),
    "revoked": mark("revoked"),
    "deleted": mark("deleted"),
    "employee": mark("employee"),
    "contractor": mark("contractor"),
    "external": mark("external"),
    "service": mark("service"),
    "low": mark("low"),
    "medium": mark("medium"),
    "high": mark("high"),
    "critical": mark("critical"),
    "open": mark("open"),
    "waiting": mark("waiting"),
    "skipped": mark("skipped"),
    "submitted": mark("submitted"),
    "provisioning": mark("being set up"),
    "completed": mark("completed"),
    "scheduled": mark("scheduled"),
    "draft": mark("draft"),
    "retired": mark("retired"),
    "enabled": mark("enabled"),
    "ended": mark("ended"),
    "success": mark("success"),
    "refused": mark("refused"),
    "failed": mark("failed"),
    "direct": mark("direct"),
    "birthright": mark("birthright"),
    "request": mark("request"),
    "group": mark("group"),
    "routine": mark("routine"),
    "review": mark("review"),
    "none": mark("nobody"),
    "manager": mark("the manager"),
    "owner": mark("the owner"),
    "manager_then_owner": mark("first the manager, then the owner"),
    "approve": mark("approve"),
    "deny": mark("deny"),
    "mine": mark("only my own"),
    "all": mark("everybody's"),
    "administrator": mark("Administrator"),
    "auditor": mark("Auditor"),
    "day": mark("Day"),
    "actor": mark("Actor"),
    "action": mark("Action"),
    "origin": mark("Origin"),
    "outcome": mark("Outcome"),
    "identities": mark("Identities"),
    "groups": mark("Groups"),
    "roles": mark("Roles"),
    "assignments": mark("Assignments"),
    "applications": mark("Applications"),
    "access_requests": mark("Requests"),
    "approvals": mark("Approvals"),
    "sessions": mark("Sessions"),
    "audit_log": mark("Audit log"),
    "csv": mark("CSV"),
    "jsonl": mark("JSON Lines"),
    "en": mark("English"),
    "de": mark("German"),
    "system": mark("As the system"),
    "light": mark("Light"),
    "dark": mark("Dark"),
}

STATE_TONES: Final[Mapping[str, str]] = {
    "active": "read",
    "approved": "read",
    "staged": "plain",
    "pending": "write",
    "suspended": "write",
    "disabled": "destructive",
    "denied": "destructive",
    "expired": "destructive",
    "revoked": "destructive",
    "archived": "plain",
}
STATE_FIELDS: Final = frozenset({"status", "state"})
_WORDED_FIELDS: Final = STATE_FIELDS | {
    "user_type",
    "type",
    "outcome",
    "risk",
    "source",
    "approval",
    "decision",
    "group_by",
    "whose",
    "resource",
    "format",
    "preferred_language",
    "language",
    "theme",
    "nova_role",
}

Counted = Callable[[Translator, int], str]
EFFECT_WORDS: Final[Mapping[str, Counted]] = {
    "account": lambda tr, n: tr.plural("{count} account", "{count} accounts", n),
    "assignment": lambda tr, n: tr.plural("{count} role assignment", "{count} role assignments", n),
    "membership": lambda tr, n: tr.plural("{count} group membership", "{count} group memberships", n),
    "session": lambda tr, n: tr.plural("{count} session", "{count} sessions", n),
    "access_request": lambda tr, n: tr.plural("{count} open request", "{count} open requests", n),
    "approval": lambda tr, n: tr.plural("{count} approval", "{count} approvals", n),
    "identity": lambda tr, n: tr.plural("{count} identity", "{count} identities", n),
    "group": lambda tr, n: tr.plural("{count} group", "{count} groups", n),
    "role": lambda tr, n: tr.plural("{count} role", "{count} roles", n),
    "application": lambda tr, n: tr.plural("{count} application", "{count} applications", n),
    "chat": lambda tr, n: tr.plural("{count} chat", "{count} chats", n),
    "report": lambda tr, n: tr.plural("{count} direct report", "{count} direct reports", n),
    "assignment_end": lambda tr, n: tr.plural("{count} role that ends", "{count} roles that end", n),
    "ended_assignment": lambda tr, n: tr.plural("{count} ended assignment", "{count} ended assignments", n),
    "assistant": lambda tr, n: tr.plural("{count} assistant", "{count} assistants", n),
    "export": lambda tr, n: tr.plural("{count} export", "{count} exports", n),
}

RESULT_WORDS: Final[Mapping[str, str]] = {
    "revoked": mark("revoked"),
    "removed": mark("removed"),
    "deleted": mark("deleted"),
    "ended": mark("ended"),
    "ends": mark("ending later"),
    "kept": mark("unchanged"),
    "cancelled": mark("cancelled"),
    "transferred": mark("transferred"),
    "passed_on": mark("passed on"),
}


def result_word(result: str, tr: Translator) -> str:
    """Return what becomes of something, or an empty text where it is not known."""
    word = RESULT_WORDS.get(result)
    return tr(word) if word else result.replace("_", " ")


def field_label(name: str, tr: Translator) -> str:
    """Return the word for a field; one that has none is shown by its own name, its underscores as spaces."""
    word = FIELD_WORDS.get(name)
    return tr(word) if word else name.replace("_", " ")


def has_words(name: str) -> bool:
    """Whether the values of this field are fixed ones of Nova's, which have words."""
    return name in _WORDED_FIELDS


def value_word(value: str, tr: Translator) -> str:
    """Return the word for one of Nova's fixed values; one that has none is shown as it is, underscores as spaces."""
    word = VALUE_WORDS.get(value)
    return tr(word) if word else value.replace("_", " ")


def field_value(name: str, value: JsonValue, tr: Translator) -> str:
    """Return the value of a field in words where there are words, else in full as plain text."""
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if value is None:
        return "–"
    if name in _WORDED_FIELDS and isinstance(value, str) and value in VALUE_WORDS:
        return tr(VALUE_WORDS[value])
    if isinstance(value, dict):
        shown = value.get("display_name") or value.get("name")
        return value_text(shown) if isinstance(shown, str) else value_text(value)
    if isinstance(value, list):
        return ", ".join(field_value(name, item, tr) for item in value)
    return value_text(value)


def effect_text(kind: str, count: int, tr: Translator) -> str:
    """Return what goes with an action in words, such as 4 accounts."""
    counted = EFFECT_WORDS.get(kind)
    return counted(tr, count) if counted else f"{tr.number(count)} × {kind.replace('_', ' ')}"
