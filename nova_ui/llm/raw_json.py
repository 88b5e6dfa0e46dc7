"""JSON read so that nothing of a call's arguments is lost before the gate judges them.

Some wires deliver arguments as parsed objects. An ordinary decoder would keep one of two equal keys, and turn `NaN`,
`1e999` or a number of 5,000 digits into something else; here they are kept and written out again as they came.
"""

import json
from typing import Final

from nova_ui.errors import FailureKind, ModelError


class Number(str):
    """A number as it was written."""

    __slots__ = ()


class RawObject(dict[str, object]):
    """An object that also remembers each pair, doubled keys included."""

    __slots__ = ("pairs",)

    def __init__(self, pairs: list[tuple[str, object]]) -> None:
        super().__init__(pairs)
        self.pairs = pairs


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=RawObject, parse_int=Number, parse_float=Number, parse_constant=Number
)


def parse_raw(data: bytes) -> RawObject:
    """Return the object that `data` holds, numbers and doubled keys as they were written.

    Raises:
        ModelError: `PROTOCOL`, it is no JSON object.

    """
    try:
        value = _DECODER.decode(data.decode())
    except (ValueError, RecursionError):
        raise ModelError(FailureKind.PROTOCOL) from None
    if not isinstance(value, RawObject):
        raise ModelError(FailureKind.PROTOCOL)
    return value


def written(value: object) -> str:
    """Return a part of such an object as the JSON text that it was, save for white space.

    Raises:
        ModelError: `PROTOCOL`, it is nested too deeply to be written.

    """
    try:
        return _written(value)
    except RecursionError:
        raise ModelError(FailureKind.PROTOCOL) from None


def _written(value: object) -> str:
    if isinstance(value, RawObject):
        return "{" + ",".join(f"{json.dumps(name)}:{_written(one)}" for name, one in value.pairs) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_written, value)) + "]"
    return str(value) if isinstance(value, Number) else json.dumps(value)
