"""What was talked about last: the call that answered the message before, and the objects that it showed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import AnyTool
from nova_ui.llm.builtin.conversation import Done, Exchange, State
from nova_ui.llm.builtin.lookup import rows_of

PERSON: Final = "idn"
NOUNS: Final[Mapping[str, str]] = MappingProxyType(
    {
        PERSON: "identity",
        "grp": "group",
        "rol": "role",
        "ent": "entitlement",
        "app": "application",
        "asg": "assignment",
        "ses": "session",
    }
)
"""The word that a phrase uses for what an id stands for."""

_WITHIN_ROWS: Final = ("identity", "requester", "beneficiary")
_LOOKED_BACK: Final = 2
_HELD: Final = (State.RAN, State.PREVIEWED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A call that was answered; `rows` are what it showed, `total` how many there are."""

    tool: AnyTool
    arguments: JsonObject
    rows: tuple[JsonObject, ...]
    total: int
    is_list: bool

    def ids(self, prefixes: frozenset[str]) -> list[str]:
        """Return the ids of these kinds that a pronoun may stand for: those shown, else those asked about."""
        shown = [*dict.fromkeys(_ids_shown(self.rows, prefixes))]
        if shown and self.total > len(self.rows):
            return [*shown, ""]  # more than are known
        return shown or [one for one in _ids_in(self.arguments) if one[:3] in prefixes]


def topic_before(exchanges: Sequence[Exchange], offered: Mapping[str, AnyTool]) -> Topic | None:
    """Return what the last of `exchanges` were about; None if nothing was called in them."""
    for exchange in reversed(exchanges[-_LOOKED_BACK:]):
        if exchange.calls:
            last = exchange.calls[-1]
            tool = offered.get(last.name)
            return _topic(last, tool) if tool is not None and last.state in _HELD else None
    return None


def _topic(done: Done, tool: AnyTool) -> Topic:
    value = done.value
    is_list = isinstance(value, dict) and isinstance(value.get("items"), list) and "id" not in value
    rows = rows_of(value) if is_list else [value] if isinstance(value, dict) and "id" in value else []
    total = value.get("total") if isinstance(value, dict) and is_list else None
    return Topic(
        tool=tool,
        arguments=done.arguments,
        rows=tuple(rows),
        total=total if isinstance(total, int) else len(rows),
        is_list=is_list,
    )


def _ids_shown(rows: Sequence[JsonObject], prefixes: frozenset[str]) -> Iterator[str]:
    for row in rows:
        own = row.get("id")
        if isinstance(own, str) and own[:3] in prefixes:
            yield own
        elif PERSON in prefixes:
            yield from (found for name in _WITHIN_ROWS if (found := _id_of(row.get(name))))


def _id_of(value: JsonValue) -> str:
    found = value.get("id") if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""


def _ids_in(value: JsonValue) -> Iterator[str]:
    match value:
        case str() if value[3:4] == "_":
            yield value
        case list():
            for one in value:
                yield from _ids_in(one)
        case dict():
            for one in value.values():
                yield from _ids_in(one)
        case _:
            return


def managers_of(topic: Topic) -> list[str]:
    """Return the ids of the managers of the people shown, each once."""
    found = (_id_of(row.get("manager")) for row in topic.rows if str(row.get("id", "")).startswith(PERSON))
    return [*dict.fromkeys(one for one in found if one)]
