"""The files of exports: harmless in a spreadsheet, secrets replaced, one row per record."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.guardrails.redaction import redact_object

# A cell that begins so is run as a formula by spreadsheet programs.
_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "\n")

COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    "identities": (
        "id",
        "user_name",
        "display_name",
        "email",
        "title",
        "user_type",
        "department",
        "location",
        "manager.id",
        "manager.display_name",
        "status",
        "nova_roles",
        "start_date",
        "end_date",
        "last_sign_in_at",
        "created_at",
    ),
    "groups": ("id", "display_name", "description", "owners", "member_count", "source", "created_at"),
    "roles": (
        "id",
        "key",
        "display_name",
        "application.display_name",
        "owners",
        "requestable",
        "approval",
        "max_days",
        "risk",
        "privileged",
        "status",
        "holder_count",
    ),
    "assignments": (
        "id",
        "identity.id",
        "identity.display_name",
        "role.id",
        "role.display_name",
        "application.display_name",
        "source",
        "status",
        "valid_from",
        "valid_until",
        "granted_by.display_name",
        "justification",
    ),
    "entitlements": (
        "id",
        "application.display_name",
        "native_name",
        "display_name",
        "description",
        "owners",
        "requestable",
        "privileged",
        "risk",
        "status",
        "roles",
        "holder_count",
    ),
    "applications": (
        "id",
        "key",
        "display_name",
        "description",
        "owners",
        "status",
        "connection",
        "connection_state",
        "connection_tested_at",
        "requestable",
        "provisioning",
        "role_count",
    ),
    "access_requests": (
        "id",
        "requester.display_name",
        "beneficiary.display_name",
        "items",
        "justification",
        "status",
        "created_at",
    ),
    "approvals": (
        "id",
        "request_id",
        "step",
        "approver.display_name",
        "beneficiary.display_name",
        "status",
        "due_at",
        "decided_by.display_name",
        "decided_at",
        "comment",
    ),
    "sessions": (
        "id",
        "identity.id",
        "identity.display_name",
        "ip",
        "user_agent",
        "created_at",
        "last_seen_at",
        "expires_at",
        "ended_at",
        "status",
    ),
    "audit_log": (
        "seq",
        "id",
        "time",
        "action",
        "outcome",
        "actor.id",
        "actor.display",
        "target.type",
        "target.id",
        "target.display",
        "origin",
        "details",
        "request_id",
        "caused_by",
        "ip",
    ),
}


def write_csv(columns: Sequence[str], records: Sequence[JsonObject]) -> bytes:
    """Return records as CSV (RFC 4180, UTF-8); no cell can become a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(columns)
    for record in records:
        safe = redact_object(record)
        writer.writerow([_cell(_value(safe, column)) for column in columns])
    return out.getvalue().encode("utf-8")


def write_lines(columns: Sequence[str], records: Sequence[JsonObject]) -> bytes:
    """Return records as JSON lines: one object a line, the same columns as the CSV."""
    lines = []
    for record in records:
        safe = redact_object(record)
        lines.append(json.dumps({column: _value(safe, column) for column in columns}, ensure_ascii=False))
    return "".join(f"{line}\n" for line in lines).encode("utf-8")


def _value(record: JsonObject, column: str) -> JsonValue:
    current: JsonValue = record
    for part in column.split("."):
        current = current.get(part) if isinstance(current, dict) else None
    return current


def _cell(value: JsonValue) -> str:
    match value:
        case None:
            text = ""
        case bool():
            text = "true" if value else "false"
        case str():
            text = value
        case int() | float():
            text = str(value)
        case list() if all(isinstance(one, str) for one in value):
            text = "; ".join(str(one) for one in value)
        case _:
            text = json.dumps(value, ensure_ascii=False)
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text
