"""How secret columns are sealed: authenticated, bound to their place, under keys that can be rotated (rule D5)."""

import base64
import json
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Self

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from nova_ui.errors import NovaUiError

_KEY_BYTES: Final = 32
_NONCE_BYTES: Final = 12
_VERSION: Final = "v1"
_SEALED: Final = re.compile(r"enc:v1:([a-z0-9]{1,32}):([A-Za-z0-9_-]+)")
_KEY_ID: Final = re.compile(r"[a-z0-9]{1,32}")


class UnsealFailed(NovaUiError):
    """A sealed value can't be opened; `reason` is `not_sealed`, `unknown_key` or `not_authentic`."""

    key = "A stored secret can't be read. Please set it again."

    def __init__(self, reason: str) -> None:
        super().__init__(reason=reason)
        self.reason = reason

    def __str__(self) -> str:
        return f"sealed value not opened: {self.reason}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a sealed value lives; it opens nowhere else."""

    table: str
    column: str
    row_id: str

    def bound_to(self, key_id: str) -> bytes:
        """Return the associated data: unambiguous, whatever the parts hold."""
        return json.dumps([_VERSION, key_id, self.table, self.column, self.row_id]).encode()


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyRing:
    """Keys by id; `current` seals, every other one still opens.

    Raises:
        ValueError: no current key, a malformed id or a key that is not 32 bytes long.

    """

    current: str
    keys: Mapping[str, bytes] = field(repr=False)

    def __post_init__(self) -> None:
        if self.current not in self.keys:
            raise ValueError("the current key is not among the keys")
        for key_id, key in self.keys.items():
            if not _KEY_ID.fullmatch(key_id):
                raise ValueError("a key id holds other characters than a-z and 0-9")
            if len(key) != _KEY_BYTES:
                raise ValueError(f"the key {key_id} is not {_KEY_BYTES} bytes long")

    @classmethod
    def generate(cls) -> Self:
        """Make a ring with one new key."""
        key_id = _new_key_id()
        return cls(current=key_id, keys={key_id: secrets.token_bytes(_KEY_BYTES)})

    def with_new_key(self) -> "KeyRing":
        """Return this ring with one more key, which seals from now on."""
        key_id = _new_key_id()
        return KeyRing(current=key_id, keys={**self.keys, key_id: secrets.token_bytes(_KEY_BYTES)})

    def only_current(self) -> "KeyRing":
        """Return a ring without the retired keys; values sealed under those are lost."""
        return KeyRing(current=self.current, keys={self.current: self.keys[self.current]})


class Encryption:
    """Seals and opens values with AES-256-GCM; a sealed value reads `enc:v1:<key id>:<base64url>`."""

    def __init__(self, ring: KeyRing) -> None:
        self._ring = ring
        self._ciphers = {key_id: AESGCM(key) for key_id, key in ring.keys.items()}

    @staticmethod
    def is_sealed(value: str) -> bool:
        """Whether `value` has the form of a sealed value."""
        return _SEALED.fullmatch(value) is not None

    def seal(self, plaintext: str, place: Place) -> str:
        """Encrypt `plaintext` for `place` under the current key; equal texts never look equal."""
        key_id = self._ring.current
        nonce = secrets.token_bytes(_NONCE_BYTES)
        ciphertext = self._ciphers[key_id].encrypt(nonce, plaintext.encode(), place.bound_to(key_id))
        return f"enc:{_VERSION}:{key_id}:{to_text(nonce + ciphertext)}"

    def open(self, sealed: str, place: Place) -> str:
        """Decrypt what `seal` made for the same place.

        Raises:
            UnsealFailed: it is no sealed value, its key is not known, or it was changed or moved.

        """
        found = _SEALED.fullmatch(sealed)
        if found is None:
            raise UnsealFailed("not_sealed")
        key_id, text = found.groups()
        cipher = self._ciphers.get(key_id)
        if cipher is None:
            raise UnsealFailed("unknown_key")
        try:
            raw = from_text(text)
            return cipher.decrypt(raw[:_NONCE_BYTES], raw[_NONCE_BYTES:], place.bound_to(key_id)).decode()
        except (InvalidTag, ValueError):
            raise UnsealFailed("not_authentic") from None

    def rotate(self, sealed: str, place: Place) -> str:
        """Return the value sealed under the current key; unchanged if it already is.

        Raises:
            UnsealFailed: as `open`.

        """
        plaintext = self.open(sealed, place)
        if sealed.startswith(f"enc:{_VERSION}:{self._ring.current}:"):
            return sealed
        return self.seal(plaintext, place)

    def derive(self, purpose: str) -> bytes:
        """Return a 32-byte key for another purpose; every server with the same key file has the same one."""
        derivation = HKDF(algorithm=SHA256(), length=_KEY_BYTES, salt=None, info=f"nova:{purpose}".encode())
        return derivation.derive(self._ring.keys[self._ring.current])

    def check(self) -> None:
        """Fail if the keys can't be used.

        Raises:
            UnsealFailed: what was sealed can't be opened again.

        """
        place = Place(table="check", column="check", row_id="check")
        if self.open(self.seal("check", place), place) != "check":
            raise UnsealFailed("not_authentic")


def _new_key_id() -> str:
    return secrets.token_hex(4)


def to_text(raw: bytes) -> str:
    """Return base64url without padding."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def from_text(text: str) -> bytes:
    """Read what `to_text` wrote.

    Raises:
        ValueError: it is something else, or another spelling of it.

    """
    raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    if to_text(raw) != text:
        raise ValueError("not canonical")  # else one value would have several spellings
    return raw
