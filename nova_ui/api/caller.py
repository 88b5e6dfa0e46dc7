"""Who calls: a delegation inside the process, or whom the guard let in; with the cookie only by its CSRF token."""

import logging
import secrets
from typing import Annotated, Final, Protocol

from fastapi import Depends, Request

from nova_ui.api.marks import AUDIT
from nova_ui.domain.identity import Caller, SessionId
from nova_ui.errors import NovaForbidden, NovaProblem, NovaUnauthenticated
from nova_ui.nova.audit_trail import Target
from nova_ui.nova.context import RequestContext
from nova_ui.nova_client.origin import INTERFACE, Delegation, delegation_of
from storage.ids import new_id

log = logging.getLogger(__name__)

CSRF_HEADER: Final = "x-csrf-token"
_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class SignedIn(Protocol):
    """A signed-in session as `auth.session` hands it out."""

    @property
    def caller(self) -> Caller:
        """The identity and the session through which it acts."""

    @property
    def csrf_token(self) -> str:
        """What a changing request with the cookie must repeat in its header."""


class SessionSource(Protocol):
    """Where sessions are looked up, afresh for every request (rule A2)."""

    async def by_id(self, session_id: SessionId) -> SignedIn | None:
        """Return the session of an id, or None if there is none or it has ended."""


def request_id_of(request: Request) -> str:
    """Return the id of this request; made here, so that nobody outside chooses it."""
    found = getattr(request.state, "request_id", None)
    if not isinstance(found, str):
        found = new_id("rid")
        request.state.request_id = found
    return found


async def check_endpoint(request: Request) -> None:
    """Refuse a delegated request that reached another route than its own (rule I1).

    Raises:
        NovaForbidden: method or path template differ.

    """
    delegation = delegation_of(request.scope)
    if delegation is None or delegation.endpoint is None:
        return
    route = request.scope.get("route")
    template = getattr(route, "path_format", None) or getattr(route, "path", None)
    if delegation.endpoint != f"{request.method} {template}":
        raise NovaForbidden("The request reached another endpoint than the one it was made for.")


async def require_context(request: Request) -> RequestContext:
    """Return who calls, or refuse.

    Raises:
        NovaUnauthenticated: nobody is signed in, or the session has ended.
        NovaForbidden: the CSRF token is missing or wrong.

    """
    sessions: SessionSource = request.app.state.sessions
    delegation = delegation_of(request.scope)
    if delegation is not None:
        return await _delegated(request, sessions, delegation)
    signed_in = await _from_outside(request, sessions)
    client = request.client
    return RequestContext(
        caller=signed_in.caller,
        origin=INTERFACE,
        request_id=request_id_of(request),
        ip=client.host if client else None,
    )


async def _delegated(request: Request, sessions: SessionSource, delegation: Delegation) -> RequestContext:
    signed_in = await sessions.by_id(delegation.session_id)
    if signed_in is None:
        raise NovaUnauthenticated("The session has ended. Sign in again.", code="session_ended")
    return RequestContext(caller=signed_in.caller, origin=delegation.origin, request_id=request_id_of(request))


async def _from_outside(request: Request, sessions: SessionSource) -> SignedIn:
    """Return whom the guard let in, as of now: the body may have come slowly and outlived the session (rule A2)."""
    login: SignedIn | None = getattr(request.state, "login", None)
    if login is None:
        raise NovaUnauthenticated("Sign in first.", code="not_signed_in")
    signed_in = await sessions.by_id(login.caller.session_id)
    if signed_in is None:
        raise NovaUnauthenticated("The session has ended. Sign in again.", code="session_ended")
    has_token = "authorization" in request.headers  # then the guard looked at no cookie
    if not has_token and request.method not in _SAFE_METHODS:
        sent = request.headers.get(CSRF_HEADER, "")
        if not secrets.compare_digest(sent.encode(), signed_in.csrf_token.encode()):
            log.warning("csrf.refused", extra={"session": login.caller.session_id})
            raise NovaForbidden(f"The header {CSRF_HEADER} is missing or wrong.", code="csrf_failed")
    return signed_in


Signed = Annotated[RequestContext, Depends(require_context)]


class RefusalLog(Protocol):
    """Where refused writes are noted."""

    async def log_refusal(self, context: RequestContext, action: str, target: Target, problem: NovaProblem) -> None:
        """Add the entry of a refused attempt."""


async def refuse_chats(request: Request, context: Signed) -> None:
    """Refuse a request whose origin is a chat; a refused write is logged (rule B6).

    Raises:
        NovaForbidden: with the code `interface_only`.

    """
    if not context.origin.is_chat:
        return
    problem = NovaForbidden(
        "This can be changed in the administration interface only, never from a chat.", code="interface_only"
    )
    refusals: RefusalLog | None = getattr(request.app.state, "refusals", None)
    marked = getattr(request.scope.get("route"), "openapi_extra", None) or {}
    actions = marked.get(AUDIT) or []
    if refusals is not None and request.method not in _SAFE_METHODS and actions:
        target = Target(actions[0].partition(".")[0], next(iter(request.path_params.values()), None))
        await refusals.log_refusal(context, actions[0], target, problem)
    raise problem
