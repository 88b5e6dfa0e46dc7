"""A form for an object: what was entered becomes a body, or for a change only what differs from what is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import Enum, StrEnum
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.text import mark
from nova_ui.presenters.fields import refs_at, rows_in, value_at

MAX_TEXT_CHARS: Final = 4_000
MAX_LINES: Final = 100
MAX_DIGITS: Final = 9

NEEDED: Final = mark("Please fill this in.")
NO_NUMBER: Final = mark("Please enter a whole number.")
NO_DECIMAL: Final = mark("Please enter a number such as 0.7.")
NO_DATE: Final = mark("Please enter a date such as 2026-11-30.")
NO_CHOICE: Final = mark("Please choose one of the values offered.")
TOO_LONG: Final = mark("This text is too long.")
TOO_SHORT: Final = mark("Please write a little more, at least 10 characters.")


class Cleared(Enum):
    """What a control holds whose stored secret the person wants to be gone."""

    CLEARED = "cleared"


class Control(StrEnum):
    """With what a value is entered."""

    TEXT = "text"
    LONG_TEXT = "long_text"
    NUMBER = "number"
    DECIMAL = "decimal"
    DAY = "day"
    YES_NO = "yes_no"
    CHOICE = "choice"
    ONE = "one"  # one other object
    SEVERAL = "several"
    CHOICES = "choices"  # several of a closed list
    LINES = "lines"  # several texts, one a line
    RULE = "rule"  # which can be tried before it is kept
    SCHEDULE = "schedule"
    NUMBERS = "numbers"  # whole numbers, parted by commas
    ROWS = "rows"  # several things of a few kinds, in their order
    SECRET = "secret"  # noqa: S105 - written only: what is stored is never shown


@dataclass(frozen=True, slots=True, kw_only=True)
class RowKind:
    """One kind of what `ROWS` holds: its value, its word (a message id), and what else has to be said of it."""

    key: str
    label: str
    fields: tuple["FormField", ...] = ()


def any_kind(_: Mapping[str, object]) -> bool:
    """Let every kind be added."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class FormField:
    """One value of the body. `at` leads to the present value; `of` is the kind of object that `ONE` chooses from.

    `choices` holds message ids by value. A value that may not be emptied has `clears` off: empty means unchanged.
    Of `ROWS`, `kind_at` is the member that names a row's kind, `names_at` leads to the names of objects by id, and
    `fits` tells whether a kind, as `{kind_at: key}` beside what else was entered, may be added.
    """

    name: str
    label: str = ""
    control: Control = Control.TEXT
    at: str = ""
    of: str = ""
    choices: Mapping[str, str] = field(default_factory=dict)
    required: bool = False
    clears: bool = True
    emptied: JsonValue = None
    default: JsonValue = None
    min_chars: int = 0
    max_chars: int = MAX_TEXT_CHARS
    kinds: tuple[RowKind, ...] = ()
    kind_at: str = ""
    names_at: str = ""
    fits: Callable[[Mapping[str, object]], bool] = any_kind

    def present(self, current: JsonObject) -> JsonValue:
        """Return the value that the object has now, as the control holds it."""
        if self.control is Control.SECRET:
            return None
        path = self.at or self.name
        if self.control is Control.ONE:
            return next(iter(refs_at(current, path)), None)
        if self.control is Control.SEVERAL:
            return [*refs_at(current, path)]
        found = value_at(current, path)
        if self.control is Control.ROWS:
            return [{name: value for name, value in row.items() if value is not None} for row in rows_in(current, path)]
        return found[: len("2026-11-30")] if self.control is Control.DAY and isinstance(found, str) else found


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """What a form gave: the body, and by field the message id of what is wrong."""

    body: JsonObject = field(default_factory=dict)
    problems: Mapping[str, str] = field(default_factory=dict)


class _Unusable(ValueError):
    """Carries the message id of what is wrong with a value."""


def fill(fields: tuple[FormField, ...], entered: Mapping[str, object]) -> Filled:
    """Turn what was entered into a body; fields left empty are left out. `entered` may hold anything at all."""
    body: JsonObject = {}
    problems: dict[str, str] = {}
    for one in fields:
        if one.control is Control.SECRET and entered.get(one.name) is Cleared.CLEARED:
            body[one.name] = None
            continue
        if one.control is Control.ROWS:
            rows, wrong = _rows(one, entered.get(one.name))
            problems |= wrong
            if rows and not wrong:
                body[one.name] = rows
            continue
        try:
            value = _parsed(one, entered.get(one.name))
        except _Unusable as unusable:
            problems[one.name] = str(unusable)
            continue
        if value is not None and value != []:
            body[one.name] = value
    return Filled(body=body, problems=problems)


def fill_changes(fields: tuple[FormField, ...], entered: Mapping[str, object], current: JsonObject) -> Filled:
    """Return only what differs from `current`, emptied fields included."""
    filled = fill(fields, entered)
    body: JsonObject = {}
    for one in fields:
        present = one.present(current)
        if one.name in filled.body:
            if filled.body[one.name] != present:
                body[one.name] = filled.body[one.name]
        elif not _is_wrong(one, filled.problems) and one.clears and present not in (None, "", []):
            body[one.name] = one.emptied
    return Filled(body=body, problems=filled.problems)


def _is_wrong(one: FormField, problems: Mapping[str, str]) -> bool:
    return any(name.partition(".")[0] == one.name for name in problems)


def _rows(one: FormField, value: object) -> tuple[list[JsonValue], dict[str, str]]:
    """Return the rows, and what is wrong with them by name, place and field."""
    kinds = {kind.key: kind for kind in one.kinds}
    given = [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []
    if one.required and not given:
        return [], {one.name: NEEDED}
    if len(given) > MAX_LINES:
        return [], {one.name: TOO_LONG}
    rows: list[JsonValue] = []
    problems: dict[str, str] = {}
    for place, row in enumerate(given):
        kind = kinds.get(str(row.get(one.kind_at)))
        if kind is None:
            problems[f"{one.name}.{place}"] = NO_CHOICE
            continue
        filled = fill(kind.fields, row)
        problems |= {f"{one.name}.{place}.{name}": text for name, text in filled.problems.items()}
        rows.append({one.kind_at: kind.key, **filled.body})
    return rows, problems


def _parsed(one: FormField, value: object) -> JsonValue:
    if (special := _SPECIAL.get(one.control)) is not None:
        return special(one, value)
    if isinstance(value, bool):
        if one.control is not Control.YES_NO:
            raise _Unusable(NO_CHOICE)
        return value
    text = str(value).strip() if isinstance(value, (str, int, float)) else ""
    if not text:
        if one.required:
            raise _Unusable(NEEDED)
        return None
    return _parsed_text(one, text)


def _several(one: FormField, value: object) -> JsonValue:
    ids: list[JsonValue] = [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
    if one.required and not ids:
        raise _Unusable(NEEDED)
    return ids


def _secret(one: FormField, value: object) -> JsonValue:
    """Return what was typed exactly as it is: Nova says what of it can't be right."""
    text = value if isinstance(value, str) else ""
    if len(text) > MAX_TEXT_CHARS:
        raise _Unusable(TOO_LONG)
    if not text and one.required:
        raise _Unusable(NEEDED)
    return text or None


def _lines(one: FormField, value: object) -> JsonValue:
    lines: list[JsonValue] = [line.strip() for line in str(value or "").splitlines() if line.strip()]
    if len(lines) > MAX_LINES or any(len(str(line)) > MAX_TEXT_CHARS for line in lines):
        raise _Unusable(TOO_LONG)
    if one.required and not lines:
        raise _Unusable(NEEDED)
    return lines


def _numbers(one: FormField, value: object) -> JsonValue:
    text = str(value or "")
    if len(text) > MAX_TEXT_CHARS:
        raise _Unusable(TOO_LONG)
    numbers: list[JsonValue] = [_whole(part) for part in text.replace(",", " ").split()]
    if one.required and not numbers:
        raise _Unusable(NEEDED)
    return numbers


_SPECIAL: Final[Mapping[Control, Callable[[FormField, object], JsonValue]]] = {
    Control.SECRET: _secret,
    Control.LINES: _lines,
    Control.NUMBERS: _numbers,
    Control.SEVERAL: _several,
    Control.CHOICES: _several,
}


def _parsed_text(one: FormField, text: str) -> JsonValue:
    if len(text) > one.max_chars:
        raise _Unusable(TOO_LONG)
    if len(text) < one.min_chars:
        raise _Unusable(TOO_SHORT)
    match one.control:
        case Control.CHOICE if text not in one.choices:
            raise _Unusable(NO_CHOICE)
        case Control.YES_NO:
            raise _Unusable(NO_CHOICE)
        case Control.NUMBER:
            return _whole(text)
        case Control.DECIMAL:
            return _decimal(text)
        case Control.DAY:
            return _day(text)
        case _:
            return text


def _whole(text: str) -> int:
    digits = text.removesuffix(".0")
    if not digits.isascii() or not digits.isdigit() or len(digits) > MAX_DIGITS:
        raise _Unusable(NO_NUMBER)
    return int(digits)


def _decimal(text: str) -> float:
    """Read a number with either decimal sign; signs of thousands are taken for none, since they read both ways."""
    digits = text.replace(",", ".")
    whole, _, rest = digits.partition(".")
    if not all(part.isascii() and part.isdigit() for part in (whole, rest or "0")) or len(digits) > MAX_DIGITS:
        raise _Unusable(NO_DECIMAL)
    return float(digits)


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise _Unusable(NO_DATE) from None
