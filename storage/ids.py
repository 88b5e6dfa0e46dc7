"""Opaque ids, prefixed by what they name."""

import secrets
from typing import Final

_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"
_LENGTH: Final = 20
ID_PATTERN: Final = r"^[a-z]{3}_[0-9a-z]{20}$"


def new_id(prefix: str) -> str:
    """Return a new id such as `grp_…`: 100 random bits, URL-safe, lower case."""
    return f"{prefix}_" + "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))
