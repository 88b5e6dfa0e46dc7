"""No request's head is larger, or takes longer, than allowed: the server's parser alone would keep whatever comes.

Everything else about a request is bounded further in (`auth/body_limit`); this is what nobody has been asked about yet.
"""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

MAX_HEAD_BYTES: Final = 65_536
HEAD_WITHIN_S: Final = 20.0
_TOO_LARGE: Final = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
_TOO_SLOW: Final = b"HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"


class BoundedHead(HttpToolsProtocol):
    """Counts what has come since a request began, until its head is whole."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 - as uvicorn makes it
        super().__init__(*args, **kwargs)
        self._is_in_head = True
        self._has_begun = False
        self._head_bytes = 0
        self._waiting: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what came, unless the head becomes too large by it."""
        self._has_begun = False
        super().data_received(data)
        self._head_bytes = len(data) + (0 if self._has_begun else self._head_bytes)
        if self._is_in_head and self._head_bytes > MAX_HEAD_BYTES:
            self._refuse(_TOO_LARGE)

    def on_message_begin(self) -> None:
        """Count anew for each request of the connection."""
        super().on_message_begin()
        self._is_in_head = self._has_begun = True
        self._wait()

    def on_headers_complete(self) -> None:
        """Leave the rest to those who know the request."""
        self._is_in_head = False
        self._stop_waiting()
        super().on_headers_complete()

    def _wait(self) -> None:
        self._stop_waiting()
        self._waiting = self.loop.call_later(HEAD_WITHIN_S, self._refuse, _TOO_SLOW)

    def _stop_waiting(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None

    def _refuse(self, answer: bytes) -> None:
        self._stop_waiting()
        if not self.transport.is_closing():
            self.transport.write(answer)
            self.transport.close()
