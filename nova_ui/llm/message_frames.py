"""Bytes to the messages of the binary event stream `application/vnd.amazon.eventstream`.

A message is: total length, length of its headers, checksum of these two; headers; payload; checksum of all before it.
"""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from nova_ui.errors import FailureKind, ModelError

_PRELUDE: Final = 12
_CHECKSUM: Final = 4
_STRING: Final = 7
# Bytes that a header's value takes by its type; None: two bytes of length come first.
_SIZES: Final = {0: 0, 1: 0, 2: 1, 3: 2, 4: 4, 5: 8, 6: None, _STRING: None, 8: 8, 9: 16}


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One message: its text headers and its payload."""

    headers: dict[str, str]
    payload: bytes


class FrameSplitter:
    """Cuts a stream of bytes into messages, and never keeps more than one."""

    def __init__(self, max_message_bytes: int) -> None:
        self._max_message_bytes = max_message_bytes
        self._rest = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Yield the messages that `data` completes, each checked against its checksums.

        Raises:
            ModelError: `PROTOCOL` for what is no message, `TOO_MUCH` for one larger than allowed.

        """
        self._rest += data
        while len(self._rest) >= _PRELUDE:
            size_bytes = self._size_of_next()
            if len(self._rest) < size_bytes:
                break
            message = bytes(self._rest[:size_bytes])
            del self._rest[:size_bytes]
            if zlib.crc32(message[:-_CHECKSUM]) != _number(message[-_CHECKSUM:]):
                raise ModelError(FailureKind.PROTOCOL)
            yield message

    def _size_of_next(self) -> int:
        prelude = bytes(self._rest[:_PRELUDE])
        size_bytes = _number(prelude[:4])
        is_prelude = zlib.crc32(prelude[:8]) == _number(prelude[8:])
        if not is_prelude or size_bytes < _PRELUDE + _CHECKSUM + _number(prelude[4:8]):
            raise ModelError(FailureKind.PROTOCOL)
        if size_bytes > self._max_message_bytes:
            raise ModelError(FailureKind.TOO_MUCH)
        return size_bytes


def read_frame(message: bytes) -> Frame:
    """Return headers and payload of one message.

    Raises:
        ModelError: `PROTOCOL`, its headers are none.

    """
    headers_end = _PRELUDE + _number(message[4:8])
    try:
        headers = _headers(message[_PRELUDE:headers_end])
    except (IndexError, KeyError, struct.error, UnicodeDecodeError):
        raise ModelError(FailureKind.PROTOCOL) from None
    return Frame(headers=headers, payload=message[headers_end:-_CHECKSUM])


def _headers(data: bytes) -> dict[str, str]:
    found: dict[str, str] = {}
    place = 0
    while place < len(data):
        name_end = place + 1 + data[place]
        name, kind = data[place + 1 : name_end].decode(), data[name_end]
        place = name_end + 1
        size_bytes = _SIZES[kind]
        if size_bytes is None:
            (size_bytes,) = struct.unpack(">H", data[place : place + 2])
            place += 2
        value = data[place : place + size_bytes]
        if len(value) != size_bytes:
            raise IndexError(place)
        if kind == _STRING:
            found[name] = value.decode()
        place += size_bytes
    return found


def _number(data: bytes) -> int:
    return int.from_bytes(data, "big")
