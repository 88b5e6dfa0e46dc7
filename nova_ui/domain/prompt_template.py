"""Variables in the prompt of an assistant: checked when it is stored, filled in with data when it is sent."""

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

VARIABLES: Final = ("name", "language", "date")
MAX_VALUE_CHARS: Final = 200

# A doubled brace is the brace itself; a word in single ones is a variable; any other brace is a slip.
_PIECES: Final = re.compile(r"\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_]*)\}|[{}]")


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateFault:
    """What is wrong with a prompt and where; `variable` is empty for a brace that stands alone. Counted from 1."""

    variable: str
    line: int
    column: int


def find_fault(template: str) -> TemplateFault | None:
    """Return the first unknown variable or single brace, or None."""
    for found in _PIECES.finditer(template):
        if found[0] in {"{{", "}}"} or found[1] in VARIABLES:
            continue
        before = template[: found.start()]
        column = found.start() - (before.rfind("\n") + 1) + 1
        return TemplateFault(variable=found[1] or "", line=before.count("\n") + 1, column=column)
    return None


def fill(template: str, values: Mapping[str, str]) -> str:
    """Fill the variables in, once: what a value holds is never looked at again.

    What no check has seen, such as a prompt of an older version, stays as it is where it is no variable.
    """

    def piece(found: re.Match[str]) -> str:
        if found[0] in {"{{", "}}"}:
            return found[0][0]
        return values.get(found[1] or "", found[0])

    return _PIECES.sub(piece, template)


def escaped(text: str) -> str:
    """Return a template that says `text`, whatever braces it holds."""
    return text.replace("{", "{{").replace("}", "}}")


def as_data(value: str) -> str:
    """Return a value that a person could have chosen, as data: one quoted line, without anything invisible."""
    seen = (" " if one.isspace() else "" if unicodedata.category(one)[0] == "C" else one for one in value)
    return json.dumps(" ".join("".join(seen).split())[:MAX_VALUE_CHARS], ensure_ascii=False)
