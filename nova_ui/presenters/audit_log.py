"""The audit log on the screen: a page of entries, what they can be filtered by, one entry in full."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from nova_ui.domain.clock import Clock
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.errors import NovaProblem
from nova_ui.nova_client.client import NovaClient
from nova_ui.nova_client.origin import AI_CHAT_PREFIX
from nova_ui.presenters.audit_filters import AuditFilters
from nova_ui.reactive import Event

PAGE_SIZE: Final = 50
_RELATED_LIMIT: Final = 200
_CHOICES_LIMIT: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldChange:
    """One field of an entry, before and after."""

    field: str
    before: JsonValue
    after: JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An audit entry as the page shows it; `assistant_key` is None for what came from the interface."""

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
    session_id: str
    ip: str
    details: JsonObject

    @property
    def assistant_key(self) -> str | None:
        """The assistant through which it came, if any."""
        return self.origin.removeprefix(AI_CHAT_PREFIX) if self.origin.startswith(AI_CHAT_PREFIX) else None

    @property
    def changes(self) -> tuple[FieldChange, ...]:
        """What the entry says was changed."""
        found = self.details.get("changes")
        return tuple(
            FieldChange(field=str(one.get("field", "")), before=one.get("before"), after=one.get("after"))
            for one in (found if isinstance(found, list) else [])
            if isinstance(one, dict)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What the log can be filtered by, as it stands in the log: key → words."""

    actors: Mapping[str, str] = field(default_factory=dict)
    actions: Sequence[str] = ()
    assistants: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """One entry with the actions of the other entries of the same request, counted."""

    entry: Entry
    same_request: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPage:
    """What is on the screen; `problem` says in Nova's words why there is nothing."""

    entries: tuple[Entry, ...] = ()
    total: int = 0
    total_is_capped: bool = False
    has_newer: bool = False
    has_older: bool = False
    problem: NovaProblem | None = None


class AuditLogPresenter:
    """Loads pages of the log through Nova's endpoint, as every tool does (rule A5)."""

    def __init__(self, nova: NovaClient, clock: Clock, filters: AuditFilters) -> None:
        self._nova = nova
        self._clock = clock
        self.filters = filters
        self.page = AuditPage()
        self.choices = Choices()
        self.changed: Event[AuditPage] = Event()
        self._cursors: list[str] = []  # one for each page that lies between the newest and this one
        self._next: str | None = None
        self._load_number = 0

    async def load(self) -> None:
        """Read the choices once, then the first page."""
        await self._read_choices()
        await self.reload()

    async def filter_by(self, name: str, value: str | None) -> None:
        """Set one filter, or take it off, and start again at the newest entry."""
        await self.use(self.filters.having(name, value))

    async def use(self, filters: AuditFilters) -> None:
        """Use other filters and start again at the newest entry."""
        self.filters = filters
        self._cursors = []
        await self.reload()

    async def older(self) -> None:
        """Show the entries before those on the screen."""
        if self._next is not None:
            self._cursors.append(self._next)
            await self.reload()

    async def newer(self) -> None:
        """Show the entries after those on the screen."""
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
            body = (await self._nova.call("GET /audit-log", query=query)).object
        except NovaProblem as problem:
            body, page = {}, AuditPage(problem=problem)
        else:
            page = self._page_of(body)
        if number != self._load_number:
            return
        self._next = _text(body, "next_cursor") or None
        self.page = page
        self.changed.emit(page)

    async def open(self, entry_id: str) -> Opened:
        """Read one entry and what else its request wrote.

        Raises:
            NovaProblem: the entry can't be read.

        """
        found = await self._nova.call("GET /audit-log/{entry_id}", path={"entry_id": entry_id})
        entry = read_entry(found.object)
        if not entry.request_id:
            return Opened(entry=entry, same_request={})
        related = await self._nova.call(
            "GET /audit-log", query={"request_id": entry.request_id, "limit": _RELATED_LIMIT}
        )
        actions = Counter(other.action for other in _entries(related.object) if other.id != entry.id)
        return Opened(entry=entry, same_request=actions)

    async def export(self, file_format: str) -> str:
        """Store an extract of what is filtered; return the path of the download under the API.

        Raises:
            NovaProblem: it can't be stored.

        """
        wanted = {name: value for name, value in self.filters.query(self._clock.now()).items() if value is not None}
        made = await self._nova.call(
            "POST /exports", body={"resource": "audit_log", "format": file_format, "filter": dict(wanted)}
        )
        return f"/exports/{_text(made.object, 'id')}/content"

    def _page_of(self, body: JsonObject) -> AuditPage:
        total = body.get("total")
        return AuditPage(
            entries=tuple(_entries(body)),
            total=total if isinstance(total, int) else 0,
            total_is_capped=body.get("total_is_capped") is True,
            has_newer=bool(self._cursors),
            has_older=bool(body.get("next_cursor")),
        )

    async def _read_choices(self) -> None:
        try:
            actors = await self._groups("actor")
            actions = await self._groups("action")
            origins = await self._groups("origin")
        except NovaProblem:
            return  # the list itself will say what is wrong
        self.choices = Choices(
            actors=dict(sorted(actors.items(), key=lambda pair: pair[1].casefold())),
            actions=sorted(actions),
            assistants=sorted(key.removeprefix(AI_CHAT_PREFIX) for key in origins if key.startswith(AI_CHAT_PREFIX)),
        )

    async def _groups(self, by: str) -> dict[str, str]:
        answer = await self._nova.call("GET /audit-log/summary", query={"group_by": by, "limit": _CHOICES_LIMIT})
        groups = answer.object.get("groups")
        named = [group for group in (groups if isinstance(groups, list) else []) if isinstance(group, dict)]
        return {key: _text(group, "label") or key for group in named if (key := _text(group, "key"))}


def read_entry(value: JsonObject) -> Entry:
    """Read an entry as the endpoint answers it."""
    details = value.get("details")
    return Entry(
        id=_text(value, "id"),
        time=datetime.fromisoformat(_text(value, "time")),
        action=_text(value, "action"),
        outcome=_text(value, "outcome"),
        actor=_text(value, "actor", "display"),
        actor_id=_text(value, "actor", "id"),
        target=_text(value, "target", "display"),
        target_type=_text(value, "target", "type"),
        target_id=_text(value, "target", "id"),
        origin=_text(value, "origin"),
        request_id=_text(value, "request_id"),
        session_id=_text(value, "session_id"),
        ip=_text(value, "ip"),
        details=details if isinstance(details, dict) else {},
    )


def _entries(body: JsonObject) -> list[Entry]:
    items = body.get("items")
    return [read_entry(item) for item in (items if isinstance(items, list) else []) if isinstance(item, dict)]


def _text(value: JsonObject, *keys: str) -> str:
    found: JsonValue = value
    for key in keys:
        found = found.get(key) if isinstance(found, dict) else None
    return found if isinstance(found, str) else ""
