"""A turn's events as server-sent events, with a sign of life while nothing happens."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Final

from fastapi.responses import StreamingResponse

from nova_ui.chat.events import TurnEvent

SIGN_OF_LIFE_S: Final = 15.0
_HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


def stream_response(events: AsyncIterator[TurnEvent]) -> StreamingResponse:
    """Return `events` as a response that ends with the last of them."""
    return StreamingResponse(written(events), media_type="text/event-stream", headers=_HEADERS)


async def written(
    events: AsyncIterator[TurnEvent], *, sign_of_life_s: float = SIGN_OF_LIFE_S
) -> AsyncGenerator[bytes, None]:
    """Write each event, and a comment whenever none came for `sign_of_life_s` seconds."""
    waiting = asyncio.ensure_future(anext(events, None))
    try:
        while True:
            await asyncio.wait({waiting}, timeout=sign_of_life_s)
            if not waiting.done():
                yield b": alive\n\n"
                continue
            event = waiting.result()
            if event is None:
                return
            yield as_bytes(event)
            waiting = asyncio.ensure_future(anext(events, None))
    finally:
        await _end(waiting, events)


def as_bytes(event: TurnEvent) -> bytes:
    """Return one event as it goes over the wire; JSON holds no line break."""
    data = json.dumps(event.data, ensure_ascii=False, separators=(",", ":"))
    return f"id: {event.id}\nevent: {event.name.value}\ndata: {data}\n\n".encode(errors="replace")


async def _end(waiting: "asyncio.Future[TurnEvent | None]", events: AsyncIterator[TurnEvent]) -> None:
    """Let go of the turn: whoever no longer listens changes nothing about it."""
    waiting.cancel()
    await asyncio.wait({waiting})
    if isinstance(events, AsyncGenerator):
        await events.aclose()
