"""Pages of what is computed anew for each: counted rows, with a cursor that belongs to one question."""

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping
from typing import Final

from nova_ui.domain.json_value import JsonValue
from nova_ui.errors import NovaInvalid

_MAX_OFFSET: Final = 1_000_000


def fingerprint_of(name: str, parameters: Mapping[str, JsonValue]) -> str:
    """Return what tells one question from another."""
    return hashlib.sha256(json.dumps([name, parameters], sort_keys=True).encode()).hexdigest()[:12]


def write_cursor(fingerprint: str, offset: int) -> str:
    """Return the cursor of the page that begins at `offset`."""
    return base64.urlsafe_b64encode(json.dumps([fingerprint, offset]).encode()).decode().rstrip("=")


def read_cursor(cursor: str | None, fingerprint: str) -> int:
    """Return where the page begins.

    Raises:
        NovaInvalid: the cursor belongs to another question, or is none.

    """
    if cursor is None:
        return 0
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        parts: JsonValue = json.loads(raw)
    except (binascii.Error, ValueError, RecursionError):
        parts = None
    match parts:
        case [str(given), int(offset)] if given == fingerprint and 0 <= offset <= _MAX_OFFSET:
            return offset
        case _:
            raise NovaInvalid("The cursor does not belong to this report. Start again without it.", field="cursor")
