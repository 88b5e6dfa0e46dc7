"""What the OpenAPI document says of every operation alike: how refusals look, and which form an id has."""

import re
from collections.abc import Iterator
from typing import Any, Final

from fastapi import FastAPI

from nova_ui.api.chosen_fields import partial
from nova_ui.api.problem import PROBLEM_TYPE
from nova_ui.nova.views import Problem

_METHODS: Final = frozenset({"get", "put", "post", "delete", "patch"})
_TYPED_ID: Final = re.compile(r"\bid of an? [A-Za-z -]+ \(([a-z]{3})_…\)")
_PROBLEM: Final = {PROBLEM_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
_REFUSED: Final = {"4XX": "refused, with a stable code", "5XX": "failed, with a reference"}
_FRAMEWORKS_OWN: Final = ("HTTPValidationError", "ValidationError")


class NovaApi(FastAPI):
    """An API whose document tells the truth about what its handlers of problems answer."""

    def openapi(self) -> dict[str, Any]:
        """Return the document, made when somebody asks first."""
        if not self.openapi_schema:
            self.openapi_schema = _completed(super().openapi())
        return self.openapi_schema


def _completed(document: dict[str, Any]) -> dict[str, Any]:
    schemas = document.setdefault("components", {}).setdefault("schemas", {})
    for name in _FRAMEWORKS_OWN:
        schemas.pop(name, None)
    schemas["Problem"] = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    for operation in _operations(document):
        operation["responses"] = _answers(operation.get("responses", {}))
        if any(parameter.get("name") == "fields" for parameter in operation.get("parameters", ())):
            _describe_partial(operation["responses"]["200"], schemas)
    _add_patterns(document)
    return document


def _operations(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for methods in document.get("paths", {}).values():
        yield from (operation for method, operation in methods.items() if method in _METHODS)


def _answers(described: dict[str, Any]) -> dict[str, Any]:
    """Return the answers of one operation; 422 is one of 4XX, whatever the framework says of it."""
    good = {status: answer for status, answer in described.items() if status[0] in "23"}
    bad = {status: answer for status, answer in described.items() if status not in good and status != "422"}
    told = {status: answer.get("description", "") for status, answer in bad.items()}
    return {
        **good,
        **{status: {"description": words, "content": _PROBLEM} for status, words in {**told, **_REFUSED}.items()},
    }


def _describe_partial(answer: dict[str, Any], schemas: dict[str, Any]) -> None:
    """Say that a list answers with whole objects or, where `fields` names some, with parts of them."""
    content = answer["content"]["application/json"]
    content["schema"] = {"anyOf": [content["schema"], partial(content["schema"], schemas)]}
    answer["description"] = "whole objects; with `fields` only these fields of each, and the id"


def _add_patterns(part: object) -> None:
    """Give each typed id its pattern, wherever it is described: the check itself also tells which type it was."""
    if isinstance(part, list):
        for one in part:
            _add_patterns(one)
    elif isinstance(part, dict):
        found = _TYPED_ID.search(str(part.get("description", "")))
        place = part.get("schema", part)
        for one in [place, *place.get("anyOf", [])] if found and isinstance(place, dict) else ():
            if one.get("type") == "string":
                one.setdefault("pattern", f"^{found[1]}_[0-9a-z]{{20}}$" if found else "")
        for value in part.values():
            _add_patterns(value)
