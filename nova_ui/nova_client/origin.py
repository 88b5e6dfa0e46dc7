"""Where a Nova request came from, and how it travels unforgeably (rules F1, F4).

The origin is a key of the ASGI scope. Headers, parameters and bodies of an outside request cannot become one, and
`without_delegation` takes the key off whatever the server hands in, so only `marked` can set it.
"""

from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from typing import Any, Final

from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.identity import SessionId

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
ASGIApp = Callable[[Scope, Receive, Send], Awaitable[None]]

DELEGATION_KEY: Final = "nova.delegation"
AI_CHAT_PREFIX: Final = "ai_chat:"
AI_ROUTINE_PREFIX: Final = "ai_routine:"
INTERFACE_NAME: Final = "interface"


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """The interface, the chat with one assistant, or a run of one AI routine assistant."""

    assistant_key: AssistantKey | None = None
    routine_key: str | None = None

    @property
    def is_chat(self) -> bool:
        """Whether a model asked for the request, in a chat or in a routine."""
        return self.via is not None

    @property
    def via(self) -> str | None:
        """The note in an audit entry's details; None for the interface."""
        if self.routine_key is not None:
            return f"{AI_ROUTINE_PREFIX}{self.routine_key}"
        return None if self.assistant_key is None else f"{AI_CHAT_PREFIX}{self.assistant_key}"

    @property
    def name(self) -> str:
        """The origin in words of the filter: `interface`, `ai_chat:<assistant key>` or `ai_routine:<key>`."""
        return self.via or INTERFACE_NAME


INTERFACE: Final = Origin()


def origin_named(name: str) -> Origin:
    """Return the origin that is stored as `name`: what outlives its request keeps it so (rule F1)."""
    if name.startswith(AI_CHAT_PREFIX):
        return Origin(assistant_key=AssistantKey(name.removeprefix(AI_CHAT_PREFIX)))
    if name.startswith(AI_ROUTINE_PREFIX):
        return Origin(routine_key=name.removeprefix(AI_ROUTINE_PREFIX))
    return INTERFACE


@dataclass(frozen=True, slots=True, kw_only=True)
class Delegation:
    """What a request inside the process carries instead of a cookie: session, origin and the route it must reach."""

    session_id: SessionId
    origin: Origin
    endpoint: str | None = None


def marked(api: ASGIApp, delegation: Delegation) -> ASGIApp:
    """Mark every request of one client; no header, parameter or body can (rule F4)."""

    async def marked_api(scope: Scope, receive: Receive, send: Send) -> None:
        await api({**scope, DELEGATION_KEY: delegation}, receive, send)

    return marked_api


def without_delegation(app: ASGIApp) -> ASGIApp:
    """Take the mark off every request from outside."""

    async def unmarked_app(scope: Scope, receive: Receive, send: Send) -> None:
        if DELEGATION_KEY in scope:
            scope = {key: value for key, value in scope.items() if key != DELEGATION_KEY}
        await app(scope, receive, send)

    return unmarked_app


def delegation_of(scope: Scope) -> Delegation | None:
    """Return the delegation of a request inside the process, or None for one from outside."""
    found = scope.get(DELEGATION_KEY)
    return found if isinstance(found, Delegation) else None
