"""Signing in and out: plain pages, since only a plain answer can set a cookie and strangers get nothing of NiceGUI."""

import hmac
from typing import Final
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from nova_ui.auth.door import Door, login_of
from nova_ui.auth.forms import FormRefused, read_fields
from nova_ui.auth.from_here import comes_from_us, whence_of
from nova_ui.auth.guard import SETUP, SIGN_IN, SIGN_IN_STEP, safe_next
from nova_ui.auth.markup import tag
from nova_ui.auth.plain_page import Field, alert, form, plain_page, wait_in_words
from nova_ui.auth.setup_routes import setup_routes
from nova_ui.auth.sign_in import Shown
from nova_ui.auth.step_routes import step_routes
from nova_ui.errors import SignInFailed, SignInThrottled

SIGN_OUT: Final = "/sign-out"
RENEWAL: Final = "/session-renewal"
RENEWAL_FIELD: Final = "renewal"
CSRF_FIELD: Final = "csrf_token"
_FAILED: Final = 401


def auth_routes(door: Door) -> APIRouter:
    """Return the routes of `/sign-in` with its further steps, `/sign-out` and `/setup`."""
    router = APIRouter(include_in_schema=False)
    pages = _SignInPages(door)
    router.add_api_route(SIGN_IN, pages.show_sign_in, methods=["GET"])
    router.add_api_route(SIGN_IN, pages.sign_in, methods=["POST"])
    router.add_api_route(SIGN_OUT, pages.show_sign_out, methods=["GET"])
    router.add_api_route(SIGN_OUT, pages.sign_out, methods=["POST"])
    router.add_api_route(RENEWAL, pages.renew, methods=["POST"])
    router.include_router(step_routes(door))
    router.include_router(setup_routes(door))
    return router


class _SignInPages:
    def __init__(self, door: Door) -> None:
        self._door = door

    async def show_sign_in(self, request: Request) -> Response:
        """Show the form; who is signed in goes on, and before the setup there is nobody to sign in."""
        target = safe_next(request.query_params.get("next"))
        if login_of(request) is not None:
            return self._door.go(target)
        if await self._door.setup.is_open():
            return self._door.go(SETUP)
        return self._sign_in_page(request, target)

    async def sign_in(self, request: Request) -> Response:
        """Check the form and let the person in."""
        try:
            fields = await self._door.forms.read(request)
        except FormRefused as refused:
            return self._sign_in_page(request, "/", problem=refused.key, status=403)
        target, login = safe_next(fields.get("next")), fields.get("login", "")
        whence = whence_of(request)
        try:
            shown = await self._door.password_sign_in.show(login, fields.get("password", ""), whence)
            if shown.steps:
                return await self._go_on(request, shown, target)
            token, _ = await self._door.password_sign_in.let_in(shown, whence)
        except SignInFailed as failed:
            return self._sign_in_page(request, target, login=login, problem=failed.key, status=401)
        except SignInThrottled as throttled:
            words = wait_in_words(self._door.look_of(request).tr, throttled.retry_after_s)
            response = self._sign_in_page(request, target, login=login, problem=words, status=429)
            response.headers["Retry-After"] = str(throttled.retry_after_s)
            return response
        return await self._door.let_in(request, token, target)

    async def _go_on(self, request: Request, shown: Shown, target: str) -> Response:
        token = await self._door.steps.begin(shown)
        response = self._door.go(SIGN_IN_STEP + ("" if target == "/" else f"?{urlencode({'next': target})}"))
        self._door.cookies.set_pending(response, request, token)
        return response

    async def show_sign_out(self, request: Request) -> Response:
        """Ask before signing out: a link alone, which anybody can plant, ends nothing."""
        login = login_of(request)
        if login is None:
            return self._door.go(SIGN_IN)
        return self._sign_out_page(request, login.csrf_token)

    async def sign_out(self, request: Request) -> Response:
        """End the session, with its pages and running turns, and take the cookie away."""
        login = login_of(request)
        if login is not None:
            try:
                fields = await read_fields(request)
            except FormRefused:
                fields = {}
            sent = fields.get(CSRF_FIELD, "")
            if not comes_from_us(request) or not hmac.compare_digest(sent.encode(), login.csrf_token.encode()):
                return self._sign_out_page(request, login.csrf_token, problem=FormRefused.key, status=403)
            await self._door.sessions.end(login, whence_of(request))
        response = self._door.go(SIGN_IN)
        response.headers["Clear-Site-Data"] = '"storage"'  # whatever pages kept in the browser goes with the session
        self._door.cookies.clear_session(response, request)
        return response

    async def renew(self, request: Request) -> Response:
        """Give a browser the new token of its session, for the ticket that its page was given."""
        login = login_of(request)
        token = None
        if login is not None and comes_from_us(request, needs_proof=True):
            try:
                fields = await read_fields(request)
            except FormRefused:
                fields = {}
            token = await self._door.confirmation.redeem(login, fields.get(RENEWAL_FIELD, ""))
        if token is None:
            return Response(status_code=403)
        response = Response(status_code=204)
        self._door.cookies.set_session(response, request, token)
        return response

    def _sign_in_page(
        self, request: Request, target: str, *, login: str = "", problem: str = "", status: int = 200
    ) -> Response:
        query = {} if target == "/" else {"next": target}
        look = self._door.look_of(request, query)
        tr = look.tr
        fields = [
            Field(
                name="login",
                label=tr("User name"),
                value=login,
                autocomplete="username",
                is_first=not login,
                is_wrong=status == _FAILED,
            ),
            Field(
                name="password",
                label=tr("Password"),
                kind="password",
                autocomplete="current-password",
                is_first=bool(login),
                is_wrong=status == _FAILED,
            ),
        ]
        warnings = [alert(tr(problem))] if problem else []
        entry = self._door.form_of(request, fields, tr("Sign in"), key="sign-in", query=query, hidden=query)
        page = plain_page(look, tr("Sign in"), *warnings, entry, status=status)
        return self._door.finish(request, page)

    def _sign_out_page(self, request: Request, csrf_token: str, *, problem: str = "", status: int = 200) -> Response:
        look = self._door.look_of(request)
        tr = look.tr
        warnings = [alert(tr(problem))] if problem else []
        question = tag("p", tr("Your open pages and running answers end with your session."))
        entry = form(look, [], tr("Sign out"), key="sign-out", hidden={CSRF_FIELD: csrf_token})
        back = tag("p", tag("a", tr("Back to Nova AI"), href=f"{look.prefix}/"))
        return plain_page(look, tr("Sign out"), *warnings, question, entry, back, status=status)
