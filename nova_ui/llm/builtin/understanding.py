"""What a text means: one tool with its values, a question back, or nothing (rules 1 and 2 of the built-in model)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import AnyTool, ToolKind
from nova_ui.llm.builtin.lexicon import is_action
from nova_ui.llm.builtin.matcher import Fit, Grammar, best_fit, grammar_of
from nova_ui.llm.builtin.slots import Reading

_CLOSE: Final = 0.1
MAX_CHOICES: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """One clear winner: its values may still hold names in place of ids, and may still lack something."""

    tool: AnyTool
    values: Mapping[str, JsonValue]
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """Several tools are about as likely: at most three are offered."""

    tools: tuple[AnyTool, ...]


@dataclass(frozen=True, slots=True)
class Unclear:
    """No tool fits; `asks_for_change` if the words tell to change something."""

    asks_for_change: bool


@dataclass(frozen=True, slots=True)
class Unsure:
    """A change is asked for with a word such as "it", which could stand for any of `count` things."""

    count: int


@dataclass(frozen=True, slots=True)
class People:
    """The managers of people who were just shown are asked for, and these have several; no call is needed."""

    rows: tuple[JsonObject, ...]


@dataclass(frozen=True, slots=True)
class NotHere:
    """It is clear what is meant, but the tool is not offered here."""

    tool: AnyTool


Meaning = Plan | Choice | Unclear | Unsure | People | NotHere


@dataclass(slots=True)
class Grammars:
    """The phrases of tools, read once per tool; a cache of values that never change."""

    _known: dict[int, Grammar] = field(default_factory=dict)

    def of(self, tools: Iterable[AnyTool]) -> list[Grammar]:
        """Return the grammars of `tools` that have phrases."""
        return [self._grammar(tool) for tool in tools if tool.phrases.english or tool.phrases.variants]

    def _grammar(self, tool: AnyTool) -> Grammar:
        known = self._known.get(id(tool))
        if known is None or known.tool is not tool:
            known = self._known[id(tool)] = grammar_of(tool)
        return known


def understand(reading: Reading, grammars: Sequence[Grammar]) -> Meaning:
    """Say what a text means among the tools that are offered now."""
    fits = [fit for grammar in grammars if (fit := best_fit(grammar, reading)) is not None]
    fits.sort(key=lambda fit: (fit.cost, fit.tool.name))
    if not fits:
        return Unclear(any(is_action(word.folded) and not word.is_quoted for word in reading.words))
    near = [fit for fit in fits if fit.cost - fits[0].cost <= _CLOSE]
    if len(near) > 1 and not _is_same_reading(near):
        return Choice(tuple(fit.tool for fit in near[:MAX_CHOICES]))
    return plan_of(fits[0])


def plan_of(fit: Fit) -> Plan:
    """Return what is to be done for a fit, with what is still missing."""
    values = _completed(fit.tool, fit.values)
    return Plan(tool=fit.tool, values=values, missing=missing_in(fit.tool, values, fit.open_slots))


def missing_in(tool: AnyTool, values: Mapping[str, JsonValue], open_slots: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the slots without which `tool` can't be called, in the order of their asking.

    An argument that a look-up by other slots gives is there as soon as those are.
    """
    references = tool.phrases.references
    wanted = [name for name in dict.fromkeys(open_slots) if not _arguments(tool, name) & set(values)]
    for name, declared in tool.arguments.model_fields.items():
        if not declared.is_required() or name in values:
            continue
        reference = references.get(name)
        helpers = tuple(reference.narrowed_by.values()) if reference else ()
        if reference and not reference.search_argument and (not helpers or any(helper in values for helper in helpers)):
            continue
        wanted.extend(helpers or (name,))
    return tuple(dict.fromkeys(name for name in wanted if name not in values))


def arguments_of(plan: Plan) -> JsonObject:
    """Return the call's arguments: without slots that only help, dotted names as objects within."""
    arguments: JsonObject = {}
    for name, value in plan.values.items():
        outer, _, inner = name.partition(".")
        if outer not in plan.tool.arguments.model_fields:
            continue
        if inner:
            within = arguments.setdefault(outer, {})
            if isinstance(within, dict):
                within[inner] = value
        else:
            arguments[outer] = value
    return arguments


def _arguments(tool: AnyTool, slot: str) -> set[str]:
    declared = tool.phrases.slots.get(slot)
    return set(declared.arguments) if declared and declared.arguments else {slot}


def _completed(tool: AnyTool, values: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Fill in what follows from other words: who gives an address gives the name before its @ to sign in with."""
    completed = dict(values)
    address = completed.get("email")
    fields = tool.arguments.model_fields
    if "user_name" in fields and fields["user_name"].is_required() and isinstance(address, str):
        completed.setdefault("user_name", address.partition("@")[0])
    return completed


def _is_same_reading(near: Sequence[Fit]) -> bool:
    """Whether the first is to be preferred: all of them only read, and it explains strictly more."""
    reads = all(fit.tool.kind is ToolKind.READ for fit in near)
    return reads and near[1].cost - near[0].cost > _CLOSE / 4
