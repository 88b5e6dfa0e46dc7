"""How passwords are kept and compared: Argon2id, off the event loop, as long for a stranger as for anybody."""

import asyncio
import logging
import secrets
import unicodedata
from dataclasses import dataclass
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError, VerifyMismatchError

log = logging.getLogger(__name__)

MAX_PASSWORD_CHARS: Final = 256
_AT_ONCE: Final = 2  # each takes 64 MB and a core; more at once would only starve the pages


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a password is right, and whether its hash was made with other parameters than today's."""

    matches: bool
    is_outdated: bool = False


class Passwords:
    """Hashes and compares passwords."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or PasswordHasher()  # the library's defaults are RFC 9106's second choice
        self._nobodys = self._hasher.hash(secrets.token_urlsafe())
        self._turns = asyncio.Semaphore(_AT_ONCE)

    async def hash(self, password: str) -> str:
        """Return the hash to store."""
        async with self._turns:
            return await asyncio.to_thread(self._hasher.hash, _normal(password))

    async def verify(self, password: str, stored: str | None) -> Verdict:
        """Compare; without a stored hash the answer is no, after the same work."""
        async with self._turns:
            matches = await asyncio.to_thread(self._matches, password, stored or self._nobodys)
        if stored is None or not matches:
            return Verdict(matches=False)
        return Verdict(matches=True, is_outdated=self._hasher.check_needs_rehash(stored))

    def _matches(self, password: str, stored: str) -> bool:
        if len(password) > MAX_PASSWORD_CHARS:
            password = ""  # nobody's password; still compared, so that it takes as long
        try:
            return self._hasher.verify(stored, _normal(password))
        except VerifyMismatchError:
            return False
        except (Argon2Error, InvalidHashError):
            log.warning("password.hash_unusable")
            return False


def _normal(password: str) -> bytes:
    # The same letters typed on another keyboard may arrive decomposed; a lone surrogate is no reason to fail.
    return unicodedata.normalize("NFC", password).encode("utf-8", "surrogatepass")
