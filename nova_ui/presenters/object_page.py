"""One of Nova's objects on the screen: one description for each kind of object, one presenter for all."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from nova_ui.domain.identity import Identity, Role
from nova_ui.domain.json_value import JsonObject
from nova_ui.errors import NovaInvalid, NovaNotFound, NovaProblem
from nova_ui.presenters.actions import Action, NovaCalls, Paths, QueryValue, no_path
from nova_ui.presenters.fields import Field, rows_in, text_at
from nova_ui.reactive import Event

PART_SIZE: Final = 50
OVERSEERS: Final = frozenset({Role.ADMINISTRATOR, Role.AUDITOR})
OWNER: Final = "of"  # in a row: the object whose part it is

Queries = Callable[[JsonObject], Mapping[str, QueryValue]]
Shown = Callable[[Identity, JsonObject], bool]


def overseers_only(person: Identity, _: JsonObject) -> bool:
    """Whether it is for administrators and auditors."""
    return bool(person.roles & OVERSEERS)


def everybody(_: Identity, __: JsonObject) -> bool:
    """Whether it is for everyone who sees the object."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class FactGroup:
    """Some facts under a heading (a message id)."""

    heading: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartKind:
    """What belongs to an object, as a table. Texts are message ids.

    `read` makes rows of the answer, of which one page holds `size` (0: the endpoint has no pages); `opens` is the kind
    of object behind a row, whose page is open to those for whom `opens_for` says so.
    `all_at` is the address of a page with the whole list, for those who `sees_all`. `several_actions` are done to the
    rows that are chosen, which `gather` makes one object of; `note` returns a remark on the rows, or an empty text.
    """

    key: str
    heading: str
    empty: str
    endpoint: str
    columns: tuple[Field, ...]
    path: Paths = no_path
    query: Queries = lambda _: {}
    read: Callable[[JsonObject], tuple[JsonObject, ...]] = rows_in
    opens: str = ""
    size: int = PART_SIZE
    opens_for: Shown = overseers_only
    sees: Shown = everybody
    actions: tuple[Action, ...] = ()
    row_actions: tuple[Action, ...] = ()
    all_at: Callable[[JsonObject], str] | None = None
    sees_all: Shown = overseers_only
    is_log: bool = False
    is_short: bool = False  # only names, in one line
    facts: Callable[[JsonObject], tuple[Field, ...]] | None = None  # its one row as facts, not as a table
    several_actions: tuple[Action, ...] = ()
    gather: Callable[[Sequence[JsonObject]], JsonObject] = lambda _: {}
    note: Callable[[Sequence[JsonObject]], str] = lambda _: ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectKind:
    """A kind of object: how one is read, its facts, its parts, and what can be done to it."""

    type: str
    label: str
    plural: str
    list_path: str
    endpoint: str
    parameter: str
    badges: tuple[Field, ...]
    facts: tuple[FactGroup, ...]
    parts: tuple[PartKind, ...] = ()
    actions: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part as it is on the screen."""

    kind: PartKind
    rows: tuple[JsonObject, ...] = ()
    total: int | None = None
    next_cursor: str = ""
    problem: NovaProblem | None = None


class ObjectPresenter:
    """Reads an object with its parts through Nova's endpoints; shows what the person may see of it."""

    def __init__(self, nova: NovaCalls, person: Identity, kind: ObjectKind, object_id: str) -> None:
        self._nova = nova
        self.person = person
        self.kind = kind
        self._id = object_id
        self.object: JsonObject = {}
        self.parts: tuple[Part, ...] = ()
        self.is_gone = False
        self.changed: Event[None] = Event()

    @property
    def name(self) -> str:
        """What the object is called."""
        return text_at(self.object, "display_name")

    @property
    def actions(self) -> tuple[Action, ...]:
        """What this person may do to it as it is now."""
        return tuple(one for one in self.kind.actions if one.is_offered(self.person, self.object))

    @property
    def has_history(self) -> bool:
        """Whether this person may read the audit log."""
        return overseers_only(self.person, self.object)

    def part_actions(self, kind: PartKind) -> tuple[Action, ...]:
        """Return what this person may add to a part."""
        return tuple(one for one in kind.actions if one.is_offered(self.person, self.object))

    def row_actions(self, kind: PartKind, row: JsonObject) -> tuple[Action, ...]:
        """Return what this person may do with one row of a part; a row knows its object as `of`."""
        return tuple(one for one in kind.row_actions if one.is_offered(self.person, row))

    async def load(self) -> None:
        """Read everything.

        Raises:
            NovaNotFound: there is no such object, or it may not be seen.

        """
        try:
            path = {self.kind.parameter: self._id} if self.kind.parameter else {}
            found = await self._nova.call(self.kind.endpoint, path=path)
        except NovaInvalid:  # what stands in the address is no id at all
            raise NovaNotFound from None
        self.object = found.object
        kinds = [kind for kind in self.kind.parts if kind.sees(self.person, self.object)]
        self.parts = tuple([await self._read(kind) for kind in kinds])
        self.changed.emit(None)

    async def reload(self) -> None:
        """Read everything again after a change; an object that is gone stays on the screen as it last was."""
        try:
            await self.load()
        except NovaProblem:
            self.is_gone = True
            self.changed.emit(None)

    async def more(self, key: str) -> None:
        """Read the next rows of a part."""
        self.parts = tuple([await self._longer(part) if part.kind.key == key else part for part in self.parts])
        self.changed.emit(None)

    async def _longer(self, part: Part) -> Part:
        if not part.next_cursor:
            return part
        added = await self._read(part.kind, part.next_cursor)
        return replace(added, rows=part.rows + added.rows)

    async def _read(self, kind: PartKind, cursor: str = "") -> Part:
        one = self.object
        paged = {"limit": kind.size, "cursor": cursor or None} if kind.size else {}
        try:
            body = (
                await self._nova.call(kind.endpoint, path=kind.path(one), query={**kind.query(one), **paged})
            ).object
        except NovaProblem as problem:
            return Part(kind=kind, problem=problem)
        total = body.get("total")
        return Part(
            kind=kind,
            rows=tuple({**row, OWNER: one} for row in kind.read(body)),
            total=total if isinstance(total, int) else None,
            next_cursor=text_at(body, "next_cursor"),
        )
