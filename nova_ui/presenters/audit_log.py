"""The audit log on the screen: a page of entries, what they can be filtered by, one entry in full."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from typing import Final

from nova_ui.domain.clock import Clock
from nova_ui.domain.json_value import JsonObject
from nova_ui.errors import NovaProblem, NovaUnavailable
from nova_ui.presenters.audit_entry import Entry, read_entries, read_entry, text_at
from nova_ui.presenters.audit_filters import AuditFilters
from nova_ui.presenters.nova_calls import NovaCalls
from nova_ui.reactive import Event

PAGE_SIZE: Final = 50
# How long an export is waited for, look by look; a page may take a little longer than a tool.
_PAUSES_S: Final = (0.05, 0.1, 0.2, 0.4, 0.8, *(1.0,) * 20)
_RELATED_LIMIT: Final = 200
_CHOICES_LIMIT: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What the log can be filtered by, as it stands in the log: key → words."""

    actors: Mapping[str, str] = field(default_factory=dict)
    actions: Sequence[str] = ()
    origins: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """One entry with the other entries of the same request."""

    entry: Entry
    same_request: tuple[Entry, ...] = ()

    @property
    def counted(self) -> Mapping[str, int]:
        """How often each action stands among the others."""
        return Counter(other.action for other in self.same_request)


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

    def __init__(self, nova: NovaCalls, clock: Clock, filters: AuditFilters, zone: tzinfo = UTC) -> None:
        self._nova = nova
        self._clock = clock
        self._zone = zone
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

    async def follow(self) -> None:
        """Show the newest entries; nothing is told while there are no new ones."""
        self._cursors = []
        await self.reload(tell_always=False)

    async def reload(self, *, tell_always: bool = True) -> None:
        """Read the page on the screen again; an answer that was overtaken by a later question is dropped."""
        self._load_number += 1
        number = self._load_number
        cursor = self._cursors[-1] if self._cursors else None
        query = {**self._wanted(), "limit": PAGE_SIZE, "cursor": cursor}
        try:
            body = (await self._nova.call("GET /audit-log", query=query)).object
        except NovaProblem as problem:
            body, page = {}, AuditPage(problem=problem)
        else:
            page = self._page_of(body)
        if number != self._load_number:
            return
        self._next = text_at(body, "next_cursor") or None
        is_news = page != self.page
        self.page = page
        if is_news or tell_always:
            self.changed.emit(page)

    @property
    def target_name(self) -> str:
        """What the target that is filtered by is called, as far as the entries on the screen tell."""
        named = (entry.target for entry in self.page.entries if entry.target_id == self.filters.target and entry.target)
        return next(named, self.filters.target)

    async def open(self, entry_id: str) -> Opened:
        """Read one entry and what else its request wrote.

        Raises:
            NovaProblem: the entry can't be read.

        """
        found = await self._nova.call("GET /audit-log/{entry_id}", path={"entry_id": entry_id})
        entry = read_entry(found.object)
        if not entry.request_id:
            return Opened(entry=entry)
        related = await self._nova.call(
            "GET /audit-log", query={"request_id": entry.request_id, "limit": _RELATED_LIMIT}
        )
        others = tuple(other for other in read_entries(related.object) if other.id != entry.id)
        return Opened(entry=entry, same_request=others)

    async def export(self, file_format: str) -> str:
        """Store an extract of what is filtered; return the path of the download under the API.

        Raises:
            NovaProblem: it can't be made, or not soon.

        """
        wanted = {name: value for name, value in self._wanted().items() if value is not None}
        made = await self._nova.call(
            "POST /exports", body={"resource": "audit_log", "format": file_format, "filter": dict(wanted)}
        )
        export = made.object
        for pause_s in _PAUSES_S:
            if text_at(export, "status") not in {"queued", "running"}:
                break
            await asyncio.sleep(pause_s)
            export = (
                await self._nova.call("GET /exports/{export_id}", path={"export_id": text_at(export, "id")})
            ).object
        if text_at(export, "status") != "ready":
            raise NovaUnavailable("The export is still being made, or could not be made.")
        return f"/exports/{text_at(export, 'id')}/content"

    def _wanted(self) -> dict[str, str | int | bool | None]:
        return self.filters.query(self._clock.now(), self._zone)

    def _page_of(self, body: JsonObject) -> AuditPage:
        total = body.get("total")
        return AuditPage(
            entries=tuple(read_entries(body)),
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
            origins=sorted(origins),
        )

    async def _groups(self, by: str) -> dict[str, str]:
        answer = await self._nova.call("GET /audit-log/summary", query={"group_by": by, "limit": _CHOICES_LIMIT})
        groups = answer.object.get("groups")
        named = [group for group in (groups if isinstance(groups, list) else []) if isinstance(group, dict)]
        return {key: text_at(group, "label") or key for group in named if (key := text_at(group, "key"))}
