"""Where a tool's schema takes a secret, or an object of any fields (rule D1)."""

from collections.abc import Iterator
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.guardrails.marks import is_marked_secret
from nova_ui.guardrails.secret_names import Naming, SecretFields, words_of

_BY_NAME: Final = frozenset({"properties", "$defs", "definitions", "patternProperties", "dependentSchemas"})
_VALUES: Final = frozenset({"enum", "const", "default", "examples", "required", "title", "description"})
_CHOICES: Final = ("anyOf", "oneOf", "allOf")
_SAYS_WHAT: Final = frozenset({"type", "enum", "const", *_CHOICES})
_CHOOSING: Final = frozenset(
    {
        "field", "fields", "attribute", "attributes", "column", "columns", "property", "properties", "parameter",
        "parameters", "name", "names", "key", "keys", "remove", "clear", "unset", "reset",
    }
)  # fmt: skip


def find_in_schema(schema: JsonObject, fields: SecretFields) -> Iterator[str]:
    """Say what is wrong with a schema, at any depth: in lists, choices, dictionaries and behind references."""
    definitions = schema.get("$defs")
    return _Walk(fields, definitions if isinstance(definitions, dict) else {}).schema(schema)


class _Walk:
    """One walk over one schema."""

    def __init__(self, fields: SecretFields, definitions: JsonObject) -> None:
        self._fields = fields
        self._definitions = definitions

    def schema(self, value: JsonValue) -> Iterator[str]:
        if isinstance(value, list):
            for item in value:
                yield from self.schema(item)
        if not isinstance(value, dict):
            return
        if is_marked_secret(value):
            yield "takes a value that is marked as secret"
        yield from self._free_form(value)
        yield from self._names_of_keys(value)
        for keyword, item in value.items():
            if keyword in _VALUES:
                continue
            if keyword in _BY_NAME and isinstance(item, dict):
                for name, inner in item.items():
                    if keyword == "properties":
                        yield from self._property(name, inner)
                    yield from self.schema(inner)
            else:
                yield from self.schema(item)

    def _property(self, name: str, schema: JsonValue) -> Iterator[str]:
        if not isinstance(schema, dict):
            return
        naming = self._fields.naming(name)
        harmless = {"boolean", "null"} if naming is Naming.SECRET else {"boolean", "null", "integer", "number"}
        if naming and not self._types(schema) <= harmless:
            yield f"takes {name}, which names a secret"
        if self._is_anything(schema):
            yield f"takes {name} as a value of any kind"
        if not _CHOOSING.isdisjoint(words_of(name)):
            yield from (f"lets {name} choose {word}, which names a secret" for word in self._secret_words(schema))

    def _names_of_keys(self, schema: JsonObject) -> Iterator[str]:
        for word in self._secret_words(schema.get("propertyNames")):
            yield f"takes a dictionary with {word}, which names a secret"

    def _secret_words(self, schema: JsonValue) -> Iterator[str]:
        """Find the words among a choice of fields that name a secret."""
        if not isinstance(schema, dict):
            return
        resolved = self._resolved(schema)
        choices = resolved.get("enum")
        words = [*(choices if isinstance(choices, list) else ()), resolved.get("const")]
        yield from (word for word in words if isinstance(word, str) and self._fields.naming(word))
        for keyword in (*_CHOICES, "items"):
            inner = resolved.get(keyword)
            for item in inner if isinstance(inner, list) else [inner]:
                yield from self._secret_words(item)

    def _types(self, schema: JsonObject) -> set[str]:
        """Return the types a value may have; "any" where the schema does not say."""
        resolved = self._resolved(schema)
        for keyword in _CHOICES:
            choices = resolved.get(keyword)
            if isinstance(choices, list):
                parts = (self._types(choice) for choice in choices if isinstance(choice, dict))
                return set[str]().union(*parts)
        kind = resolved.get("type")
        return {kind} if isinstance(kind, str) else {"any"}

    def _resolved(self, schema: JsonObject) -> JsonObject:
        reference = schema.get("$ref")
        if not isinstance(reference, str):
            return schema
        found = self._definitions.get(reference.rpartition("/")[2])
        return found if isinstance(found, dict) else {}

    def _free_form(self, schema: JsonObject) -> Iterator[str]:
        """Say where undeclared fields could come in."""
        additional, items = schema.get("additionalProperties"), schema.get("items")
        if additional is True or (isinstance(additional, dict) and self._is_anything(additional)):
            yield "takes an object of any fields"
        elif schema.get("type") == "object" and additional is None:
            yield "takes an object that does not forbid undeclared fields"
        if isinstance(items, dict) and self._is_anything(items):
            yield "takes a list of anything"

    def _is_anything(self, schema: JsonObject) -> bool:
        """Whether a schema, or one of its choices, lets any value in."""
        resolved = self._resolved(schema)
        for keyword in _CHOICES:
            choices = resolved.get(keyword)
            if isinstance(choices, list):
                return any(self._is_anything(choice) for choice in choices if isinstance(choice, dict))
        return not _SAYS_WHAT & set(resolved)
