"""`/session`: sign in over HTTP, ask who one is, sign out."""

from datetime import datetime
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field, SecretStr

from nova_ui.api.caller import refuse_chats, require_context
from nova_ui.api.marks import SECRET, marks
from nova_ui.auth.confirmation import Confirmation
from nova_ui.auth.cookies import Cookies
from nova_ui.auth.door import login_of
from nova_ui.auth.from_here import comes_from_us, whence_of
from nova_ui.auth.password import MAX_PASSWORD_CHARS
from nova_ui.auth.session import Sessions, SignedIn, Whence
from nova_ui.auth.sign_in import MAX_NAME_CHARS
from nova_ui.auth.steps import SignInSteps
from nova_ui.domain.identity import Identity, Language, Role
from nova_ui.errors import (
    NovaForbidden,
    NovaTooMany,
    NovaUnauthenticated,
    SecondStepNeeded,
    SignInFailed,
    SignInThrottled,
)
from nova_ui.nova.context import RequestContext
from nova_ui.nova_client.origin import delegation_of

Responses = dict[int | str, dict[str, Any]]
_PROBLEMS: Final[Responses] = {
    401: {"description": "not signed in"},
    403: {"description": "CSRF token missing or wrong"},
}
_SIGN_IN_AUDIT: Final = ("session.started", "session.ended", "sign_in.failed", "identity.recovery_code_used")
_MAX_CODE_CHARS: Final = 32
_CODE_HELP: Final = "Code of the authenticator app, or a recovery code; where the sign-in policy asks for it."
_SIGN_IN_PROBLEMS: Final[Responses] = {
    401: {"description": "sign_in_failed, second_step_required"},
    429: {"description": "too_many_attempts"},
}


class Credentials(BaseModel):
    """Name and password."""

    model_config = ConfigDict(extra="forbid")

    login: str = Field(min_length=1, max_length=MAX_NAME_CHARS, description="User name.")
    password: SecretStr = Field(
        min_length=1, max_length=MAX_PASSWORD_CHARS, description="Password.", json_schema_extra={SECRET: True}
    )
    one_time_code: SecretStr | None = Field(
        None, max_length=_MAX_CODE_CHARS, description=_CODE_HELP, json_schema_extra={SECRET: True}
    )


class ShownAgain(BaseModel):
    """The password of the person who is signed in, and a code where it has a second factor."""

    model_config = ConfigDict(extra="forbid")

    password: SecretStr = Field(
        min_length=1, max_length=MAX_PASSWORD_CHARS, description="Password.", json_schema_extra={SECRET: True}
    )
    one_time_code: SecretStr | None = Field(
        None, max_length=_MAX_CODE_CHARS, description=_CODE_HELP, json_schema_extra={SECRET: True}
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
    confirmed_at: datetime | None = Field(default=None, description="when the password was last entered again")
    token: str | None = Field(
        default=None,
        description="Session token for scripts: with `token=true`, and a new one for a script that enters the "
        "password again.",
        json_schema_extra={SECRET: True},
    )
    renewal: str | None = Field(
        default=None,
        description="Ticket for a page of ours, whose browser brings it to `/session-renewal` within a minute.",
        json_schema_extra={SECRET: True},
    )


def router_for(sessions: Sessions, steps: SignInSteps, confirmation: Confirmation, cookies: Cookies) -> APIRouter:
    """Return the router of `/session`."""
    router = APIRouter(tags=["Sign-in"])

    async def sign_in(
        request: Request,
        response: Response,
        credentials: Credentials,
        token: Annotated[bool, Query(description="Return the token and set no cookie, for a script.")] = False,  # noqa: FBT002 - a query parameter
    ) -> SessionView:
        """Sign in with name and password."""
        if delegation_of(request.scope) is not None:
            raise NovaForbidden("Nobody signs in from inside the process.", code="interface_only")
        if not comes_from_us(request):
            raise NovaForbidden("A page of another site can't sign anybody in.", code="csrf_failed")
        new_token, signed_in = await _sign_in(steps, credentials, whence_of(request))
        if token:
            return _view(signed_in, new_token)  # a script holds it itself: no page may ever see what a cookie holds
        before = login_of(request)
        if before is not None:
            # The browser forgets the old token now, so nothing may live on under it.
            await sessions.end(before, whence_of(request), reason="signed_in_again", followed_by=signed_in.session_id)
        cookies.set_session(response, request, new_token)
        return _view(signed_in)

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
        openapi_extra=marks("write", "*", audit=_SIGN_IN_AUDIT, interface_only=True),
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
    _add_refresh(router, sessions, confirmation, cookies)
    return router


async def _sign_in(steps: SignInSteps, credentials: Credentials, whence: Whence) -> tuple[str, SignedIn]:
    password, code = credentials.password.get_secret_value(), _code_in(credentials.one_time_code)
    try:
        return await steps.sign_in(credentials.login, password, code, whence)
    except SignInFailed:
        raise NovaUnauthenticated("Name, password or code is not correct.", code="sign_in_failed") from None
    except SignInThrottled as throttled:
        raise _too_many(throttled) from None
    except SecondStepNeeded as needed:
        raise NovaUnauthenticated(
            "The password is right, and the sign-in policy asks for more: " + ", ".join(needed.steps) + ".",
            code="second_step_required",
            extra={"steps": list(needed.steps)},
        ) from None


def _add_refresh(router: APIRouter, sessions: Sessions, confirmation: Confirmation, cookies: Cookies) -> None:
    async def refresh(
        request: Request,
        response: Response,
        shown: ShownAgain,
        context: Annotated[RequestContext, Depends(require_context)],
    ) -> SessionView:
        """Enter the password again, for what asks for a fresh sign-in within five minutes; the session's token changes.

        A browser gets the new token as its cookie, a script in `token`.
        """
        signed_in = await _still_signed_in(sessions, context)
        is_page = delegation_of(request.scope) is not None
        enter = confirmation.give_ticket if is_page else confirmation.confirm
        try:
            given = await enter(
                signed_in, shown.password.get_secret_value(), _code_in(shown.one_time_code), _whence(request, context)
            )
        except SignInFailed:
            raise NovaForbidden("Password or code is not correct.", code="sign_in_failed") from None
        except SignInThrottled as throttled:
            raise _too_many(throttled) from None
        except SecondStepNeeded:
            raise NovaForbidden(
                "A code of the authenticator app is needed as well.", code="second_step_required", field="one_time_code"
            ) from None
        view = _view(await _still_signed_in(sessions, context))
        if is_page:
            return view.model_copy(update={"renewal": given})
        if "authorization" in request.headers:
            return view.model_copy(update={"token": given})
        cookies.set_session(response, request, given)
        return view

    router.add_api_route(
        "/session/refresh",
        refresh,
        methods=["POST"],
        response_model_exclude_none=True,
        dependencies=[Depends(refuse_chats)],
        openapi_extra=marks(
            "write",
            "*",
            audit=["session.confirmed", "sign_in.failed", "identity.recovery_code_used"],
            interface_only=True,
            self_service=True,
        ),
        responses=_PROBLEMS,
    )


async def _still_signed_in(sessions: Sessions, context: RequestContext) -> SignedIn:
    signed_in = await sessions.by_id(context.caller.session_id)
    if signed_in is None:
        raise NovaUnauthenticated("The session has ended. Sign in again.", code="session_ended")
    return signed_in


def _code_in(code: SecretStr | None) -> str | None:
    return None if code is None else code.get_secret_value() or None


def _too_many(throttled: SignInThrottled) -> NovaTooMany:
    wait = throttled.retry_after_s
    return NovaTooMany(f"Too many attempts. Try again in {wait} seconds.", extra={"retry_after": wait})


def _whence(request: Request, context: RequestContext) -> Whence:
    return Whence(ip=context.ip or whence_of(request).ip, request_id=context.request_id)


def _view(signed_in: SignedIn, token: str | None = None) -> SessionView:
    return SessionView(
        identity=_identity_view(signed_in.identity),
        csrf_token=signed_in.csrf_token,
        expires_at=signed_in.expires_at,
        confirmed_at=signed_in.confirmed_at,
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
