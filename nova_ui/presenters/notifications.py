"""One's own notifications: how many are not read, and the newest in words."""

from dataclasses import dataclass
from typing import Final

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from nova_ui.domain.json_value import JsonObject
from nova_ui.errors import NovaProblem
from nova_ui.i18n.notice_words import told, words_of
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.fields import rows_in
from nova_ui.presenters.nova_calls import NovaCalls
from nova_ui.presenters.visible import show_invisible
from nova_ui.reactive import Event

PAGE_SIZE: Final = 20
_LIST: Final = "GET /me/notifications"
_READ: Final = "POST /me/notifications/read"


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore")

    id: str
    kind: str
    values: dict[str, str] = Field(default_factory=dict)
    link: str | None = None
    read_at: AwareDatetime | None = None
    created_at: AwareDatetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownNotification:
    """One notification in words; `link` is a path of ours or empty."""

    id: str
    title: str
    body: str
    icon: str
    when: str
    link: str
    is_unread: bool


class NotificationsPresenter:
    """Counts at once, and reads the newest when they are looked at."""

    def __init__(self, nova: NovaCalls, tr: Translator, unread: int) -> None:
        self._nova = nova
        self.tr = tr
        self.unread = unread
        self.shown: tuple[ShownNotification, ...] = ()
        self.problem: NovaProblem | None = None
        self._cursor: str | None = None
        self.counted: Event[int] = Event()
        self.changed: Event[None] = Event()

    @property
    def has_more(self) -> bool:
        """Whether there are older ones."""
        return self._cursor is not None

    async def load(self) -> None:
        """Read the newest."""
        await self._read(None, ())

    async def more(self) -> None:
        """Read the ones before the oldest that is shown."""
        if self._cursor is not None:
            await self._read(self._cursor, self.shown)

    async def count_again(self) -> None:
        """Ask only how many are not read; a page is of use without the number."""
        try:
            answer = await self._nova.call(_LIST, query={"unread": True, "limit": 1})
        except NovaProblem:
            return
        self._note(answer.object)

    async def mark_read(self, notification_id: str) -> None:
        """Mark one as read."""
        await self._mark({"ids": [notification_id]})

    async def mark_all_read(self) -> None:
        """Mark all as read."""
        await self._mark({"all": True})

    async def _mark(self, body: JsonObject) -> None:
        try:
            self._note((await self._nova.call(_READ, body=body)).object)
        except NovaProblem as problem:
            self.problem = problem
            self.changed.emit(None)
            return
        await self.load()

    async def _read(self, cursor: str | None, before: tuple[ShownNotification, ...]) -> None:
        try:
            answer = (await self._nova.call(_LIST, query={"limit": PAGE_SIZE, "cursor": cursor})).object
        except NovaProblem as problem:
            self.problem = problem
        else:
            self.problem = None
            following = answer.get("next_cursor")
            self._cursor = following if isinstance(following, str) else None
            self.shown = (*before, *(self._in_words(_Row.model_validate(row)) for row in rows_in(answer)))
            self._note(answer)
        self.changed.emit(None)

    def _note(self, answer: JsonObject) -> None:
        unread = answer.get("unread")
        if isinstance(unread, int):
            self.unread = unread
            self.counted.emit(unread)

    def _in_words(self, row: _Row) -> ShownNotification:
        values = {name: _shown(value) for name, value in row.values.items()}
        title, body = told(row.kind, values, self.tr)
        link = row.link or ""
        return ShownNotification(
            id=row.id,
            title=title,
            body=body.strip(),
            icon=words_of(row.kind).icon,
            when=self.tr.moment(row.created_at),
            link=link if link.startswith("/") and not link.startswith("//") else "",
            is_unread=row.read_at is None,
        )


def _shown(value: str) -> str:
    """Return a stranger's words without what can't be seen, line by line."""
    return "\n".join(show_invisible(line) for line in value.split("\n"))
