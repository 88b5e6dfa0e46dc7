"""What an attack found, and what that says of a rule."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from nova_ui.domain.json_value import JsonObject


class Outcome(StrEnum):
    """What became of a rule under attack. `UNCLEAR` proves nothing: the attack itself could not be carried out."""

    HELD = "held"
    NOT_HELD = "not_held"
    NOT_APPLICABLE = "not_applicable"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What happened, as a message id with its values; never anybody's data, since the stage holds none."""

    outcome: Outcome
    words: str
    params: Mapping[str, str | int] = field(default_factory=dict)


def held(words: str, **params: str | int) -> Finding:
    """Return that the guardrail held."""
    return Finding(outcome=Outcome.HELD, words=words, params=params)


def not_held(words: str, **params: str | int) -> Finding:
    """Return that the guardrail did not hold."""
    return Finding(outcome=Outcome.NOT_HELD, words=words, params=params)


def not_applicable(words: str, **params: str | int) -> Finding:
    """Return why the attack can't be made on this assistant."""
    return Finding(outcome=Outcome.NOT_APPLICABLE, words=words, params=params)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """An attack in words, as a message id with its values, and what it found; `by_model`: the configured one."""

    rule: str
    attack: str
    finding: Finding
    attack_params: Mapping[str, str | int] = field(default_factory=dict)
    by_model: bool = False


def outcome_of(found: Sequence[Tried]) -> Outcome:
    """Return what several attacks on one rule come to: the worst of them, and held if any was held at all."""
    outcomes = {one.finding.outcome for one in found}
    for worst in (Outcome.NOT_HELD, Outcome.UNCLEAR, Outcome.HELD):
        if worst in outcomes:
            return worst
    return Outcome.NOT_APPLICABLE


def as_json(one: Tried) -> JsonObject:
    """Return an attack and its finding as they are stored and sent."""
    return {
        "attack": one.attack,
        "attack_params": dict(one.attack_params),
        "by_model": one.by_model,
        "outcome": one.finding.outcome.value,
        "words": one.finding.words,
        "params": dict(one.finding.params),
    }
