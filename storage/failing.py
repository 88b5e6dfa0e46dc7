"""What a database's failure means: busy, full, or not to be used; and whether anything was changed."""

import logging
import re
import sqlite3
from typing import Final

from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

from nova_ui.errors import NovaUnavailable, NovaUnsaved

BUSY: Final = "database_busy"
FULL: Final = "database_full"
UNUSABLE: Final = "database_unavailable"
FAILURES: Final = (SQLAlchemyError, sqlite3.Error)

_LOG: Final = logging.getLogger(__name__)
_DETAILS: Final = {
    BUSY: "The database is busy. Nothing was changed; try again in a moment.",
    FULL: "The database has no room left. Nothing was changed; an administrator has to make room.",
    UNUSABLE: "The database can't be used. Nothing was changed; try again later.",
}
_UNKNOWN_DETAIL: Final = "The database failed at the last moment. Whether a change was made is not known; look first."
_OF_SQLITE: Final = (
    (re.compile(r"SQLITE_(BUSY|LOCKED)"), BUSY),
    (re.compile(r"SQLITE_FULL"), FULL),
    (re.compile(r"SQLITE_(IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB|NOLFS|PROTOCOL)"), UNUSABLE),
)
# By SQLSTATE: PostgreSQL's appendix A.
_OF_POSTGRESQL: Final = (
    (re.compile(r"53100"), FULL),
    (re.compile(r"55P03|57014|40001|40P01|53300"), BUSY),
    (re.compile(r"08...|57P0.|53...|58...|25006|XX00[12]"), UNUSABLE),
)


def failure_of(error: BaseException, *, is_committing: bool = False) -> NovaUnavailable | None:
    """Return what a failure of the database means to whoever asked, or None if it is a fault of ours.

    A connection that is lost while a transaction commits leaves open whether it did.
    """
    code, name = _code_of(error)
    if code is None:
        return None
    is_lost = isinstance(error, DBAPIError) and (error.connection_invalidated or not name)
    _LOG.warning("database.failed %s %s", code, name or type(error).__name__, extra={"code": code})
    if is_committing and is_lost:
        return NovaUnavailable(_UNKNOWN_DETAIL)
    return NovaUnsaved(_DETAILS[code], code=code)


def busy() -> NovaUnsaved:
    """Return what somebody is told who has waited too long for others to finish writing."""
    _LOG.warning("database.failed %s waited too long", BUSY, extra={"code": BUSY})
    return NovaUnsaved(_DETAILS[BUSY], code=BUSY)


def _code_of(error: BaseException) -> tuple[str | None, str]:
    """Return our code and the database's own name of the failure."""
    if isinstance(error, NoConnectionFree):
        return BUSY, "pool"
    original = error.orig if isinstance(error, DBAPIError) else error
    if isinstance(original, sqlite3.Error):
        return _matching(_OF_SQLITE, getattr(original, "sqlite_errorname", "") or "")
    state = getattr(original, "sqlstate", None)
    if state:
        return _matching(_OF_POSTGRESQL, state)
    is_lost = isinstance(error, DBAPIError) and type(original).__name__ in {"OperationalError", "InterfaceError"}
    return (UNUSABLE, "") if is_lost else (None, "")


def _matching(known: tuple[tuple[re.Pattern[str], str], ...], name: str) -> tuple[str | None, str]:
    return next((code for pattern, code in known if pattern.match(name)), None), name
