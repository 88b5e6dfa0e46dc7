"""Which headers an administrator may add to calls: none that carry the call itself, its key, or a session."""

import re
from typing import Final

MAX_HEADERS: Final = 20
MAX_VALUE_CHARS: Final = 2_000
_NAME: Final = re.compile(r"[a-z0-9!#$%&'*+.^_`|~-]{1,100}")
# What the connection, the wire format or the key is made of; and what would speak for somebody else.
_OURS: Final = frozenset(
    {
        "accept",
        "accept-encoding",
        "anthropic-version",
        "api-key",
        "authorization",
        "connection",
        "content-encoding",
        "content-length",
        "content-type",
        "cookie",
        "cookie2",
        "expect",
        "forwarded",
        "host",
        "keep-alive",
        "set-cookie",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "user-agent",
        "via",
        "x-api-key",
        "x-goog-api-key",
    }
)
_OURS_BEGIN: Final = ("proxy-", "sec-", "x-forwarded-", "x-amz-security-", ":")


def is_addable(name: str) -> bool:
    """Whether an administrator may add a header of this name."""
    lowered = name.lower()
    return _NAME.fullmatch(lowered) is not None and lowered not in _OURS and not lowered.startswith(_OURS_BEGIN)


def is_sendable(value: str) -> bool:
    """Whether a header can carry this value: visible characters, spaces only within."""
    return 0 < len(value) <= MAX_VALUE_CHARS and value.isascii() and value.isprintable() and value == value.strip()
