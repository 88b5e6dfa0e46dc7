"""What a page says when Nova refused or failed: what happened, and the next step."""

from typing import Final

from nova_ui.domain.identity import Language
from nova_ui.domain.text import mark
from nova_ui.errors import NovaProblem
from nova_ui.i18n.translator import Translator
from nova_ui.presenters.field_words import field_label
from nova_ui.presenters.problem_words import Told
from nova_ui.presenters.visible import show_invisible

OVERTAKEN: Final = "precondition_failed"
_BY_CODE: Final = {
    OVERTAKEN: (
        mark("Somebody else has changed this meanwhile, so nothing was done."),
        mark("Look at the current state, then try again."),
    ),
    "last_administrator": (
        mark("This is the last administrator, so nothing was done."),
        mark("Make somebody else an administrator first."),
    ),
    "self_lockout": (mark("You can't do this to yourself, so nothing was done."), ""),
    "protected_object": (mark("This is protected and stays as it is."), ""),
    "state_conflict": (mark("The current state does not allow this."), ""),
    "approver_conflict": (mark("You can't decide about your own access."), ""),
    "forbidden": (mark("You are not permitted to do this."), ""),
    "not_found": (mark("It is gone meanwhile, or you may not see it."), mark("Load the page again.")),
    "database_busy": (
        mark("Nova's database is busy at the moment."),
        mark("What you entered is still here. Please try again in a moment."),
    ),
    "database_full": (
        mark("Nova's database has no room left."),
        mark("What you entered is still here. An administrator has to make room; please try again then."),
    ),
    "database_unavailable": (
        mark("Nova's database can't be used at the moment."),
        mark("What you entered is still here. Please try again later."),
    ),
    "unavailable": (
        mark("Nova could not be reached."),
        mark("Whether it was done is not known: look before trying again."),
    ),
}


def problem_told(problem: NovaProblem, tr: Translator) -> Told:
    """Put a problem into words. Nova's own sentence, which is English, is added where it says more."""
    known = _BY_CODE.get(problem.code)
    text = tr(known[0]) if known else _general(problem, tr)
    step = tr(known[1]) if known and known[1] else ""
    more = "" if known and (step or tr.language is not Language.ENGLISH) else show_invisible(problem.detail)
    return Told(text=text, next_step=f"{step} {more}".strip())


def _general(problem: NovaProblem, tr: Translator) -> str:
    if problem.field:
        name = next((part for part in reversed(problem.field.split(".")) if not part.isdigit()), problem.field)
        return tr("{field}: Nova did not accept this value.", field=field_label(name, tr))
    return tr(type(problem).key)
