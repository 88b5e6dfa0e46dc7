"""What of Nova's objects a table or a page shows: which field, under which word, as what kind of value."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue


class Shown(StrEnum):
    """As what a value is shown."""

    TEXT = "text"
    LITERAL = "literal"  # in fixed width, exactly as it is
    WORD = "word"  # one of a closed list, in words
    STATE = "state"  # the same on a coloured ground
    YES_NO = "yes_no"
    NUMBER = "number"
    DAY = "day"
    MOMENT = "moment"
    OBJECT = "object"  # another object by its name, with a link where its page is open to the person
    OBJECTS = "objects"
    EXCERPT = "excerpt"  # the beginning of a long text
    SECRET = "secret"  # noqa: S105 - only whether it is set
    BROWSER = "browser"
    SCHEDULE = "schedule"  # as cron has it, in words where it is a usual one
    COUNTS = "counts"  # how many of each kind, one a line
    SENTENCE = "sentence"  # one of Nova's own, which is a message id
    LITERALS = "literals"


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field. `label` is a message id; without one the field's own word is used. `path` leads to the value.

    `opens` names the kind of object behind an `OBJECT`; a `minor` column goes first when the screen is narrow.
    """

    name: str
    label: str = ""
    shown: Shown = Shown.TEXT
    path: str = ""
    opens: str = ""
    strong: bool = False
    minor: bool = False

    def value_in(self, one: JsonObject) -> JsonValue:
        """Return the field's value in an object, or None."""
        return value_at(one, self.path or self.name)


PLACES: Final = {
    "identity": "/identities",
    "group": "/groups",
    "role": "/roles",
    "application": "/applications",
    "routine": "/administration/routines",
    "routine_run": "/administration/routine-runs",
    "ai_routine": "/administration/ai-routines",
    "ai_routine_run": "/ai-routine-runs",
}


def value_at(one: JsonObject, path: str) -> JsonValue:
    """Return what a dotted path such as `manager.id` leads to, or None."""
    found: JsonValue = one
    for name in path.split("."):
        found = found.get(name) if isinstance(found, dict) else None
    return found


def text_at(one: JsonObject, path: str) -> str:
    """Return the text that a dotted path leads to, or an empty one."""
    found = value_at(one, path)
    return found if isinstance(found, str) else ""


def texts_at(one: JsonObject, path: str) -> tuple[str, ...]:
    """Return the texts of a list that a dotted path leads to."""
    found = value_at(one, path)
    return tuple(text for text in (found if isinstance(found, list) else []) if isinstance(text, str))


def rows_in(body: JsonObject, name: str = "items") -> tuple[JsonObject, ...]:
    """Return the objects in a list of an answer."""
    found = body.get(name)
    return tuple(row for row in (found if isinstance(found, list) else []) if isinstance(row, dict))


def refs_at(one: JsonObject, path: str) -> dict[str, str]:
    """Return the objects named at `path`, one or several, by id."""
    found = value_at(one, path)
    refs = found if isinstance(found, list) else [found]
    return {str(ref["id"]): str(ref.get("display_name") or ref["id"]) for ref in refs if isinstance(ref, dict)}
