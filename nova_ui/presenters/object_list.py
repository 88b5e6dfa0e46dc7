"""A list of Nova's objects on the screen: one description for each list, one presenter for all."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from nova_ui.domain.clock import Clock
from nova_ui.domain.identity import Identity
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.text import mark
from nova_ui.errors import NovaForbidden, NovaProblem
from nova_ui.presenters.actions import Action, NovaCalls, no_object
from nova_ui.presenters.fields import Field, rows_in, text_at
from nova_ui.presenters.list_filters import Filter, FilterKind, Filters
from nova_ui.reactive import Event

PAGE_SIZE: Final = 50
BY_NAME: Final[Mapping[str, str]] = {
    "display_name": mark("Name, A to Z"),
    "-display_name": mark("Name, Z to A"),
    "-created_at": mark("Newest first"),
    "created_at": mark("Oldest first"),
    "-updated_at": mark("Last changed first"),
}
_ONE: Final = {
    "identity": ("GET /identities/{identity_id}", "identity_id"),
    "group": ("GET /groups/{group_id}", "group_id"),
    "role": ("GET /roles/{role_id}", "role_id"),
    "application": ("GET /applications/{application_id}", "application_id"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ListKind:
    """One list: its endpoint, what it shows and what it can be narrowed by. Texts are message ids.

    `opens` is the kind of object behind a row, `actions` stand above the list, `row_actions` in each row.
    """

    endpoint: str
    label: str
    search: str
    columns: tuple[Field, ...]
    icon: str
    empty: str
    filters: tuple[Filter, ...] = ()
    sorts: Mapping[str, str] = field(default_factory=lambda: BY_NAME)
    opens: str = ""
    actions: tuple[Action, ...] = ()
    row_actions: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ListPage:
    """What is on the screen; `problem` says why there is nothing."""

    rows: tuple[JsonObject, ...] = ()
    total: int = 0
    total_is_capped: bool = False
    has_previous: bool = False
    has_next: bool = False
    problem: NovaProblem | None = None


class ListPresenter:
    """Loads pages of a list, forwards and back, as the filters say."""

    def __init__(
        self, nova: NovaCalls, clock: Clock, person: Identity, kind: ListKind, given: Mapping[str, str]
    ) -> None:
        self._nova = nova
        self._clock = clock
        self._person = person
        self.kind = kind
        self.filters = Filters.from_address(kind.filters, kind.sorts, given)
        self.page = ListPage()
        self.names: dict[str, str] = {}  # of the objects that filters name
        self.changed: Event[ListPage] = Event()
        self._cursors: list[str] = []  # one for each page before the one on the screen
        self._next = ""
        self._load_number = 0

    @property
    def actions(self) -> tuple[Action, ...]:
        """What this person may do with the list as a whole."""
        return tuple(one for one in self.kind.actions if one.is_offered(self._person, no_object()))

    def row_actions(self, row: JsonObject) -> tuple[Action, ...]:
        """Return what this person may do with one row."""
        return tuple(one for one in self.kind.row_actions if one.is_offered(self._person, row))

    def row(self, row_id: str) -> JsonObject | None:
        """Return a row that is on the screen, or None."""
        return next((row for row in self.page.rows if text_at(row, "id") == row_id), None)

    def suggestions(self, one: Filter) -> list[str]:
        """Return what stands on the screen in the field that a text filter is about."""
        return sorted({text for row in self.page.rows if (text := text_at(row, one.suggests))}, key=str.casefold)

    async def load(self) -> None:
        """Read the first page.

        Raises:
            NovaForbidden: this list is not open to the person.

        """
        await self.reload()
        if isinstance(self.page.problem, NovaForbidden):
            raise self.page.problem

    async def use(self, filters: Filters) -> None:
        """Use other filters and start at the first page again."""
        self.filters = filters
        self._cursors = []
        await self.reload()

    async def next(self) -> None:
        """Show the page after this one."""
        if self._next:
            self._cursors.append(self._next)
            await self.reload()

    async def previous(self) -> None:
        """Show the page before this one."""
        if self._cursors:
            self._cursors.pop()
            await self.reload()

    async def reload(self) -> None:
        """Read the page on the screen again; an answer that was overtaken by a later question is dropped."""
        self._load_number += 1
        number = self._load_number
        cursor = self._cursors[-1] if self._cursors else None
        query = {**self.filters.query(self._clock.now()), "limit": PAGE_SIZE, "cursor": cursor}
        try:
            body = (await self._nova.call(self.kind.endpoint, query=query)).object
        except NovaProblem as problem:
            body, page = {}, ListPage(problem=problem)
        else:
            page = self._page_of(body)
        await self._name_objects()
        if number != self._load_number:
            return
        self._next = text_at(body, "next_cursor")
        self.page = page
        self.changed.emit(page)

    def _page_of(self, body: JsonObject) -> ListPage:
        total = body.get("total")
        return ListPage(
            rows=rows_in(body),
            total=total if isinstance(total, int) else 0,
            total_is_capped=body.get("total_is_capped") is True,
            has_previous=bool(self._cursors),
            has_next=bool(body.get("next_cursor")),
        )

    async def _name_objects(self) -> None:
        """Find out what the objects are called that filters name by id; one that can't be read stays an id."""
        for one in self.kind.filters:
            wanted = self.filters.values.get(one.name, "") if one.kind is FilterKind.OBJECT else ""
            if not wanted or wanted in self.names:
                continue
            endpoint, parameter = _ONE[one.names]
            try:
                found = (await self._nova.call(endpoint, path={parameter: wanted})).object
            except NovaProblem:
                continue
            self.names[wanted] = text_at(found, "display_name")
