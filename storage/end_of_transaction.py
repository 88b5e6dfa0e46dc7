"""Work that a transaction does last, right before it is committed."""

from collections.abc import Awaitable, Callable
from typing import Final

from sqlmodel.ext.asyncio.session import AsyncSession

LastWork = Callable[[AsyncSession], Awaitable[None]]

_LAST_WORK: Final = "storage.last_work"


def do_last(session: AsyncSession, work: LastWork) -> None:
    """Have `work` done once, right before this transaction is committed; asking again changes nothing."""
    session.info.setdefault(_LAST_WORK, {})[work] = None


async def finish(session: AsyncSession) -> None:
    """Do what was kept for the end, in the order in which it was asked for."""
    for work in session.info.pop(_LAST_WORK, {}):
        await work(session)
