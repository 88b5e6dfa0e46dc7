"""Whether a typed reply agrees to a preview: closed lists of whole replies, decided by no model (rules C7, C12)."""

import string
import unicodedata
from enum import StrEnum
from typing import Final

_END_MARKS: Final = ".!"
_SPACES: Final = " \t\r\n\u00a0"
_COMBINING_DIAERESIS: Final = "\u0308"
_LETTERS_OF_REPLIES: Final = frozenset(string.ascii_letters + "äöüÄÖÜß,'\u2019" + _SPACES + _COMBINING_DIAERESIS)


class Reply(StrEnum):
    """What a typed reply to a card is. Whatever is in no list is no agreement."""

    AGREES = "agrees"
    REFUSES = "refuses"
    OTHER = "other"


_AGREES_ENGLISH: Final = (
    "yes", "y", "yes please", "yes do it", "yes go ahead", "yes confirm", "yes i confirm", "yes confirmed",
    "yes i agree", "yes proceed", "yes execute", "yes run it", "yes delete", "yes delete it", "yes delete them",
    "yes please delete", "yes please delete it", "yes remove", "yes remove it", "yes disable", "yes disable it",
    "yes suspend", "yes suspend it", "yes revoke", "yes revoke it", "yes end it", "yes end them", "yes i am sure",
    "yes i'm sure", "yes sure", "yes of course", "yes that's right", "yes that is right", "yes that's correct",
    "yes correct", "yes ok", "yes okay", "go ahead", "please go ahead", "do it", "please do", "please do it", "confirm",
    "confirmed", "i confirm", "i confirm it", "confirm and execute", "execute", "proceed", "please proceed", "agreed",
    "i agree", "ok", "okay", "ok do it", "okay do it", "ok go ahead", "okay go ahead", "sure", "sure go ahead", "yep",
    "yeah", "yup", "affirmative", "approved", "absolutely", "definitely",
)  # fmt: skip
_AGREES_GERMAN: Final = (
    "ja", "j", "jawohl", "ja bitte", "ja gerne", "ja gern", "ja mach das", "ja mach es", "ja bestätigen",
    "ja bestätigt", "ja ich bestätige", "ja ich bestätige das", "ja ich stimme zu", "ja ausführen",
    "ja bitte ausführen", "ja löschen", "ja bitte löschen", "ja lösche es", "ja lösche sie", "ja lösche ihn",
    "ja entfernen", "ja bitte entfernen", "ja deaktivieren", "ja bitte deaktivieren", "ja sperren",
    "ja bitte sperren", "ja aussetzen", "ja entziehen", "ja bitte entziehen", "ja beenden", "ja bitte beenden",
    "ja durchführen", "ja bitte durchführen", "ja sicher", "ja genau", "ja richtig", "ja natürlich", "ja ok",
    "ja okay", "ja in ordnung", "bestätigen", "bestätigt", "ich bestätige", "ich bestätige das", "ich stimme zu",
    "bestätigen und ausführen", "ausführen", "bitte ausführen", "durchführen", "bitte durchführen", "einverstanden",
    "in ordnung", "mach das", "mach es", "mach", "tu es", "nur zu", "ok mach das", "okay mach das", "jo", "jep",
    "genehmigt", "zugestimmt", "natürlich", "selbstverständlich", "auf jeden fall", "gerne", "sehr gerne", "los",
)  # fmt: skip
_REFUSES_ENGLISH: Final = (
    "no", "n", "nope", "nah", "no thanks", "no thank you", "no don't", "no do not", "no stop", "no cancel", "no wait",
    "no don't do it", "no do not do it", "no please don't", "stop", "stop it", "please stop", "cancel", "cancel it",
    "cancel that", "please cancel", "abort", "don't", "do not", "don't do it", "do not do it", "please don't",
    "please do not", "don't confirm", "do not confirm", "don't delete", "do not delete", "don't delete it",
    "do not delete it", "never mind", "nevermind", "reject", "rejected", "decline", "declined", "forget it", "leave it",
    "not now", "rather not", "better not", "never", "negative", "wait", "hold on",
)  # fmt: skip
_REFUSES_GERMAN: Final = (
    "nein", "nee", "nö", "nein danke", "nein bitte nicht", "nein nicht", "nein stopp", "nein stop", "nein abbrechen",
    "nein nicht löschen", "nein nicht ausführen", "nein lieber nicht", "abbrechen", "bitte abbrechen", "abbruch",
    "brich ab", "stopp", "halt", "nicht löschen", "bitte nicht löschen", "nicht ausführen", "bitte nicht ausführen",
    "nicht bestätigen", "lieber nicht", "besser nicht", "bitte nicht", "auf keinen fall", "keinesfalls",
    "vergiss es", "vergessen sie es", "ablehnen", "abgelehnt", "lass es", "lassen sie es", "lass das", "niemals",
    "jetzt nicht", "noch nicht", "warte", "moment",
)  # fmt: skip

_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def _with_spellings(*lists: tuple[str, ...]) -> frozenset[str]:
    """Return the replies, those with umlauts also as they are typed without them."""
    replies = [reply for replies in lists for reply in replies]
    return frozenset(replies) | {reply.translate(_UMLAUTS) for reply in replies}


AGREEMENTS: Final = _with_spellings(_AGREES_ENGLISH, _AGREES_GERMAN)
REFUSALS: Final = _with_spellings(_REFUSES_ENGLISH, _REFUSES_GERMAN)


def classify_reply(text: str) -> Reply:
    """Say what a whole typed reply is; case, spaces, end marks and commas between words aside.

    A look-alike letter, an invisible mark or one more word makes it none of the replies in the lists.
    """
    reply = _plain(text)
    if reply in AGREEMENTS:
        return Reply.AGREES
    if reply in REFUSALS:
        return Reply.REFUSES
    return Reply.OTHER


def _plain(text: str) -> str:
    """Return `text` in NFC and lower case, which unlike case folding turns no look-alike into a plain letter."""
    bare = text.strip(_SPACES).rstrip(_END_MARKS + _SPACES)
    if bare.startswith(",") or bare.endswith(","):
        return ""  # something was to follow, or did before
    if not _LETTERS_OF_REPLIES.issuperset(bare):
        return ""
    composed = unicodedata.normalize("NFC", bare).lower().replace("\u2019", "'")
    return " ".join(composed.replace(",", " ").split())
