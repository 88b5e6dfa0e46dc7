"""Every text field that the API's document lets somebody write, and requests that write into it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tests.contract.operations import Document, Operation

Path = tuple[str, ...]
ANY: Final = "*"
EACH: Final = "[]"
_ID: Final = re.compile(r"\^\[?[a-z]{3}_\[0-9a-z\]\{20\}")


@dataclass(frozen=True, slots=True)
class Field:
    """One text field of one operation's body; in its path `[]` is a list's item and `*` a name of one's own."""

    operation: Operation
    path: Path

    @property
    def name(self) -> str:
        """How it is told."""
        return f"{self.operation.id} {'.'.join(self.path)}"

    def body(self, given: Any, text: str) -> Any:  # noqa: ANN401 - JSON of a request
        """Return the given body with `text` in this field."""
        return _put(given, self.path, text)


def writable_fields(document: Document) -> Iterator[Field]:
    """Yield every field of words: no ids, no moments, no secrets, and none that takes one of a few words only."""
    for operation in document.by_id.values():
        if operation.body is not None and operation.kind != "read":
            seen = dict.fromkeys(_paths(document, operation.body, ()))
            yield from (Field(operation, path) for path in seen)


def _paths(document: Document, found: Mapping[str, Any], path: Path) -> Iterator[Path]:
    schema = document.schema(found)
    for one in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        yield from _paths(document, one, path)
    for name, inner in schema.get("properties", {}).items():
        yield from _paths(document, inner, (*path, name))
    if isinstance(more := schema.get("additionalProperties"), dict):
        yield from _paths(document, more, (*path, ANY))
    if schema.get("type") == "array":
        yield from _paths(document, schema.get("items", {}), (*path, EACH))
    takes_any = not schema.keys() & {"type", "anyOf", "oneOf", "properties"}
    is_text = (schema.get("type") == "string" or takes_any) and not schema.keys() & {"enum", "const"}
    is_other = schema.get("writeOnly") or "format" in schema or _ID.match(schema.get("pattern", ""))
    if is_text and not is_other:
        yield path


def _put(into: Any, path: Path, text: str) -> Any:  # noqa: ANN401 - JSON of a request
    if not path:
        return text
    first, rest = path[0], path[1:]
    if first == EACH:
        return [_put(into[0] if isinstance(into, list) and into else None, rest, text)]
    if first == ANY:
        names = list(into) if isinstance(into, dict) and into else ["en"]
        return {**(into or {}), names[0]: _put((into or {}).get(names[0]), rest, text)}
    inside = into if isinstance(into, dict) else {}
    return {**inside, first: _put(inside.get(first), rest, text)}
