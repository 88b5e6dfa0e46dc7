"""What is wrong with a request, made from the schema of its operation; each with the field that must be named."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from tests.contract.operations import Document, Operation

LONG: Final = "x" * 100_000
UNKNOWN: Final = "surely_unknown"
_ID: Final = re.compile(r"[a-z]{3}_[0-9a-z]{20}")
_WRONG_ID: Final = "zzz_00000000000000000000"


@dataclass(frozen=True, slots=True)
class Bad:
    """One wrong body; `field` is what must be named, None where the text is no JSON that means one thing."""

    what: str
    content: bytes
    field: str | None


def bad_bodies(document: Document, operation: Operation, body: Mapping[str, Any]) -> Iterator[Bad]:
    """Return wrong bodies: of one field each, and of the text as a whole."""
    if operation.body is None:
        yield Bad("a body that nobody reads", b'{"force": true}', "body")
        return
    yield Bad("an unknown field", _written({**body, UNKNOWN: 1}), UNKNOWN)
    schema = document.schema(operation.body)
    for name, found in schema.get("properties", {}).items():
        if found.get("readOnly"):
            continue
        yield from _bad_values(name, document.schema(found), body)
        if name in schema.get("required", ()):
            rest = {one: value for one, value in body.items() if one != name}
            yield Bad(f"{name} is missing", _written(rest), name)
    yield from _bad_texts(body)


def _bad_values(name: str, schema: Mapping[str, Any], body: Mapping[str, Any]) -> Iterator[Bad]:
    wrong: Any = "text" if schema.get("type") == "object" else {"nested": [1]}
    yield Bad(f"{name} is of another type", _written({**body, name: wrong}), name)
    if schema.get("type") == "string":
        yield Bad(f"{name} is too long", _written({**body, name: LONG}), name)
    if schema.get("type") == "array":
        yield Bad(f"{name} holds another type", _written({**body, name: [{"nested": [1]}]}), name)
        yield Bad(f"{name} holds too many", _written({**body, name: [_WRONG_ID] * 5000}), name)
    match body.get(name):
        case str() as given if _ID.fullmatch(given):
            yield Bad(f"{name} is the id of something else", _written({**body, name: _WRONG_ID}), name)
        case [str() as first, *_] if _ID.fullmatch(first):
            yield Bad(f"{name} holds the id of something else", _written({**body, name: [_WRONG_ID]}), name)
        case _:
            pass


def _bad_texts(body: Mapping[str, Any]) -> Iterator[Bad]:
    name = next(iter(body), UNKNOWN)
    yield Bad("NUL", _written({**body, name: "a\x00b"}), None)
    yield Bad("half a character", _written({**body, name: "\ud800"}), None)
    doubled = _written(body).decode().replace("{", f'{{"{name}": 1, ', 1) if body else f'{{"{name}": 1, "{name}": 1}}'
    yield Bad("a key twice", doubled.encode(), None)
    yield Bad("a list", b"[]", None)
    yield Bad("no JSON", b'{"a": ', None)


def _written(body: Mapping[str, Any]) -> bytes:
    return json.dumps(body).encode()
