"""What a short reply is: an agreement, a refusal, a greeting, thanks, or a choice from a list.

Nothing depends on this for safety: whether a reply confirms a card is decided by the server alone (rule C7).
"""

import re
from enum import StrEnum
from typing import Final

from nova_ui.llm.builtin.words import fold

_YES: Final = (
    "yes|yep|yeah|y|ja|jo|jep|jawohl|ok|okay|sure|confirm|confirmed|i confirm|go ahead|do it|please do|proceed"
    "|agreed|execute|confirm and execute|bestaetigen|bestaetigen und ausfuehren|bestaetigt|ich bestaetige|ausfuehren"
    "|einverstanden|in ordnung|mach|mach das|mach es|nur zu|genehmigt|natuerlich|auf jeden fall"
)
_MORE_YES: Final = (
    "please|bitte|gern|gerne|do it|go ahead|confirm|delete|remove|disable|suspend|revoke|end|it|them|das|es|sie|ihn"
    "|mach|loeschen|entfernen|deaktivieren|sperren|entziehen|beenden|ausfuehren|bestaetigen|durchfuehren|sicher"
    "|genau|richtig"
)
_NO: Final = (
    "no|n|nope|nein|nee|stop|stopp|halt|cancel|abort|abbrechen|abbruch|never ?mind|forget it|vergiss es|lieber nicht"
    "|don't|do not|bitte nicht|nicht|not now|wait|warte|lass es|ablehnen"
)
_MORE_NO: Final = (
    "thanks|thank you|danke|please|bitte|it|that|this|das|es|do it|do that|confirm|delete|remove|disable|suspend|revoke"
    "|loeschen|entfernen|deaktivieren|sperren|entziehen|ausfuehren|bestaetigen|mach das|machen|doch nicht|doch|lieber"
)
_HELLO: Final = (
    "hi|hello|hallo|hey|moin|servus|good (?:morning|afternoon|evening|day)|guten (?:morgen|tag|abend)|gruess gott"
)
_THANK_YOU: Final = "thanks?|thank you|thx|danke|dankeschoen|vielen dank|besten dank|merci"
_PRAISE: Final = "great|perfect|super|toll|prima|perfekt|cool|nice"
_WHO_IS_IT: Final = (
    "help|hilfe|who are you|what are you|what can you do|what can i (?:ask|do here)|what do you do|wer bist du"
    "|wer sind sie|was bist du|was kannst du|was koennen sie|was kann ich hier|wie funktioniert das"
    "|are you (?:an? )?(?:ai|bot|human)|bist du (?:eine? )?(?:ki|bot|mensch)"
)
_AGREES: Final = re.compile(rf"(?:{_YES})(?: (?:{_MORE_YES}))*")
_REFUSES: Final = re.compile(rf"(?:{_NO})(?: (?:{_NO}|{_MORE_NO}))*")
_GREETING: Final = re.compile(rf"(?:{_HELLO})(?: (?:there|nova|zusammen|all|everyone|to you|an alle))*")
_THANKS: Final = re.compile(rf"(?:(?:ok|okay|{_PRAISE}) )?(?:{_THANK_YOU})(?: .{{0,60}})?|{_PRAISE}")
_SELF: Final = re.compile(rf".{{0,12}}\b(?:{_WHO_IS_IT})\b.{{0,20}}")
_COUNT: Final = re.compile(
    r"(?:please |bitte )?(?:how many|count|number of|wie ?viele?|zaehle?|anzahl)\b(?!.*\b(?:per|pro|je|by)\b)"
)
_ORDINALS: Final = {
    word: number
    for number, words in enumerate(
        (
            "1 one first eins erste ersten erster erstes",
            "2 two second zwei zweite zweiten zweiter zweites",
            "3 three third drei dritte dritten dritter drittes",
        )
    )
    for word in words.split()
}
_AROUND: Final = frozenset(
    {"the", "die", "der", "das", "den", "one", "number", "nummer", "nr", "option", "please", "bitte"}
)


class Reply(StrEnum):
    """What a whole message is, if it asks for nothing."""

    AGREES = "agrees"
    REFUSES = "refuses"
    GREETS = "greets"
    THANKS = "thanks"
    ASKS_ABOUT_SELF = "asks_about_self"


def reply_in(text: str) -> Reply | None:
    """Return what a whole message is, or None if it is none of these."""
    plain = " ".join(re.sub(r"[.!?,;]+", " ", fold(text)).split())
    for pattern, reply in (
        (_AGREES, Reply.AGREES),
        (_REFUSES, Reply.REFUSES),
        (_GREETING, Reply.GREETS),
        (_THANKS, Reply.THANKS),
        (_SELF, Reply.ASKS_ABOUT_SELF),
    ):
        if pattern.fullmatch(plain):
            return reply
    return None


def asks_for_count(text: str) -> bool:
    """Whether a message asks how many there are, and for nothing else."""
    return _COUNT.match(" ".join(fold(text).split())) is not None


def choice_in(text: str, count: int) -> int | None:
    """Return which of `count` listed things a reply such as "2" or "the first one" chooses, from 0."""
    words = [word for word in re.sub(r"[.!?,;:)(#]+", " ", fold(text)).split() if word not in _AROUND]
    if not words and "one" in fold(text).split():
        words = ["one"]
    if len(words) != 1 or words[0] not in _ORDINALS:
        return None
    chosen = _ORDINALS[words[0]]
    return chosen if chosen < count else None
