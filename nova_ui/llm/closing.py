"""Closing a model's stream at once, and with it its connection."""

from collections.abc import AsyncGenerator, AsyncIterator

from nova_ui.llm.port import ModelEvent


async def closable(events: AsyncIterator[ModelEvent]) -> AsyncGenerator[ModelEvent, None]:
    """Pass events on; closing this closes the model's own stream at once, and with it the connection."""
    try:
        async for event in events:
            yield event
    finally:
        if isinstance(events, AsyncGenerator):
            await events.aclose()
