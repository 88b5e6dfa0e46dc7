"""What a person should know who fills in an argument; the tools' own descriptions speak to a model."""

from collections.abc import Mapping
from typing import Final

from nova_ui.domain.text import mark

_HINTS: Final[Mapping[str, str]] = {
    "action": mark("Such as identity.disabled, or group.* for all of a kind."),
    "after": mark("On this day or later."),
    "before": mark("On this day or earlier."),
    "approval": mark("Who must agree to a request, one after the other."),
    "clear": mark("One field a line."),
    "comment": mark("Needed to deny."),
    "created_after": mark("Filed on this day or later."),
    "department": mark("By its exact name."),
    "end_date": mark("The last day."),
    "ends_after": mark("Ends on this day or later."),
    "ends_before": mark("Ends before this day."),
    "entry_id": mark("Id of one entry, to read it in full."),
    "filter": mark("As JSON; empty means all that you may see."),
    "group_by": mark("Counts instead of entries."),
    "justification": mark("Why, in a sentence; it is written to the audit log."),
    "limit": mark("How many rows at most."),
    "locale": mark("Such as de-DE; for dates and numbers."),
    "location": mark("By its exact name."),
    "max_days": mark("How many days it may be held at most."),
    "member_id": mark("Only groups with this member."),
    "mine": mark("Only what you decide or decided yourself."),
    "origin": mark("interface, ai_chat, or ai_chat: with the key of an assistant."),
    "owner_id": mark("Only what this identity owns."),
    "owner_ids": mark("All owners from now on."),
    "phone_numbers": mark("All numbers from now on, one a line."),
    "q": mark("Part of a name."),
    "reason": mark("Why, in a sentence; it is written to the audit log."),
    "signed_in_before": mark("Only those who have not signed in since this day."),
    "start_date": mark("The first day."),
    "successor_id": mark("Takes over what is owned, decided or managed."),
    "target_type": mark("Such as identity, group or role."),
    "timezone": mark("Such as Europe/Berlin."),
    "user_name": mark("For signing in, such as anna.berg; unique."),
    "valid_until": mark("The last day; empty means as long as allowed."),
}
_HINTS_BY_TOOL: Final[Mapping[tuple[str, str], str]] = {
    ("create_identity", "department"): "",
    ("create_identity", "display_name"): mark("Empty means first and last name."),
    ("create_identity", "location"): "",
    ("create_identity", "manager_id"): "",
    ("get_identity", "identity_id"): mark("Empty means yourself."),
    ("get_identity_access", "identity_id"): mark("Empty means yourself."),
    ("search_directory", "q"): mark("Part of a name, at least two characters."),
    ("search_identities", "manager_id"): mark("Only direct reports of this identity."),
    ("search_identities", "q"): mark("Part of a name, user name or email address."),
    ("search_audit_log", "request_id"): mark("Only entries of one request, as another entry names it."),
    ("update_identity", "department"): "",
    ("update_identity", "location"): "",
}


def hint_for(tool_name: str, argument: str) -> str:
    """Return the hint for an argument as a message id, or an empty text where its label says enough."""
    return _HINTS_BY_TOOL.get((tool_name, argument), _HINTS.get(argument, ""))
