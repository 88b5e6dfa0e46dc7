"""Results as Markdown tables: the main columns, at most twenty rows, names and dates as people read them."""

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.i18n.nova_words import FIELD_WORDS, VALUE_WORDS
from nova_ui.i18n.translator import Translator
from nova_ui.llm.builtin.labels import COLUMNS, FACTS

MAX_ROWS: Final = 20
_MAX_COLUMNS: Final = 5
_MAX_CELL_CHARS: Final = 120
_MAX_NAMES: Final = 5
_NO_FACTS: Final = frozenset({"id", "version"})
_MOMENT: Final = re.compile(
    r"(?:[A-Z][a-z]{2} )?(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.\d+)?(?: UTC|Z|\+00:00)"
)
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_MARKDOWN: Final = re.compile(r"([\\`*_{}\[\]<>|#~!])")


def table_of(rows: Sequence[JsonObject], tr: Translator) -> str:
    """Return the first rows as a table of their main columns; empty without rows."""
    columns = [name for name in COLUMNS if any(name in row and not _is_nested(row[name]) for row in rows)][
        :_MAX_COLUMNS
    ]
    return columns_of(rows, columns, tr) if columns else ""


def columns_of(rows: Sequence[JsonObject], columns: Sequence[str], tr: Translator) -> str:
    """Return the first rows as a table of these columns."""
    lines = [[label(name, tr) for name in columns]]
    lines += [[cell(row.get(name), tr) for name in columns] for row in rows[:MAX_ROWS]]
    return _markdown(lines)


def _is_nested(value: JsonValue) -> bool:
    return isinstance(value, list) and any(isinstance(one, dict | list) for one in value)


def facts_of(value: JsonObject, tr: Translator) -> str:
    """Return the main fields of an object as a table of two columns; empty if there are none."""
    lines = [[label(name, tr), cell(value[name], tr)] for name in FACTS if name in value] or _plain_facts(value, tr)
    return _markdown([["", ""], *lines]) if lines else ""


def _plain_facts(value: JsonObject, tr: Translator) -> list[list[str]]:
    """Return all that an object without main fields says in one line each, groups of settings one by one."""
    lines = []
    for name, held in value.items():
        if name in _NO_FACTS or name.endswith(("_id", "_total")):
            continue
        if (
            isinstance(held, dict)
            and "id" not in held
            and not any(isinstance(one, dict | list) and one for one in held.values())
        ):
            lines += [[f"{label(name, tr)}: {label(one, tr)}", cell(given, tr)] for one, given in held.items()]
        elif not isinstance(held, dict) and not _is_nested(held):
            lines.append([label(name, tr), cell(held, tr)])
    return lines


def label(name: str, tr: Translator) -> str:
    """Return the word for a field or an argument."""
    plain = name.rpartition(".")[2]
    word = FIELD_WORDS.get(plain)
    return tr(word) if word else escaped(plain.replace("_", " "))


def cell(value: JsonValue, tr: Translator) -> str:
    """Return a value as it stands in a cell; nothing in it can be Markdown."""
    return escaped(words_of(value, tr))


def escaped(text: str) -> str:
    """Return `text` on one line, cut, and with nothing in it that Markdown would read as a mark."""
    line = " ".join(text.split())
    if len(line) > _MAX_CELL_CHARS:
        line = line[: _MAX_CELL_CHARS - 1] + "…"
    return _MARKDOWN.sub(r"\\\1", line)


def words_of(value: JsonValue, tr: Translator) -> str:
    """Return a value in words: names of objects, lists joined, days and moments by the language."""
    match value:
        case None | []:
            return "–"
        case bool():
            return tr("yes") if value else tr("no")
        case int() | float():
            return tr.number(value) if isinstance(value, int) else str(value)
        case str():
            return _text(value, tr)
        case list():
            names = [words_of(item, tr) for item in value[:_MAX_NAMES]]
            return ", ".join([*names, "…"] if len(value) > _MAX_NAMES else names)
        case dict():
            return _object(value, tr)


def _text(text: str, tr: Translator) -> str:
    moment = _MOMENT.fullmatch(text)
    try:
        if moment:
            return tr.moment(datetime.fromisoformat(f"{moment[1]}T{moment[2]}").replace(tzinfo=UTC))
        if _DAY.fullmatch(text):
            return tr.day(date.fromisoformat(text))
    except ValueError:
        return text
    return tr(VALUE_WORDS[text]) if text in VALUE_WORDS else text


def _object(value: JsonObject, tr: Translator) -> str:
    for name in ("display_name", "display", "value", "role", "name", "id"):
        if value.get(name):
            return words_of(value[name], tr)
    return ", ".join(words_of(item, tr) for item in value.values())


def _markdown(lines: Sequence[Sequence[str]]) -> str:
    head, *rest = lines
    return "\n".join(f"| {' | '.join(line)} |" for line in (head, ["---"] * len(head), *rest))
