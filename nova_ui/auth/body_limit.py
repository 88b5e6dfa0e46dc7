"""No request body is larger, or comes more slowly, than allowed, whatever its headers say."""

import asyncio
from typing import Final

from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nova_ui.auth.refusals import problem

BODY_WITHIN_S: Final = 60.0
SLOWEST_BYTES_PER_S: Final = 16_384  # of a body so large that it may take longer
_TOO_LARGE: Final = "The body is larger than {limit} bytes."
_TOO_SLOW: Final = "The body came too slowly."


class BodyLimit:
    """Reads a body whole before anything acts on it; one too large or too slow is refused with nothing half done."""

    def __init__(self, app: ASGIApp, *, max_bytes: int) -> None:
        self._app = app
        self._max_bytes = max_bytes
        self._within_s = max(BODY_WITHIN_S, max_bytes / SLOWEST_BYTES_PER_S)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application, unless the body is too large or too slow."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = HTTPConnection(scope).headers
        declared = headers.get("content-length", "")
        if declared in {"", "0"} and "transfer-encoding" not in headers:
            await self._app(scope, receive, send)
            return
        too_large = problem(413, "too_large", _TOO_LARGE.format(limit=self._max_bytes))
        if declared.isdecimal() and int(declared) > self._max_bytes:
            await _refuse(too_large, scope, receive, send)
            return
        try:
            async with asyncio.timeout(self._within_s):
                messages = await self._read(receive)
        except TimeoutError:
            await _refuse(problem(408, "too_slow", _TOO_SLOW), scope, receive, send)
            return
        if messages is None:
            await _refuse(too_large, scope, receive, send)
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


async def _refuse(response: Response, scope: Scope, receive: Receive, send: Send) -> None:
    response.headers["connection"] = "close"  # what is still to come is not read
    await response(scope, receive, send)


def _replayed(messages: list[Message], receive: Receive) -> Receive:
    waiting = iter(messages)

    async def replay() -> Message:
        message = next(waiting, None)
        return await receive() if message is None else message

    return replay
