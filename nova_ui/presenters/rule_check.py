"""Trying a rule before it is kept: whom it would find, or where it breaks."""

from dataclasses import dataclass
from typing import Final

from nova_ui.domain.filter_grammar import MAX_CHARS
from nova_ui.errors import NovaInvalid, NovaProblem
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.actions import NovaCalls
from nova_ui.presenters.fields import rows_in, text_at
from nova_ui.presenters.problem_sentences import problem_told
from nova_ui.presenters.visible import show_invisible

_MAX_REST: Final = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Whom a rule finds: how many in words, and the first of them with their departments."""

    text: str
    names: tuple[str, ...]
    is_cut: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """Why a rule can't be used."""

    text: str


async def check_rule(nova: NovaCalls, rule: str, tr: Translator) -> Found | Broken:
    """Ask Nova whom `rule` finds now; nothing is changed."""
    if not rule.strip():
        return Broken(text=tr("Please fill this in."))
    if len(rule) > MAX_CHARS:
        return Broken(text=tr("This text is too long."))
    try:
        body = (await nova.call("POST /groups/evaluate-rule", body={"rule": rule})).object
    except NovaProblem as problem:
        return Broken(text=broken_text(problem, rule, tr))
    count, sample = body.get("count"), rows_in(body, "sample")
    found = count if isinstance(count, int) else len(sample)
    text = tr.plural("Finds {count} identity now.", "Finds {count} identities now.", found)
    names = tuple(
        " · ".join(show_invisible(part) for part in (text_at(row, "display_name"), text_at(row, "department")) if part)
        for row in sample
    )
    return Found(text=text if found else tr("Finds nobody now."), names=names, is_cut=found > len(names))


def broken_text(problem: NovaProblem, rule: str, tr: Translator) -> str:
    """Say where a rule breaks, and Nova's own reason, which is English."""
    position = problem.extra.get("position")
    if not isinstance(problem, NovaInvalid) or not isinstance(position, int):
        told = problem_told(problem, tr)
        return f"{told.text} {told.next_step}".strip()
    _, _, reason = problem.detail.partition(f"at character {position}: ")
    rest = rule[position - 1 : position - 1 + _MAX_REST]
    if not rest:
        place = tr("It breaks at its end.")
    else:
        place = tr("It breaks at character {position}, at “{rest}”.", position=position, rest=show_invisible(rest))
    return f"{place} {show_invisible(reason or problem.detail)}".strip()
