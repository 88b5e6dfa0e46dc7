"""How secrets are taken out of whatever Nova answers: by the name they stand under, and by their shape (rule D3)."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from nova_ui.domain.json_value import JsonMapping, JsonObject, JsonValue
from nova_ui.guardrails.secret_assignments import SECRET_PLACEHOLDER, looks_random
from nova_ui.guardrails.secret_names import Naming, SecretFields, is_hidden, words_of
from nova_ui.guardrails.secret_texts import redact_text

__all__ = ["SECRET_PLACEHOLDER", "redact", "redact_object", "redact_text"]

_MAX_DEPTH: Final = 100
_MAX_EMBEDDED_CHARS: Final = 1_000_000
_SHORTEST_REPEATED: Final = 8
_NAMING_KEYS: Final = frozenset(
    {
        "name", "key", "field", "attribute", "id", "parameter", "param", "header", "type", "property", "path", "kind",
        "label", "option", "setting", "variable", "env",
    }
)  # fmt: skip
_VALUE_KEYS: Final = frozenset(
    {
        "value", "values", "data", "content", "default", "old", "new", "before", "after", "old_value", "new_value",
        "oldvalue", "newvalue", "from", "to", "current", "previous", "text", "val",
    }
)  # fmt: skip
_STANDS_FOR_A_SECRET: Final = frozenset({"set", "updated_at", "hint"})
_KEY_OF_JWK: Final = frozenset({"d", "p", "q", "dp", "dq", "qi", "k"})
_QR_WORDS: Final = frozenset(
    {"qr", "qrcode", "otp", "totp", "hotp", "mfa", "barcode", "googleurl", "authenticator", "enrolment", "enrollment"}
)
_IMAGE: Final = re.compile(r"data:image/[^\s\"'<>]+", re.IGNORECASE)
_OTP_LINK: Final = "otpauth"
_PAIR: Final = 2
_MAX_NAME_CHARS: Final = 100


def redact(value: JsonValue, secret_fields: frozenset[str] = frozenset()) -> JsonValue:
    """Return `value` with the placeholder for every secret in it.

    `secret_fields` are names that Nova marks (`x-nova-secret`). A value hidden in one place is hidden wherever else
    it stands in the same answer, also under a harmless name.
    """
    redactor = _Redactor(SecretFields(secret_fields))
    redacted = redactor.walk(value, _Place())
    return _without(redacted, sorted(redactor.found, key=len, reverse=True)) if redactor.found else redacted


def redact_object(value: JsonMapping, secret_fields: frozenset[str] = frozenset()) -> JsonObject:
    """Return an object as `redact` does."""
    redacted = redact(dict(value), secret_fields)
    return redacted if isinstance(redacted, dict) else {}


class _Place(NamedTuple):
    """What the names above a value say about it."""

    naming: Naming = Naming.HARMLESS
    may_be_qr: bool = False
    in_list: bool = False
    depth: int = 0


@dataclass(frozen=True, slots=True)
class _Redactor:
    """One walk over one answer; `found` collects what was hidden by its name."""

    fields: SecretFields
    found: set[str] = field(default_factory=set)

    def walk(self, value: JsonValue, place: _Place) -> JsonValue:
        if place.depth > _MAX_DEPTH:
            return SECRET_PLACEHOLDER  # too deep to look at is too deep to show
        if isinstance(value, dict):
            return self._object(value, place)
        if isinstance(value, list):
            return self._list(value, place)
        if is_hidden(place.naming, value):
            if isinstance(value, str) and looks_random(value, shortest=_SHORTEST_REPEATED):
                self.found.add(value)  # long and mixed: no word that other fields hold as well
            return SECRET_PLACEHOLDER
        return self._text(value, place) if isinstance(value, str) else value

    def _object(self, value: JsonObject, place: _Place) -> JsonValue:
        if place.naming and _says_only_whether_set(value):
            return value
        pair = self._naming_of_pair(value)
        may_be_qr = place.may_be_qr or any(isinstance(item, str) and _OTP_LINK in item for item in value.values())
        redacted: JsonObject = {}
        for name, item in value.items():
            naming = max(self._naming_of(name, value), self._inherited(place, item))
            if name.casefold() in _VALUE_KEYS:
                naming = max(naming, pair)
            inner = _Place(
                naming=naming,
                may_be_qr=may_be_qr or _names_a_picture(name),
                depth=place.depth + 1,
            )
            redacted[_shown_name(name)] = self.walk(item, inner)
        return redacted

    def _naming_of(self, name: str, holder: JsonObject) -> Naming:
        if "kty" in holder and name in _KEY_OF_JWK:
            return Naming.SECRET
        return self.fields.naming(name)

    @staticmethod
    def _inherited(place: _Place, item: JsonValue) -> Naming:
        """Inside an object that bears a secret's name every text is hidden; its numbers say how long and how old."""
        return min(place.naming, Naming.SECRET_TEXT) if isinstance(item, str | dict | list) else Naming.HARMLESS

    def _naming_of_pair(self, value: JsonObject) -> Naming:
        """Say what `{"name": "client_secret", "value": …}` tells about its values."""
        return max(
            (
                self.fields.naming(item)
                for name, item in value.items()
                if name.casefold() in _NAMING_KEYS and isinstance(item, str)
            ),
            default=Naming.HARMLESS,
        )

    def _list(self, value: list[JsonValue], place: _Place) -> JsonValue:
        inner = _Place(naming=place.naming, may_be_qr=place.may_be_qr, in_list=True, depth=place.depth + 1)
        if place.in_list and len(value) == _PAIR and isinstance(value[0], str):
            naming = max(place.naming, self.fields.naming(value[0]))
            return [
                self.walk(value[0], inner),
                self.walk(value[1], _Place(naming=naming, may_be_qr=place.may_be_qr, depth=place.depth + 1)),
            ]
        return [self.walk(item, inner) for item in value]

    def _text(self, value: str, place: _Place) -> str:
        embedded = _parse_embedded(value)
        if embedded is not None:
            walked = self.walk(embedded, _Place(may_be_qr=place.may_be_qr, depth=place.depth + 1))
            return value if walked == embedded else json.dumps(walked, ensure_ascii=False)
        text = _IMAGE.sub(SECRET_PLACEHOLDER, value) if place.may_be_qr else value
        return redact_text(text)


def _shown_name(name: str) -> str:
    """Return a field's name; one that is itself a secret is hidden."""
    return _shown_short_name(name) if len(name) <= _MAX_NAME_CHARS else redact_text(name)


_shown_short_name = lru_cache(maxsize=4096)(redact_text)


@lru_cache(maxsize=4096)
def _names_a_picture(name: str) -> bool:
    """Whether a picture under this name may be a QR code that enrols a second factor."""
    return not _QR_WORDS.isdisjoint(words_of(name[:_MAX_NAME_CHARS]))


def _says_only_whether_set(value: Mapping[str, JsonValue]) -> bool:
    """Whether this is how Nova writes a secret it keeps: `{"set": true, "updated_at": …, "hint": null}`."""
    return isinstance(value.get("set"), bool) and _STANDS_FOR_A_SECRET.issuperset(value) and value.get("hint") is None


def _parse_embedded(text: str) -> JsonObject | list[JsonValue] | None:
    """Return the JSON object or list that a text holds as a whole."""
    stripped = text.strip()
    if not stripped.startswith(("{", "[")) or len(text) > _MAX_EMBEDDED_CHARS:
        return None
    try:
        parsed = json.loads(stripped)
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, dict | list) else None


def _without(value: JsonValue, known: list[str]) -> JsonValue:
    """Replace every known secret wherever else it stands."""
    if isinstance(value, dict):
        return {_without_text(name, known): _without(item, known) for name, item in value.items()}
    if isinstance(value, list):
        return [_without(item, known) for item in value]
    return _without_text(value, known) if isinstance(value, str) else value


def _without_text(text: str, known: list[str]) -> str:
    for secret in known:
        text = text.replace(secret, SECRET_PLACEHOLDER)
    return text
