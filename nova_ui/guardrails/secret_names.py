"""Which names belong to secrets, in any case style, English and German (rules D1 to D3).

Names mislead both ways: `token_count`, `password_policy` and `secretary` name no secret, and neither does a boolean
called `revoke_tokens`. So a name is taken apart into words, the secret word is looked for, and what follows it decides.
"""

import re
import unicodedata
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Final

from nova_ui.domain.json_value import JsonValue

_MAX_NAME_CHARS: Final = 200
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SEPARATORS: Final = re.compile(r"[^a-z0-9]+")
_UMLAUTS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_TRAILING_DIGITS: Final = re.compile(r"\d+$")

# A word that is one of these, or ends in one of the longer ones, names a secret ("clientsecret", "Dienstkennwort").
_COMPOUNDING: Final = (
    "password", "passwords", "passwd", "passphrase", "passwort", "passwoerter", "kennwort", "kennwoerter", "passcode",
    "secret", "secrets", "geheimnis", "geheimnisse", "token", "tokens", "credential", "credentials", "zugangsdaten",
    "anmeldedaten", "apikey", "apikeys", "apischluessel", "privatekey", "privatekeys", "secretkey", "accesskey",
    "otpkey", "schluesselbund", "privatschluessel", "geheimschluessel", "zugriffsschluessel", "keytab", "einmalcode",
    "einmalcodes", "wiederherstellungscode", "wiederherstellungscodes", "recoverycode", "recoverycodes", "backupcode",
    "backupcodes", "sicherungscodes", "connectionstring", "verbindungszeichenfolge", "verbindungszeichenkette",
    "passwordhash", "passworthash", "kennworthash", "cookie", "cookies", "sicherheitsantwort", "sicherheitsantworten",
    "securityanswer", "securityanswers",
)  # fmt: skip
_WHOLE: Final = frozenset(
    {"pwd", "pwds", "pw", "psk", "otp", "totp", "hotp", "jwt", "jwts", "cookie", "cookies", "dsn", "keydata"}
)  # fmt: skip
# Words too common to count anywhere but at the end ("pass_rate" is none).
_LAST: Final = frozenset(
    {"pass", "pin", "pins", "puk", "tan", "tans", "seed", "authorization", "bearer", "answer", "antwort"}
)
_EXTENDS_LAST: Final = frozenset({"code", "codes", "value", "values", "new", "old", "current", "confirmation", "hash"})
_PHRASES: Final = frozenset(
    {
        *(
            (before, key)
            for before in (
                "api", "private", "secret", "access", "signing", "encryption", "master", "shared", "session", "hmac",
                "root", "webhook", "deploy", "subscription", "otp", "totp", "decryption", "wrapping", "licence",
                "license", "auth", "account",
            )
            for key in ("key", "keys")
        ),
        *(
            (before, key)
            for before in ("api", "privater", "geheimer", "privaten", "geheimen", "private", "geheime", "zugriffs")
            for key in ("schluessel",)
        ),
        *(
            (before, code)
            for before in (
                "recovery", "backup", "time", "verification", "mfa", "otp", "sms", "auth", "authorization", "device",
                "scratch", "security", "wiederherstellungs", "einmal", "bestaetigungs", "sicherheits", "rescue",
            )
            for code in ("code", "codes")
        ),
        ("connection", "string"), ("conn", "str"), ("connection", "uri"), ("database", "url"), ("jdbc", "url"),
        ("key", "data"), ("key", "tab"), ("key", "material"), ("security", "answer"), ("magic", "link"),
        ("reset", "link"), ("recovery", "phrase"), ("pass", "phrase"), ("pass", "code"), ("pass", "word"),
        ("invitation", "link"), ("nova", "session"), ("seed", "phrase"),
    }
)  # fmt: skip
# What may follow a secret word and makes the whole a name about the secret, not of it.
_HARMLESS_TAILS: Final = frozenset(
    {
        "count", "counts", "number", "policy", "policies", "length", "len", "min", "max", "minimum", "maximum",
        "lifespan", "lifetime", "ttl", "expiry", "expires", "expiration", "expired", "at", "on", "age", "days", "hours",
        "minutes", "seconds", "type", "types", "endpoint", "endpoints", "uri", "uris", "url", "urls", "method",
        "methods", "id", "ids", "name", "names", "label", "labels", "changed", "updated", "created", "modified", "used",
        "reset", "resets", "required", "enabled", "disabled", "allowed", "set", "status", "state", "history",
        "rotation", "rotated", "version", "format", "algorithm", "alg", "limit", "limits", "usage", "budget",
        "supported", "sent", "rules", "rule", "strength", "complexity", "attempts", "auth", "exchange", "revoked",
        "revocation", "introspection", "issuer", "audience", "scope", "scopes", "claims", "hint", "hints", "blocklist",
        "settings", "field", "fields", "configured", "present", "exists", "valid", "verified", "holder", "owner",
        "anzahl", "laenge", "richtlinie", "richtlinien", "ablauf", "typ", "regeln", "geaendert", "gesetzt",
        "samesite", "secure", "domain", "path", "banner", "consent", "prefix", "description", "text", "request",
        "requests", "server", "servers", "header", "headers", "digits", "period", "page", "help",
    }
)  # fmt: skip
_PLURAL_ENDINGS: Final = ("tokens", "secrets", "passwords", "keys", "credentials", "cookies", "geheimnisse", "jwts")


class Naming(IntEnum):
    """What a name says about the values under it."""

    HARMLESS = 0
    SECRET_TEXT = 1
    """Texts under it are secret; numbers are not, as in `tokens: 1200`."""
    SECRET = 2
    """Numbers too, as in `pin: 1234`."""


@dataclass(frozen=True, slots=True)
class SecretFields:
    """The secret fields that Nova itself names (`x-nova-secret`, `writeOnly`), beside what names tell anyway."""

    names: frozenset[str] = frozenset()

    def naming(self, name: str) -> Naming:
        """Say what `name` tells."""
        return Naming.SECRET if name in self.names else naming_of(name)


@lru_cache(maxsize=4096)
def naming_of(name: str) -> Naming:
    """Say what `name` tells about the values under it."""
    if len(name) > _MAX_NAME_CHARS:
        return Naming.HARMLESS  # a text, not a name; its value is looked at as every text is
    words = words_of(name)
    for index in range(len(words)):
        length = _secret_words_at(words, index)
        if length and not _is_about(words[index + length :]):
            is_plural = words[index + length - 1].endswith(_PLURAL_ENDINGS)
            return Naming.SECRET_TEXT if is_plural else Naming.SECRET
    return Naming.HARMLESS


def is_secret_name(name: str) -> bool:
    """Whether a text under `name` is secret."""
    return naming_of(name) is not Naming.HARMLESS


def words_of(name: str) -> tuple[str, ...]:
    """Take a name apart: `clientSecret`, `client-secret`, `CLIENT_SECRET` are `client`, `secret`."""
    composed = unicodedata.normalize("NFKC", name)
    parted = _CAMEL.sub(" ", composed).casefold().translate(_UMLAUTS)
    words = (_TRAILING_DIGITS.sub("", word) for word in _SEPARATORS.split(parted))
    return tuple(word for word in words if word)


def is_hidden(naming: Naming, value: JsonValue) -> bool:
    """Whether a single value under a name of this kind is secret; booleans and nothing never are."""
    if value is None or isinstance(value, bool) or value == "":
        return False
    if isinstance(value, int | float):
        return naming is Naming.SECRET
    return naming is not Naming.HARMLESS


def _secret_words_at(words: tuple[str, ...], index: int) -> int:
    """How many words from `index` on name a secret; 0 for none."""
    if words[index : index + 2] in _PHRASES:
        return 2
    word = words[index]
    if word in _LAST:
        return 1 if _EXTENDS_LAST.issuperset(words[index + 1 :]) else 0
    return 1 if word in _WHOLE or word.endswith(_COMPOUNDING) else 0


def _is_about(tail: tuple[str, ...]) -> bool:
    """Whether what follows a secret word makes it a name about the secret: `password_changed_at`."""
    return bool(tail) and (tail[0] in _HARMLESS_TAILS or tail[-1] in _HARMLESS_TAILS)
