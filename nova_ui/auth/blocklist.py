"""Passwords that are guessed first: common ones, the person's own names, words of Nova, and the organisation's."""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from nova_ui.auth.common_passwords import is_common
from nova_ui.domain.folding import fold

# What must be left once every known word is taken out; less is what people add because they must.
MIN_REST_CHARS: Final = 6
_MIN_NAME_CHARS: Final = 3
_WORDS: Final = re.compile(r"[^\W_]+")
_LOOK_ALIKES: Final = str.maketrans("013457@$!|", "oleastasil")
_SIGNS: Final = "@$!|"
_KEYBOARD: Final = (
    "1234567890", "0987654321", "qwertyuiop", "qwertzuiop", "asdfghjkl", "zxcvbnm", "yxcvbnm",
    "abcdefghijklmnopqrstuvwxyz", "1q2w3e4r5t6y7u8i9o0p", "1qaz2wsx3edc4rfv5tgb6yhn", "qazwsxedcrfvtgb",
    "azertyuiop",
)  # fmt: skip
_MIN_RUN: Final = 4
_COMMON: Final = frozenset(
    {
        "password", "passwort", "passwd", "kennwort", "passphrase", "secret", "geheim", "geheimnis", "welcome",
        "willkommen", "letmein", "login", "anmeldung", "admin", "administrator", "master", "system", "server",
        "root", "toor", "guest", "gast", "user", "benutzer", "test", "tester", "testing", "default", "changeme",
        "change", "temp", "temporary", "initial", "start", "access", "zugang", "iloveyou", "ichliebedich", "hallo",
        "hello", "schatz", "monkey", "dragon", "football", "fussball", "baseball", "basketball", "superman",
        "batman", "pokemon", "starwars", "sunshine", "princess", "prinzessin", "shadow", "michael", "charlie",
        "jordan", "hunter", "ashley", "bailey", "killer", "freedom", "freiheit", "whatever", "trustno", "summer",
        "sommer", "winter", "spring", "fruehling", "frühling", "autumn", "herbst", "januar", "january", "februar",
        "february", "maerz", "märz", "march", "april", "june", "juni", "july", "juli", "august", "september",
        "october", "oktober", "november", "december", "dezember", "monday", "montag", "friday", "freitag",
        "computer", "internet", "google", "facebook", "samsung", "microsoft", "windows", "apple", "linux",
        "android", "company", "firma", "office", "security", "sicherheit", "qwerty", "qwertz", "azerty", "asdf",
        "abc", "berlin", "hamburg", "muenchen", "münchen", "london", "germany", "deutschland", "bayern", "schalke",
        "borussia", "mercedes", "porsche", "ferrari", "jesus", "flower", "blume", "cheese", "cookie", "banana",
        "chocolate", "schokolade", "soccer", "lovely", "liebe", "love",
    }
)  # fmt: skip
_PRODUCT: Final = frozenset({"nova", "novaai", "identity", "identities", "assistant"})


def is_guessable(password: str, *, names: Iterable[str] = (), words: Collection[str] = ()) -> bool:
    """Whether little but known words is left of a password; case, accents' form and look-alikes make no difference."""
    if is_common(password):
        return True
    known = _COMMON | _PRODUCT | set(_parts(names)) | {_squeezed(word) for word in words}
    text = "".join(character for character in fold(password) if character.isalnum() or character in _SIGNS)
    taken = [False] * len(text)
    for form in (text, text.translate(_LOOK_ALIKES)):
        for start, end in (*_known_words(form, known), *_runs(form)):
            taken[start:end] = [True] * (end - start)
    rest = sum(character.isalnum() and not is_taken for character, is_taken in zip(text, taken, strict=True))
    return rest < MIN_REST_CHARS


def _squeezed(text: str) -> str:
    return "".join(_WORDS.findall(fold(text)))


def _parts(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        found = _WORDS.findall(fold(name))
        yield from (part for part in (*found, "".join(found)) if len(part) >= _MIN_NAME_CHARS)


def _known_words(text: str, known: Collection[str]) -> Iterator[tuple[int, int]]:
    for word in known:
        start = text.find(word) if word else -1
        while start >= 0:
            yield start, start + len(word)
            start = text.find(word, start + 1)


def _runs(text: str) -> Iterator[tuple[int, int]]:
    """Find repetitions, and keys that lie side by side."""
    for start in range(len(text) - _MIN_RUN + 1):
        run = text[start : start + _MIN_RUN]
        if len(set(run)) == 1 or any(run in keys for keys in _KEYBOARD):
            yield start, start + _MIN_RUN
