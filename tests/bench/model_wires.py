"""What asking a model costs, against bare httpx and an SDK over the same bytes: `python -m tests.bench.model_wires`.

CPU time of this process alone; the provider is another one. The ratio to bare httpx is what counts: aim 1 or less for
each streamed chunk. The SDK is measured where it is installed (`pip install openai`).
"""

import asyncio
import importlib.util
import json
import resource
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Final

import httpx

from nova_ui.domain.clock import SystemClock
from nova_ui.errors import ModelError
from nova_ui.llm.connection import Connection
from nova_ui.llm.port import Mode
from nova_ui.llm.wire import Profile, Wire
from nova_ui.llm.wire_model import WireModel
from nova_ui.llm.wires import WIRES
from tests.bench.table import show
from tests.llm.peer import ask, text_of
from tests.llm.requests import a_request

CHUNKS: Final = 2_000
REQUESTS: Final = 30
ROUNDS: Final = 5
STREAMS: Final = 50
LINE_MB: Final = 500
_REPOSITORY: Final = Path(__file__).resolve().parents[2]

Opened = Callable[[int], AbstractAsyncContextManager["Asking"]]
Asking = Callable[[int], Awaitable[int]]  # asks for so many chunks and returns how many characters came


def _ask_over(connection: Connection, wire: Wire) -> Asking:
    async def ask_once(chunks: int) -> int:
        del chunks
        events, failure = await ask(WireModel(connection, wire, Profile(model="m"), Mode.LOCAL), a_request())
        assert failure is None
        return len(text_of(events))

    return ask_once


@asynccontextmanager
async def _ours(port: int, wire: Wire, chunks: int) -> AsyncIterator[Asking]:
    address = f"http://127.0.0.1:{port}/stream/{wire.name}/{chunks}"
    connection = Connection(address, headers={**wire.headers}, clock=SystemClock())
    try:
        yield _ask_over(connection, wire)
    finally:
        await connection.aclose()


@asynccontextmanager
async def _bare(port: int, chunks: int) -> AsyncIterator[Asking]:
    """The shortest program that does the same with httpx: no limits, no clock, no checks."""
    body = WIRES_OPENAI.body_of(a_request(), Profile(model="m"))

    async with httpx.AsyncClient() as client:

        async def ask_once(_chunks: int) -> int:
            url = f"http://127.0.0.1:{port}/stream/{WIRES_OPENAI.name}/{chunks}/chat/completions"
            count = 0
            async with client.stream("POST", url, content=body) as answer:
                async for line in answer.aiter_lines():
                    if line.startswith("data: {"):
                        for choice in json.loads(line[6:])["choices"]:
                            count += len(choice["delta"].get("content") or "")
            return count

        yield ask_once


@asynccontextmanager
async def _sdk(port: int, chunks: int) -> AsyncIterator[Asking]:
    openai = importlib.import_module("openai")
    address = f"http://127.0.0.1:{port}/stream/{WIRES_OPENAI.name}/{chunks}"
    async with openai.AsyncOpenAI(base_url=address, api_key="k", max_retries=0) as client:

        async def ask_once(_chunks: int) -> int:
            messages = [{"role": "user", "content": "hello"}]
            stream = await client.chat.completions.create(model="m", messages=messages, stream=True)
            count = 0
            async for chunk in stream:
                for choice in chunk.choices:
                    count += len(choice.delta.content or "")
            return count

        yield ask_once


async def _cpu_us(opened: Opened, chunks: int) -> tuple[float, float]:
    """Return microseconds of CPU a request without chunks to speak of, and a chunk."""
    async with opened(1) as small, opened(chunks) as large:
        await small(1), await large(chunks)
        least = [float("inf"), float("inf")]
        for _ in range(ROUNDS):
            for place, asking, count in ((0, small, REQUESTS), (1, large, 1)):
                begun = time.process_time()
                for _ in range(count):
                    assert await asking(chunks)
                least[place] = min(least[place], (time.process_time() - begun) / count * 1e6)
    return least[0], (least[1] - least[0]) / chunks


async def _fifty_at_once(port: int) -> tuple[float, float]:
    async with _ours(port, WIRES_OPENAI, 200) as asking:
        begun, cpu = time.perf_counter(), time.process_time()
        await asyncio.gather(*(asking(200) for _ in range(STREAMS)))
        return time.perf_counter() - begun, time.process_time() - cpu


async def _endless_line(port: int) -> float:
    """Return by how many MB the largest memory of this process grew while a peer sent a line of 500 MB."""
    connection = Connection(f"http://127.0.0.1:{port}/line/{LINE_MB}", headers={}, clock=SystemClock())
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    _, failure = await ask(WireModel(connection, WIRES_OPENAI, Profile(model="m"), Mode.LOCAL), a_request())
    assert isinstance(failure, ModelError)
    await connection.aclose()
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


async def measure(port: int) -> list[tuple[str, str]]:
    """Ask again and again over each way."""
    bare_request, bare_chunk = await _cpu_us(partial(_bare, port), CHUNKS)
    rows = [("bare httpx, a request, µs", f"{bare_request:.0f}"), ("bare httpx, a chunk, µs", f"{bare_chunk:.1f}")]
    for wire in WIRES.values():
        request, chunk = await _cpu_us(partial(_ours, port, wire), CHUNKS)
        rows += _ratios(wire.name, request, chunk, bare_request, bare_chunk)
    if importlib.util.find_spec("openai") is not None:
        rows += _ratios("openai SDK", *await _cpu_us(partial(_sdk, port), CHUNKS), bare_request, bare_chunk)
    seconds, cpu = await _fifty_at_once(port)
    rows.append((f"{STREAMS} streams of 200 chunks at once, s", f"{seconds:.2f}"))
    rows.append((f"{STREAMS} streams of 200 chunks at once, CPU s", f"{cpu:.2f}"))
    rows.append((f"memory for a line of {LINE_MB} MB, MB", f"{await _endless_line(port):.1f}"))
    return rows


def _ratios(name: str, request: float, chunk: float, bare_request: float, bare_chunk: float) -> list[tuple[str, str]]:
    return [
        (f"{name}, a request, µs (ratio)", f"{request:.0f} ({request / bare_request:.2f})"),
        (f"{name}, a chunk, µs (ratio)", f"{chunk:.1f} ({chunk / bare_chunk:.2f})"),
    ]


def main() -> None:
    """Start the provider, measure, show."""
    command = [sys.executable, "-m", "tests.bench.peer_process"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=_REPOSITORY) as peer:  # noqa: S603 - ours
        assert peer.stdout is not None
        try:
            rows = asyncio.run(measure(int(peer.stdout.readline())))
        finally:
            peer.kill()
    show("Asking a model", rows, sys.stdout)


WIRES_OPENAI: Final = next(iter(WIRES.values()))

if __name__ == "__main__":
    main()
