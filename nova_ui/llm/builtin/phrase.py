"""A phrase as it is declared beside a tool, read into pieces that can be found in a text."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from nova_ui.llm.builtin.lexicon import ACTIONS, LIGHT_VERBS, WORDS_OF, concepts_of
from nova_ui.llm.builtin.words import fold

_ELEMENT: Final = re.compile(r"\{[a-z_]+\}|\[[^\s\[\]{}|]+\]|[^\s\[\]{}|]+")


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a phrase: any of `words`, or any word of `concepts`."""

    words: frozenset[str]
    concepts: frozenset[str]
    is_optional: bool = False

    def fits(self, folded: str) -> bool:
        """Whether a word of a text is this one."""
        return folded in self.words or bool(self.concepts & concepts_of(folded))

    @property
    def is_action(self) -> bool:
        """Whether it tells to do something."""
        return bool(self.concepts & ACTIONS) or bool(self.words & LIGHT_VERBS)


@dataclass(frozen=True, slots=True)
class Gap:
    """A slot of a phrase."""

    slot: str


Element = Term | Gap
Piece = tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class Phrase:
    """The pieces of a phrase; they may stand in any order.

    `told` are those without which nothing is told to be done; the others, such as "to {group_id}", may be missing from
    a request for a change, and are asked for. `terms` and `told_terms` are the words that all pieces need, and those.
    """

    text: str
    pieces: tuple[Piece, ...]
    told: tuple[Piece, ...]
    terms: tuple[Term, ...]
    told_terms: tuple[Term, ...]

    @property
    def slots(self) -> tuple[str, ...]:
        """The names of its slots."""
        return tuple(element.slot for piece in self.pieces for element in piece if isinstance(element, Gap))


def _terms_of(pieces: Iterable[Piece]) -> tuple[Term, ...]:
    """Return the words of `pieces` that are not optional."""
    found = (element for piece in pieces for element in piece)
    return tuple(element for element in found if isinstance(element, Term) and not element.is_optional)


def _may_be_missing(piece: Piece) -> bool:
    has_gap = any(isinstance(element, Gap) for element in piece)
    return has_gap and not any(isinstance(element, Term) and element.is_action for element in piece)


def read_phrase(text: str) -> Phrase:
    """Read a declared phrase; see `nova_ui.domain.tool.Phrases`.

    Raises:
        ValueError: an empty piece, or brackets or braces that do not close or hold what they may not.

    """
    pieces = tuple(tuple(_read_element(found) for found in _ELEMENT.findall(part)) for part in text.split("|"))
    is_whole = "".join(_ELEMENT.findall(text)) == re.sub(r"[\s|]", "", text)
    if not is_whole or any(not piece for piece in pieces):
        raise ValueError(f"the phrase {text!r} can't be read")
    told = tuple(piece for piece in pieces if len(pieces) == 1 or not _may_be_missing(piece))
    return Phrase(text, pieces, told, _terms_of(pieces), _terms_of(told))


def _read_element(text: str) -> Element:
    if text.startswith("{"):
        return Gap(text[1:-1])
    is_optional = text.startswith("[")
    words = frozenset(fold(word) for word in text.strip("[]").split("/"))
    named = words & frozenset(WORDS_OF)  # the name of a concept means just this one, though other lists may hold it too
    meant = frozenset(concept for word in words - named for concept in concepts_of(word))
    return Term(words, named | meant, is_optional)
