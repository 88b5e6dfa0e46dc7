"""What Nova says of its endpoints: the `x-nova-*` marks of its OpenAPI document, read into values."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from nova_ui.domain.json_value import JsonMapping, JsonObject, JsonValue
from nova_ui.domain.tool import AnyTool, ToolKind
from nova_ui.errors import ConfigurationError

_METHODS: Final = frozenset({"get", "put", "post", "delete", "patch", "head", "options"})
_KIND: Final = "x-nova-kind"
_WHO: Final = "x-nova-who"
_INTERFACE_ONLY: Final = "x-nova-interface-only"
_SELF_SERVICE: Final = "x-nova-self-service"
_IMPACT: Final = "x-nova-impact"
_SECRET: Final = "x-nova-secret"  # noqa: S105 - the name of a mark
_REFERENCE: Final = "#/"


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointMarks:
    """What one endpoint, such as `DELETE /groups/{group_id}`, says of itself.

    `secret_fields` are the names of fields that it takes or returns and that Nova stores encrypted.
    """

    endpoint: str
    kind: ToolKind
    who: frozenset[str] = frozenset()
    interface_only: bool = False
    self_service: bool = False
    impact: str | None = None
    secret_fields: frozenset[str] = frozenset()

    @property
    def is_delete(self) -> bool:
        """Whether the endpoint deletes by its method."""
        return self.endpoint.startswith("DELETE ")

    @property
    def changes_something(self) -> bool:
        """Whether a call leaves Nova different."""
        return self.kind is not ToolKind.READ


Marks = Mapping[str, EndpointMarks]


def read_marks(openapi: JsonMapping) -> Marks:
    """Return the marks of all endpoints that bear any, by endpoint.

    Raises:
        ConfigurationError: an endpoint's mark is not one of those there are.

    """
    found: dict[str, EndpointMarks] = {}
    for path, operations in _members(openapi.get("paths")):
        for method, operation in _members(operations):
            if method in _METHODS and isinstance(operation, dict) and _KIND in operation:
                endpoint = f"{method.upper()} {path}"
                found[endpoint] = _marks_of(endpoint, operation, openapi)
    return found


def secret_fields_of(tool: AnyTool, marks: Marks) -> frozenset[str]:
    """Return the secret fields of everything that a tool calls."""
    return frozenset[str]().union(*(marks[name].secret_fields for name in tool.endpoints if name in marks))


def _marks_of(endpoint: str, operation: JsonObject, openapi: JsonMapping) -> EndpointMarks:
    kind = operation[_KIND]
    if not isinstance(kind, str) or kind not in set(ToolKind):
        raise ConfigurationError(f"the endpoint {endpoint} is marked with the unknown kind {kind!r}")
    impact = operation.get(_IMPACT)
    return EndpointMarks(
        endpoint=endpoint,
        kind=ToolKind(kind),
        who=_letters(operation.get(_WHO)),
        interface_only=_flag(endpoint, operation, _INTERFACE_ONLY),
        self_service=_flag(endpoint, operation, _SELF_SERVICE),
        impact=impact if isinstance(impact, str) else None,
        secret_fields=frozenset(_secret_fields(operation, openapi, set())),
    )


def _flag(endpoint: str, operation: JsonObject, name: str) -> bool:
    value = operation.get(name, False)
    if not isinstance(value, bool):
        raise ConfigurationError(f"the mark {name} of {endpoint} is neither true nor false")
    return value


def _letters(who: JsonValue) -> frozenset[str]:
    return frozenset(who.split()) if isinstance(who, str) else frozenset()


def is_marked_secret(schema: JsonObject) -> bool:
    """Whether a property's schema says that its value is secret."""
    return schema.get(_SECRET) is True or schema.get("writeOnly") is True or schema.get("format") == "password"


def _secret_fields(value: JsonValue, openapi: JsonMapping, seen: set[str]) -> Iterator[str]:
    """Walk an operation, its references followed once, for properties that bear a mark."""
    if isinstance(value, list):
        for item in value:
            yield from _secret_fields(item, openapi, seen)
    if not isinstance(value, dict):
        return
    for name, schema in _members(value.get("properties")):
        if isinstance(schema, dict) and is_marked_secret(schema):
            yield name
    reference = value.get("$ref")
    if isinstance(reference, str) and reference not in seen:
        seen.add(reference)
        yield from _secret_fields(_resolve(reference, openapi), openapi, seen)
    for item in value.values():
        yield from _secret_fields(item, openapi, seen)


def _resolve(reference: str, openapi: JsonMapping) -> JsonValue:
    found: JsonValue = dict(openapi)
    for part in reference.removeprefix(_REFERENCE).split("/"):
        found = found.get(part) if isinstance(found, dict) else None
    return found


def _members(value: JsonValue) -> Iterator[tuple[str, JsonValue]]:
    yield from value.items() if isinstance(value, dict) else ()
