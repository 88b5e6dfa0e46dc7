"""No request body is larger than allowed, whatever its headers say."""

from typing import Final

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nova_ui.auth.refusals import problem

_TOO_LARGE: Final = "The body is larger than {limit} bytes."


class BodyLimit:
    """Reads a body whole before anything acts on it, and refuses one that is too large with nothing half done."""

    def __init__(self, app: ASGIApp, *, max_bytes: int) -> None:
        self._app = app
        self._max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application, unless the body is too large."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = HTTPConnection(scope).headers
        declared = headers.get("content-length", "")
        if declared in {"", "0"} and "transfer-encoding" not in headers:
            await self._app(scope, receive, send)
            return
        if declared.isdecimal() and int(declared) > self._max_bytes:
            await self._refuse(scope, receive, send)
            return
        messages = await self._read(receive)
        if messages is None:
            await self._refuse(scope, receive, send)
            return
        await self._app(scope, _replayed(messages, receive), send)

    async def _read(self, receive: Receive) -> list[Message] | None:
        messages: list[Message] = []
        size = 0
        while True:
            message = await receive()
            messages.append(message)
            size += len(message.get("body", b""))
            if size > self._max_bytes:
                return None
            if message["type"] != "http.request" or not message.get("more_body", False):
                return messages

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = problem(413, "too_large", _TOO_LARGE.format(limit=self._max_bytes))
        response.headers["connection"] = "close"  # what is still to come is not read
        await response(scope, receive, send)


def _replayed(messages: list[Message], receive: Receive) -> Receive:
    waiting = iter(messages)

    async def replay() -> Message:
        message = next(waiting, None)
        return await receive() if message is None else message

    return replay
