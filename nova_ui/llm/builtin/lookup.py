"""How names become ids: by look-ups with the offered reading tools, and asking back when several match (rule 3)."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import ONESELF, AnyTool, Reference, SlotKind
from nova_ui.llm.builtin.conversation import Done, State
from nova_ui.llm.builtin.understanding import Plan
from nova_ui.llm.builtin.words import fold

_ID: Final = re.compile(r"[a-z]{3}_[0-9a-z]{20}")
_SEPARATORS: Final = re.compile(r"[\s._-]+")
_ROWS: Final = 20
_ONESELF_TOOL: Final = "get_identity"  # without arguments it reads whoever asks
_STEM_CHARS: Final = 3


@dataclass(frozen=True, slots=True)
class Wanted:
    """A look-up that is still to be made."""

    tool: str
    arguments: JsonObject


@dataclass(frozen=True, slots=True)
class Several:
    """Several objects match what a slot says; with `is_guess` none does, these are merely near."""

    slot: str
    said: str
    rows: tuple[JsonObject, ...]
    reference: Reference
    is_guess: bool = False
    asks_back: bool = True


@dataclass(frozen=True, slots=True)
class NoMatch:
    """Nothing matches what a slot says."""

    slot: str
    said: str

    @property
    def asks_back(self) -> bool:
        """Whether the person can answer with another name."""
        return bool(self.said)


@dataclass(frozen=True, slots=True)
class NoWay:
    """Nothing that is offered can look a slot up, or the look-up itself was refused or failed."""

    slot: str
    said: str
    failed: Done | None = None

    @property
    def asks_back(self) -> bool:
        """Whether the person can answer with an id."""
        return self.failed is None


Trouble = Several | NoMatch | NoWay


@dataclass(frozen=True, slots=True)
class LookedUp:
    """The values with ids in place of names as far as possible, what is still wanted, and the first trouble."""

    values: Mapping[str, JsonValue]
    wanted: tuple[Wanted, ...]
    trouble: Trouble | None


def look_up(plan: Plan, offered: Mapping[str, AnyTool], done: Sequence[Done]) -> LookedUp:
    """Put ids in place of the names in a plan, by what look-ups have given so far."""
    values = dict(plan.values)
    wanted: list[Wanted] = []
    for slot, reference in _in_order(plan):
        if any(helper in values and not _is_id(values[helper]) for helper in reference.narrowed_by.values()):
            continue  # first the ids by which it is narrowed
        said = values.get(slot)
        names: list[JsonValue] = said if isinstance(said, list) else [said]
        ids: list[JsonValue] = []
        for name in names:
            found = _find(slot, name, reference, _Known(values, offered, done))
            if isinstance(found, Wanted):
                wanted.append(found)
            elif isinstance(found, str):
                ids.append(found)
            else:
                return LookedUp(values, (), found)
        if len(ids) == len(names):
            kinds = plan.tool.phrases.slots.get(slot)
            is_list = isinstance(said, list) or (kinds is not None and kinds.kind is SlotKind.NAMES)
            values[slot] = ids if is_list else ids[0]
    return LookedUp(values, tuple(wanted), None)


def tools_to_look_up(plan: Plan, offered: Mapping[str, AnyTool]) -> Iterator[str]:
    """Yield the reading tools that turn the names in a plan into ids; the first that is offered for each."""
    for slot, reference in _in_order(plan):
        said = plan.values.get(slot)
        names = said if isinstance(said, list) else [said]
        if ONESELF in names or ONESELF in reference.fixed.values():
            yield _ONESELF_TOOL
        if any(name != ONESELF and not _is_id(name) for name in names):
            usable = _offered(reference, offered)
            if usable is not None:
                yield usable.tool


@dataclass(frozen=True, slots=True)
class _Known:
    values: Mapping[str, JsonValue]
    offered: Mapping[str, AnyTool]
    done: Sequence[Done]


def _in_order(plan: Plan) -> Iterator[tuple[str, Reference]]:
    """Yield the slots to look up: those that stand in the plan, and those that others give."""
    given = dict(plan.tool.phrases.references)
    for slot, reference in given.items():
        is_given = slot in plan.values
        needs_no_words = not reference.search_argument and slot in _required(plan.tool)
        if is_given or needs_no_words:
            yield slot, reference


def _required(tool: AnyTool) -> frozenset[str]:
    return frozenset(name for name, declared in tool.arguments.model_fields.items() if declared.is_required())


def _find(slot: str, name: JsonValue, reference: Reference, known: _Known) -> str | Wanted | Trouble:
    said = name if isinstance(name, str) else ""
    if _is_id(said):
        return said
    if said == ONESELF:
        return _find_oneself(slot, known)
    usable = _offered(reference, known.offered)
    if usable is None:
        return NoWay(slot, said)
    return _search(slot, said, usable, known)


def _offered(reference: Reference, offered: Mapping[str, AnyTool]) -> Reference | None:
    """Return the first way of a reference whose tool is offered."""
    usable: Reference | None = reference
    while usable is not None and usable.tool not in offered:
        usable = usable.otherwise
    return usable


def _search(slot: str, said: str, usable: Reference, known: _Known) -> str | Wanted | Trouble:
    if ONESELF in usable.fixed.values():
        own = _find_oneself(slot, known)
        if isinstance(own, Wanted):
            return own
        usable = replace(usable, fixed=_with_oneself(usable.fixed, own))
    for search in _searches(usable, said):
        arguments = _search_arguments(usable, search, known)
        step = next((one for one in known.done if one.name == usable.tool and one.arguments == arguments), None)
        if step is None:
            return Wanted(usable.tool, arguments)
        if step.state is not State.RAN:
            return NoWay(slot, said, step)
        rows = rows_of(step.value)
        if rows or not usable.search_argument:
            return _choose(slot, said, usable, rows)
    return NoMatch(slot, said)


def _find_oneself(slot: str, known: _Known) -> str | Wanted | Trouble:
    if _ONESELF_TOOL not in known.offered:
        return NoWay(slot, "")
    step = next((one for one in known.done if one.name == _ONESELF_TOOL and not one.arguments), None)
    if step is None:
        return Wanted(_ONESELF_TOOL, {})
    found = step.value.get("id") if isinstance(step.value, dict) else None
    return found if isinstance(found, str) else NoWay(slot, "", step)


def _with_oneself(fixed: Mapping[str, JsonValue], own: str | Trouble) -> Mapping[str, JsonValue]:
    """Put the id of whoever asks into a search; where it can't be read, the search is not narrowed by it."""
    named = {name: own if value == ONESELF else value for name, value in fixed.items()}
    return {name: value for name, value in named.items() if isinstance(value, str | int | float | bool)}


def _searches(reference: Reference, said: str) -> Sequence[str]:
    """Return what to search for: the words, and if nothing is found the longest of them, without a genitive s."""
    if not reference.search_argument:
        return ("",)
    parts = [part for part in _SEPARATORS.split(said) if part]
    longest = max(parts, key=len, default=said)
    shorter = longest[:-1] if longest.endswith("s") and len(longest) > _STEM_CHARS else longest
    return tuple(dict.fromkeys((said, longest, shorter)))


def _search_arguments(reference: Reference, search: str, known: _Known) -> JsonObject:
    arguments: JsonObject = dict(reference.fixed)
    for argument, helper in reference.narrowed_by.items():
        if helper in known.values:
            arguments[argument] = known.values[helper]
    if reference.search_argument:
        arguments[reference.search_argument] = search
    if "limit" in known.offered[reference.tool].arguments.model_fields:
        arguments["limit"] = _ROWS
    return arguments


def _choose(slot: str, said: str, reference: Reference, rows: list[JsonObject]) -> str | Trouble:
    if reference.id_field == "id" and slot == "session_id":
        rows = [row for row in rows if row.get("current") is not True]
    wanted = _plain(said)
    if not wanted or not reference.match_fields:
        fitting = rows
    else:
        # "anna.schmidt" is one user name before it is how two people called Anna Schmidt could be written.
        fitting = [row for row in rows if fold(said) in _names(row, reference, fold)]
        fitting = fitting or [row for row in rows if wanted in _names(row, reference, _plain)]
        fitting = fitting or [row for row in rows if _is_part(wanted, _names(row, reference, _plain))]
    identifiers = [row.get(reference.id_field) for row in fitting]
    if len(fitting) == 1 and isinstance(identifiers[0], str):
        return identifiers[0]
    if fitting:
        return Several(slot, said, tuple(fitting), reference)
    return Several(slot, said, tuple(rows), reference, is_guess=True) if rows else NoMatch(slot, said)


def _names(row: JsonObject, reference: Reference, form: Callable[[str], str]) -> frozenset[str]:
    return frozenset(form(text) for field in reference.match_fields for text in texts_in(row.get(field)))


def _is_part(wanted: str, names: frozenset[str]) -> bool:
    """Whether all words of `wanted` begin words of one of the names."""
    parts = wanted.split()
    return any(all(any(word.startswith(part) for word in name.split()) for part in parts) for name in names)


def _plain(text: str) -> str:
    return " ".join(_SEPARATORS.split(fold(text))).strip()


def _is_id(value: JsonValue) -> bool:
    return isinstance(value, str) and _ID.fullmatch(value) is not None


def rows_of(value: JsonValue) -> list[JsonObject]:
    """Return the objects of a list's result."""
    items = value.get("items") if isinstance(value, dict) else None
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


def texts_in(value: JsonValue) -> Iterator[str]:
    """Yield the names in a field: a text, the name of an object, or those of a list of either."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from texts_in(item)
    elif isinstance(value, dict):
        for key in ("display_name", "display", "value", "role"):
            if key in value:
                yield from texts_in(value[key])
                return
