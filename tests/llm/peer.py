"""A peer on loopback that answers with exactly the bytes a test gives it."""

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress

from nova_ui.domain.clock import SystemClock
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.errors import ModelError
from nova_ui.llm.connection import Connection
from nova_ui.llm.limits import Limits
from nova_ui.llm.port import Mode, Model, ModelEvent, ModelRequest, TextDelta
from nova_ui.llm.wire import Profile, Wire
from nova_ui.llm.wire_model import WireModel
from nova_ui.llm.wires import OPENAI

Answering = Callable[[asyncio.StreamWriter], Awaitable[None]]
BOUND_S = 10.0  # no test may wait longer, whatever is broken


class Peer:
    """Accepts connections one by one and records what was asked and whether the caller hung up."""

    def __init__(self, answering: Answering) -> None:
        self._answering = answering
        self.heads: list[str] = []
        self.bodies: list[bytes] = []
        self.asked = asyncio.Event()
        self.hung_up = asyncio.Event()
        self.port = 0
        self.is_encrypted = False
        self.served: list[asyncio.Task[None]] = []

    @property
    def url(self) -> str:
        return f"{'https' if self.is_encrypted else 'http'}://127.0.0.1:{self.port}/v1"

    @property
    def body(self) -> JsonObject:
        sent: JsonObject = json.loads(self.bodies[-1])
        return sent

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.served.append(asyncio.ensure_future(self._serve(reader, writer)))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            self.heads.append(head)
            sizes = (int(line[15:]) for line in head.lower().split("\r\n") if line.startswith("content-length:"))
            length = next(sizes, 0)
            self.bodies.append(await reader.readexactly(length))
            self.asked.set()
            answer = asyncio.ensure_future(self._answer(writer))
            await reader.read()
            self.hung_up.set()
            answer.cancel()
            with suppress(asyncio.CancelledError):
                await answer
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()

    async def _answer(self, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            await self._answering(writer)
            await writer.drain()
            writer.close()


@asynccontextmanager
async def a_peer(answering: Answering | bytes, *, tls: ssl.SSLContext | None = None) -> AsyncIterator[Peer]:
    async def write_it(writer: asyncio.StreamWriter) -> None:
        assert isinstance(answering, bytes)
        writer.write(answering)

    peer = Peer(write_it if isinstance(answering, bytes) else answering)
    peer.is_encrypted = tls is not None
    server = await asyncio.start_server(peer.accept, "127.0.0.1", 0, ssl=tls)
    peer.port = server.sockets[0].getsockname()[1]
    async with asyncio.timeout(BOUND_S):
        try:
            yield peer
        finally:
            server.close()
            await asyncio.gather(*peer.served)


def head(status: str = "200 OK", content_type: str = "text/event-stream", **headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {content_type}", "Connection: close"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode()


def event(data: JsonValue) -> bytes:
    return b"data: " + json.dumps(data, ensure_ascii=False).encode() + b"\n\n"


def chunk(finish: str | None = None, **delta: JsonValue) -> bytes:
    return event({"choices": [{"index": 0, "delta": dict(delta), "finish_reason": finish}]})


def call_piece(
    index: int | None = None, call_id: str | None = None, name: str | None = None, arguments: str | None = None
) -> JsonObject:
    function: JsonObject = {}
    if name is not None:
        function["name"] = name
    if arguments is not None:
        function["arguments"] = arguments
    piece: JsonObject = {"function": function}
    if index is not None:
        piece["index"] = index
    if call_id is not None:
        piece["id"] = call_id
    return piece


DONE = b"data: [DONE]\n\n"


@asynccontextmanager
async def a_model(
    peer: Peer, limits: Limits | None = None, *, wire: Wire = OPENAI, **headers: str
) -> AsyncIterator[WireModel]:
    connection = Connection(peer.url, headers=headers, clock=SystemClock(), limits=limits)
    ids = iter(range(1000))
    try:
        yield WireModel(connection, wire, Profile(model="m"), Mode.LOCAL, new_id=lambda: f"made_{next(ids)}")
    finally:
        await connection.aclose()


async def ask(model: Model, request: ModelRequest) -> tuple[list[ModelEvent], ModelError | None]:
    """Return all events and the failure that ended them, if one did."""
    events: list[ModelEvent] = []
    try:
        async for made in model.stream(request):
            events.append(made)  # noqa: PERF401 - what came before a failure counts
    except ModelError as failure:
        return events, failure
    return events, None


async def answer_to(
    sent: bytes | Answering, request: ModelRequest, limits: Limits | None = None
) -> tuple[list[ModelEvent], ModelError | None]:
    async with a_peer(sent) as peer, a_model(peer, limits) as model:
        return await ask(model, request)


def text_of(events: Sequence[ModelEvent]) -> str:
    return "".join(made.text for made in events if isinstance(made, TextDelta))


def with_headers(lines: Mapping[str, str]) -> str:
    return "".join(f"{name}: {value}\r\n" for name, value in lines.items())
