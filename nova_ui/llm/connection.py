"""The bounded connection to a model provider: one address, no redirects, limits while bytes are read."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from http import HTTPStatus
from typing import Final

import aiohttp
import httpx
from httpx_aiohttp import AiohttpTransport

from nova_ui.domain.clock import Clock
from nova_ui.errors import ConfigurationError, FailureKind, ModelError
from nova_ui.llm.broken import kind_of_break
from nova_ui.llm.failures import failure_of
from nova_ui.llm.limits import Limits
from nova_ui.llm.lines import LineSplitter
from nova_ui.llm.message_frames import FrameSplitter
from nova_ui.llm.request_clock import RequestClock
from nova_ui.llm.sse import EventReader

_KEPT_CONNECTIONS: Final = 20
_KEEPALIVE_S: Final = 15.0
# What a transport raises when the peer or the line fails. `RuntimeError`: aiohttp's reader of a closed connection.
_BROKEN: Final = (httpx.HTTPError, aiohttp.ClientError, OSError, RuntimeError)


class Answer:
    """A provider's successful answer, not read yet."""

    def __init__(self, response: httpx.Response, clock: RequestClock, limits: Limits) -> None:
        self._response = response
        self._limits = limits
        self.clock = clock

    @property
    def content_type(self) -> str:
        """The media type in lower case, without parameters; empty if none is said."""
        value: str = self._response.headers.get("content-type", "")
        return value.partition(";")[0].strip().lower()

    async def events(self) -> AsyncGenerator[bytes, None]:
        """Yield the data of each server-sent event.

        Raises:
            ModelError: the connection broke, a limit was reached or the clock ran out.

        """
        splitter = LineSplitter(self._limits.max_line_bytes)
        reader = EventReader(self._limits.max_line_bytes)
        count = 0
        async with aclosing(self._chunks(self._limits.max_body_bytes)) as chunks:
            async for chunk in chunks:
                for line in splitter.feed(chunk):
                    data = reader.feed(line)
                    if data is None:
                        continue
                    count += 1
                    if count > self._limits.max_events:
                        raise ModelError(FailureKind.TOO_MUCH)
                    yield data
                    self.clock.event_arrived()  # what the reader of the events took is not the peer's time

    async def messages(self) -> AsyncGenerator[bytes, None]:
        """Yield each message of a binary event stream.

        Raises:
            ModelError: as `events`.

        """
        splitter = FrameSplitter(self._limits.max_line_bytes)
        count = 0
        async with aclosing(self._chunks(self._limits.max_body_bytes)) as chunks:
            async for chunk in chunks:
                for message in splitter.feed(chunk):
                    count += 1
                    if count > self._limits.max_events:
                        raise ModelError(FailureKind.TOO_MUCH)
                    yield message
                    self.clock.event_arrived()

    async def read(self, max_bytes: int) -> bytes:
        """Return the whole body.

        Raises:
            ModelError: as `events`; `TOO_MUCH` beyond `max_bytes`.

        """
        async with aclosing(self._chunks(max_bytes)) as chunks:
            return b"".join([chunk async for chunk in chunks])

    async def _chunks(self, max_bytes: int) -> AsyncGenerator[bytes, None]:
        size_bytes = 0
        pieces = self._response.aiter_raw()
        while True:
            try:
                piece = await self.clock.wait(anext(pieces, b""))
            except _BROKEN:
                raise ModelError(FailureKind.CONNECTION) from None
            if not piece:
                return
            size_bytes += len(piece)
            if size_bytes > max_bytes:
                raise ModelError(FailureKind.TOO_MUCH)
            yield piece
            await asyncio.sleep(0)  # a peer that is quicker than we are must not starve the others


class Connection:
    """Posts JSON to paths below one address and nowhere else.

    Raises:
        ConfigurationError: the address is not plain http or https, or a header can't be sent.

    """

    def __init__(
        self,
        base_url: str,
        *,
        headers: Mapping[str, str],
        clock: Clock,
        limits: Limits | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        self.base_url = checked_base_url(base_url)
        self.limits = limits or Limits()
        self._clock = clock
        self._headers = _checked_headers(headers)
        self._transport = transport or _new_transport()

    @property
    def sends_key(self) -> bool:
        """Whether requests carry a key."""
        return "authorization" in self._headers

    def post(self, path: str, body: bytes) -> AbstractAsyncContextManager[Answer]:
        """Send `body` and yield the answer, if it is a success; on leaving, the connection is closed at once.

        Raises:
            ModelError: the answer is an error, none came, or the request is too large.

        """
        return self._send("POST", path, body)

    def get(self, path: str) -> AbstractAsyncContextManager[Answer]:
        """Read what stands at `path`, as `post` does."""
        return self._send("GET", path, b"")

    @asynccontextmanager
    async def _send(self, method: str, path: str, body: bytes) -> AsyncIterator[Answer]:
        if len(body) > self.limits.max_request_bytes:
            raise ModelError(FailureKind.TOO_LONG)
        clock = RequestClock(self.limits)
        # Straight to the transport: a client above it would follow redirects, keep cookies and read proxies.
        request = httpx.Request(method, self.base_url.rstrip("/") + path, headers=self._headers, content=body)
        try:
            response = await clock.wait(self._transport.handle_async_request(request))
        except _BROKEN as broken:
            raise ModelError(kind_of_break(broken)) from None
        try:
            answer = Answer(response, clock, self.limits)
            if response.status_code != HTTPStatus.OK:
                raise await self._failure(response, answer)
            if response.headers.get("content-encoding", "identity") != "identity":
                raise ModelError(FailureKind.PROTOCOL)  # not asked for, and a small body could unpack into a huge one
            yield answer
        finally:
            await response.aclose()

    async def aclose(self) -> None:
        """Close whatever is still open; the connection can't be used afterwards."""
        await self._transport.aclose()

    async def _failure(self, response: httpx.Response, answer: Answer) -> ModelError:
        try:
            body = await answer.read(self.limits.max_error_bytes)
        except ModelError:
            body = b""  # the status says enough
        return failure_of(response.status_code, response.headers, body, self._clock.now())


def checked_base_url(base_url: str) -> str:
    """Return `base_url` if it is a plain http(s) address of a host.

    Raises:
        ConfigurationError: another scheme, no host, or credentials, a query or a fragment in it.

    """
    try:
        url = httpx.URL(base_url)
    except httpx.InvalidURL:
        raise ConfigurationError("NOVA_AI_BASE_URL is not an address.") from None
    if url.scheme not in {"http", "https"} or not url.host:
        raise ConfigurationError("NOVA_AI_BASE_URL must begin with http:// or https:// and name a host.")
    if url.userinfo or url.query or url.fragment:
        raise ConfigurationError("NOVA_AI_BASE_URL must hold neither credentials nor a query nor a fragment.")
    return base_url


def _checked_headers(headers: Mapping[str, str]) -> dict[str, str]:
    for name, value in headers.items():
        if not (value.isascii() and value.isprintable()):
            raise ConfigurationError(f"The header {name} for the model provider holds characters that can't be sent.")
    return {
        "accept": "text/event-stream, application/json",
        "accept-encoding": "identity",
        "content-type": "application/json",
        "user-agent": "nova-ai",
        **headers,
    }


def _new_transport() -> httpx.AsyncBaseTransport:
    tls = httpx.create_ssl_context()

    def new_session() -> aiohttp.ClientSession:
        connector = aiohttp.TCPConnector(ssl=tls, limit=_KEPT_CONNECTIONS * 5, keepalive_timeout=_KEEPALIVE_S)
        return aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())

    return AiohttpTransport(verify=tls, client=new_session)
