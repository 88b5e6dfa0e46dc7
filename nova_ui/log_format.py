"""How a line of the log reads: time, level, event, and the ids that came with it; nobody else's text begins a line."""

import logging
import time
import traceback
from types import TracebackType
from typing import Final

_STANDARD: Final = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName", "color_message"}
_FURTHER_LINE: Final = "\n    "  # no line of ours begins so
_MAX_EXTRA_CHARS: Final = 1_000
ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class EventFormatter(logging.Formatter):
    """Appends the extra values of a record as `name=value`, so that events show their ids.

    Times are UTC. Line breaks, terminal codes and marks that turn the direction of writing are written out. Of an
    exception stand its type and where it happened, and what the system says of a file or a connection: other words
    may be anybody's, or hold a secret.
    """

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s %(message)s")
        self.converter = time.gmtime
        self.default_time_format, self.default_msec_format = "%Y-%m-%dT%H:%M:%S", "%s.%03dZ"

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name is logging's
        """Return the line, in which no value can begin another line."""
        extras = (
            f" {name}={value!r:.{_MAX_EXTRA_CHARS}}"
            for name, value in sorted(record.__dict__.items())
            if name not in _STANDARD
        )
        return in_one_piece(super().formatMessage(record)) + "".join(extras)

    def formatException(self, ei: ExcInfo) -> str:  # noqa: N802 - the name is logging's
        """Return types and places, the first cause first."""
        return _FURTHER_LINE.join(["", *_told(ei[1])]).lstrip("\n") if ei[1] is not None else ""

    def formatStack(self, stack_info: str) -> str:  # noqa: N802 - the name is logging's
        """Return a stack as further lines."""
        return in_one_piece(stack_info)


def in_one_piece(text: str) -> str:
    """Return `text` with its further lines indented, and what can't be seen written out."""
    return _FURTHER_LINE.join(
        "".join(one if one.isprintable() else repr(one)[1:-1] for one in line) for line in text.split("\n")
    )


def _told(error: BaseException) -> list[str]:
    lines: list[str] = []
    for one in reversed(_chain(error)):
        frames = traceback.extract_tb(one.__traceback__)
        lines += [f'File "{frame.filename}", line {frame.lineno}, in {frame.name}' for frame in frames]
        said = in_one_piece(one.strerror or "") if isinstance(one, OSError) else ""
        lines.append(f"{type(one).__module__}.{type(one).__qualname__}{': ' if said else ''}{said}")
    return lines


def _chain(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    following: BaseException | None = error
    while following is not None and following not in found:
        found.append(following)
        following = following.__cause__ or (None if following.__suppress_context__ else following.__context__)
    return found


def set_up_logging(level: str) -> None:
    """Log to standard error from `level` on; libraries only what warns: below, some tell headers with secrets."""
    handler = logging.StreamHandler()
    handler.setFormatter(EventFormatter())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for library in ("httpx", "httpcore", "aiosqlite", "alembic", "engineio", "socketio", "asyncio"):
        logging.getLogger(library).setLevel(max(logging.WARNING, logging.getLogger().level))
