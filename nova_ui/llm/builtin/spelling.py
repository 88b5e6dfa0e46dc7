"""Reads misspelt words for kinds of things, such as "gruop"; never verbs, states or names.

A verb that is guessed could be its opposite, and a name that is guessed somebody else.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from nova_ui.llm.builtin.lexicon import (
    CONDITIONS,
    FILLING,
    LIGHT_VERBS,
    NEGATIONS,
    OWN,
    PREPOSITIONS,
    PRONOUNS,
    QUANTITIES,
    QUESTIONS,
    SHOWING,
    WORDS_OF,
    concepts_of,
)
from nova_ui.llm.builtin.words import Word

_KINDS: Final = (
    *("identities", "identity", "groups", "group", "roles", "role", "members", "memberships", "applications"),
    *("application", "assignments", "assignment", "requests", "approvals", "sessions", "session", "audit"),
    *("single_rights", "single_right", "catalog", "contractors", "service_accounts", "manager", "department"),
)
_SHORTEST: Final = 5
_LONG: Final = 12  # from here on two slips count
_WORDS: Final = {word: concept for concept in _KINDS for word in WORDS_OF[concept] if len(word) >= _SHORTEST}
_NO_SLIPS: Final = frozenset(
    {
        *("rule", "rules", "rulers", "stuff", "manage", "managed", "manages", "managing", "persona", "grape", "groove"),
        *("kosten", "kanten", "knoten", "grippe", "satzung", "nutze", "nutzt", "koennen", "wolle", "roller", "person"),
    }
)
"""Words of their own that are merely near."""
_KNOWN: Final = (
    _NO_SLIPS
    | SHOWING
    | FILLING
    | QUESTIONS
    | CONDITIONS
    | NEGATIONS
    | QUANTITIES
    | PREPOSITIONS
    | PRONOUNS
    | LIGHT_VERBS
    | OWN
)


def corrected(words: Sequence[Word]) -> list[Word]:
    """Return the words with misspelt kinds of things read as what they are; what they look like stays as typed."""
    return [_corrected(word, before) for word, before in zip(words, (None, *words), strict=False)]


def _corrected(word: Word, before: Word | None) -> Word:
    if word.is_quoted or len(word.folded) < _SHORTEST or not word.folded.isalpha() or _is_known(word.folded):
        return word
    if before is not None and before.looks_like_a_name and not _is_known(before.folded):
        return word  # the second half of a name, such as "Tim Grupe"
    meant = _nearest(word.folded)
    return word if meant is None else replace(word, folded=meant)


def _is_known(folded: str) -> bool:
    return folded in _KNOWN or bool(concepts_of(folded))


@lru_cache(maxsize=2048)
def _nearest(folded: str) -> str | None:
    """Return the nearest word; None if none is near, or if the nearest ones mean different things."""
    slips = {word: count for word in _WORDS if (count := slips_between(folded, word)) is not None}
    nearest = [word for word, count in slips.items() if count == min(slips.values())]
    return nearest[0] if nearest and len({_WORDS[word] for word in nearest}) == 1 else None


def slips_between(typed: str, meant: str) -> int | None:
    """Return how many slips make `typed` of `meant`: a letter more, less or other, or two swapped.

    None where that is more than one, or two in long words; the first letter is never a slip.
    """
    allowed = 2 if len(meant) >= _LONG else 1
    if typed[0] != meant[0] or abs(len(typed) - len(meant)) > allowed:
        return None
    count = _distance(typed, meant)
    return count if count <= allowed else None


def _distance(typed: str, meant: str) -> int:
    rows = [list(range(len(meant) + 1))]
    for i, letter in enumerate(typed, start=1):
        rows.append([i, *_next_row(rows, i, letter, typed, meant)])
    return rows[-1][-1]


def _next_row(rows: list[list[int]], i: int, letter: str, typed: str, meant: str) -> Iterator[int]:
    left = i
    for j, other in enumerate(meant, start=1):
        left = min(rows[i - 1][j] + 1, left + 1, rows[i - 1][j - 1] + (letter != other))
        if i > 1 and j > 1 and letter == meant[j - 2] and typed[i - 2] == other:
            left = min(left, rows[i - 2][j - 2] + 1)
        yield left
