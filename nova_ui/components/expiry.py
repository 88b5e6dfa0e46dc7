"""One wait until something is over; no clock ticks on the server."""

import asyncio
from collections.abc import Callable

from nicegui import ui


async def wait_until_over(element: ui.element, seconds: int, act: Callable[[], None]) -> None:
    """Call `act` a little after `seconds`, unless `element` is gone by then."""
    await asyncio.sleep(seconds + 1)  # the last moment itself still counts (rule C5)
    if not element.is_deleted:
        act()
