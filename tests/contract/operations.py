"""The operations of the whole API with their marks, as its OpenAPI document tells them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from fastapi import FastAPI

from nova_ui.api.marks import AUDIT, IMPACT, INTERFACE_ONLY, KIND, WHO

_METHODS: Final = ("get", "put", "post", "delete", "patch")


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One operation: where it is, what it takes, and what its marks promise."""

    id: str
    method: str
    path: str
    kind: str
    who: frozenset[str]
    interface_only: bool
    audit: Sequence[str]
    impact: str | None
    parameters: Sequence[Mapping[str, Any]]
    body: Mapping[str, Any] | None
    answers: Mapping[str, Any]

    @property
    def endpoint(self) -> str:
        """Method and path template, as tools name it."""
        return f"{self.method} {self.path}"

    def parameter_names(self, place: str) -> list[str]:
        """Return the names of what is given in `place`: path, query or header."""
        return [str(one["name"]) for one in self.parameters if one["in"] == place]

    @property
    def is_list(self) -> bool:
        """Whether it reads many objects, of which a caller sees its own."""
        return self.method == "GET" and not self.parameter_names("path")


@dataclass(frozen=True, slots=True)
class Document:
    """The OpenAPI document; `by_id` holds every operation."""

    raw: Mapping[str, Any]
    by_id: Mapping[str, Operation]

    def schema(self, found: Mapping[str, Any]) -> Mapping[str, Any]:
        """Follow references, and past the `null` of an optional schema."""
        while True:
            if "$ref" in found:
                found = self.raw["components"]["schemas"][found["$ref"].rpartition("/")[2]]
            elif "anyOf" in found and len(some := [one for one in found["anyOf"] if one.get("type") != "null"]) == 1:
                found = {**{name: value for name, value in found.items() if name != "anyOf"}, **some[0]}
            else:
                return found


def read_document(api: FastAPI) -> Document:
    """Read every operation of `api`."""
    raw = api.openapi()
    found = [
        _operation(method.upper(), path, operation)
        for path, methods in raw["paths"].items()
        for method, operation in methods.items()
        if method in _METHODS
    ]
    return Document(raw=raw, by_id={one.id: one for one in found})


def _operation(method: str, path: str, found: Mapping[str, Any]) -> Operation:
    content = found.get("requestBody", {}).get("content", {})
    return Operation(
        id=found["operationId"],
        method=method,
        path=path,
        kind=found[KIND],
        who=frozenset(found[WHO].split()),
        interface_only=found[INTERFACE_ONLY],
        audit=found[AUDIT],
        impact=found.get(IMPACT),
        parameters=found.get("parameters", []),
        body=content.get("application/json", {}).get("schema"),
        answers=found["responses"],
    )
