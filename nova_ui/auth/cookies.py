"""Our cookies: the session, a sign-in under way, the browser's half of a form's token, a stranger's language."""

from datetime import timedelta
from typing import Final, Literal

from starlette.requests import HTTPConnection
from starlette.responses import Response

from nova_ui.auth.from_here import is_seen_over_tls
from nova_ui.domain.identity import Language
from nova_ui.settings import SecureCookies, Settings

SESSION_COOKIE: Final = "nova_session"
FORM_COOKIE: Final = "nova_form"
LANGUAGE_COOKIE: Final = "nova_language"
PENDING_COOKIE: Final = "nova_pending"
_LANGUAGE_LASTS: Final = timedelta(days=365)
_HOST_ONLY: Final = "__Host-"  # browsers take such a cookie over TLS only, for "/" alone and from no neighbouring host


class Cookies:
    """Sets and clears our cookies, each under the prefix at which a proxy shows us."""

    def __init__(self, settings: Settings) -> None:
        self._secure = settings.secure_cookies
        self._path = settings.path_prefix or "/"
        # Known for sure only where it is set: by `auto` a cookie would be looked for under two names, of which a
        # neighbouring host could plant the weaker one.
        is_host_only = settings.secure_cookies is SecureCookies.ALWAYS and not settings.path_prefix
        self._before_names = _HOST_ONLY if is_host_only else ""

    def name_of(self, cookie: str) -> str:
        """Return under which name browsers hold one of our cookies."""
        return f"{self._before_names}{cookie}"

    def read(self, connection: HTTPConnection, cookie: str) -> str | None:
        """Return what the browser holds as one of our cookies."""
        return connection.cookies.get(self.name_of(cookie))

    def is_secure(self, connection: HTTPConnection) -> bool:
        """Whether cookies of this connection go over TLS only."""
        match self._secure:
            case SecureCookies.ALWAYS:
                return True
            case SecureCookies.NEVER:
                return False
            case SecureCookies.AUTO:
                return is_seen_over_tls(connection)

    def set_session(self, response: Response, connection: HTTPConnection, token: str) -> None:
        """Hand the browser its session token, until it closes or the server ends the session."""
        self._set(response, connection, SESSION_COOKIE, token, same_site="lax")

    def clear_session(self, response: Response, connection: HTTPConnection) -> None:
        """Take the session token off the browser."""
        response.delete_cookie(
            self.name_of(SESSION_COOKIE),
            path=self._path,
            secure=self.is_secure(connection),
            httponly=True,
            samesite="lax",
        )

    def set_pending(self, response: Response, connection: HTTPConnection, token: str) -> None:
        """Hand the browser the token of a sign-in under way; no request from another site carries it."""
        self._set(response, connection, PENDING_COOKIE, token, same_site="strict")

    def clear_pending(self, response: Response, connection: HTTPConnection) -> None:
        """Take the token of a sign-in under way off the browser."""
        response.delete_cookie(
            self.name_of(PENDING_COOKIE),
            path=self._path,
            secure=self.is_secure(connection),
            httponly=True,
            samesite="strict",
        )

    def set_form(self, response: Response, connection: HTTPConnection, value: str) -> None:
        """Hand the browser its half of the form token; no request from another site carries it."""
        self._set(response, connection, FORM_COOKIE, value, same_site="strict")

    def set_language(self, response: Response, connection: HTTPConnection, language: Language) -> None:
        """Remember which language a stranger chose."""
        lasts = int(_LANGUAGE_LASTS.total_seconds())
        self._set(response, connection, LANGUAGE_COOKIE, language.value, same_site="lax", max_age_s=lasts)

    def _set(
        self,
        response: Response,
        connection: HTTPConnection,
        name: str,
        value: str,
        *,
        same_site: Literal["lax", "strict"],
        max_age_s: int | None = None,
    ) -> None:
        response.set_cookie(
            self.name_of(name),
            value,
            max_age=max_age_s,
            path=self._path,
            secure=self.is_secure(connection),
            httponly=True,
            samesite=same_site,
        )
