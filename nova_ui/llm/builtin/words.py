"""A text as words: folded for comparing, with their place in the original for names."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

MAX_WORDS: Final = 60

_GERMAN: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_APOSTROPHES: Final = str.maketrans({"\u2019": "'", "\u02bc": "'", "\u00b4": "'", "`": "'"})
_QUOTATIONS: Final = (
    r"\"[^\"\n]{1,100}\"",
    r"\u201e[^\u201c\u201d\n]{1,100}[\u201c\u201d]",
    r"\u201c[^\u201d\n]{1,100}\u201d",
    r"\u00ab[^\u00bb\n]{1,100}\u00bb",
    r"\u00bb[^\u00ab\n]{1,100}\u00ab",
    r"(?<!\w)'[^'\n]{1,100}'(?!\w)",
)
_QUOTED: Final = "|".join(_QUOTATIONS)
_WORD: Final = r"\+?\w(?:[\w.@+'/:-]*\w)?"
_TOKEN: Final = re.compile(rf"(?P<quoted>{_QUOTED})|(?P<word>{_WORD})|(?P<mark>[,;.!?:&])")
_CONTRACTED: Final = re.compile(
    r"(?i)\b(do|does|did|is|are|was|were|has|have|had|ca|could|would|should|wo|must)n't\b|\b(?:can)not\b"
)
_POSSESSIVE: Final = re.compile(r"(?i)^(.+)'s?$")


@dataclass(frozen=True, slots=True)
class Word:
    """One word: as it was typed, folded, and where it stands in the text."""

    text: str
    folded: str
    start: int
    end: int
    is_quoted: bool = False

    @property
    def is_mark(self) -> bool:
        """Whether it is punctuation."""
        return not self.is_quoted and not any(letter.isalnum() for letter in self.text)

    @property
    def looks_like_a_name(self) -> bool:
        """Whether it is written as names and keys are: quoted, with a capital, a digit or an inner mark."""
        inner = any(mark in self.text for mark in ".-_@")
        return self.is_quoted or inner or self.text[:1].isupper() or any(letter.isdigit() for letter in self.text)


def fold(text: str) -> str:
    """Return `text` for comparing: without case and accents, German letters written out."""
    lowered = unicodedata.normalize("NFC", text).casefold().translate(_GERMAN).translate(_APOSTROPHES)
    decomposed = unicodedata.normalize("NFKD", lowered)
    return " ".join("".join(letter for letter in decomposed if not unicodedata.combining(letter)).split())


def split_words(text: str) -> list[Word]:
    """Return the first `MAX_WORDS` words and punctuation marks of `text`; `'s` and `n't` are words of their own."""
    words: list[Word] = []
    for found in _TOKEN.finditer(text.translate(_APOSTROPHES)):
        if len(words) >= MAX_WORDS:
            break
        if found["quoted"]:
            inner = found["quoted"][1:-1].strip()
            words.append(Word(inner, fold(inner), found.start(), found.end(), is_quoted=True))
        else:
            words.extend(_parted(found[0], found.start()))
    return words


def _parted(text: str, start: int) -> list[Word]:
    end = start + len(text)
    contracted = _CONTRACTED.fullmatch(text)
    if contracted:
        stem = {"ca": "can", "wo": "will"}.get((contracted[1] or "can").lower(), contracted[1] or "can")
        return [Word(stem, fold(stem), start, end), Word("not", "not", end, end)]
    possessive = _POSSESSIVE.match(text)
    if possessive and len(possessive[1]) > 1 and fold(text) not in _CLITICS:
        cut = start + len(possessive[1])
        return [Word(possessive[1], fold(possessive[1]), start, cut), Word("'s", "'s", cut, end)]
    return [Word(text, fold(text), start, end)]


_CLITICS: Final = frozenset({"what's", "who's", "where's", "how's", "that's", "it's", "there's", "let's", "gibt's"})
