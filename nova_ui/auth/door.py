"""What the pages for strangers share: the parts they use, the language they speak, the form they show."""

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from nova_ui.auth.confirmation import Confirmation
from nova_ui.auth.cookies import LANGUAGE_COOKIE, Cookies
from nova_ui.auth.forms import TOKEN_FIELD, Forms
from nova_ui.auth.from_here import whence_of
from nova_ui.auth.markup import Html
from nova_ui.auth.plain_page import Field, Look, form
from nova_ui.auth.policies import Policies
from nova_ui.auth.session import Sessions, SignedIn
from nova_ui.auth.setup import Setup
from nova_ui.auth.sign_in import PasswordSignIn
from nova_ui.auth.steps import SignInSteps
from nova_ui.domain.identity import Language
from nova_ui.i18n.translator import Translators


@dataclass(frozen=True, slots=True, kw_only=True)
class Door:
    """The parts behind sign-in, sign-out and setup."""

    sessions: Sessions
    password_sign_in: PasswordSignIn
    steps: SignInSteps
    confirmation: Confirmation
    policies: Policies
    setup: Setup
    forms: Forms
    cookies: Cookies
    translators: Translators
    prefix: str = ""

    def language_of(self, request: Request) -> Language:
        """Return what was chosen by a link, who is signed in prefers, was chosen before, or the browser prefers."""
        login = login_of(request)
        own = login.identity.language if login is not None else None
        for chosen in (request.query_params.get("lang"), own, self.cookies.read(request, LANGUAGE_COOKIE)):
            if chosen in set(Language):
                return Language(chosen)
        return self.translators.negotiate(request.headers.get("accept-language"))

    def look_of(self, request: Request, query: dict[str, str] | None = None) -> Look:
        """Return how a page for this request looks; `query` is what its language links keep."""
        return Look(
            tr=self.translators.for_language(self.language_of(request)),
            prefix=self.prefix,
            path=request.url.path.removeprefix(request.scope.get("root_path", "")),
            query=query or {},
        )

    def form_of(
        self,
        request: Request,
        fields: Sequence[Field],
        button: str,
        *,
        key: str,
        query: dict[str, str] | None = None,
        hidden: dict[str, str] | None = None,
    ) -> Html:
        """Return a form with the token that fits the cookie `finish` sets."""
        _, token = self._issued(request)
        return form(
            self.look_of(request, query), fields, button, key=key, hidden={TOKEN_FIELD: token, **(hidden or {})}
        )

    def finish(self, request: Request, response: Response) -> Response:
        """Add the browser's half of the form token and, if just chosen, the language."""
        nonce, _ = self._issued(request)
        self.cookies.set_form(response, request, nonce)
        if request.query_params.get("lang") in set(Language):
            self.cookies.set_language(response, request, self.language_of(request))
        return response

    def go(self, place: str) -> RedirectResponse:
        """Return a redirect to a place of ours, under the prefix; after a form it becomes a GET."""
        return RedirectResponse(f"{self.prefix}{place}", 303)

    async def let_in(self, request: Request, token: str, place: str) -> Response:
        """Give the browser its new session; one that it had before ends, so that nobody can have planted it."""
        before = login_of(request)
        if before is not None:
            new = await self.sessions.by_token(token)
            await self.sessions.end(
                before,
                whence_of(request),
                reason="signed_in_again",
                followed_by=None if new is None else new.session_id,
            )
        response = self.go(place)
        self.cookies.set_session(response, request, token)
        return response

    def _issued(self, request: Request) -> tuple[str, str]:
        # Once per request: the form and the cookie of one answer belong together.
        issued: tuple[str, str] | None = getattr(request.state, "issued_form_token", None)
        if issued is None:
            issued = request.state.issued_form_token = self.forms.issue(request)
        return issued


def login_of(request: Request) -> SignedIn | None:
    """Return the live session that the guard found for this request."""
    login = getattr(request.state, "login", None)
    return login if isinstance(login, SignedIn) else None
