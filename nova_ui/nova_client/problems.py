"""How an answer of Nova that is no success becomes one of our errors: by its status and its `code`."""

import json
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.errors import (
    NovaConflict,
    NovaForbidden,
    NovaInvalid,
    NovaNotFound,
    NovaPreconditionFailed,
    NovaProblem,
    NovaTooLarge,
    NovaTooMany,
    NovaUnauthenticated,
    NovaUnavailable,
    NovaUnsaved,
)

MAX_DETAIL_CHARS: Final = 2_000
_UNPROCESSABLE: Final = 422
_OF_THE_DATABASE: Final = frozenset({"database_busy", "database_full", "database_unavailable"})
_KNOWN_MEMBERS: Final = frozenset({"type", "title", "status", "code", "detail", "field", "instance"})

_BY_STATUS: Final[dict[int, type[NovaProblem]]] = {
    _UNPROCESSABLE: NovaInvalid,
    **{
        problem.status: problem
        for problem in (
            NovaInvalid,
            NovaUnauthenticated,
            NovaForbidden,
            NovaNotFound,
            NovaConflict,
            NovaPreconditionFailed,
            NovaTooLarge,
            NovaTooMany,
        )
    },
}


def problem_from(status: int, content: bytes) -> NovaProblem:
    """Return the error for an answer that is no success.

    What a failing server wrote (5xx) is never passed on: it may hold a traceback or the input. Of a database that
    can't be used its code is, which says as much.
    """
    kind = _BY_STATUS.get(status)
    code = _text(_object_in(content).get("code"))
    if status == NovaUnsaved.status and code in _OF_THE_DATABASE:
        return NovaUnsaved("Nova's database can't be used at the moment. Try again later.", code=code)
    if kind is None:
        return NovaUnavailable(f"Nova failed ({status}). Whether a change was made is not known; look before retrying.")
    body = _object_in(content)
    detail = _text(body.get("detail")) or _text(body.get("title")) or ""
    extra = {name: value for name, value in body.items() if name not in _KNOWN_MEMBERS}
    return kind(detail[:MAX_DETAIL_CHARS], code=code, field=_text(body.get("field")), extra=extra)


def _object_in(content: bytes) -> JsonObject:
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return body if isinstance(body, dict) else {}


def _text(value: JsonValue) -> str | None:
    return value if isinstance(value, str) else None
