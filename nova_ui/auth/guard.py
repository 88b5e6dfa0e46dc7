"""Who comes in: every request, long poll and websocket passes here before any page or endpoint sees it."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, Protocol
from urllib.parse import parse_qs, quote, urlencode

from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from nova_ui.auth.cookies import SESSION_COOKIE
from nova_ui.auth.from_here import comes_from_us
from nova_ui.auth.refusals import POLICY_VIOLATION, problem
from nova_ui.auth.session import SignedIn
from nova_ui.domain.identity import SessionId
from storage.ids import new_id

SOCKET: Final = "/_nicegui_ws/"
PAGE_UPLOADS: Final = "/_nicegui/client/"
API: Final = "/api/"
SIGN_IN: Final = "/sign-in"
SIGN_IN_STEP: Final = "/sign-in/step"
SETUP: Final = "/setup"
_BEARER: Final = "bearer "
_FORWARDED_PREFIX: Final = b"x-forwarded-prefix"
# Of these every reader takes the first or the last as it likes: whoever sends one twice wants two of them to differ.
_ONCE: Final = frozenset(
    {b"host", b"authorization", b"content-type", b"origin", b"sec-fetch-site", b"x-csrf-token", b"if-match"}
)
_OF_SIGN_IN: Final = frozenset({SIGN_IN, SIGN_IN_STEP, SETUP})
_PUBLIC: Final = _OF_SIGN_IN | {
    "/sign-out",
    "/healthz",
    "/readyz",
    "/favicon.ico",
    "/api/v1/openapi.json",
    "/api/v1/docs",
}
_PUBLIC_CALLS: Final = frozenset({("POST", "/api/v1/session")})
_FETCHED: Final = (API, "/_nicegui")  # asked for by programs, which want a problem object and no page


@dataclass(frozen=True, slots=True)
class LivePage:
    """A page that some browser holds open, and the session it was drawn for."""

    session_id: SessionId | None


class SessionSource(Protocol):
    """Where sessions are looked up, afresh for every request (rule A2)."""

    async def by_token(self, token: str, *, ip: str | None) -> SignedIn | None:
        """Return the live session of a token that comes from an address, or None."""


FindPage = Callable[[str], LivePage | None]
IsSetupOpen = Callable[[], Awaitable[bool]]


class Verdict(Enum):
    """What becomes of a request; `RELOAD` lets a socket in just far enough to send its page to sign-in."""

    PASS = auto()
    REFUSE = auto()
    RELOAD = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """What the decision needs to know; `page` is the one the request names by `client_id`, if there is one."""

    method: str
    path: str
    is_from_us: bool
    session_id: SessionId | None = None
    client_id: str | None = None
    page: LivePage | None = None
    static_path: str = "/_nicegui/static/"


def decide(visitor: Visitor) -> Verdict:
    """Say what becomes of a request; a page, and what belongs to it, is only for the session it was drawn for."""
    is_signed_in = visitor.session_id is not None
    owns_page = visitor.page is None or visitor.page.session_id == visitor.session_id
    if visitor.path.startswith(SOCKET):
        if not visitor.is_from_us:
            return Verdict.REFUSE
        # Without a client id the handshake would be left to an event, which names any page it likes.
        if is_signed_in and owns_page and visitor.client_id is not None:
            return Verdict.PASS
        return Verdict.RELOAD
    if visitor.path.startswith(PAGE_UPLOADS):
        return Verdict.PASS if is_signed_in and owns_page and visitor.is_from_us else Verdict.REFUSE
    if is_signed_in or is_public(visitor.method, visitor.path, visitor.static_path):
        return Verdict.PASS
    return Verdict.REFUSE


def is_public(method: str, path: str, static_path: str) -> bool:
    """Whether strangers may ask for this."""
    return path in _PUBLIC or (method, path) in _PUBLIC_CALLS or is_static(path, static_path)


def is_static(path: str, static_path: str) -> bool:
    """Whether this is a file that is the same for everybody."""
    return path.startswith(("/assets/", static_path))


def safe_next(target: str | None) -> str:
    """Return a place on this site to go to after signing in; `/` for anything else."""
    if target is None or not target.startswith("/") or target.startswith(("//", "/\\")):
        return "/"
    if "\\" in target or not target.isprintable() or target.partition("?")[0] in _OF_SIGN_IN:
        return "/"  # browsers read a backslash as a slash, and drop line breaks and tabs
    return target


class SessionGuard:
    """Pure ASGI, since a middleware of another kind sees no websockets. It remembers nothing between requests.

    It leaves the live session, or None, in `request.state.login` and a new id in `request.state.request_id`.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        sessions: SessionSource,
        find_page: FindPage,
        is_setup_open: IsSetupOpen,
        static_path: str,
        path_prefix: str = "",
        session_cookie: str = SESSION_COOKIE,
    ) -> None:
        self._app = app
        self._sessions = sessions
        self._find_page = find_page
        self._is_setup_open = is_setup_open
        self._static_path = static_path
        self._prefix = path_prefix
        self._session_cookie = session_cookie

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or answer it here."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        scope = {**scope, "headers": self._believed(scope["headers"]), "state": {**scope.get("state", {})}}
        connection = HTTPConnection(scope)
        if _has_doubled(scope["headers"]):
            await _refuse_doubled(scope, receive, send)
            return
        path = _path_of(scope)
        token = _token_of(connection, path, self._session_cookie)
        login = None
        if token and not is_static(path, self._static_path):
            login = await self._sessions.by_token(token, ip=connection.client.host if connection.client else None)
        scope["state"].update(login=login, request_id=new_id("rid"))
        match decide(self._visitor(connection, path, login)):
            case Verdict.PASS:
                await self._app(scope, receive, send)
            case Verdict.RELOAD if "sid" not in connection.query_params:
                await self._app({**scope, "query_string": _unknown_page(connection)}, receive, send)
            case Verdict.RELOAD | Verdict.REFUSE:
                await self._refuse(scope, receive, send, had_token=token is not None)

    def _visitor(self, connection: HTTPConnection, path: str, login: SignedIn | None) -> Visitor:
        client_id = _client_id_of(connection, path)
        return Visitor(
            method=connection.scope.get("method", "GET"),
            path=path,
            is_from_us=comes_from_us(connection, needs_proof=connection.scope["type"] == "websocket"),
            session_id=login.session_id if login else None,
            client_id=client_id,
            page=self._find_page(client_id) if client_id else None,
            static_path=self._static_path,
        )

    def _believed(self, headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
        # NiceGUI builds addresses of scripts from this header: one that anybody may set is dropped.
        expected = self._prefix.encode()
        return [
            (name, value) for name, value in headers if name != _FORWARDED_PREFIX or (expected and value == expected)
        ]

    async def _refuse(self, scope: Scope, receive: Receive, send: Send, *, had_token: bool) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": POLICY_VIOLATION})
            return
        response = await self._answer(HTTPConnection(scope), scope["method"], had_token=had_token)
        await response(scope, receive, send)

    async def _answer(self, connection: HTTPConnection, method: str, *, had_token: bool) -> Response:
        path = _path_of(connection.scope)
        if path.startswith(_FETCHED):
            if had_token:
                return problem(401, "session_ended", "The session has ended. Sign in again.")
            return problem(401, "not_signed_in", "Sign in first.")
        if await self._is_setup_open():
            return RedirectResponse(f"{self._prefix}{SETUP}", 303)
        query = connection.scope["query_string"].decode("latin-1")
        target = safe_next(quote(path) + (f"?{query}" if query else "")) if method in {"GET", "HEAD"} else "/"
        wanted = "" if target == "/" else "?" + urlencode({"next": target})
        return RedirectResponse(f"{self._prefix}{SIGN_IN}{wanted}", 303)


def _has_doubled(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    names = [name for name, _ in headers if name in _ONCE]
    return len(names) > len(set(names))


async def _refuse_doubled(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": POLICY_VIOLATION})
        return
    await problem(400, "validation_failed", "A header that may come once came twice.")(scope, receive, send)


def _path_of(scope: Scope) -> str:
    return str(scope["path"]).removeprefix(scope.get("root_path", ""))


def _token_of(connection: HTTPConnection, path: str, session_cookie: str) -> str | None:
    """Return the credential that the endpoint behind will look at, and no other."""
    authorization = connection.headers.get("authorization")
    if path.startswith(API) and authorization is not None:
        is_bearer = authorization[: len(_BEARER)].lower() == _BEARER
        return authorization[len(_BEARER) :].strip() if is_bearer else ""
    return connection.cookies.get(session_cookie)


def _client_id_of(connection: HTTPConnection, path: str) -> str | None:
    """Return which page the request names, read as NiceGUI reads it."""
    if path.startswith(PAGE_UPLOADS):
        return path.removeprefix(PAGE_UPLOADS).partition("/")[0]
    if path.startswith(SOCKET):
        named = parse_qs(connection.scope["query_string"].decode("latin-1")).get("client_id")
        return named[0] if named else None
    return None


def _unknown_page(connection: HTTPConnection) -> bytes:
    # NiceGUI refuses the handshake of a page it does not know, and the browser reloads, which leads to sign-in.
    # A plain refusal would leave "connection lost" on the screen for ever.
    engine = {name: connection.query_params.get(name, "") for name in ("EIO", "transport", "t")}
    unknown = {"client_id": "unknown", "implicit_handshake": "true", **engine}
    return urlencode(unknown).encode()
