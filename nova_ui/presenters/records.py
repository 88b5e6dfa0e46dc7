"""What a tool result holds for the eye: a table of records, facts of one object, or plain text."""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.field_words import field_value, has_words

_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "|", "%")
_ROWS_KEYS: Final = ("items", "results", "rows", "entries", "effects")
MAX_COLUMNS_SHOWN: Final = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Records:
    """A list of objects; `total` is how many there are in Nova as far as the result says."""

    columns: tuple[str, ...]
    rows: tuple[Mapping[str, JsonValue], ...]
    total: int | None = None

    @property
    def shown_columns(self) -> tuple[str, ...]:
        """The columns for the screen: ids only where there is nothing else to tell rows apart."""
        named = tuple(name for name in self.columns if name != "id" and not name.endswith(("_id", "_ids")))
        return (named or self.columns)[:MAX_COLUMNS_SHOWN]


@dataclass(frozen=True, slots=True, kw_only=True)
class OneObject:
    """A single object."""

    fields: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainText:
    """Anything else, as it came."""

    text: str


Reading = Records | OneObject | PlainText


def read_content(content: str) -> Reading:
    """Find out what a result holds; what is no JSON, or was cut in the middle, stays text."""
    try:
        value: JsonValue = json.JSONDecoder().raw_decode(content.lstrip())[0]
    except (ValueError, RecursionError):
        return PlainText(text=content)
    if isinstance(value, list):
        return _as_records(value, None) or PlainText(text=content)
    if isinstance(value, dict):
        return _listed_in(value) or OneObject(fields=value)
    return PlainText(text=content)


def _listed_in(value: JsonObject) -> Records | None:
    groups = value.get("groups")
    if "group_by" in value and isinstance(groups, list) and groups:
        # their total counts what was grouped, not the groups; a key is only the id of what the label names
        named = [{name: item for name, item in one.items() if name != "key"} for one in groups if isinstance(one, dict)]
        return _as_records(list(named), None)
    for key in _ROWS_KEYS:
        rows = value.get(key)
        if isinstance(rows, list) and rows:
            total = value.get("total")
            return _as_records(rows, total if isinstance(total, int) else None)
    return None


def _as_records(rows: list[JsonValue], total: int | None) -> Records | None:
    objects = [row for row in rows if isinstance(row, dict)]
    if not objects or len(objects) != len(rows):
        return None
    columns = tuple(dict.fromkeys(name for row in objects for name in row))
    return Records(columns=columns, rows=tuple(objects), total=total)


def cell_value(value: JsonValue) -> str | int | float:
    """Return what a cell shows of a value: the name of an object, a list in one line, numbers as numbers."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int, float)):
        return value
    if isinstance(value, dict):
        name = value.get("display_name") or value.get("name")
        return str(name) if isinstance(name, str) else json.dumps(value, ensure_ascii=False)
    return ", ".join(str(cell_value(item)) for item in value)


def cell_words(name: str, value: JsonValue, tr: Translator) -> str | int | float:
    """Return what a cell says to a person: Nova's fixed values as words, anything else as it is."""
    if isinstance(value, bool) or (isinstance(value, str) and has_words(name)):
        return field_value(name, value, tr)
    return cell_value(value)


def as_csv(records: Records) -> str:
    """Return all columns as CSV that no spreadsheet takes for formulas."""
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\r\n")
    writer.writerow(_harmless(records.columns))
    for row in records.rows:
        writer.writerow(_harmless(cell_value(row.get(name)) for name in records.columns))
    return target.getvalue()


def _harmless(cells: Iterable[str | float]) -> list[str | float]:
    return [f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA_STARTS) else cell for cell in cells]
