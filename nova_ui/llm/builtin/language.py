"""Which language a message is written in."""

from collections.abc import Sequence
from typing import Final

from nova_ui.domain.identity import Language
from nova_ui.llm.builtin.words import Word

_GERMAN_WORDS: Final = (
    "der die das den dem des ein eine einen einer und oder nicht bitte wer wie wann wo warum welche welcher welchen"
    " ich mir mich mein meine meinen ist sind hat haben habe gibt es zeige zeig liste alle aus von zu zur zum fuer"
    " auf mit nach bei loesche sperre entsperre aktiviere deaktiviere erstelle fuege entferne kannst du sie"
    " wir uns im am vom bis seit gruppe gruppen rolle rollen nutzer benutzer abteilung sitzungen antraege danke hallo"
    " guten morgen tag hilfe suche finde beende entziehe weise gib nimm setze aendere ja nein worauf exportiere"
    " beantrage genehmige lehne"
)
_ENGLISH_WORDS: Final = (
    "the a an and or not please who how when where why which what i me my mine is are has have there show list all"
    " from of to for on with at by in delete suspend unlock activate disable create add remove can you we us until"
    " since group groups role roles user users department sessions requests thanks hello good help find search end"
    " revoke assign give take set change yes no export request approve deny"
)
_GERMAN: Final = frozenset(_GERMAN_WORDS.split())
_ENGLISH: Final = frozenset(_ENGLISH_WORDS.split())


def language_of(words: Sequence[Word], otherwise: Language) -> Language:
    """Return the language of a message, or `otherwise` if its words do not tell."""
    folded = [word.folded for word in words if not word.is_quoted]
    german = (
        sum(word in _GERMAN for word in folded)
        + sum(any(letter in "äöüß" for letter in word.text.lower()) for word in words) / 4
    )
    english = sum(word in _ENGLISH for word in folded)
    if german == english:
        return otherwise
    return Language.GERMAN if german > english else Language.ENGLISH
