"""A phrase as it is declared beside a tool, read into pieces that can be found in a text."""

import re
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
    """The pieces of a phrase; they may stand in any order."""

    text: str
    pieces: tuple[Piece, ...]

    @property
    def terms(self) -> tuple[Term, ...]:
        """The words that must be there."""
        found = (element for piece in self.pieces for element in piece)
        return tuple(element for element in found if isinstance(element, Term) and not element.is_optional)

    @property
    def slots(self) -> tuple[str, ...]:
        """The names of its slots."""
        return tuple(element.slot for piece in self.pieces for element in piece if isinstance(element, Gap))


def read_phrase(text: str) -> Phrase:
    """Read a declared phrase; see `nova_ui.domain.tool.Phrases`.

    Raises:
        ValueError: an empty piece, or brackets or braces that do not close or hold what they may not.

    """
    pieces = tuple(tuple(_read_element(found) for found in _ELEMENT.findall(part)) for part in text.split("|"))
    is_whole = "".join(_ELEMENT.findall(text)) == re.sub(r"[\s|]", "", text)
    if not is_whole or any(not piece for piece in pieces):
        raise ValueError(f"the phrase {text!r} can't be read")
    return Phrase(text, pieces)


def _read_element(text: str) -> Element:
    if text.startswith("{"):
        return Gap(text[1:-1])
    is_optional = text.startswith("[")
    words = frozenset(fold(word) for word in text.strip("[]").split("/"))
    named = words & frozenset(WORDS_OF)  # the name of a concept means just this one, though other lists may hold it too
    meant = frozenset(concept for word in words - named for concept in concepts_of(word))
    return Term(words, named | meant, is_optional)
