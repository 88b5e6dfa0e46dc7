"""What browsers may do with our answers: one policy for scripts, frames, caches and referrers."""

import re
import secrets
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nova_ui.settings import SecureCookies

PAGE_MARK: Final = "x-nicegui-content"
ASSETS: Final = "/assets/"
_OURS: Final = re.compile(rb"<(script|style)(?=[\s>])")
# Each kind of content by itself, so that what nobody thought of is refused. Scripts are those with the nonce, and what
# they load themselves: no address alone lets one in, so an answer of the API is never one.
_PAGE_POLICY: Final = (
    "default-src 'none'; object-src 'none'; script-src 'nonce-{nonce}' 'strict-dynamic' 'unsafe-eval'; "
    "style-src-elem 'self' 'nonce-{nonce}'; style-src-attr 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
PLAIN_PAGE_POLICY: Final = (
    "default-src 'none'; object-src 'none'; style-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
# Whatever else is opened as a page of its own, an answer of the API or a picture, does nothing.
_NO_PAGE_POLICY: Final = (
    "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
)
# Only what is certain: a host that is reached without TLS even once would be lost to its browsers for a year.
_HSTS: Final = "max-age=31536000"
_HSTS_BY_WISH: Final = "max-age=31536000; includeSubDomains"
_FIXED: Final = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # not no-referrer: browsers would then hide the origin of our own forms
    "Permissions-Policy": "accelerometer=(), autoplay=(), browsing-topics=(), camera=(), "
    "clipboard-read=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), microphone=(), "
    "midi=(), payment=(), publickey-credentials-get=(), screen-wake-lock=(), serial=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class SecurityHeaders:
    """Adds the headers to every answer, and to a NiceGUI page the nonce without which its scripts don't run.

    It must see pages uncompressed. An answer that brings a policy of its own keeps it.
    """

    def __init__(self, app: ASGIApp, *, secure_cookies: SecureCookies = SecureCookies.AUTO) -> None:
        self._app = app
        self._secure_cookies = secure_cookies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        await self._app(scope, receive, _Answer(send, str(scope["path"]), self._hsts(scope)).send)

    def _hsts(self, scope: Scope) -> str | None:
        match self._secure_cookies:
            case SecureCookies.ALWAYS:
                return _HSTS_BY_WISH
            case SecureCookies.AUTO:
                return _HSTS if scope.get("scheme") == "https" else None
            case SecureCookies.NEVER:
                return None


class _Answer:
    """One answer on its way out; a page is held back until it is whole."""

    def __init__(self, send: Send, path: str, hsts: str | None) -> None:
        self._send = send
        self._hsts = hsts
        self._path = path
        self._held: Message | None = None
        self._body = b""

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            if PAGE_MARK in headers:
                self._held = message
                return
            self._add(headers, policy=_NO_PAGE_POLICY)
            await self._send(message)
            return
        if self._held is None or message["type"] != "http.response.body":
            await self._send(message)
            return
        self._body += message.get("body", b"")
        if not message.get("more_body", False):
            await self._send_page(self._held)

    async def _send_page(self, start: Message) -> None:
        nonce = secrets.token_urlsafe(16)
        body = _OURS.sub(rb'<\1 nonce="' + nonce.encode() + b'"', self._body)
        headers = MutableHeaders(scope=start)
        # Vue compiles templates in the browser, so NiceGUI needs eval; and it sets styles on elements. The nonce still
        # keeps foreign scripts and style sheets out.
        self._add(headers, policy=_PAGE_POLICY.format(nonce=nonce))
        headers["content-length"] = str(len(body))
        await self._send(start)
        await self._send({"type": "http.response.body", "body": body})

    def _add(self, headers: MutableHeaders, *, policy: str) -> None:
        for name, value in _FIXED.items():
            headers[name] = value
        if self._hsts is not None:
            headers["Strict-Transport-Security"] = self._hsts
        headers.setdefault("Content-Security-Policy", policy)
        # Assets are no secrets: kept, but asked for again by their tag.
        headers.setdefault("Cache-Control", "no-cache" if self._path.startswith(ASSETS) else "no-store")
