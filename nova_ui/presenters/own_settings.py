"""A person's own settings: language, theme, and where it is signed in."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol

from pydantic import AwareDatetime, BaseModel, ConfigDict, TypeAdapter

from nova_ui.domain.identity import Identity, Language
from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.text import mark
from nova_ui.domain.tool import NovaAnswer
from nova_ui.errors import NovaUiError
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.problem_words import Told, told
from nova_ui.reactive import Event

LANGUAGES: Final[Mapping[str, str]] = {Language.ENGLISH.value: "English", Language.GERMAN.value: "Deutsch"}
THEMES: Final[Mapping[str, str]] = {
    "system": mark("As the system"),
    "light": mark("Light"),
    "dark": mark("Dark"),
}


class OwnNova(Protocol):
    """Nova as this page needs it."""

    async def call(
        self,
        endpoint: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, str | int | bool | None] | None = None,
        body: JsonObject | None = None,
    ) -> NovaAnswer:
        """Call an endpoint.

        Raises:
            NovaProblem: it refused or failed.

        """


class _SessionRow(BaseModel):
    """What is read of a session; the rest is ignored."""

    model_config = ConfigDict(extra="ignore")

    id: str
    ip: str | None = None
    user_agent: str | None = None
    last_seen_at: AwareDatetime
    current: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnSession:
    """Somewhere this person is signed in."""

    id: str
    where: str
    last_seen_at: datetime
    is_current: bool


_ROWS: Final = TypeAdapter(list[_SessionRow])


class OwnSettingsPresenter:
    """State and actions of the page. `changed` fires when the sessions are known; `saved` when the page must reload."""

    def __init__(self, nova: OwnNova, identity: Identity, tr: Translator, *, theme: str) -> None:
        self.tr = tr
        self.identity = identity
        self.theme = theme if theme in THEMES else "system"
        self.sessions: tuple[OwnSession, ...] = ()
        self.changed: Event[None] = Event()
        self.saved: Event[None] = Event()
        self.told: Event[Told] = Event()
        self._nova = nova

    async def load(self) -> None:
        """Read where this person is signed in."""
        try:
            answer = (await self._nova.call("GET /me/sessions", query={"status": "active"})).object
        except NovaUiError as error:
            self.told.emit(told(error, self.tr))
            return
        self.sessions = tuple(
            OwnSession(
                id=row.id,
                where=" · ".join(filter(None, (browser_name(row.user_agent or ""), row.ip))),
                last_seen_at=row.last_seen_at,
                is_current=row.current,
            )
            for row in _ROWS.validate_python(answer.get("items", []))
        )
        self.changed.emit(None)

    async def choose_language(self, value: object) -> None:
        """Speak another language from the next page on."""
        if isinstance(value, str) and value in LANGUAGES and value != self.identity.language:
            await self._save({"preferred_language": value})

    async def choose_theme(self, value: object) -> None:
        """Look different from the next page on."""
        if isinstance(value, str) and value in THEMES and value != self.theme:
            await self._save({"theme": value})

    async def end_session(self, session: OwnSession) -> None:
        """Sign out somewhere else."""
        try:
            await self._nova.call("DELETE /me/sessions/{session_id}", path={"session_id": session.id})
        except NovaUiError as error:
            self.told.emit(told(error, self.tr))
        await self.load()

    async def _save(self, body: JsonObject) -> None:
        try:
            await self._nova.call("PATCH /me", body=body)
        except NovaUiError as error:
            self.told.emit(told(error, self.tr))
        else:
            self.saved.emit(None)


def browser_name(user_agent: str) -> str:
    """Return the browser's name as far as it can be told; the whole string tells people nothing."""
    names = (("Edg/", "Edge"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))
    return next((name for sign, name in names if sign in user_agent), user_agent[:40])
