"""The filter grammar of SCIM (RFC 7644, 3.4.2.2): one text in, one tree out, or the character where it breaks.

A small parser of our own. `scim2-filter-parser` 0.7 was tried: strings with escapes and fractions it can't read, the
end of a text it reports without a place, depth it does not bound, and its tree is untyped. Attributes grouped by
`[ ]` and names with a schema's URN are refused: no list here has either.
"""

import json
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

MAX_CHARS: Final = 1_000
MAX_DEPTH: Final = 12
MAX_TESTS: Final = 40

Literal = str | int | float | bool | None


class Operator(StrEnum):
    """How an attribute is compared."""

    EQ = "eq"
    NE = "ne"
    CO = "co"
    SW = "sw"
    EW = "ew"
    GT = "gt"
    GE = "ge"
    LT = "lt"
    LE = "le"


class FilterError(ValueError):
    """A filter that can't be used; `position` counts characters from 1."""

    def __init__(self, reason: str, position: int) -> None:
        super().__init__(f"at character {position}: {reason}")
        self.reason = reason
        self.position = position


@dataclass(frozen=True, slots=True)
class Comparison:
    """`attribute operator value`; the places are for whoever finds the attribute or the value wanting."""

    attribute: str
    operator: Operator
    value: Literal
    attribute_at: int
    operator_at: int
    value_at: int


@dataclass(frozen=True, slots=True)
class Presence:
    """`attribute pr`."""

    attribute: str
    attribute_at: int


@dataclass(frozen=True, slots=True)
class Negation:
    """`not ( … )`."""

    inner: "Node"


@dataclass(frozen=True, slots=True)
class Junction:
    """Parts of which all hold, or with `any_of` at least one."""

    parts: tuple["Node", ...]
    any_of: bool


Node = Comparison | Presence | Negation | Junction

_TOKEN: Final = re.compile(
    r"""(?P<space>\ +)
      | (?P<open>\()
      | (?P<close>\))
      | (?P<string>"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")
      | (?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![0-9A-Za-z_.:-]))
      | (?P<word>[A-Za-z][A-Za-z0-9_-]*(?:\.[A-Za-z][A-Za-z0-9_-]*)?(?![0-9A-Za-z_.:\[-]))""",
    re.VERBOSE,
)
_MAX_NUMBER_CHARS: Final = 20
_LITERALS: Final[dict[str, Literal]] = {"true": True, "false": False, "null": None}
_RESERVED: Final = frozenset({"and", "or", "not"})


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    at: int  # counts from 1


def parse_filter(text: str) -> Node:
    """Read a filter.

    Raises:
        FilterError: it is longer or deeper than allowed, or not of the grammar.

    """
    if len(text) > MAX_CHARS:
        raise FilterError(f"a filter has at most {MAX_CHARS} characters", MAX_CHARS + 1)
    parser = _Parser(_tokens(text), len(text) + 1)
    node = parser.alternatives(0)
    parser.expect_end()
    return node


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    place = 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            raise FilterError(_unreadable(text[place]), place + 1)
        kind = str(found.lastgroup)
        if kind != "space":
            tokens.append(_Token(kind, found.group(), place + 1))
        place = found.end()
    return tokens


def _unreadable(character: str) -> str:
    if character == '"':
        return 'this text has no end, or holds what JSON writes as an escape such as \\n or \\"'
    if character == "'":
        return 'texts stand between double quotes: "…"'
    return "this can't be read here; expected is an attribute, an operator, a value or a parenthesis"


class _Parser:
    """Recursive descent; `or` binds less than `and`, and that less than `not`."""

    def __init__(self, tokens: list[_Token], end: int) -> None:
        self._tokens = tokens
        self._place = 0
        self._end = end
        self._tests = 0

    def alternatives(self, depth: int) -> Node:
        return self._joined(depth, "or")

    def expect_end(self) -> None:
        if self._place < len(self._tokens):
            raise FilterError("expected is `and`, `or` or the end", self._at)

    def _joined(self, depth: int, word: str) -> Node:
        parts = [self._part(depth, word)]
        while self._takes(word):
            parts.append(self._part(depth, word))
        return parts[0] if len(parts) == 1 else Junction(tuple(parts), any_of=word == "or")

    def _part(self, depth: int, word: str) -> Node:
        return self._joined(depth, "and") if word == "or" else self._factor(depth)

    def _factor(self, depth: int) -> Node:
        if self._takes("not"):
            if self._kind != "open":
                raise FilterError("`not` is followed by a parenthesis", self._at)
            return Negation(self._group(depth))
        return self._group(depth) if self._kind == "open" else self._test()

    def _group(self, depth: int) -> Node:
        if depth >= MAX_DEPTH:
            raise FilterError(f"parentheses are nested at most {MAX_DEPTH} deep", self._at)
        self._place += 1
        node = self.alternatives(depth + 1)
        if self._kind != "close":
            raise FilterError("a closing parenthesis is missing", self._at)
        self._place += 1
        return node

    def _test(self) -> Node:
        at = self._at
        name = self._word("an attribute")
        if name.lower() in _RESERVED:
            raise FilterError("expected is an attribute", at)
        self._tests += 1
        if self._tests > MAX_TESTS:
            raise FilterError(f"a filter has at most {MAX_TESTS} comparisons", at)
        if self._takes("pr"):
            return Presence(name.lower(), at)
        operator_at = self._at
        operator = self._operator()
        value_at = self._at
        return Comparison(name.lower(), operator, self._value(), at, operator_at, value_at)

    def _operator(self) -> Operator:
        at = self._at
        word = self._word("an operator")
        try:
            return Operator(word.lower())
        except ValueError:
            known = ", ".join([*Operator, "pr"])
            raise FilterError(f"there is no such operator; there are {known}", at) from None

    def _value(self) -> Literal:
        at, token = self._at, self._token
        if token is None or token.kind not in {"string", "number", "word"}:
            raise FilterError('expected is a value: a text as "…", a number, true, false or null', at)
        self._place += 1
        if token.kind == "string":
            return _text(token)
        if token.kind == "number":
            return _number(token)
        if token.text not in _LITERALS:
            raise FilterError('expected is a value: a text as "…", a number, true, false or null', at)
        return _LITERALS[token.text]

    def _word(self, what: str) -> str:
        token = self._token
        if token is None or token.kind != "word":
            raise FilterError(f"expected is {what}", self._at)
        self._place += 1
        return token.text

    def _takes(self, word: str) -> bool:
        token = self._token
        taken = token is not None and token.kind == "word" and token.text.lower() == word
        self._place += taken
        return taken

    @property
    def _token(self) -> _Token | None:
        return self._tokens[self._place] if self._place < len(self._tokens) else None

    @property
    def _kind(self) -> str:
        token = self._token
        return token.kind if token else ""

    @property
    def _at(self) -> int:
        token = self._token
        return token.at if token else self._end


def _text(token: _Token) -> str:
    value: str = json.loads(token.text)
    if any(character == "\x00" or "\ud800" <= character <= "\udfff" for character in value):
        raise FilterError("a text must not hold NUL or half a character", token.at)
    return value


def _number(token: _Token) -> int | float:
    if len(token.text) > _MAX_NUMBER_CHARS:
        raise FilterError("this number is too long", token.at)
    return float(token.text) if set(token.text) & set(".eE") else int(token.text)
