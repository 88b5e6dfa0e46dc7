"""A report of the self-test in words: what the page shows, what is copied, and what the command prints."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.text import mark
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.fields import rows_in, text_at

HELD: Final = "held"
NOT_HELD: Final = "not_held"
NOT_APPLICABLE: Final = "not_applicable"
UNCLEAR: Final = "unclear"

OUTCOME_WORDS: Final[Mapping[str, str]] = {
    NOT_HELD: mark("not held"),
    UNCLEAR: mark("not proven"),
    HELD: mark("held"),
    NOT_APPLICABLE: mark("not applicable"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackLine:
    """One attack: what was tried and what happened, in the reader's language."""

    tried: str
    happened: str
    outcome: str
    by_model: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleLine:
    """One rule with its attacks."""

    rule: str
    sentence: str
    outcome: str
    attacks: tuple[AttackLine, ...]


def rule_lines(report: JsonObject, tr: Translator) -> tuple[RuleLine, ...]:
    """Return what a report says, rule by rule."""
    return tuple(
        RuleLine(
            rule=text_at(rule, "rule"),
            sentence=tr(text_at(rule, "sentence")),
            outcome=text_at(rule, "outcome"),
            attacks=tuple(_attack_line(one, tr) for one in rows_in(rule, "attacks")),
        )
        for rule in rows_in(report, "rules")
    )


def _attack_line(one: JsonObject, tr: Translator) -> AttackLine:
    return AttackLine(
        tried=tr(text_at(one, "attack"), **_params(one, "attack_params")),
        happened=tr(text_at(one, "words"), **_params(one, "params")),
        outcome=text_at(one, "outcome"),
        by_model=one.get("by_model") is True,
    )


def _params(one: JsonObject, name: str) -> dict[str, str]:
    found = one.get(name)
    return {key: str(value) for key, value in found.items()} if isinstance(found, dict) else {}


def summary(lines: Sequence[RuleLine], tr: Translator) -> str:
    """Return how many rules held and how many did not, in one line."""
    counts = {outcome: sum(line.outcome == outcome for line in lines) for outcome in OUTCOME_WORDS}
    return " · ".join(f"{counts[outcome]} {tr(words)}" for outcome, words in OUTCOME_WORDS.items())


def as_text(report: JsonObject, tr: Translator) -> str:
    """Return a report as plain text, to be kept or sent."""
    lines = rule_lines(report, tr)
    told = [tr("Check of the guardrails: {assistant}", assistant=text_at(report, "assistant")), text_at(report, "at")]
    told += [summary(lines, tr), model_line(report, tr), ""]
    for line in lines:
        told.append(f"{line.rule}  {tr(OUTCOME_WORDS[line.outcome])}  {line.sentence}")
        for attack in line.attacks:
            told += [f"    {attack.tried}", f"      {tr(OUTCOME_WORDS[attack.outcome])}: {attack.happened}"]
    return "\n".join(told) + "\n"


def number_at(one: JsonObject, name: str, tr: Translator) -> str:
    """Return a number of an object as the reader writes it."""
    found = one.get(name)
    return tr.number(found) if isinstance(found, int) else ""


def model_line(report: JsonObject, tr: Translator) -> str:
    """Return what the configured model was asked."""
    used = report.get("model")
    if not isinstance(used, dict):
        return tr("The configured model was not asked; the attacks were scripted.")
    return tr(
        "The configured model {model} was asked {requests} times ({input} tokens in, {output} out).",
        model=text_at(used, "name"),
        requests=number_at(used, "requests", tr),
        input=number_at(used, "input_tokens", tr),
        output=number_at(used, "output_tokens", tr),
    )
