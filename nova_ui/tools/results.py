"""What a tool's result looks like to a model: counts first, ids next to names, times with their weekday in UTC."""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import Nova
from nova_ui.errors import NovaForbidden, NovaInvalid

_MOMENT: Final = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})", re.ASCII)
_WEEKDAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")

Filters = Mapping[str, str | int | bool | None]


def readable(value: JsonValue) -> JsonValue:
    """Return `value` with each moment as `Mon 2026-03-02 14:05:11 UTC` and without members that say nothing."""
    if isinstance(value, str):
        return _readable_moment(value) if _MOMENT.fullmatch(value) else value
    if isinstance(value, list):
        return [readable(item) for item in value]
    if isinstance(value, dict):
        return {name: readable(item) for name, item in value.items() if item not in (None, "", [], {})}
    return value


def readable_object(value: JsonObject, fields: Sequence[str] = ()) -> JsonObject:
    """Return an object as `readable` does; with `fields` only those, in their order."""
    chosen = {name: value.get(name) for name in fields} if fields else value
    return {name: readable(item) for name, item in chosen.items() if item not in (None, "", [], {})}


def _readable_moment(text: str) -> str:
    try:
        moment = datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):  # a name may look like a moment and be none
        return text
    return f"{_WEEKDAYS[moment.weekday()]} {moment:%Y-%m-%d %H:%M:%S} UTC"


async def list_rows(
    nova: Nova,
    endpoint: str,
    *,
    filters: Filters,
    limit: int,
    cursor: str | None = None,
    fields: Sequence[str] = (),
    path: Mapping[str, str] | None = None,
) -> JsonObject:
    """Read one page of a list: `total`, `shown`, then the rows; an empty one says which filter emptied it."""
    query = {**filters, "limit": limit, "cursor": cursor}
    answer = (await nova.call(endpoint, path=path, query=query)).object
    rows = rows_of(answer)
    total = answer.get("total")
    result: JsonObject = {"total": total if isinstance(total, int) else len(rows), "shown": len(rows)}
    if answer.get("total_is_capped") is True:
        result["total_means"] = "at least"  # Nova counts only up to a cap; a figure must not be told as exact
    if not rows and cursor is None:
        return result | {"items": []} | await why_empty(nova, endpoint, filters=filters, path=path)
    if answer.get("next_cursor"):
        result["next_cursor"] = answer["next_cursor"]
    result["items"] = [readable_object(row, fields) for row in rows]
    return result


def rows_of(answer: JsonObject) -> list[JsonObject]:
    """Return the objects of a list's answer."""
    items = answer.get("items")
    return [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []


async def why_empty(
    nova: Nova,
    endpoint: str,
    *,
    filters: Filters,
    path: Mapping[str, str] | None = None,
    always: Filters | None = None,
) -> JsonObject:
    """Say for each filter how many rows there would be without it; not of one that may not be left out."""
    explained: list[JsonValue] = []
    given = {name: value for name, value in filters.items() if value is not None}
    for name, value in given.items():
        others = {other: held for other, held in given.items() if other != name}
        try:
            answer = (await nova.call(endpoint, path=path, query={**others, **(always or {}), "limit": 1})).object
        except (NovaInvalid, NovaForbidden):
            continue
        explained.append({"filter": name, "value": value, "matches_without_it": answer.get("total")})
    return {"nothing_matches": explained} if explained else {}
