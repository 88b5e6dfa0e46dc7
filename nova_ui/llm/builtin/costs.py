"""What a word costs that no phrase explains: the more it could change the meaning, the more."""

from typing import Final

from nova_ui.llm.builtin.lexicon import (
    CONDITIONS,
    FILLING,
    NEGATIONS,
    OWN,
    PREPOSITIONS,
    PRONOUNS,
    QUANTITIES,
    QUESTIONS,
    SHOWING,
    concepts_of,
    is_action,
)
from nova_ui.llm.builtin.moments import RELATIVE_DAYS, is_written_day
from nova_ui.llm.builtin.words import Word

FORBIDDING: Final = 5.0
MAX_READ_COST: Final = 0.95
MAX_CHANGE_COST: Final = 0.75

_FREE: Final = 0.02
_SLIGHT: Final = 0.15
_UNKNOWN: Final = 1.0
_MEANING: Final = 1.1
_CONTRARY: Final = 2.0

_AUXILIARIES: Final = frozenset({"can", "kann", "could", "koennte", "do", "did", "have", "hat", "habe", "am", "bin"})
_SUBJECTS: Final = frozenset({"i", "ich", "we", "wir", "man", "one", "he", "she", "they", "anyone", "jemand"})
_NEVER_IN_NAMES: Final = NEGATIONS | QUESTIONS | OWN | QUANTITIES
_KINDS_OF_PEOPLE: Final = frozenset({"identity", "identities"})
_KINDS: Final = _KINDS_OF_PEOPLE | {
    *("group", "groups", "role", "roles", "member", "members", "application", "applications"),
    *("assignment", "assignments", "a_request", "requests", "approval", "approvals", "session", "sessions"),
    *("department", "departments", "audit", "entries", "catalog"),
}
_DEEDS_IN_NAMES: Final = frozenset({"export"})  # as in the entitlement "Customer Export"; never the first word
_FIRST_IN_NAMES: Final = frozenset({"people", "user", "account", "staff", "employee"})


def cost_of_ignoring(word: Word, following: Word | None, *, changes: bool) -> float:
    """Return the cost of leaving `word` unexplained; `changes` for a tool that writes or destroys.

    For such a tool a question, a condition, a "not", a second verb or an "all" that no phrase explains forbids the
    call.
    """
    if word.is_mark:
        return _FREE
    if word.is_quoted:
        return _MEANING
    return _cost_for_change(word.folded, following) if changes else _cost_for_read(word.folded)


def _cost_for_change(folded: str, following: Word | None) -> float:
    if folded in NEGATIONS or folded in QUESTIONS or folded in CONDITIONS or folded in QUANTITIES:
        return FORBIDDING
    asks_for_leave = folded in _AUXILIARIES and following is not None and following.folded in _SUBJECTS
    if is_action(folded) or asks_for_leave:
        return FORBIDDING
    if folded in FILLING:
        return _FREE
    if folded in PREPOSITIONS or folded in PRONOUNS:
        return _SLIGHT * 2
    return _MEANING if folded in OWN or folded in SHOWING or concepts_of(folded) else _UNKNOWN


def _cost_for_read(folded: str) -> float:
    if folded in SHOWING:
        return _FREE
    if folded in NEGATIONS or is_action(folded):
        return _CONTRARY
    if folded in OWN:
        return _MEANING
    if folded in FILLING or folded in QUANTITIES or folded in QUESTIONS:
        return _FREE
    if folded in PREPOSITIONS or folded in PRONOUNS:
        return _SLIGHT
    return _MEANING if concepts_of(folded) else _UNKNOWN


def cost_within_name(word: Word, *, is_first: bool) -> float:
    """Return the cost of taking `word` into a name; a word that no name may hold forbids it."""
    folded = word.folded
    if word.is_quoted:
        return 0.0
    is_day = (folded in RELATIVE_DAYS and not word.looks_like_a_name) or is_written_day(word)
    is_deed_in_name = folded in _DEEDS_IN_NAMES and word.looks_like_a_name and not is_first
    is_pronoun = folded in PRONOUNS and not word.looks_like_a_name
    if (
        is_day
        or is_pronoun
        or word.is_mark
        or folded in _NEVER_IN_NAMES
        or (is_action(folded) and not is_deed_in_name)
        or _is_kind_of_object(word, is_first=is_first)
    ):
        return FORBIDDING
    if folded in PREPOSITIONS or folded in FILLING or folded in SHOWING:
        return 0.3
    if concepts_of(folded):
        return 0.12 if word.looks_like_a_name else 0.3
    return 0.04 if word.looks_like_a_name else 0.1


def may_bound_name(word: Word) -> bool:
    """Whether a name may begin or end with `word`."""
    return word.is_quoted or not (word.folded in FILLING or word.folded in PREPOSITIONS or word.folded in SHOWING)


def _is_kind_of_object(word: Word, *, is_first: bool) -> bool:
    """Whether a word says what kind of object is named, as in "the group X", and so belongs to no name.

    Names of roles such as "CRM User" or "People Portal User" hold words for people; these may stand where they are
    written as names are.
    """
    kinds = concepts_of(word.folded) & _KINDS
    if not kinds:
        return False
    is_about_people = kinds <= _KINDS_OF_PEOPLE
    return not (is_about_people and word.looks_like_a_name) or (is_first and word.folded not in _FIRST_IN_NAMES)
