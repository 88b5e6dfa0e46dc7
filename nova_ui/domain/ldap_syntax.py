"""Whether a text is a distinguished name (RFC 4514) or a search filter (RFC 4515), by its syntax alone."""

import re
from typing import Final

_TYPE: Final = r"(?:[A-Za-z][A-Za-z0-9-]*|[0-9]+(?:\.[0-9]+)+)"
_ESCAPED: Final = r'\\(?:[ "#+,;<=>\\]|[0-9A-Fa-f]{2})'
_PLAIN: Final = r'[^\x00-\x1f"+,;<>\\]'
_WORDS: Final = rf"(?![ \#])(?:{_PLAIN}|{_ESCAPED})*"
_VALUE: Final = rf"(?:\#(?:[0-9A-Fa-f]{{2}})+|{_WORDS}(?<! )|{_WORDS}\\ )"
_PAIR: Final = rf"{_TYPE}={_VALUE}"
_NAME: Final = re.compile(rf"{_PAIR}(?:[+,]{_PAIR})*")
_SPACES_AFTER_COMMA: Final = re.compile(r"(?<!\\), +")
_MAX_CHARS: Final = 1_000

_ITEM: Final = re.compile(
    rf"(?:{_TYPE}(?:;[A-Za-z0-9-]+)*(?:=|~=|>=|<=)|{_TYPE}?(?::dn)?(?::{_TYPE})?:=)"
    r"(?:[^\x00()*\\]|\\[0-9A-Fa-f]{2}|\*)*"
)
_MAX_DEPTH: Final = 20


def is_distinguished_name(text: str) -> bool:
    """Whether `text` names an entry; spaces after a comma, as people write them, are allowed."""
    return len(text) <= _MAX_CHARS and _NAME.fullmatch(_SPACES_AFTER_COMMA.sub(",", text)) is not None


def is_filter(text: str) -> bool:
    """Whether `text` is one whole search filter in brackets."""
    return len(text) <= _MAX_CHARS and _filter_end(text, 0, 0) == len(text)


def _filter_end(text: str, start: int, depth: int) -> int | None:
    """Return where the filter that begins at `start` ends; None if none does."""
    if depth > _MAX_DEPTH or not text.startswith("(", start):
        return None
    inner = start + 1
    if text[inner : inner + 1] in {"&", "|"}:
        end = _filters_end(text, inner + 1, depth)
    elif text.startswith("!", inner):
        end = _filter_end(text, inner + 1, depth + 1)
    else:
        item = _ITEM.match(text, inner)
        end = item.end() if item else None
    return end + 1 if end is not None and text.startswith(")", end) else None


def _filters_end(text: str, start: int, depth: int) -> int | None:
    """Return where one or more filters that begin at `start` end."""
    end = _filter_end(text, start, depth + 1)
    while end is not None and text.startswith("(", end):
        end = _filter_end(text, end, depth + 1)
    return end
