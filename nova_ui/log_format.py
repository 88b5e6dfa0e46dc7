"""How a line of the log reads: time, level, event, and the ids that came with it."""

import logging
from typing import Final

_STANDARD: Final = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName", "color_message"}


class EventFormatter(logging.Formatter):
    """Appends the extra values of a record as `name=value`, so that events show their ids."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name is logging's
        """Return the line, in which no value can begin another line."""
        extras = (f" {name}={value!r}" for name, value in sorted(record.__dict__.items()) if name not in _STANDARD)
        return super().formatMessage(record) + "".join(extras)


def set_up_logging(level: str) -> None:
    """Log to standard error from `level` on; libraries only what warns: below, some tell headers with secrets."""
    handler = logging.StreamHandler()
    handler.setFormatter(EventFormatter())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for library in ("httpx", "httpcore", "aiosqlite", "alembic", "engineio", "socketio", "asyncio"):
        logging.getLogger(library).setLevel(max(logging.WARNING, logging.getLogger().level))
