"""Monitoring › Reports: which report, with which parameters, and a page of its rows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlencode

from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.text import mark
from nova_ui.errors import NovaProblem
from nova_ui.presenters.fields import Field, Shown, rows_in, text_at
from nova_ui.presenters.nova_calls import NovaCalls
from nova_ui.presenters.records import Records
from nova_ui.reactive import Event

PAGE_SIZE: Final = 50
_FILE_PAGE: Final = 200
_MAX_PAGES: Final = 20
DAYS: Final = (7, 14, 30, 60, 90, 180, 365)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportKind:
    """One report: its name, a sentence, its columns, and how many days it looks at unless told otherwise."""

    key: str
    label: str
    about: str
    columns: tuple[Field, ...]
    days: int | None = None
    days_label: str = mark("Days")
    figures: Mapping[str, str] = field(default_factory=dict)


_IDENTITY: Final = Field(name="identity", shown=Shown.OBJECT, opens="identity", strong=True)
_DEPARTMENT: Final = Field(name="department", minor=True)
_RIGHT: Final = Field(name="right", label=mark("Right"), shown=Shown.OBJECT)
_APPLICATION: Final = Field(name="application", shown=Shown.OBJECT, opens="application", minor=True)
_SOURCE: Final = Field(name="source", shown=Shown.WORD, minor=True)
_UNTIL: Final = Field(name="valid_until", shown=Shown.MOMENT)
_SIGNED_IN: Final = Field(name="last_sign_in_at", shown=Shown.MOMENT)
_RISK: Final = Field(name="risk", shown=Shown.STATE)

REPORT_KINDS: Final = (
    ReportKind(
        key="inactive_identities",
        label=mark("Inactive identities"),
        about=mark("Active people who have not signed in for so many days, or never."),
        columns=(_IDENTITY, Field(name="user_name", minor=True), _DEPARTMENT, _SIGNED_IN),
        days=90,
        figures={"never_signed_in": mark("never signed in")},
    ),
    ReportKind(
        key="expiring_access",
        label=mark("Expiring access"),
        about=mark("Rights that end within so many days."),
        columns=(_IDENTITY, _RIGHT, _APPLICATION, _DEPARTMENT, _SOURCE, _UNTIL),
        days=30,
        figures={"identities": mark("people")},
    ),
    ReportKind(
        key="privileged_access",
        label=mark("Privileged access"),
        about=mark("Who holds privileged rights now."),
        columns=(_IDENTITY, _RIGHT, _APPLICATION, _RISK, _SOURCE, _UNTIL),
        figures={"identities": mark("people"), "rights": mark("rights"), "without_end": mark("without an end")},
    ),
    ReportKind(
        key="mfa_coverage",
        label=mark("Second factors"),
        about=mark("Who signs in without a second factor; administrators and auditors first."),
        columns=(_IDENTITY, _DEPARTMENT, Field(name="nova_roles", shown=Shown.WORD), _SIGNED_IN),
        figures={
            "identities": mark("people in all"),
            "with_second_factor": mark("with a second factor"),
            "of_these_without": mark("administrators and auditors without"),
        },
    ),
    ReportKind(
        key="open_requests",
        label=mark("Open requests"),
        about=mark("Requests that wait for a decision, the oldest first."),
        columns=(
            Field(name="beneficiary", shown=Shown.OBJECT, opens="identity", strong=True),
            Field(name="items", label=mark("Requested")),
            Field(name="action", label=mark("Kind"), shown=Shown.WORD, minor=True),
            Field(name="approver", shown=Shown.OBJECT, opens="identity"),
            Field(name="waits_days", label=mark("Waits for days"), shown=Shown.NUMBER),
            Field(name="due_at", label=mark("Due"), shown=Shown.MOMENT),
        ),
        figures={"requests": mark("requests"), "overdue": mark("overdue")},
    ),
    ReportKind(
        key="failed_sign_ins",
        label=mark("Failed sign-ins"),
        about=mark("Failed attempts within so many days, by person; for unknown names by address."),
        columns=(
            _IDENTITY,
            Field(name="ip", label=mark("Address"), shown=Shown.LITERAL),
            Field(name="attempts", label=mark("Attempts"), shown=Shown.NUMBER),
            Field(name="last_at", label=mark("Last attempt"), shown=Shown.MOMENT),
            Field(name="locked_until", shown=Shown.MOMENT, minor=True),
        ),
        days=7,
        figures={"attempts": mark("attempts"), "addresses": mark("addresses")},
    ),
    ReportKind(
        key="dormant_entitlements",
        label=mark("Unused rights"),
        about=mark("Rights that nobody holds who has signed in within so many days."),
        columns=(
            _RIGHT,
            _APPLICATION,
            _RISK,
            Field(name="holders", label=mark("Holders"), shown=Shown.NUMBER),
            Field(name="last_used_at", label=mark("Last sign-in of a holder"), shown=Shown.MOMENT),
        ),
        days=90,
        figures={"held_by_nobody": mark("held by nobody")},
    ),
)
_BY_KEY: Final = {kind.key: kind for kind in REPORT_KINDS}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportPage:
    """What is on the screen; `problem` says why there is nothing."""

    rows: tuple[JsonObject, ...] = ()
    total: int = 0
    figures: tuple[tuple[str, int], ...] = ()
    has_previous: bool = False
    has_next: bool = False
    problem: NovaProblem | None = None


class ReportsPresenter:
    """Runs a report and turns its pages; what is chosen lives in the page's address."""

    def __init__(self, nova: NovaCalls, given: Mapping[str, str]) -> None:
        self._nova = nova
        self.kind = _BY_KEY.get(given.get("report", ""), REPORT_KINDS[0])
        days = given.get("days", "")
        is_known = days.isascii() and days.isdigit() and int(days) in DAYS
        self.days = int(days) if is_known and self.kind.days is not None else self.kind.days
        self._cursors: list[str | None] = [None]
        self._following: str | None = None
        self.changed: Event[ReportPage] = Event()

    @property
    def address(self) -> str:
        """The query of the page's address."""
        chosen = {"report": self.kind.key, "days": self.days}
        return "?" + urlencode({name: value for name, value in chosen.items() if value is not None})

    async def choose(self, key: str) -> None:
        """Run another report, with its own number of days."""
        self.kind = _BY_KEY.get(key, self.kind)
        self.days = self.kind.days
        await self.load()

    async def look_at(self, days: int) -> None:
        """Run the report over another number of days."""
        if self.kind.days is not None and days in DAYS:
            self.days = days
        await self.load()

    async def load(self) -> None:
        """Read the first page."""
        self._cursors = [None]
        await self._read()

    async def following(self) -> None:
        """Read the next page."""
        if self._following is not None:
            self._cursors.append(self._following)
            await self._read()

    async def previous(self) -> None:
        """Go back a page."""
        if len(self._cursors) > 1:
            self._cursors.pop()
            await self._read()

    async def all_rows(self) -> Records:
        """Read the report from its beginning, at most 4,000 rows.

        Raises:
            NovaProblem: it was refused or failed.

        """
        rows: list[JsonObject] = []
        cursor: str | None = None
        for _ in range(_MAX_PAGES):
            answer = await self._page(_FILE_PAGE, cursor)
            rows.extend(rows_in(answer))
            following = answer.get("next_cursor")
            if not isinstance(following, str):
                break
            cursor = following
        columns = tuple(dict.fromkeys(name for row in rows for name in row))
        return Records(columns=columns, rows=tuple(rows), total=len(rows))

    async def _page(self, limit: int, cursor: str | None) -> JsonObject:
        query = {"days": self.days, "limit": limit, "cursor": cursor}
        return (await self._nova.call("GET /reports/{key}", path={"key": self.kind.key}, query=query)).object

    async def _read(self) -> None:
        try:
            answer = await self._page(PAGE_SIZE, self._cursors[-1])
        except NovaProblem as problem:
            self.changed.emit(ReportPage(problem=problem))
            return
        following, total = answer.get("next_cursor"), answer.get("total")
        self._following = following if isinstance(following, str) else None
        self.changed.emit(
            ReportPage(
                rows=tuple(_with_key(row, number) for number, row in enumerate(rows_in(answer))),
                total=total if isinstance(total, int) else 0,
                figures=self._figures(answer),
                has_previous=len(self._cursors) > 1,
                has_next=self._following is not None,
            )
        )

    def _figures(self, answer: JsonObject) -> tuple[tuple[str, int], ...]:
        counts = {text_at(row, "key"): row.get("count") for row in rows_in(answer, "counts")}
        told = ((word, counts.get(name)) for name, word in self.kind.figures.items())
        return tuple((word, count) for word, count in told if isinstance(count, int))


def _with_key(row: JsonObject, number: int) -> JsonObject:
    """Return a row with what the table tells it apart by; not every row of a report is one object."""
    items = row.get("items")
    shown: JsonObject = {"items": ", ".join(str(item) for item in items)} if isinstance(items, list) else {}
    return {**row, **shown, "id": text_at(row, "assignment_id") or f"row_{number}"}
