"""Which audit entries are looked for: filters as values that live in the page's address."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import urlencode

from nova_ui.domain.text import mark

ALL_TIME: Final = "all"
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
ORIGIN_CHAT: Final = "ai_chat"
ORIGIN_INTERFACE: Final = "interface"
OUTCOMES: Final = ("success", "refused", "failed")
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_MAX_CHARS: Final = 200
_NAMES: Final = ("range", "since", "until", "actor", "action", "origin", "outcome", "target", "request", "q")


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFilters:
    """All filters; an empty string is one that is not set. `since` and `until` are days and win over `range`."""

    range: str = ""
    since: str = ""
    until: str = ""
    actor: str = ""
    action: str = ""
    origin: str = ""
    outcome: str = ""
    target: str = ""
    request: str = ""
    q: str = ""

    @classmethod
    def from_address(cls, given: Mapping[str, str]) -> "AuditFilters":
        """Read the filters of an address; what is no filter of ours is dropped."""
        taken = {name: given.get(name, "").strip()[:_MAX_CHARS] for name in _NAMES}
        if taken["range"] not in RANGES:
            taken["range"] = ""
        if taken["outcome"] not in OUTCOMES:
            taken["outcome"] = ""
        for name in ("since", "until"):
            if not _is_day(taken[name]):
                taken[name] = ""
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
        """Return these filters with one of them set, or taken off; a span of days and a range exclude each other."""
        changed = replace(self, **{name: (value or "").strip()[:_MAX_CHARS]})
        if name == "range":
            return replace(changed, since="", until="")
        return replace(changed, range="") if name in {"since", "until"} and value else changed

    def query(self, now: datetime) -> dict[str, str | int | bool | None]:
        """Return the parameters of `GET /audit-log` and of its summary and export."""
        after: str | None = f"{self.since}T00:00:00Z" if self.since else None
        before: str | None = f"{self.until}T23:59:59.999999Z" if self.until else None
        if self.range:
            after = (now - RANGES[self.range]).isoformat().replace("+00:00", "Z")
        return {
            "after": after,
            "before": before,
            "actor_id": self.actor or None,
            "action": self.action or None,
            "origin": self.origin or None,
            "outcome": self.outcome or None,
            "target_id": self.target or None,
            "request_id": self.request or None,
            "q": self.q or None,
        }


def _is_day(text: str) -> bool:
    if not _DAY.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
