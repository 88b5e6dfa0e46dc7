"""Lists that show only the `fields` they were asked for; the id always, and a name that no object has is refused."""

import inspect
from collections.abc import Awaitable, Callable
from typing import Any, Final

from fastapi.responses import JSONResponse
from pydantic import BaseModel

from nova_ui.errors import NovaInvalid
from nova_ui.nova.views import Page

ALWAYS: Final = "id"


def names_of(call: Callable[..., Awaitable[object]]) -> frozenset[str]:
    """Return the fields of the objects that a list endpoint answers with; none for any other endpoint."""
    answer = inspect.signature(call).return_annotation
    if not (isinstance(answer, type) and issubclass(answer, Page)):
        return frozenset()
    (shown,) = answer.__pydantic_generic_metadata__["args"]
    return frozenset(shown.model_fields) if isinstance(shown, type) and issubclass(shown, BaseModel) else frozenset()


def chosen_fields(query: object, known: frozenset[str]) -> frozenset[str] | None:
    """Return which fields a list request wants, or None for all.

    Raises:
        NovaInvalid: names `fields` and the one that is unknown.

    """
    wanted: str | None = getattr(query, "fields", None)
    if wanted is None:
        return None
    names = wanted.split(",")
    unknown = [name for name in names if name not in known]
    if unknown:
        raise NovaInvalid(f"fields: there is no field {unknown[0]} here", field="fields")
    return frozenset({*names, ALWAYS})


def partial(page: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a page of which only some fields were asked for; `page` is the schema of a whole one.

    Its objects are described as they are, but of their fields the id alone is sure to be there.
    """
    whole = schemas[str(page["$ref"]).rpartition("/")[2]]
    item = schemas[str(whole["properties"]["items"]["items"]["$ref"]).rpartition("/")[2]]
    some = {**item, "required": [ALWAYS], "title": f"{item['title']} in part", "minProperties": 1}
    items = {**whole["properties"]["items"], "items": some}
    return {**whole, "title": f"{whole['title']} in part", "properties": {**whole["properties"], "items": items}}


def with_only(page: Page[Any], names: frozenset[str]) -> JSONResponse:
    """Return a page whose objects have only the fields `names`."""
    body = page.model_dump(mode="json", by_alias=True)
    body["items"] = [{name: value for name, value in item.items() if name in names} for item in body["items"]]
    return JSONResponse(body)
