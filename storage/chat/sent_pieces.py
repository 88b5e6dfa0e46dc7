"""How the body of a request is cut into parts that a chat keeps once, and put together again byte by byte.

Any cut is right, since the parts joined are the body; a good one saves room. It is made where requests of one chat
agree: before each message, and around the tools. None of these marks can stand inside a JSON string, whose quotes are
escaped; where one stands elsewhere in a document, there is one part more.
"""

import hashlib
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

# Each with how far behind its beginning the cut is. A pattern with all of them would take many times as long.
_MARKS: Final = (
    (b', {"role": ', 0),
    (b'[{"role": ', 1),
    *((b'], "' + name + b'": ', 0) for name in (
        b"stream", b"system", b"systemInstruction", b"generationConfig", b"inferenceConfig", b"tools"
    )),
    *((b', "' + name + b'": ', 0) for name in (
        b"tools", b"toolConfig", b"tool_choice", b"system", b"systemInstruction"
    )),
)  # fmt: skip
_DIGEST_BYTES: Final = 16
_LEVEL: Final = 6


def cut(body: bytes) -> list[bytes]:
    """Return the parts of `body`, in order."""
    places = {0, len(body)}
    if body.endswith(b"}"):
        places.add(len(body) - 1)
    for mark, behind in _MARKS:
        at = body.find(mark)
        while at >= 0:
            places.add(at + behind)
            at = body.find(mark, at + 1)
    return [body[start:end] for start, end in pairwise(sorted(places))]


def digest_of(part: bytes) -> bytes:
    """Return what a part is known by within its chat."""
    return hashlib.sha256(part).digest()[:_DIGEST_BYTES]


def sha256_of(body: bytes) -> str:
    """Return what tells that a body put together is the one that was sent."""
    return hashlib.sha256(body).hexdigest()


@lru_cache(maxsize=32)  # the tools of an assistant come again in every chat, and take longest
def deflated(part: bytes) -> tuple[bytes, bool]:
    """Return a part as it is stored, and whether it is deflated."""
    small = zlib.compress(part, _LEVEL)
    return (small, True) if len(small) < len(part) else (part, False)


def inflated(content: bytes, *, is_deflated: bool) -> bytes:
    """Return a part as it was."""
    return zlib.decompress(content) if is_deflated else content


def write_ranges(numbers: Sequence[int]) -> str:
    """Write numbers as ranges of following ones: `0-12,15`."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return ",".join(f"{first}-{last}" if last > first else f"{first}" for first, last in ranges)


def read_ranges(text: str) -> Iterator[int]:
    """Yield the numbers that `write_ranges` wrote."""
    for piece in text.split(",") if text else ():
        first, _, last = piece.partition("-")
        yield from range(int(first), int(last or first) + 1)


def join(parts: Iterable[bytes]) -> bytes:
    """Put a body together again."""
    return b"".join(parts)
