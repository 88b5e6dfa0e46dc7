"""What becomes of an endpoint and its values: a request that can reach no other endpoint (rule I1)."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final
from urllib.parse import urlencode

from nova_ui.domain.json_value import JsonObject
from nova_ui.errors import NovaInvalid, NovaTooLarge

MAX_BODY_BYTES: Final = 256 * 1024
MAX_QUERY_CHARS: Final = 8_000
MAX_SEGMENT_CHARS: Final = 100

QueryValue = str | int | bool | None

_ENDPOINT: Final = re.compile(r"(GET|POST|PUT|PATCH|DELETE) ((?:/(?:[a-z][a-z0-9-]*|\{[a-z_]+\}))+)")
_PLACEHOLDER: Final = re.compile(r"\{([a-z_]+)\}")
_SEGMENT: Final = re.compile(r"[A-Za-z0-9_.-]+")
_ID: Final = re.compile(r"[a-z]{3}_[0-9a-z]{20}")
_HEADER_VALUE: Final = re.compile(r"[\x21-\x7e]{1,200}")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A declared endpoint, such as `DELETE /groups/{group_id}`, taken apart."""

    method: str
    template: str
    parameters: tuple[str, ...]


@lru_cache(maxsize=512)
def parse_endpoint(endpoint: str) -> Endpoint:
    """Take a declared endpoint apart.

    Raises:
        ValueError: it is not a method and a path template.

    """
    found = _ENDPOINT.fullmatch(endpoint)
    if found is None:
        raise ValueError(f"not an endpoint: {endpoint!r}")
    method, template = found.groups()
    return Endpoint(method, template, tuple(_PLACEHOLDER.findall(template)))


def build_path(endpoint: Endpoint, values: Mapping[str, str]) -> str:
    """Fill the template; each value is one plain segment, so that it can lead nowhere else.

    Percent-encoding would not achieve this, since a web framework decodes before it routes.

    Raises:
        NovaInvalid: a value is not a plain segment, or not an id where an id belongs.
        ValueError: the values are not exactly the template's parameters.

    """
    if set(values) != set(endpoint.parameters):
        raise ValueError(f"{endpoint.template} takes exactly the parameters {endpoint.parameters}")
    path = endpoint.template
    for name in endpoint.parameters:
        path = path.replace(f"{{{name}}}", _plain_segment(name, values[name]))
    return path


def _plain_segment(name: str, value: str) -> str:
    if not isinstance(value, str):
        raise NovaInvalid(f"{name} must be text.", field=name)
    if len(value) > MAX_SEGMENT_CHARS:
        raise NovaInvalid(f"{name} is too long.", field=name)
    if value in {".", ".."}:
        raise NovaInvalid(f"{name} is not a name or id.", field=name)
    if _SEGMENT.fullmatch(value) is None:
        raise NovaInvalid(f"{name} may hold only letters, digits, '_', '-' and '.'.", field=name)
    if name.endswith("_id") and _ID.fullmatch(value) is None:
        raise NovaInvalid(f"{name} is not an id, such as grp_ followed by 20 characters.", field=name)
    return value


def encode_query(query: Mapping[str, QueryValue]) -> bytes:
    """Encode the values that are not None; booleans as `true` and `false`.

    Raises:
        NovaInvalid: a value is of another type, is not encodable, or the whole is too long.

    """
    pairs = [(name, _query_text(name, value)) for name, value in query.items() if value is not None]
    encoded = urlencode(pairs).encode("ascii")
    if len(encoded) > MAX_QUERY_CHARS:
        raise NovaInvalid(f"The filters together are longer than {MAX_QUERY_CHARS} characters.")
    return encoded


def _query_text(name: str, value: QueryValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if not isinstance(value, str):
        raise NovaInvalid(f"{name} must be text, a whole number or a truth value.", field=name)
    if "\x00" in value or not _is_encodable(value):
        raise NovaInvalid(f"{name} holds characters that are not text.", field=name)
    return value


def encode_body(body: JsonObject) -> bytes:
    """Encode a body as JSON.

    Raises:
        NovaInvalid: it holds what JSON cannot hold.
        NovaTooLarge: it is larger than 256 kB.

    """
    try:
        encoded = json.dumps(body, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8")
    except (ValueError, TypeError, RecursionError) as error:  # UnicodeEncodeError is a ValueError
        raise NovaInvalid("The values are not JSON.") from error
    if len(encoded) > MAX_BODY_BYTES:
        raise NovaTooLarge(f"The values are larger than {MAX_BODY_BYTES} bytes.")
    return encoded


def check_header_value(name: str, value: str) -> str:
    """Return `value` if it can stand in a header.

    Raises:
        NovaInvalid: it holds spaces, line breaks or anything but printable ASCII.

    """
    if _HEADER_VALUE.fullmatch(value) is None:
        raise NovaInvalid(f"{name} is not usable.", field=name)
    return value


def _is_encodable(value: str) -> bool:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
