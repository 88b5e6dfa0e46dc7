"""How a result is shortened: at whole records where it is a list, never inside a placeholder (rules E4, E5)."""

import json
import re
from dataclasses import dataclass
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.guardrails.envelope import escape
from nova_ui.guardrails.secret_assignments import SECRET_PLACEHOLDER

_ITEMS: Final = "items"
_BROKEN_ESCAPE: Final = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?\Z")
_LEFT_OUT_WHEN_CUT: Final = frozenset({"shown", "truncated", "next_cursor"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortened:
    """A result's text, escaped for its envelope, and whether something is missing."""

    text: str
    truncated: bool


def shorten(value: JsonValue, room_chars: int) -> Shortened:
    """Return `value` as text of at most `room_chars` code points, the note about what is missing included.

    A list, or an object that holds one, stays valid JSON with its first records whole. The cursor to the next page
    is then left out: it would skip the records that were cut.
    """
    text = as_text(value)
    if len(text) <= room_chars:
        return Shortened(text=text, truncated=False)
    by_records = _shorten_records(value, room_chars)
    return Shortened(text=shorten_text(text, room_chars) if by_records is None else by_records, truncated=True)


def as_text(value: JsonValue) -> str:
    """Return a result as the model reads it: plain words as they are, all else as JSON."""
    return escape(value if isinstance(value, str) else _dump(value))


def shorten_text(text: str, room_chars: int) -> str:
    """Cut `text` to at most `room_chars` code points, the note included; never inside a placeholder."""
    if len(text) <= room_chars:
        return text
    note = f"… [cut: {len(text)} characters in all]"
    end = room_chars - len(note)
    if end <= 0:
        return note[:room_chars]
    for length in range(1, len(SECRET_PLACEHOLDER)):
        if length <= end and text.startswith(SECRET_PLACEHOLDER, end - length):
            end -= length
            break
    return _BROKEN_ESCAPE.sub("", text[:end]) + note


def _shorten_records(value: JsonValue, room_chars: int) -> str | None:
    """Cut the longest list, then the next; None if there is none or it is not enough."""
    if isinstance(value, list):
        value = {_ITEMS: value}
    if not isinstance(value, dict):
        return None
    rest = dict(value)
    lists = [(name, item) for name, item in value.items() if isinstance(item, list) and item]
    for name, records in sorted(lists, key=lambda pair: len(_dump(pair[1])), reverse=True):
        text = _most_records(rest, name, records, room_chars)
        if text is not None:
            return text
        rest[name] = []
    return None


def _most_records(whole: JsonObject, name: str, records: list[JsonValue], room_chars: int) -> str | None:
    """Return the text with as many of the first records as fit; None if it does not fit without any."""
    best: str | None = None
    low, high = 0, len(records)
    while low <= high:
        middle = (low + high) // 2
        text = as_text(_with_first(whole, name, records, middle))
        if len(text) <= room_chars:
            best, low = text, middle + 1
        else:
            high = middle - 1
    return best


def _with_first(whole: JsonObject, name: str, records: list[JsonValue], count: int) -> JsonObject:
    note = f"Only {count} of these {len(records)} {name} fit. Ask for less, by a filter or a smaller limit."
    others = {other: item for other, item in whole.items() if other not in _LEFT_OUT_WHEN_CUT and other != name}
    return {"total": len(records), "shown": count, "truncated": note, **others, name: records[:count]}


def _dump(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
