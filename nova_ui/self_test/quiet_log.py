"""Keeps what happens on the stage out of the log: hundreds of attacks on invented people would only alarm somebody."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Final

_OWN: Final = "nova_ui.self_test"
_on_stage: ContextVar[bool] = ContextVar("on_stage", default=False)


class _NotFromStage(logging.Filter):
    """Lets pass what tasks of the stage did not write; what the self-test itself has to say passes as well."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not _on_stage.get() or record.name.startswith(_OWN)


@asynccontextmanager
async def quiet_log() -> AsyncIterator[None]:
    """Silence the tasks that are begun within the block, and no others: a server goes on logging meanwhile."""
    silence, handlers = _NotFromStage(), tuple(logging.getLogger().handlers)
    for handler in handlers:
        handler.addFilter(silence)
    token = _on_stage.set(True)
    try:
        yield
    finally:
        _on_stage.reset(token)
        for handler in handlers:
            handler.removeFilter(silence)
