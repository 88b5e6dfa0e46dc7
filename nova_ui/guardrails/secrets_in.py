"""Whether a secret is on its way in: by a tool's definition, a call's arguments, typed text (rules D1, D2, D4)."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Final

from nova_ui.domain.json_value import JsonMapping, JsonObject, JsonValue
from nova_ui.domain.tool import AnyTool
from nova_ui.guardrails.marks import Marks, secret_fields_of
from nova_ui.guardrails.refusal import Code, Refusal
from nova_ui.guardrails.secret_assignments import SECRET_PLACEHOLDER
from nova_ui.guardrails.secret_names import Naming, SecretFields, words_of
from nova_ui.guardrails.secret_schema import find_in_schema
from nova_ui.guardrails.secret_texts import holds_secret, redact_text

_MAX_DEPTH: Final = 64
_FIELD_NAME: Final = re.compile(r"[/$@.]{0,2}[A-Za-z][A-Za-z0-9_./-]{1,99}")
_VALUE_KEYS: Final = frozenset(
    {"value", "values", "data", "default", "new", "old", "before", "after", "op", "operation"}
)
# An argument of these words chooses fields: what it holds are names, such as `remove_fields: ["client_secret"]`.
_CHOOSING: Final = frozenset(
    {
        "field", "fields", "attribute", "attributes", "column", "columns", "property", "properties", "path", "paths",
        "parameter", "parameters", "remove", "clear", "unset", "reset", "delete", "erase", "empty", "null", "default",
        "felder", "feld", "entfernen", "leeren",
    }
)  # fmt: skip
_PAIR_NAMES: Final = _CHOOSING | {"name", "key", "id", "header"}

_ADVICE: Final = {
    "secret_field": "Secrets are neither set, changed nor cleared in a chat. The person does it in the interface.",
    "placeholder": f"{SECRET_PLACEHOLDER} stands where a secret was; it is no value. Leave that argument out.",
    "live_secret": "An argument looks like a secret. Secrets never go through a chat; leave it out and say so.",
    "too_deep": "The arguments are nested too deeply to be looked at.",
}


def find_secret_parameters(tools: Mapping[str, AnyTool], marks: Marks) -> Iterator[str]:
    """Say which tool definitions take a secret, or an object of any fields; each sentence names the tool (rule D1)."""
    for tool in tools.values():
        fields = SecretFields(secret_fields_of(tool, marks))
        for problem in find_in_schema(tool.arguments.model_json_schema(), fields):
            yield f"{tool.name} {problem}"


def check_arguments(
    arguments: JsonMapping, declared: frozenset[str] = frozenset(), secret_fields: frozenset[str] = frozenset()
) -> Refusal | None:
    """Say why these arguments of a call may not pass, or None if they may (rules D2, D4).

    Looked at is what really came, at any depth, JSON inside strings included. `declared` are the tool's own
    parameters, whose names `find_secret_parameters` vouched for at start. Clearing a secret is refused as setting one.
    """
    reason = _Search(SecretFields(secret_fields)).in_object(dict(arguments), declared, 0)
    if reason is None:
        return None
    return Refusal(code=Code.SECRET_ARGUMENT, reason=reason, advice=_ADVICE[reason])


def refuse_live_secret() -> Refusal:
    """Return the refusal of an argument that is a live secret (rule D4)."""
    return Refusal(code=Code.SECRET_ARGUMENT, reason="live_secret", advice=_ADVICE["live_secret"])


def mask_live_secrets(text: str) -> str:
    """Return what a person typed with the placeholder for each live secret (rule D4)."""
    return redact_text(text)


class _Search:
    """One look for the first secret in arguments; each method returns a reason or None."""

    def __init__(self, fields: SecretFields) -> None:
        self._fields = fields

    def in_object(self, value: JsonObject, declared: frozenset[str], depth: int) -> str | None:
        is_pair = any(name.casefold() in _VALUE_KEYS for name in value)
        for name, item in value.items():
            if name not in declared and self._names_secret(name, item):
                return "secret_field"
            if holds_secret(name):
                return "live_secret"
            chooses = not _CHOOSING.isdisjoint(words_of(name)) or (is_pair and name.casefold() in _PAIR_NAMES)
            reason = self.in_value(item, depth + 1, chooses=chooses)
            if reason is not None:
                return reason
        return None

    def in_value(self, value: JsonValue, depth: int, *, chooses: bool) -> str | None:
        if depth > _MAX_DEPTH:
            return "too_deep"
        if isinstance(value, dict):
            return self.in_object(value, frozenset(), depth)
        if isinstance(value, list):
            reasons = (self.in_value(item, depth + 1, chooses=chooses) for item in value)
            return next((reason for reason in reasons if reason is not None), None)
        return self._in_text(value, depth, chooses=chooses) if isinstance(value, str) else None

    def _in_text(self, text: str, depth: int, *, chooses: bool) -> str | None:
        if text.strip() == SECRET_PLACEHOLDER:
            return "placeholder"
        if chooses and _FIELD_NAME.fullmatch(text) and self._fields.naming(text):
            return "secret_field"
        embedded = _parse_embedded(text)
        reason = None if embedded is None else self.in_value(embedded, depth + 1, chooses=chooses)
        if reason is not None:
            return reason
        return "live_secret" if holds_secret(text) else None

    def _names_secret(self, name: str, value: JsonValue) -> bool:
        """Whether a field is a secret's, whatever it holds: null, empty or a default clear it."""
        naming = self._fields.naming(name)
        if naming is Naming.SECRET_TEXT and isinstance(value, int | float):
            return False
        return naming is not Naming.HARMLESS and not isinstance(value, bool)


def _parse_embedded(text: str) -> JsonValue:
    """Return the JSON that a text holds as a whole: an object, a list, or once more a text."""
    if not text.strip().startswith(("{", "[", '"')):
        return None
    try:
        parsed: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return parsed
