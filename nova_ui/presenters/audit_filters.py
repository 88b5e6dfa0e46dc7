"""Which audit entries are looked for: filters as values that live in the page's address."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final
from urllib.parse import urlencode

from nova_ui.domain.assistant import ORIGIN_SHAPE
from nova_ui.domain.text import mark

RANGES: Final[Mapping[str, timedelta]] = {
    "1h": timedelta(hours=1),
    "24h": timedelta(hours=24),
    "7d": timedelta(days=7),
    "30d": timedelta(days=30),
    "90d": timedelta(days=90),
}
RANGE_WORDS: Final = {
    "1h": mark("Last hour"),
    "24h": mark("Last 24 hours"),
    "7d": mark("Last 7 days"),
    "30d": mark("Last 30 days"),
    "90d": mark("Last 90 days"),
}
ORIGINS: Final = ("interface", "ai_chat", "ai_routine", "routine", "system")
OUTCOMES: Final = ("success", "refused", "failed")
TARGET_WORDS: Final = {
    "identity": mark("Identities"),
    "group": mark("Groups"),
    "role": mark("Roles"),
    "application": mark("Applications"),
    "entitlement": mark("Entitlements"),
    "assignment": mark("Assignments"),
    "access_request": mark("Access requests"),
    "approval": mark("Approvals"),
    "session": mark("Sessions"),
    "export": mark("Exports"),
    "routine": mark("Lifecycle routines"),
    "assistant": mark("AI assistants"),
    "ai_routine": mark("AI routine assistants"),
}
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_ACTION: Final = re.compile(r"[a-z0-9_.*]{1,80}")
_ORIGIN: Final = re.compile(ORIGIN_SHAPE)
_MAX_CHARS: Final = 200
_MAX_ID_CHARS: Final = 64
_NAMES: Final = (
    "range",
    "since",
    "until",
    "actor",
    "action",
    "origin",
    "outcome",
    "target_type",
    "target",
    "request",
    "q",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFilters:
    """All filters; an empty string is one that is not set. `since` and `until` are days and exclude a `range`."""

    range: str = ""
    since: str = ""
    until: str = ""
    actor: str = ""
    action: str = ""
    origin: str = ""
    outcome: str = ""
    target_type: str = ""
    target: str = ""
    request: str = ""
    q: str = ""

    @classmethod
    def from_address(cls, given: Mapping[str, str]) -> "AuditFilters":
        """Read the filters of an address; what is no filter of ours, or no value that it can have, is dropped."""
        taken = {name: given.get(name, "").strip()[:_MAX_CHARS] for name in _NAMES}
        usable = {
            "range": taken["range"] in RANGES,
            "since": _is_day(taken["since"]),
            "until": _is_day(taken["until"]),
            "actor": len(taken["actor"]) <= _MAX_ID_CHARS,
            "action": _ACTION.fullmatch(taken["action"]) is not None,
            "origin": _ORIGIN.fullmatch(taken["origin"]) is not None,
            "outcome": taken["outcome"] in OUTCOMES,
            "target_type": taken["target_type"] in TARGET_WORDS,
            "target": len(taken["target"]) <= _MAX_ID_CHARS,
            "request": len(taken["request"]) <= _MAX_ID_CHARS,
        }
        taken |= {name: "" for name, is_usable in usable.items() if not is_usable}
        if taken["since"] or taken["until"]:
            taken["range"] = ""
        return cls(**taken)

    @property
    def address(self) -> str:
        """The query of the page's address, `?…` or nothing."""
        kept = {name: getattr(self, name) for name in _NAMES if getattr(self, name)}
        return f"?{urlencode(kept)}" if kept else ""

    @property
    def is_empty(self) -> bool:
        """Whether everything is shown."""
        return not any(getattr(self, name) for name in _NAMES)

    def having(self, name: str, value: str | None) -> "AuditFilters":
        """Return these filters with one of them set, or taken off; a range takes the place of a span of days."""
        changed = replace(self, **{name: (value or "").strip()[:_MAX_CHARS]})
        return replace(changed, since="", until="") if name == "range" else changed

    def spanning(self, since: str, until: str) -> "AuditFilters":
        """Return these filters with a span of days, either end open; ends the wrong way round are turned."""
        days = sorted(day for day in (since, until) if _is_day(day))
        if len(days) == len((since, until)):
            since, until = days
        kept = (day if _is_day(day) else "" for day in (since, until))
        return replace(self, range="", **dict(zip(("since", "until"), kept, strict=True)))

    def query(self, now: datetime, zone: tzinfo = UTC) -> dict[str, str | int | bool | None]:
        """Return the parameters of `GET /audit-log`, its summary and its export; days are those of `zone`."""
        after = _moment(self.since, time.min, zone) if self.since else None
        before = _moment(self.until, time.max, zone) if self.until else None
        if self.range:
            after = now - RANGES[self.range]
        return {
            "after": None if after is None else after.isoformat(),
            "before": None if before is None else before.isoformat(),
            "actor_id": self.actor or None,
            "action": self.action or None,
            "origin": self.origin or None,
            "outcome": self.outcome or None,
            "target_type": self.target_type or None,
            "target_id": self.target or None,
            "request_id": self.request or None,
            "q": self.q or None,
        }


def _moment(day: str, at: time, zone: tzinfo) -> datetime:
    return datetime.combine(date.fromisoformat(day), at, zone).astimezone(UTC)


def _is_day(text: str) -> bool:
    if not _DAY.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
