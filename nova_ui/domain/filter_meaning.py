"""What a filter means: each attribute has a kind, each comparison a value of that kind, and every check is yes or no.

The tree that comes out is what both readings start from: `holds` for the values of one object, and
`storage.nova.filter_conditions` for the database. They agree, which a property test sees to: a missing value is
compared with nothing, `ne` is the opposite of `eq`, texts compare folded, and nothing is ever unknown.
"""

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from nova_ui.domain.filter_grammar import Comparison, FilterError, Junction, Literal, Negation, Node, Operator, Presence
from nova_ui.domain.folding import fold

Value = str | int | bool | datetime
Stored = Value | Sequence[str] | None


class Kind(StrEnum):
    """What the values of an attribute are."""

    TEXT = "a text"  # compares folded
    KEY = "a key"  # lower case and ASCII as it is stored: ids, states, words of a fixed list
    KEYS = "a list of keys"
    FLAG = "true or false"
    NUMBER = "a whole number"
    DAY = "a day"
    MOMENT = "a moment"


@dataclass(frozen=True, slots=True)
class Check:
    """One comparison; without an operator: that there is a value at all."""

    attribute: str
    kind: Kind
    operator: Operator | None = None
    value: Value | None = None


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite."""

    inner: "Condition"


@dataclass(frozen=True, slots=True)
class Joined:
    """All of the parts, or with `any_of` at least one."""

    parts: tuple["Condition", ...]
    any_of: bool


Condition = Check | Not | Joined

_EQUAL: Final = frozenset({Operator.EQ, Operator.NE})
_ORDER: Final = frozenset({Operator.GT, Operator.GE, Operator.LT, Operator.LE})
_PART: Final = frozenset({Operator.CO, Operator.SW, Operator.EW})
_ALLOWED: Final[Mapping[Kind, frozenset[Operator]]] = {
    Kind.TEXT: _EQUAL | _ORDER | _PART,
    Kind.KEY: _EQUAL | _PART,
    Kind.KEYS: _EQUAL,
    Kind.FLAG: _EQUAL,
    Kind.NUMBER: _EQUAL | _ORDER,
    Kind.DAY: _EQUAL | _ORDER,
    Kind.MOMENT: _EQUAL | _ORDER,
}
_DAY_SHAPE: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_MOMENT_SHAPE: Final = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})", re.ASCII)
_MAX_NUMBER: Final = 2**31 - 1  # more is an error of a database's driver
_COMPARES: Final[Mapping[Operator, Callable[[Any, Any], bool]]] = {  # two values of one kind
    Operator.EQ: operator.eq,
    Operator.CO: lambda stored, wanted: wanted in stored,
    Operator.SW: lambda stored, wanted: stored.startswith(wanted),
    Operator.EW: lambda stored, wanted: stored.endswith(wanted),
    Operator.GT: operator.gt,
    Operator.GE: operator.ge,
    Operator.LT: operator.lt,
    Operator.LE: operator.le,
}


def understand(node: Node, kinds: Mapping[str, Kind]) -> Condition:
    """Return what a tree means for objects whose attributes are `kinds`.

    Raises:
        FilterError: there is no such attribute, or it can't be compared so.

    """
    match node:
        case Negation(inner):
            return Not(understand(inner, kinds))
        case Junction(parts, any_of):
            return Joined(tuple(understand(part, kinds) for part in parts), any_of)
        case Presence(attribute, at):
            return Check(attribute, _kind(attribute, at, kinds))
        case Comparison():
            return _comparison(node, _kind(node.attribute, node.attribute_at, kinds))


def holds(condition: Condition, values: Mapping[str, Stored]) -> bool:
    """Whether one object, given by its values, is what the condition asks for."""
    match condition:
        case Not(inner):
            return not holds(inner, values)
        case Joined(parts, any_of):
            return (any if any_of else all)(holds(part, values) for part in parts)
        case Check():
            return _passes(condition, values[condition.attribute])


def checks_in(condition: Condition) -> Sequence[Check]:
    """Return every check, from left to right."""
    match condition:
        case Not(inner):
            return checks_in(inner)
        case Joined(parts, _):
            return [check for part in parts for check in checks_in(part)]
        case Check():
            return [condition]


def compares(stored: str, check: Check) -> bool:
    """Whether a folded text that is there passes a check of a text or a key."""
    if check.operator is None:
        return True
    wanted = str(check.value)
    if check.operator is Operator.NE:
        return stored != wanted
    return _COMPARES[check.operator](stored, wanted)


def _passes(check: Check, stored: Stored) -> bool:
    if check.operator is Operator.NE:
        return not _passes(Check(check.attribute, check.kind, Operator.EQ, check.value), stored)
    if check.kind is Kind.KEYS:
        keys = stored if isinstance(stored, (list, tuple)) else ()
        return bool(keys) if check.operator is None else check.value in keys
    if check.kind is Kind.TEXT:
        folded = fold(stored) if isinstance(stored, str) else ""
        return folded != "" and compares(folded, check)
    if stored is None or stored == "":
        return False
    if check.operator is None:
        return True
    return _COMPARES[check.operator](stored, check.value)


def _kind(attribute: str, at: int, kinds: Mapping[str, Kind]) -> Kind:
    kind = kinds.get(attribute)
    if kind is None:
        raise FilterError(f"there is no such attribute here; there are {', '.join(sorted(kinds))}", at)
    return kind


def _comparison(node: Comparison, kind: Kind) -> Condition:
    if node.value is None:
        if node.operator not in _EQUAL:
            raise FilterError("with null only eq and ne can compare", node.operator_at)
        present = Check(node.attribute, kind)
        return present if node.operator is Operator.NE else Not(present)
    if node.operator not in _ALLOWED[kind]:
        allowed = ", ".join(sorted([*_ALLOWED[kind], "pr"]))
        raise FilterError(f"{node.attribute} is {kind.value} and compares with {allowed}", node.operator_at)
    if kind is Kind.MOMENT and _shaped(_DAY_SHAPE, node.value):
        return _within_days(node)
    return Check(node.attribute, kind, node.operator, _VALUES[kind](node.value, node.value_at))


def _text(value: Literal, at: int) -> str:
    if not isinstance(value, str):
        raise FilterError('expected is a text as "…"', at)
    folded = fold(value)
    if not folded:
        raise FilterError("an empty text compares with nothing; use pr", at)
    return folded


def _flag(value: Literal, at: int) -> bool:
    if not isinstance(value, bool):
        raise FilterError("expected is true or false", at)
    return value


def _whole(value: Literal, at: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > _MAX_NUMBER:
        raise FilterError(f"expected is a whole number up to {_MAX_NUMBER}", at)
    return value


def _day(value: Literal, at: int) -> str:
    try:
        return date.fromisoformat(_shaped(_DAY_SHAPE, value)).isoformat()
    except ValueError:
        raise FilterError('expected is a day such as "2026-11-30"', at) from None


def _moment(value: Literal, at: int) -> datetime:
    try:
        return datetime.fromisoformat(_shaped(_MOMENT_SHAPE, value)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise FilterError('expected is a moment such as "2026-11-30T08:00:00Z", or a day', at) from None


def _shaped(shape: re.Pattern[str], value: Literal) -> str:
    """Return a text of this shape; any other is not read as anything."""
    return value if isinstance(value, str) and shape.fullmatch(value) else ""


def _within_days(node: Comparison) -> Condition:
    """Read a day as all of it, in UTC: `le` up to its end, `gt` after its end, `eq` within it."""
    day = _moment(f"{_day(node.value, node.value_at)}T00:00:00Z", node.value_at)
    try:
        after = day + timedelta(days=1)
    except OverflowError:
        raise FilterError("there is no day after this one", node.value_at) from None
    begun = Check(node.attribute, Kind.MOMENT, Operator.GE, day)
    over = Check(node.attribute, Kind.MOMENT, Operator.GE, after)
    earlier = Check(node.attribute, Kind.MOMENT, Operator.LT, day)
    not_over = Check(node.attribute, Kind.MOMENT, Operator.LT, after)
    within = Joined((begun, not_over), any_of=False)
    meaning: Mapping[Operator, Condition] = {
        Operator.GE: begun,
        Operator.GT: over,
        Operator.LT: earlier,
        Operator.LE: not_over,
        Operator.EQ: within,
        Operator.NE: Not(within),
    }
    return meaning[node.operator]


_VALUES: Final[Mapping[Kind, Callable[[Literal, int], Value]]] = {
    Kind.TEXT: _text,
    Kind.KEY: _text,
    Kind.KEYS: _text,
    Kind.FLAG: _flag,
    Kind.NUMBER: _whole,
    Kind.DAY: _day,
    Kind.MOMENT: _moment,
}
