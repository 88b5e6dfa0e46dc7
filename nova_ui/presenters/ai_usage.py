"""Monitoring › AI usage: what is counted, over which days, narrowed down to what; all of it lives in the address."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final
from urllib.parse import urlencode

from nova_ui.domain.budget import Period
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.errors import NovaProblem
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.counts import Bar
from nova_ui.presenters.fields import rows_in, text_at
from nova_ui.presenters.nova_calls import NovaCalls
from nova_ui.presenters.records import Records
from nova_ui.reactive import Event

BY: Final[Mapping[str, str]] = {
    "assistant": mark("Assistant"),
    "identity": mark("Identity"),
    "profile": mark("Profile"),
    "model": mark("Model"),
    "day": mark("Day"),
    "week": mark("Week"),
    "month": mark("Month"),
}
MEASURES: Final[Mapping[str, str]] = {
    "tokens": mark("Tokens"),
    "cost": mark("Cost"),
    "messages": mark("Messages"),
    "requests": mark("Model requests"),
}
DAYS: Final = (1, 7, 30, 90, 365)
FILTERS: Final[Mapping[str, str]] = {
    "assistant": mark("Assistant"),
    "identity_id": mark("Identity"),
    "profile": mark("Profile"),
}
PAGE_SIZE: Final = 50
_FILE_PAGE: Final = 200
_MAX_PAGES: Final = 50
_FILTER_OF: Final = {"assistant": "assistant", "identity": "identity_id", "profile": "profile"}
_ENDPOINT: Final = "GET /administration/ai-usage"
_MAX_DAILY: Final = 31
_MAX_WEEKLY: Final = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageLine:
    """One line of the table."""

    key: str
    name: str
    kind: str
    messages: int
    requests: int
    estimated: int
    input_tokens: int
    output_tokens: int
    cost: float

    @property
    def place(self) -> str:
        """What tells it from the other lines: a chat assistant and a routine may have one key."""
        return f"{self.kind}:{self.key}"


class AiUsagePresenter:
    """Reads the usage; `shown` is the answer on the screen, `problem` why there is none."""

    def __init__(self, nova: NovaCalls, tr: Translator, given: Mapping[str, str]) -> None:
        self._nova = nova
        self.tr = tr
        self.by = given.get("by", "") if given.get("by", "") in BY else "assistant"
        self.measure = given.get("measure", "") if given.get("measure", "") in MEASURES else "tokens"
        days = given.get("days", "")
        self.days = int(days) if days.isascii() and days.isdigit() and int(days) in DAYS else 30
        self.kind = given.get("kind", "") if given.get("kind", "") in {"chat", "routine"} else ""
        self.filters = {name: given[name] for name in FILTERS if given.get(name)}
        self.names: dict[str, str] = {}
        self.shown: JsonObject = {}
        self.problem: NovaProblem | None = None
        self.changed: Event[None] = Event()
        self._cursors: list[str | None] = [None]

    @property
    def address(self) -> str:
        """The query of the page's address."""
        chosen = {"by": self.by, "days": self.days, "measure": self.measure, "kind": self.kind, **self.filters}
        return "?" + urlencode({name: value for name, value in chosen.items() if value})

    @property
    def currency(self) -> str:
        """In which costs are told."""
        return text_at(self.shown, "currency")

    @property
    def lines(self) -> tuple[UsageLine, ...]:
        """The lines of the page."""
        return tuple(self._line(row) for row in rows_in(self.shown))

    @property
    def totals(self) -> UsageLine:
        """All of it together."""
        totals = self.shown.get("totals")
        return self._line(totals if isinstance(totals, dict) else {})

    @property
    def has_previous(self) -> bool:
        """Whether there is a page before this one."""
        return len(self._cursors) > 1

    @property
    def has_next(self) -> bool:
        """Whether there is a page after this one."""
        return bool(text_at(self.shown, "next_cursor"))

    async def load(self) -> None:
        """Read the first page."""
        self._cursors = [None]
        await self._read()

    async def look(self, **chosen: str | int) -> None:
        """Look at something else: `by`, `days`, `measure` or `kind`."""
        self.by = str(chosen.get("by", self.by))
        self.measure = str(chosen.get("measure", self.measure))
        self.days = int(chosen.get("days", self.days))
        self.kind = str(chosen.get("kind", self.kind))
        await self.load()

    async def narrow(self, key: str) -> None:
        """Look at the line at a place alone: an assistant by its people, a person or a profile by its assistants."""
        name = _FILTER_OF.get(self.by)
        if name is None:
            return
        line = next((one for one in self.lines if one.place == key), None)
        if line is None:
            return
        self.names[name], self.filters[name] = line.name, line.key
        self.kind = line.kind or self.kind
        self.by = "identity" if self.by == "assistant" else "assistant"
        await self.load()

    async def widen(self, name: str) -> None:
        """Take a filter off."""
        self.filters.pop(name, None)
        await self.load()

    async def following(self) -> None:
        """Read the next page."""
        if self.has_next:
            self._cursors.append(text_at(self.shown, "next_cursor"))
            await self._read()

    async def previous(self) -> None:
        """Go back a page."""
        if self.has_previous:
            self._cursors.pop()
            await self._read()

    async def all_rows(self) -> Records:
        """Read every line, at most 10,000, for a file.

        Raises:
            NovaProblem: it was refused or failed.

        """
        rows: list[JsonObject] = []
        cursor: str | None = None
        for _ in range(_MAX_PAGES):
            answer = (await self._nova.call(_ENDPOINT, query=self._query(_FILE_PAGE, cursor))).object
            rows.extend({**row, "currency": text_at(answer, "currency")} for row in rows_in(answer))
            cursor = text_at(answer, "next_cursor") or None
            if cursor is None:
                break
        columns = tuple(dict.fromkeys(name for row in rows for name in row))
        return Records(columns=columns, rows=tuple(rows), total=len(rows))

    def bars(self) -> tuple[Bar, ...]:
        """Return the chart: days, in longer spans weeks or months, of the chosen measure. Cost is in whole cents."""
        period = Period.DAY if self.days <= _MAX_DAILY else Period.WEEK if self.days <= _MAX_WEEKLY else Period.MONTH
        sums: dict[date, float] = {}
        for row in rows_in(self.shown, "days"):
            start = period.starts(date.fromisoformat(text_at(row, "day")))
            sums[start] = sums.get(start, 0) + self._measured(row)
        counts = {day: round(amount * 100) if self.measure == "cost" else round(amount) for day, amount in sums.items()}
        longest = max(counts.values(), default=0) or 1
        return tuple(
            Bar(label=self.tr.day(day), count=count, share=count / longest) for day, count in sorted(counts.items())
        )

    def money(self, amount: float) -> str:
        """Return an amount with the currency; less than a cent is told to four digits."""
        is_small = 0 < amount < 0.01  # noqa: PLR2004 - a cent
        return f"{self.tr.number(amount, decimals=4 if is_small else 2)} {self.currency}"

    def name_of_filter(self, name: str) -> str:
        """Return what a filter is set to, in words where they are known."""
        return self.names.get(name, self.filters.get(name, ""))

    def _measured(self, row: JsonObject) -> float:
        if self.measure == "tokens":
            return _number(row, "input_tokens") + _number(row, "output_tokens")
        return _number(row, self.measure)

    def _query(self, limit: int, cursor: str | None) -> dict[str, str | int | None]:
        until = self._last_day
        since = None if until is None else (until - timedelta(days=self.days - 1)).isoformat()
        return {
            "by": self.by,
            "since": since,
            "until": None if until is None else until.isoformat(),
            "kind": self.kind or None,
            **self.filters,
            "limit": limit,
            "cursor": cursor,
        }

    @property
    def _last_day(self) -> date | None:
        """The last day, once Nova has said which day it is in the time zone of the budget."""
        until = text_at(self.shown, "until")
        return date.fromisoformat(until) if until else None

    async def _read(self) -> None:
        self.problem = None
        try:
            if self._last_day is None:
                self.shown = (await self._nova.call(_ENDPOINT, query={"limit": 1})).object
            answer = await self._nova.call(_ENDPOINT, query=self._query(PAGE_SIZE, self._cursors[-1]))
            self.shown = answer.object
        except NovaProblem as problem:
            self.problem = problem
        self.changed.emit(None)

    def _line(self, row: JsonObject) -> UsageLine:
        return UsageLine(
            key=text_at(row, "key"),
            name=self._name(row),
            kind=text_at(row, "kind"),
            messages=int(_number(row, "messages")),
            requests=int(_number(row, "requests")),
            estimated=int(_number(row, "estimated")),
            input_tokens=int(_number(row, "input_tokens")),
            output_tokens=int(_number(row, "output_tokens")),
            cost=_number(row, "cost"),
        )

    def _name(self, row: JsonObject) -> str:
        key = text_at(row, "key")
        if self.by in {"day", "week", "month"} and key:
            return self.tr.day(date.fromisoformat(key))
        if self.by in {"profile", "model"} and key.partition("/")[0] == "built-in":
            return self.tr("built-in model")
        return text_at(row, "name") or key


def _number(row: JsonObject, name: str) -> float:
    value: JsonValue = row.get(name)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else 0


def share_words(share: float, tr: Translator) -> str:
    """Return a share in whole percent, never 100 before all is used."""
    percent = min(99, round(share * 100)) if share < 1 else round(share * 100)
    return tr("{percent} %", percent=percent)


def nearest_limit(budgets: Sequence[JsonObject], assistant_key: str) -> JsonObject | None:
    """Return the budget of this assistant or of all of which the most is used."""
    found = [one for one in budgets if text_at(one, "scope_key") in {"", assistant_key}]
    return max(found, key=lambda one: _number(one, "share"), default=None)
