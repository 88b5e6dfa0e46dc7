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


def _filter_end(text: str, start: int, depth: int) -> int:
    """Return where the filter that begins at `start` ends; -1 if none does."""
    if depth > _MAX_DEPTH or not text.startswith("(", start):
        return -1
    at = start + 1
    if text[at : at + 1] in {"&", "|"}:
        at = _filters_end(text, at + 1, depth)
    elif text.startswith("!", at):
        at = _filter_end(text, at + 1, depth + 1)
    else:
        item = _ITEM.match(text, at)
        at = item.end() if item else -1
    return at + 1 if at >= 0 and text.startswith(")", at) else -1


def _filters_end(text: str, start: int, depth: int) -> int:
    at = start
    while text.startswith("(", at):
        at = _filter_end(text, at, depth + 1)
        if at < 0:
            return -1
    return at if at > start else -1
