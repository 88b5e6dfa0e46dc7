"""A provider in a process of its own, so that its work is not ours: `python -m tests.bench.peer_process`.

It prints its port and answers every POST as the path says: `/stream/<wire>/<chunks>/…` or `/line/<megabytes>/…`.
"""

import asyncio
import sys
from contextlib import suppress

from nova_ui.llm.message_frames import FrameSplitter
from nova_ui.llm.port import FinishReason
from tests.llm.peer import head
from tests.llm.wire_bytes import SPEAKERS, Sent, Speaker

_CHUNK = "twelve chars"
_MEGABYTE = b"x" * 1_000_000


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError, asyncio.IncompleteReadError):
        request = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = next(int(line[15:]) for line in request.lower().split("\r\n") if line.startswith("content-length:"))
        await reader.readexactly(length)
        _, kind, *rest = request.split(" ")[1].split("/")
        if kind == "line":
            writer.write(head() + b"data: ")
            for _ in range(int(rest[0])):
                writer.write(_MEGABYTE)
                await writer.drain()
        else:
            speaker = next(one for one in SPEAKERS if one.wire.name == rest[0])
            writer.write(head(content_type=speaker.content_type, Transfer_Encoding="chunked"))
            pieces = _pieces(speaker)
            place = next(place for place, piece in enumerate(pieces) if _CHUNK.encode() in piece)
            for piece in [*pieces[:place], *pieces[place : place + 1] * int(rest[1]), *pieces[place + 1 :]]:
                await _write(writer, piece)
            await _write(writer, speaker.end(FinishReason.STOP))
            writer.write(b"0\r\n\r\n")
            await writer.drain()
    writer.close()
    with suppress(ConnectionError):
        await writer.wait_closed()


def _pieces(speaker: Speaker) -> list[bytes]:
    """Return what is sent for one chunk, event by event."""
    body = speaker.body(Sent(text=_CHUNK, size=len(_CHUNK)))
    if speaker.wire.framing == "messages":
        return list(FrameSplitter(len(body)).feed(body))
    return [event + b"\n\n" for event in body.split(b"\n\n") if event]


async def _write(writer: asyncio.StreamWriter, piece: bytes) -> None:
    """Write one piece as a server does that streams token by token: by itself, as one HTTP chunk."""
    writer.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
    await writer.drain()
    await asyncio.sleep(0)


async def _main() -> None:
    server = await asyncio.start_server(_serve, "127.0.0.1", 0)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_main())
