"""What a list is filtered and sorted by: values that live in the page's address, and become the endpoint's query."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final
from urllib.parse import urlencode

MAX_CHARS: Final = 200
_ID: Final = re.compile(r"[a-z]{3}_[0-9a-z]{20}")
_YES_NO: Final = frozenset({"true", "false"})


class FilterKind(StrEnum):
    """How a filter is set."""

    CHOICE = "choice"
    YES_NO = "yes_no"
    TEXT = "text"
    DAYS_AGO = "days_ago"  # the choices are numbers of days; the endpoint gets a moment
    OBJECT = "object"  # set by a link only; shown by the object's name


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """One parameter of the list's endpoint. `label` and the words of `choices` are message ids."""

    name: str
    label: str
    kind: FilterKind = FilterKind.CHOICE
    choices: Mapping[str, str] = field(default_factory=dict)
    suggests: str = ""  # for a text: the field of the rows whose values are offered
    names: str = ""  # for an object: what kind of object it is

    def accepts(self, value: str) -> bool:
        """Whether `value` can stand in the address."""
        match self.kind:
            case FilterKind.CHOICE | FilterKind.DAYS_AGO:
                return value in self.choices
            case FilterKind.YES_NO:
                return value in _YES_NO
            case FilterKind.OBJECT:
                return _ID.fullmatch(value) is not None
            case _:
                return value.isprintable()


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What is set now, text search and order included; a value that does not stand here is not set."""

    known: tuple[Filter, ...]
    sorts: Mapping[str, str]
    values: Mapping[str, str] = field(default_factory=dict)
    q: str = ""
    sort: str = ""

    @classmethod
    def from_address(cls, known: tuple[Filter, ...], sorts: Mapping[str, str], given: Mapping[str, str]) -> "Filters":
        """Read an address; what is no filter of this list, or no value for it, is dropped."""
        taken = {one.name: given.get(one.name, "").strip()[:MAX_CHARS] for one in known}
        kept = {one.name: taken[one.name] for one in known if taken[one.name] and one.accepts(taken[one.name])}
        q, sort = given.get("q", "").strip()[:MAX_CHARS], given.get("sort", "")
        return cls(
            known=known,
            sorts=sorts,
            values=kept,
            q=q if q.isprintable() else "",
            sort=sort if sort in sorts else "",
        )

    @property
    def address(self) -> str:
        """The query of the page's address, `?…` or nothing."""
        shown = {**self.values, "q": self.q, "sort": self.sort}
        kept = {name: value for name, value in shown.items() if value}
        return f"?{urlencode(kept)}" if kept else ""

    @property
    def is_empty(self) -> bool:
        """Whether everything is shown."""
        return not self.values and not self.q

    def having(self, name: str, value: str | None) -> "Filters":
        """Return these filters with one of them set or taken off; a value that it can't have takes it off."""
        wanted = {**self.values, "q": self.q, "sort": self.sort, name: (value or "")}
        return Filters.from_address(self.known, self.sorts, wanted)

    def cleared(self) -> "Filters":
        """Return no filter at all, in the same order."""
        return replace(self, values={}, q="")

    def query(self, now: datetime) -> dict[str, str | int | bool | None]:
        """Return the parameters of the list's endpoint."""
        kinds = {one.name: one.kind for one in self.known}
        query: dict[str, str | int | bool | None] = {}
        for name, value in self.values.items():
            match kinds[name]:
                case FilterKind.YES_NO:
                    query[name] = value == "true"
                case FilterKind.DAYS_AGO:
                    query[name] = (now - timedelta(days=int(value))).isoformat().replace("+00:00", "Z")
                case _:
                    query[name] = value
        return {**query, "q": self.q or None, "sort": self.sort or None}
