"""Events of an open page count only while its session lives, and only over the socket that shook hands for it.

NiceGUI's handlers are wrapped by the names under which its socket server keeps them; `tests/auth/test_sockets.py`
holds those names.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from typing import Any, Final, Protocol

from nicegui import Client, background_tasks, core

from nova_ui.auth.guard import LivePage
from nova_ui.auth.session import SignedIn
from nova_ui.domain.identity import SessionId
from nova_ui.reactive import Event

log = logging.getLogger(__name__)

SWEEP_SECONDS: Final = 15.0
_TO_SIGN_IN: Final = 'location.replace((window.path_prefix||"")+"/sign-in")'
_LEAVING_SECONDS: Final = 0.3  # what the browser needs to begin to leave
_CHECKED_AT_EACH: Final = "event"
_LOG: Final = "log"
_BOUND: Final = (_CHECKED_AT_EACH, "javascript_response", "ack", _LOG)
_MAX_LOG_CHARS: Final = 300
Handler = Callable[..., object]


class LiveSessions(Protocol):
    """What is asked of the sessions."""

    @property
    def ended(self) -> Event[frozenset[SessionId]]:
        """Tells which sessions this process has ended."""

    async def by_id(self, session_id: SessionId, *, is_use: bool = False) -> SignedIn | None:
        """Return the live session of an id, or None."""

    async def alive(self, session_ids: Collection[SessionId]) -> frozenset[SessionId]:
        """Return those that are live."""


def session_of(client: Client) -> SessionId | None:
    """Return the session a page was drawn for: that of the request which asked for it."""
    request = client._request  # noqa: SLF001 - None for a page that no browser asked for, which `request` refuses
    login = getattr(request.state, "login", None) if request is not None else None
    return login.session_id if isinstance(login, SignedIn) else None


def find_page(client_id: str) -> LivePage | None:
    """Return the open page of an id, for the guard."""
    client = Client.instances.get(client_id)
    return None if client is None else LivePage(session_of(client))


class SocketBinding:
    """Wraps NiceGUI's socket handlers once; events of one page stay in their order."""

    def __init__(self, sessions: LiveSessions) -> None:
        self._sessions = sessions
        self._turns: dict[str, asyncio.Lock] = {}

    def install(self) -> Callable[[], None]:
        """Wrap the handlers and follow the sessions that end; return what takes that back."""
        handlers: MutableMapping[str, Handler] = core.sio.handlers["/"]
        before = dict(handlers)
        for name in _BOUND:
            handlers[name] = self._bound(name, before[name])
        handlers["disconnect"] = self._forgetting(before["disconnect"])
        unsubscribe = self._sessions.ended.subscribe(_kick_soon)

        def uninstall() -> None:
            unsubscribe()
            handlers.update(before)

        return uninstall

    async def sweep(self) -> None:
        """Send pages to sign-in whose sessions ended in another process, or by time; call it now and then."""
        shown = {owner for client in Client.instances.values() if (owner := session_of(client)) is not None}
        dead = frozenset(shown - await self._sessions.alive(shown))
        if dead:
            await kick(dead)

    async def sweep_for_ever(self) -> None:
        """Sweep every `SWEEP_SECONDS`; a database that is away for a moment ends no sweep."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            try:
                await self.sweep()
            except Exception:
                log.exception("sockets.sweep_failed")

    def _bound(self, name: str, original: Handler) -> Callable[[str, Any], Awaitable[None]]:
        async def checked(sid: str, message: Any) -> None:  # noqa: ANN401 - whatever a browser sends
            client_id = message.get("client_id") if isinstance(message, dict) else None
            if not isinstance(client_id, str) or client_id not in core.sio.rooms(sid):
                return  # another page's id, or none: only the socket that shook hands for a page is in its room
            client = Client.instances.get(client_id)
            session_id = session_of(client) if client is not None else None
            if session_id is None:
                return
            if name != _CHECKED_AT_EACH:
                # They change nothing; the sweep ends them with their page.
                original(sid, one_line(message) if name == _LOG else message)
                return
            async with self._turns.setdefault(sid, asyncio.Lock()):  # first come, first served
                if await self._sessions.by_id(session_id, is_use=True) is None:
                    _kick_soon(frozenset({session_id}))
                    return
                original(sid, message)

        return checked

    def _forgetting(self, original: Handler) -> Callable[[str], None]:
        def disconnected(sid: str) -> None:
            self._turns.pop(sid, None)
            original(sid)

        return disconnected


def one_line(message: dict[str, Any]) -> dict[str, Any]:
    """Return a browser's log message as one short line, so that it can't pass for lines of ours."""
    text = "".join(character if character.isprintable() else " " for character in str(message.get("message")))
    return {**message, "message": f"browser: {text[:_MAX_LOG_CHARS]}"}


def _kick_soon(session_ids: frozenset[SessionId]) -> None:
    background_tasks.create(kick(session_ids), name="kick")


async def kick(session_ids: Collection[SessionId]) -> None:
    """Send every page of these sessions to sign-in and take its sockets; end the sessions first."""
    pages = [client for client in Client.instances.values() if session_of(client) in session_ids]
    for page in pages:
        page.run_javascript(_TO_SIGN_IN)
    await asyncio.sleep(_LEAVING_SECONDS)
    for page in pages:
        # The page itself stays until NiceGUI drops it: deleting it here fails when its reconnect time runs out.
        for sid in list(page._socket_to_document_id):  # noqa: SLF001 - its open sockets, which no public name tells
            await core.sio.disconnect(sid)
