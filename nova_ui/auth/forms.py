"""Forms of strangers: read strictly, and accepted only from a page that this browser got from us.

A stranger has no session to tie a token to, yet a foreign page must not sign somebody in as somebody else (login
CSRF). So the browser holds a random value in a strict cookie, and the form holds its signature: another site can
neither read the one nor make the other. Where a browser says which page a form came from, that is checked as well,
since a cookie can be planted by a neighbouring host.
"""

import hmac
import re
import secrets
from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import Request

from nova_ui.auth.cookies import FORM_COOKIE, Cookies
from nova_ui.auth.from_here import comes_from_us
from nova_ui.errors import NovaUiError

TOKEN_FIELD: Final = "form_token"  # noqa: S105 - a field's name
_MAX_FORM_BYTES: Final = 16_384
_MAX_FIELDS: Final = 20
_NONCE: Final = re.compile(r"[A-Za-z0-9_-]{43}")


class FormRefused(NovaUiError):
    """The form is not one that this browser got from us, or is not readable."""

    key = "This form has expired. Please try again."


class Forms:
    """Gives out and checks form tokens; `key` is secret and the same on every server."""

    def __init__(self, key: bytes, cookies: Cookies) -> None:
        self._key = key
        self._cookies = cookies

    def issue(self, request: Request) -> tuple[str, str]:
        """Return the cookie's value and the form's token; several open tabs share the cookie."""
        held = self._cookies.read(request, FORM_COOKIE) or ""
        nonce = held if _NONCE.fullmatch(held) else secrets.token_urlsafe(32)
        return nonce, self._sign(nonce)

    async def read(self, request: Request) -> dict[str, str]:
        """Return the fields of a form of ours.

        Raises:
            FormRefused: it came from elsewhere, without its token, or can't be read.

        """
        fields = await read_fields(request)
        nonce = self._cookies.read(request, FORM_COOKIE) or ""
        signature = fields.pop(TOKEN_FIELD, "")
        if not comes_from_us(request) or not _NONCE.fullmatch(nonce):
            raise FormRefused
        if not hmac.compare_digest(signature.encode(), self._sign(nonce).encode()):
            raise FormRefused
        return fields

    def _sign(self, nonce: str) -> str:
        return hmac.new(self._key, nonce.encode(), "sha256").hexdigest()


async def read_fields(request: Request) -> dict[str, str]:
    """Return the fields of a plain form; of a field that comes twice the last.

    Raises:
        FormRefused: it is too large or no such form.

    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise FormRefused
    body = await request.body()
    if len(body) > _MAX_FORM_BYTES:
        raise FormRefused
    try:
        fields = dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_MAX_FIELDS))
    except ValueError:
        raise FormRefused from None
    if any("\0" in value for value in fields.values()):  # PostgreSQL keeps none
        raise FormRefused
    return fields
