"""A request's head is bounded in bytes and time before anybody is asked about it."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI
from uvicorn.server import ServerState

import app
from nova_ui import http_head
from nova_ui.http_head import MAX_HEAD_BYTES, BoundedHead
from nova_ui.settings import Settings

REQUEST = b"GET /here HTTP/1.1\r\nhost: nova.example\r\n"


class Line(asyncio.Transport):
    """Somebody at the other end; what was said is kept."""

    def __init__(self) -> None:
        super().__init__()
        self.said = b""
        self.spoke = asyncio.Event()
        self.closed = asyncio.Event()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.said += bytes(data)
        self.spoke.set()

    def close(self) -> None:
        self.closed.set()

    def is_closing(self) -> bool:
        return self.closed.is_set()

    def get_extra_info(self, name: str, default: object = None) -> object:
        return ("127.0.0.1", 5) if name in {"peername", "sockname"} else default

    def pause_reading(self) -> None:
        """Be slower."""

    def resume_reading(self) -> None:
        """Be as quick as before."""


class Connection:
    def __init__(self) -> None:
        made = FastAPI()
        self.bodies: list[int] = []

        @made.post("/here")
        @made.get("/here")
        async def here() -> dict[str, str]:
            return {"a": "b"}

        config = app.server_for(made, Settings()).config
        config.load()
        assert config.http_protocol_class is BoundedHead
        self.line = Line()
        self.protocol = BoundedHead(config=config, server_state=ServerState(), app_state={})
        self.protocol.connection_made(self.line)

    def send(self, *parts: bytes) -> None:
        for part in parts:
            if not self.line.is_closing():
                self.protocol.data_received(part)

    async def answer(self) -> bytes:
        async with asyncio.timeout(5):
            await self.line.spoke.wait()
        return self.line.said.partition(b"\r\n")[0]


@pytest.fixture
async def connection() -> AsyncIterator[Connection]:
    made = Connection()
    yield made
    made.protocol.connection_lost(None)


@pytest.mark.parametrize(
    "head",
    [
        (REQUEST + b"x-a: ", *(b"a" * 1_000 for _ in range(70))),
        (REQUEST, *(b"x-%d: %s\r\n" % (number, b"a" * 100) for number in range(700))),
        (REQUEST + b"cookie: " + b"a" * (MAX_HEAD_BYTES + 1),),
    ],
)
async def test_a_head_that_grows_beyond_the_limit_is_refused_where_it_does(
    connection: Connection, head: tuple[bytes, ...]
) -> None:
    connection.send(*head)

    assert await connection.answer() == b"HTTP/1.1 431 Request Header Fields Too Large"
    assert connection.line.is_closing()


async def test_a_head_within_the_limit_is_served_and_each_request_counts_for_itself(connection: Connection) -> None:
    for _ in range(3):
        connection.send(REQUEST + b"x-a: " + b"a" * 40_000, b"\r\n\r\n")
        assert await connection.answer() == b"HTTP/1.1 200 OK"
        connection.line.said = b""
        connection.line.spoke.clear()

    assert not connection.line.is_closing()


async def test_a_body_is_not_counted_as_head(connection: Connection) -> None:
    connection.send(b"POST /here HTTP/1.1\r\nhost: a\r\ncontent-length: 200000\r\n\r\n")
    connection.send(*(b"a" * 10_000 for _ in range(20)))

    assert await connection.answer() == b"HTTP/1.1 200 OK"


@pytest.mark.parametrize("begun", [b"", b"GET /here HT", REQUEST])
async def test_a_head_that_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch, begun: bytes) -> None:
    monkeypatch.setattr(http_head, "HEAD_WITHIN_S", 0.01)
    connection = Connection()
    connection.send(begun)

    assert await connection.answer() == b"HTTP/1.1 408 Request Timeout"
    assert connection.line.is_closing()
    connection.protocol.connection_lost(None)


async def test_an_answer_that_takes_long_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_head, "HEAD_WITHIN_S", 0.01)
    connection = Connection()
    connection.send(REQUEST + b"\r\n")
    await connection.answer()
    await asyncio.sleep(0.03)

    assert b"408" not in connection.line.said
    connection.protocol.connection_lost(None)


@pytest.mark.parametrize(
    "head",
    [
        b"content-length: 6\r\ntransfer-encoding: chunked\r\n",
        b"content-length: 0\r\ncontent-length: 5\r\n",
        b"content-length: 5, 5\r\n",
        b"content-length: +5\r\n",
        b"transfer-encoding: xchunked\r\n",
        b"transfer-encoding: identity\r\n",
        b"transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n",
        b"transfer-encoding : chunked\r\n",
        b"x-a: b\r\n c\r\n",
    ],
)
async def test_a_body_whose_end_two_readers_would_see_differently_is_refused(
    connection: Connection, head: bytes
) -> None:
    connection.send(b"POST /here HTTP/1.1\r\nhost: nova.example\r\n" + head + b"\r\n0\r\n\r\n" + REQUEST + b"\r\n")

    assert await connection.answer() == b"HTTP/1.1 400 Bad Request"
    assert connection.line.is_closing()
