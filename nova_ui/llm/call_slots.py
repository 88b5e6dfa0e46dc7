"""Pieces of tool calls, put together as servers really send them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.tool import CallId, RawCall
from nova_ui.errors import FailureKind, ModelError
from nova_ui.llm.limits import Limits
from nova_ui.llm.special_tokens import without_unusable_characters

_MAX_ID_CHARS: Final = 128
_MAX_NAME_CHARS: Final = 256


@dataclass(slots=True)
class _Slot:
    call_id: str | None
    name: str = ""
    arguments: list[str] = field(default_factory=list)
    arguments_bytes: int = 0
    signature: str | None = None


class CallSlots:
    """The calls of one answer while they arrive.

    The index alone does not tell calls apart: real servers send parallel calls that all say 0, or no index at all.
    Arguments stay the text that came; they are parsed once, in the gate.
    """

    def __init__(self, limits: Limits, new_id: Callable[[], str]) -> None:
        self._limits = limits
        self._new_id = new_id
        self._slots: list[_Slot] = []
        self._at_index: dict[int | None, _Slot] = {}
        self._arguments_bytes = 0

    @property
    def is_used(self) -> bool:
        """Whether any call has begun."""
        return bool(self._slots)

    def feed(self, piece: JsonObject) -> None:
        """Take in one element of a delta's `tool_calls`; see `put`."""
        function = piece.get("function")
        if not isinstance(function, dict):
            function = {}
        self.put(
            index=piece.get("index"),
            call_id=piece.get("id"),
            name=function.get("name"),
            arguments=function.get("arguments"),
        )

    def put(self, *, index: object, call_id: object, name: object, arguments: object, signature: object = None) -> None:
        """Take in a call or a piece of one.

        Raises:
            ModelError: `TOO_MUCH` beyond a cap, `PROTOCOL` for arguments that belong to no call or are no text: left
                out, they would look like a call without any, which a tool with nothing but defaults runs.

        """
        if not isinstance(arguments, str | None):
            raise ModelError(FailureKind.PROTOCOL)
        found = _text(name)[:_MAX_NAME_CHARS]
        slot = self._slot_for(_index(index), _usable_id(call_id), found)
        if found:
            slot.name = without_unusable_characters(found)
        if signature:
            slot.signature = _text(signature)
            self._append(slot, "", more=slot.signature)
        self._append(slot, arguments or "")

    def calls(self) -> list[RawCall]:
        """Return the complete calls in the order of their beginning; a missing id is made up.

        Raises:
            ModelError: `PROTOCOL`, a call never got a name.

        """
        if not all(slot.name for slot in self._slots):
            raise ModelError(FailureKind.PROTOCOL)
        return [
            RawCall(
                call_id=CallId(slot.call_id or self._new_id()),
                name=slot.name,
                arguments_text="".join(slot.arguments),
                signature=slot.signature,
            )
            for slot in self._slots
        ]

    def _slot_for(self, index: int | None, call_id: str | None, name: str) -> _Slot:
        current = self._at_index.get(index)
        if index is None and self._slots:
            current = self._slots[-1]
        if current is not None and not _begins_another(current, call_id, name):
            current.call_id = current.call_id or call_id
            return current
        if not name and not call_id:
            raise ModelError(FailureKind.PROTOCOL)
        if len(self._slots) >= self._limits.max_calls:
            raise ModelError(FailureKind.TOO_MUCH)
        slot = _Slot(call_id)
        self._slots.append(slot)
        self._at_index[index] = slot
        return slot

    def _append(self, slot: _Slot, arguments: str, *, more: str = "") -> None:
        if not arguments and not more:
            return
        size_bytes = len((arguments + more).encode("utf-8", "surrogatepass"))
        slot.arguments_bytes += size_bytes
        self._arguments_bytes += size_bytes  # each is parsed, searched for secrets, kept and sent again
        limits = self._limits
        if slot.arguments_bytes > limits.max_argument_bytes or self._arguments_bytes > limits.max_arguments_bytes:
            raise ModelError(FailureKind.TOO_MUCH)
        slot.arguments.append(arguments)


def _begins_another(current: _Slot, call_id: str | None, name: str) -> bool:
    if not name or not current.name:
        return False  # more of its arguments, or the name that comes after the id
    if call_id is None:
        return True  # a name on a used slot
    return call_id != current.call_id or name != current.name


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _index(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _usable_id(value: object) -> str | None:
    is_usable = isinstance(value, str) and value.isascii() and value.isprintable() and len(value) <= _MAX_ID_CHARS
    return value if is_usable and isinstance(value, str) and value else None
