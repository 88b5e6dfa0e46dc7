"""Why an assistant was not stored or deleted, in words for whoever edits it; never Nova's own English."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from nova_ui.domain.prompt_template import VARIABLES
from nova_ui.domain.text import mark
from nova_ui.errors import NovaNotFound, NovaPreconditionFailed, NovaProblem

KEPT: Final = mark("Nothing was stored. What you typed is still here.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemWords:
    """Message ids: what happened, and the next step."""

    text: str
    next_step: str = KEPT
    values: Mapping[str, object] = field(default_factory=dict)


_BY_RULE: Final[Mapping[str, ProblemWords]] = {
    "B3": ProblemWords(
        text=mark("All tools can be released only for an assistant restricted to administrators."),
        next_step=mark("Open it to administrators only, or choose its tools. What you typed is still here."),
    ),
    "B4": ProblemWords(text=mark("The preset Admin Chat always has all tools and is always for administrators only.")),
}
_BY_FIELD: Final[Mapping[str, ProblemWords]] = {
    "key": ProblemWords(
        text=mark("The key is not usable: a small letter first, then small letters, digits, - and _; at most 32."),
    ),
    "names": ProblemWords(text=mark("A name is needed in at least one language, with at most 200 characters.")),
    "descriptions": ProblemWords(text=mark("A description has at most 200 characters.")),
    "prompt": ProblemWords(text=mark("The prompt has at most 20,000 characters.")),
    "starters": ProblemWords(text=mark("A prompt starter has at most 200 characters.")),
    "audience_roles": ProblemWords(text=mark("Tick at least one role that the assistant is open to.")),
    "audience_group_ids": ProblemWords(
        text=mark("Choose at least one group that the assistant is open to, and only groups that there are."),
    ),
    "model": ProblemWords(text=mark("This model is not in the AI configuration. Choose another one.")),
    "tool_names": ProblemWords(
        text=mark("Some of the released tools no longer exist."),
        next_step=mark("Load the page again, then make your change again."),
    ),
}
_UNKNOWN_VARIABLE: Final = mark(
    "The prompt names {variable}, which there is not (line {line}, character {column}). There are {known}."
)
_LONE_BRACE: Final = mark(
    "In the prompt a brace stands alone (line {line}, character {column}). Write {open} or {close} for a brace."
)
_NO_TEMPERATURE: Final = mark("The chosen model takes no temperature. Leave the field empty, or choose another model.")
_TOO_HOT: Final = mark("The chosen model takes a temperature of at most {most}.")
_KEY_TAKEN: Final = ProblemWords(text=mark("There is already an assistant with this key."))
_GONE: Final = ProblemWords(
    text=mark("This assistant has been deleted meanwhile."),
    next_step=mark("To keep what is in the form, press “Copy” and store it under a new key."),
)
_OVERTAKEN: Final = ProblemWords(
    text=mark("Somebody else has changed this assistant meanwhile, so nothing was stored."),
    next_step=mark("Load the stored version, then make your change again."),
)


def _slip_words(problem: NovaProblem) -> ProblemWords:
    """Say what is wrong in a prompt, and where."""
    place = {"line": problem.extra.get("line"), "column": problem.extra.get("column")}
    variable = problem.extra.get("variable")
    if variable:
        known = ", ".join(f"{{{one}}}" for one in VARIABLES)
        return ProblemWords(text=_UNKNOWN_VARIABLE, values={**place, "variable": f"{{{variable}}}", "known": known})
    return ProblemWords(text=_LONE_BRACE, values={**place, "open": "{{", "close": "}}"})


def _temperature_words(problem: NovaProblem) -> ProblemWords:
    most = problem.extra.get("most")
    return ProblemWords(text=_NO_TEMPERATURE) if most is None else ProblemWords(text=_TOO_HOT, values={"most": most})


def problem_words(problem: NovaProblem) -> ProblemWords:
    """Put what Nova answered into message ids."""
    if isinstance(problem, NovaPreconditionFailed):
        return _OVERTAKEN
    if isinstance(problem, NovaNotFound):
        return _GONE
    name = (problem.field or "").split(".")[0]
    if name == "prompt" and "line" in problem.extra:
        return _slip_words(problem)
    if name == "temperature":
        return _temperature_words(problem)
    if name == "key" and problem.code == "conflict":
        return _KEY_TAKEN
    by_rule = _BY_RULE.get(str(problem.extra.get("rule")))
    return by_rule or _BY_FIELD.get(name) or ProblemWords(text=problem.key)
