"""Where a text gives a secret by name: `password=x`, `"client_secret": "x"`, `?access_token=x` (rules D2 to D4)."""

import re
from typing import Final

from nova_ui.guardrails.secret_names import is_secret_name

SECRET_PLACEHOLDER: Final = "[secret]"  # noqa: S105 - stands where a secret was

# Some part of each secret's name; `naming_of` then looks closely.
_ROOTS: Final = (
    "pass", "pwd", "pw", "secret", "token", "key", "kennw", "geheim", "credential", "cookie", "authori", "bearer",
    "pin", "puk", "otp", "tan", "seed", "dsn", "jwt", "psk", "answer", "antwort", "ssel",
    "daten", "code", "string", "zeichen", "url", "uri", "link", "phrase", "conn", "session", "material", "tab",
)  # fmt: skip
# Such a part, the rest of the name, perhaps a quote, and the sign.
_CANDIDATE: Final = re.compile(
    rf"(?:{'|'.join(_ROOTS)})[\w .-]{{0,60}}\]?\\{{0,8}}[\"'`]?\s{{0,3}}(?P<sign>=>|:=|=|:|%3D)", re.IGNORECASE
)
_NAME_BEFORE: Final = re.compile(
    r"(?P<name>[^\W\d_](?:[\w.-]|\\{1,8}u[0-9a-fA-F]{4}){0,60}(?: [^\W\d_](?:[\w-]|\\{1,8}u[0-9a-fA-F]{4}){0,30})?)"
    r"\]?(?P<quote>\\{0,8}[\"'`])?\s{0,3}\Z"
)
_ESCAPED: Final = re.compile(r"\\{1,8}u([0-9a-fA-F]{4})")
_SIGNS: Final = ("=", ":", "%3d")
_MAX_NAME_CHARS: Final = 100
_SPACES: Final = re.compile(r"\s{0,3}")
_QUOTE: Final = re.compile(r"(?P<escapes>\\*)(?P<mark>[\"'`])")
_BARE: Final = re.compile(r"[^\s,;&\"'`<>{}()|\\]+")
_NO_VALUES: Final = frozenset({"null", "none", "nil", "undefined", "true", "false"})
_SHORTEST_IN_PROSE: Final = 6
_SHORTEST_RANDOM: Final = 12


def hide_assigned(text: str, lowered: str) -> str:
    """Return `text` with the placeholder for every value that a secret's name is written before.

    `lowered` is the text in lower case.
    """
    if not any(sign in lowered for sign in _SIGNS) or not any(root in lowered for root in _ROOTS):
        return text
    kept: list[str] = []
    done = 0
    for candidate in _CANDIDATE.finditer(text):
        sign_start, sign_end = candidate.span("sign")
        if sign_start < done:
            continue
        before = _NAME_BEFORE.search(text[max(done, sign_start - _MAX_NAME_CHARS) : sign_start])
        if before is None or not is_secret_name(_unescaped(before["name"])):
            continue
        start, end = _value_after(text, sign_end)
        is_prose = candidate["sign"] == ":" and before["quote"] is None and text.startswith(" ", sign_end)
        if _is_secret_value(text[start:end], is_prose=is_prose):
            kept += [text[done:start], SECRET_PLACEHOLDER]
            done = end
    return "".join([*kept, text[done:]])


def looks_random(value: str, *, shortest: int = _SHORTEST_RANDOM) -> bool:
    """Whether a value is no plain word: it mixes digits and letters, or is very long."""
    if len(value) < shortest:
        return False
    has_digit = any(mark.isdigit() for mark in value)
    has_other = any(not mark.isdigit() for mark in value)
    return (has_digit and has_other) or len(value) >= 2 * _SHORTEST_RANDOM


def _unescaped(name: str) -> str:
    """Return a name as it reads, where JSON writes a letter that is not ASCII by its number."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), name) if "\\" in name else name


def _value_after(text: str, position: int) -> tuple[int, int]:
    """Return where the value after a sign begins and ends, without its quotes."""
    spaces = _SPACES.match(text, position)
    start = position if spaces is None else spaces.end()
    for place in (start, start + 1):  # already hidden, by itself or as all of a list
        if text.startswith(SECRET_PLACEHOLDER, place):
            return place, place
    if text.startswith("[", start):
        end = text.find("]", start)
        return start + 1, len(text) if end < 0 else end
    quote = _QUOTE.match(text, start)
    if quote is not None:
        return quote.end(), _closing(text, quote)
    bare = _BARE.match(text, start)
    return start, start if bare is None else bare.end()


def _closing(text: str, quote: re.Match[str]) -> int:
    """Return where the text in quotes ends; a quote inside has more escapes before it than the one that opened."""
    depth, position = len(quote["escapes"]), quote.end()
    while (position := text.find(quote["mark"], position)) >= 0:
        escapes = position - len(text[quote.end() : position].rstrip("\\")) - quote.end()
        if escapes == depth or (depth == 0 and escapes % 2 == 0):
            return position - depth
        position += 1
    return len(text)


def _is_secret_value(value: str, *, is_prose: bool) -> bool:
    bare = value.strip()
    if not bare or bare.casefold() in _NO_VALUES or bare == SECRET_PLACEHOLDER:
        return False
    return not is_prose or looks_random(bare, shortest=_SHORTEST_IN_PROSE)
