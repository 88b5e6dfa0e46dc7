"""How an unexpected failure is logged: its kind and its place, never its words, which may hold anything."""

import logging
import traceback


def log_failure(log: logging.Logger, name: str, error: BaseException, **ids: str) -> None:
    """Log that `name` happened because of `error`; `ids` say to what."""
    frames = "".join(traceback.format_tb(error.__traceback__))
    log.error("%s %s\n%s", name, type(error).__name__, frames, extra=ids)
