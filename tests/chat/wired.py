"""The engine's world with a real wire: a peer on loopback that answers one request after the other, and keeps each."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from nova_ui.domain.clock import SystemClock
from nova_ui.llm.connection import Connection
from nova_ui.llm.port import FinishReason, Mode
from nova_ui.llm.wire import Profile
from nova_ui.llm.wire_model import WireModel
from tests.chat.world import World
from tests.llm.peer import Peer, a_peer, head
from tests.llm.wire_bytes import Sent, Speaker

KEY = "sk-the-transport-s-own-0123456789abcdef"
BUSY = head("429 Too Many Requests", "application/json") + b"{}"


def answer(speaker: Speaker, sent: Sent) -> bytes:
    """Return one whole answer of a provider."""
    return head(content_type=speaker.content_type) + speaker.body(sent) + speaker.end(FinishReason.STOP)


@asynccontextmanager
async def a_wired(
    world: World, speaker: Speaker, answers: Sequence[bytes], *, context_tokens: int | None = None
) -> AsyncIterator[Peer]:
    """Have `world` ask a peer that gives `answers` in their order."""
    waiting = list(answers)

    async def write(writer: asyncio.StreamWriter) -> None:
        writer.write(waiting.pop(0))

    async with a_peer(write) as peer:
        headers = {**speaker.wire.headers, **speaker.wire.key_headers(KEY)}
        connection = Connection(peer.url, headers=headers, clock=SystemClock())
        profile = Profile(model="m/1", context_tokens=context_tokens)
        world.wired = WireModel(connection, speaker.wire, profile, Mode.LOCAL, profile_key="house")
        try:
            yield peer
        finally:
            await connection.aclose()
