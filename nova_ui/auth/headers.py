"""What browsers may do with our answers: one policy for scripts, frames, caches and referrers."""

import re
import secrets
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

PAGE_MARK: Final = "x-nicegui-content"
ASSETS: Final = "/assets/"
_SCRIPT: Final = re.compile(rb"<script(?=[\s>])")
_POLICY: Final = (
    "default-src 'self'; script-src 'self'{nonce}; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
    "font-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
PLAIN_PAGE_POLICY: Final = (
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_FIXED: Final = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # not no-referrer: browsers would then hide the origin of our own forms
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class SecurityHeaders:
    """Adds the headers to every answer, and to a NiceGUI page the nonce without which its scripts don't run.

    It must see pages uncompressed. An answer that brings a policy of its own keeps it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        await self._app(scope, receive, _Answer(send, str(scope["path"])).send)


class _Answer:
    """One answer on its way out; a page is held back until it is whole."""

    def __init__(self, send: Send, path: str) -> None:
        self._send = send
        self._path = path
        self._held: Message | None = None
        self._body = b""

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            if PAGE_MARK in headers:
                self._held = message
                return
            self._add(headers, policy=_POLICY.format(nonce=""))
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
        body = _SCRIPT.sub(f'<script nonce="{nonce}"'.encode(), self._body)
        headers = MutableHeaders(scope=start)
        # Vue compiles templates in the browser, so NiceGUI needs eval; the nonce still keeps foreign scripts out.
        self._add(headers, policy=_POLICY.format(nonce=f" 'nonce-{nonce}' 'unsafe-eval'"))
        headers["content-length"] = str(len(body))
        await self._send(start)
        await self._send({"type": "http.response.body", "body": body})

    def _add(self, headers: MutableHeaders, *, policy: str) -> None:
        for name, value in _FIXED.items():
            headers[name] = value
        headers.setdefault("Content-Security-Policy", policy)
        # Assets are no secrets: kept, but asked for again by their tag.
        headers.setdefault("Cache-Control", "no-cache" if self._path.startswith(ASSETS) else "no-store")
