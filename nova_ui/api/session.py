"""`/session`: sign in over HTTP, ask who one is, sign out."""

from datetime import datetime
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field, SecretStr

from nova_ui.api.caller import refuse_chats, require_context
from nova_ui.api.marks import SECRET, marks
from nova_ui.auth.cookies import Cookies
from nova_ui.auth.from_here import comes_from_us, whence_of
from nova_ui.auth.password import MAX_PASSWORD_CHARS
from nova_ui.auth.session import Sessions, SignedIn
from nova_ui.auth.sign_in import MAX_NAME_CHARS, PasswordSignIn
from nova_ui.domain.identity import Identity, Language, Role
from nova_ui.errors import NovaForbidden, NovaTooMany, NovaUnauthenticated, SignInFailed, SignInThrottled
from nova_ui.nova.context import RequestContext
from nova_ui.nova_client.origin import delegation_of

Responses = dict[int | str, dict[str, Any]]
_PROBLEMS: Final[Responses] = {
    401: {"description": "not signed in"},
    403: {"description": "CSRF token missing or wrong"},
}
_SIGN_IN_PROBLEMS: Final[Responses] = {
    401: {"description": "sign_in_failed"},
    429: {"description": "too_many_attempts"},
}


class Credentials(BaseModel):
    """Name and password."""

    model_config = ConfigDict(extra="forbid")

    login: str = Field(min_length=1, max_length=MAX_NAME_CHARS, description="User name.")
    password: SecretStr = Field(
        min_length=1, max_length=MAX_PASSWORD_CHARS, description="Password.", json_schema_extra={SECRET: True}
    )


class SignedInIdentity(BaseModel):
    """Who is signed in."""

    id: str
    user_name: str
    display_name: str
    roles: list[Role]
    language: Language


class SessionView(BaseModel):
    """The session: who is signed in, and what a changing request with the cookie repeats in `X-CSRF-Token`."""

    identity: SignedInIdentity
    csrf_token: str
    expires_at: datetime
    token: str | None = Field(default=None, description="Session token for scripts; only with `token=true`.")


def router_for(sessions: Sessions, password_sign_in: PasswordSignIn, cookies: Cookies) -> APIRouter:
    """Return the router of `/session`."""
    router = APIRouter(tags=["Sign-in"])

    async def sign_in(
        request: Request,
        response: Response,
        credentials: Credentials,
        token: Annotated[bool, Query(description="Return the session token as well, for a script.")] = False,  # noqa: FBT002 - a query parameter
    ) -> SessionView:
        """Sign in with name and password."""
        if delegation_of(request.scope) is not None:
            raise NovaForbidden("Nobody signs in from inside the process.", code="interface_only")
        if not comes_from_us(request):
            raise NovaForbidden("A page of another site can't sign anybody in.", code="csrf_failed")
        try:
            new_token, signed_in = await password_sign_in.sign_in(
                credentials.login, credentials.password.get_secret_value(), whence_of(request)
            )
        except SignInFailed:
            raise NovaUnauthenticated("Name or password is not correct.", code="sign_in_failed") from None
        except SignInThrottled as throttled:
            wait = throttled.retry_after_s
            detail = f"Too many attempts. Try again in {wait} seconds."
            raise NovaTooMany(detail, extra={"retry_after": wait}) from None
        cookies.set_session(response, request, new_token)
        return _view(signed_in, new_token if token else None)

    async def who_am_i(context: Annotated[RequestContext, Depends(require_context)]) -> SessionView:
        """Return who is signed in."""
        return _view(await _still_signed_in(sessions, context))

    async def sign_out(
        request: Request, response: Response, context: Annotated[RequestContext, Depends(require_context)]
    ) -> None:
        """End this session, with its pages and running turns."""
        signed_in = await _still_signed_in(sessions, context)
        await sessions.end(signed_in, whence_of(request))
        cookies.clear_session(response, request)

    router.add_api_route(
        "/session",
        sign_in,
        methods=["POST"],
        response_model_exclude_none=True,
        openapi_extra=marks("write", "*", audit=["session.started", "sign_in.failed"], interface_only=True),
        responses=_SIGN_IN_PROBLEMS,
    )
    router.add_api_route(
        "/session",
        who_am_i,
        methods=["GET"],
        response_model_exclude_none=True,
        openapi_extra=marks("read", "*"),
        responses=_PROBLEMS,
    )
    router.add_api_route(
        "/session",
        sign_out,
        methods=["DELETE"],
        status_code=204,
        dependencies=[Depends(refuse_chats)],
        openapi_extra=marks("destructive", "*", audit=["session.ended"], interface_only=True),
        responses=_PROBLEMS,
    )
    return router


async def _still_signed_in(sessions: Sessions, context: RequestContext) -> SignedIn:
    signed_in = await sessions.by_id(context.caller.session_id)
    if signed_in is None:
        raise NovaUnauthenticated("The session has ended. Sign in again.", code="session_ended")
    return signed_in


def _view(signed_in: SignedIn, token: str | None = None) -> SessionView:
    return SessionView(
        identity=_identity_view(signed_in.identity),
        csrf_token=signed_in.csrf_token,
        expires_at=signed_in.expires_at,
        token=token,
    )


def _identity_view(identity: Identity) -> SignedInIdentity:
    return SignedInIdentity(
        id=identity.id,
        user_name=identity.user_name,
        display_name=identity.display_name,
        roles=sorted(identity.roles),
        language=identity.language,
    )
