"""A turn's events as server-sent events, with a sign of life while nothing happens, as long as one is signed in."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from typing import Final

from fastapi.responses import StreamingResponse

from nova_ui.api.problem import problem_body
from nova_ui.chat.events import EventName, TurnEvent
from nova_ui.errors import NovaUnavailable

SIGN_OF_LIFE_S: Final = 15.0
CHECK_S: Final = 2.0
_HEADERS: Final = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}

IsSignedIn = Callable[[], Awaitable[bool]]


def stream_response(events: AsyncIterator[TurnEvent], is_signed_in: IsSignedIn) -> StreamingResponse:
    """Return `events` as a response that ends with the last of them, or with the session that asked."""
    return StreamingResponse(written(events, is_signed_in), media_type="text/event-stream", headers=_HEADERS)


async def written(
    events: AsyncIterator[TurnEvent],
    is_signed_in: IsSignedIn,
    *,
    sign_of_life_s: float = SIGN_OF_LIFE_S,
    check_s: float = CHECK_S,
) -> AsyncGenerator[bytes, None]:
    """Write each event, and a comment whenever none came for `sign_of_life_s` seconds.

    Ends at most `check_s` seconds after `is_signed_in` has become false: the turn may be that of another session of the
    same identity, and go on.
    """
    now = asyncio.get_running_loop().time
    waiting = asyncio.ensure_future(anext(events, None))
    checked_at = written_at = now()
    try:
        while True:
            await asyncio.wait({waiting}, timeout=min(sign_of_life_s, check_s))
            if now() - checked_at >= check_s:
                if not await is_signed_in():
                    return
                checked_at = now()
            if not waiting.done():
                if now() - written_at >= sign_of_life_s:
                    yield b": alive\n\n"
                    written_at = now()
                continue
            written_at = now()
            try:
                event = waiting.result()
            except NovaUnavailable as failure:
                yield _as_error(failure)
                return
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


def _as_error(failure: NovaUnavailable) -> bytes:
    """Return the end of a stream whose events can't be stored: without an id, since nothing keeps it."""
    body = problem_body(failure.status, failure.code, f"{failure.detail} What was told until now is kept.")
    return f"event: {EventName.ERROR.value}\ndata: {json.dumps(body)}\n\n".encode()


async def _end(waiting: "asyncio.Future[TurnEvent | None]", events: AsyncIterator[TurnEvent]) -> None:
    """Let go of the turn: whoever no longer listens changes nothing about it."""
    waiting.cancel()
    await asyncio.wait({waiting})
    if isinstance(events, AsyncGenerator):
        await events.aclose()
