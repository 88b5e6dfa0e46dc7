"""One entry of the audit log, read from what its endpoint answers."""

from dataclasses import dataclass
from datetime import datetime

from nova_ui.domain.json_value import JsonObject, JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldChange:
    """One field of an entry, before and after."""

    field: str
    before: JsonValue
    after: JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An audit entry as the page shows it; `origin` is spelt as the filter of the log spells it."""

    id: str
    time: datetime
    action: str
    outcome: str
    actor: str
    actor_id: str
    target: str
    target_type: str
    target_id: str
    origin: str
    request_id: str
    caused_by: str
    session_id: str
    ip: str
    details: JsonObject

    @property
    def changes(self) -> tuple[FieldChange, ...]:
        """What the entry says was changed."""
        found = self.details.get("changes")
        return tuple(
            FieldChange(field=str(one.get("field", "")), before=one.get("before"), after=one.get("after"))
            for one in (found if isinstance(found, list) else [])
            if isinstance(one, dict)
        )


def read_entry(value: JsonObject) -> Entry:
    """Read an entry as the endpoint answers it."""
    details = value.get("details")
    return Entry(
        id=text_at(value, "id"),
        time=datetime.fromisoformat(text_at(value, "time")),
        action=text_at(value, "action"),
        outcome=text_at(value, "outcome"),
        actor=text_at(value, "actor", "display"),
        actor_id=text_at(value, "actor", "id"),
        target=text_at(value, "target", "display"),
        target_type=text_at(value, "target", "type"),
        target_id=text_at(value, "target", "id"),
        origin=text_at(value, "origin"),
        request_id=text_at(value, "request_id"),
        caused_by=text_at(value, "caused_by"),
        session_id=text_at(value, "session_id"),
        ip=text_at(value, "ip"),
        details=details if isinstance(details, dict) else {},
    )


def read_entries(body: JsonObject) -> list[Entry]:
    """Read a page of entries."""
    items = body.get("items")
    return [read_entry(item) for item in (items if isinstance(items, list) else []) if isinstance(item, dict)]


def text_at(value: JsonObject, *keys: str) -> str:
    """Return the text at a path of keys, or nothing."""
    found: JsonValue = value
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, str) else ""
