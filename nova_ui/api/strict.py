"""Nothing in a request is ignored or repaired: unknown queries, unwanted bodies and doubtful JSON are refused."""

import json
import math
from collections.abc import Iterator
from typing import Any, Final

from fastapi import Request
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from pydantic import BaseModel

from nova_ui.api.problem import PROBLEM_TYPE, problem_body
from nova_ui.errors import NovaInvalid
from nova_ui.nova_client.origin import ASGIApp, Receive, Scope, Send

MAX_DEPTH: Final = 32
_BODY_METHODS: Final = frozenset({"POST", "PUT", "PATCH", "DELETE"})


class DoubtfulJson(ValueError):
    """JSON that different readers would understand differently, or that a database can't keep."""


async def refuse_unknown(request: Request) -> None:
    """Refuse query parameters that the route does not declare, repeated ones, NUL, and a body nobody reads.

    Raises:
        NovaInvalid: names the parameter.

    """
    route = request.scope.get("route")
    if not isinstance(route, APIRoute):
        return
    known = set(_query_names(route))
    for name, value in request.query_params.multi_items():
        if name not in known:
            shown = name if name.isidentifier() and len(name) <= 64 else "(unreadable name)"  # noqa: PLR2004 - a name's length
            raise NovaInvalid(f"{shown}: there is no such query parameter here", field=shown)
        if "\x00" in value:
            raise NovaInvalid(f"{name}: must not hold NUL", field=name)
        if len(request.query_params.getlist(name)) > 1:
            raise NovaInvalid(f"{name}: may be given once only", field=name)
    if any("\x00" in str(value) for value in request.path_params.values()):
        raise NovaInvalid("The path must not hold NUL.")
    reads_body = route.body_field is not None or "requestBody" in (route.openapi_extra or {})
    if not reads_body and request.method in _BODY_METHODS and await request.body() not in {b"", b"{}"}:
        raise NovaInvalid("This endpoint takes no body.", field="body")


def _query_names(route: APIRoute) -> Iterator[str]:
    waiting = [route.dependant]
    while waiting:
        dependant = waiting.pop()
        waiting.extend(dependant.dependencies)
        for parameter in dependant.query_params:
            annotation = parameter.field_info.annotation
            if isinstance(annotation, type) and issubclass(annotation, BaseModel):
                yield from (field.alias or name for name, field in annotation.model_fields.items())
            else:
                yield parameter.alias


class StrictBodies:
    """Reads each body once: JSON only, and only JSON that means one thing. How large it is was seen to before."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check the body, then hand it on."""
        if scope["type"] != "http" or scope["method"] not in _BODY_METHODS:
            await self._app(scope, receive, send)
            return
        body = await _read(receive)
        refusal = _refuse_body(_content_type(scope), body)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        handed = False

        async def receive_again() -> Any:  # noqa: ANN401 - an ASGI message is foreign
            nonlocal handed
            if handed:
                return await receive()
            handed = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self._app(scope, receive_again, send)


async def _read(receive: Receive) -> bytes:
    parts: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b""
        parts.append(message.get("body", b""))
        if not message.get("more_body", False):
            return b"".join(parts)


def check_json(text: str) -> None:
    """Refuse what is not exactly one well-understood JSON value.

    Raises:
        ValueError: broken, doubled keys, `NaN`, infinite, too deep, NUL, or a lone surrogate.

    """
    try:
        value = json.loads(text, object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_finite)
    except RecursionError:
        raise DoubtfulJson("it is nested too deeply") from None
    _check_value(value, MAX_DEPTH)


def _check_value(value: object, depth: int) -> None:
    if depth < 0:
        raise DoubtfulJson("it is nested too deeply")
    match value:
        case str():
            _check_text(value)
        case list():
            for one in value:
                _check_value(one, depth - 1)
        case dict():
            for name, one in value.items():
                _check_text(name)
                _check_value(one, depth - 1)
        case _:
            return


def _check_text(text: str) -> None:
    if "\x00" in text:
        raise DoubtfulJson("it holds NUL")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise DoubtfulJson("it holds half a character") from None


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise DoubtfulJson("it holds a key twice")
    return found


def _constant(name: str) -> object:
    raise DoubtfulJson(f"it holds {name}")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise DoubtfulJson("it holds a number out of range")
    return number


def _content_type(scope: Scope) -> str:
    values = [value.decode("latin-1") for name, value in scope["headers"] if name == b"content-type"]
    return values[0].partition(";")[0].strip().lower() if values else ""


def _refuse_body(content_type: str, body: bytes) -> JSONResponse | None:
    if not body:
        return None
    if content_type != "application/json" and not (
        content_type.startswith("application/") and content_type.endswith("+json")
    ):
        return _problem(415, "unsupported_media_type", "The body must be JSON: Content-Type application/json.")
    try:
        check_json(body.decode("utf-8"))
    except DoubtfulJson as doubtful:
        return _problem(400, "validation_failed", f"The body is not acceptable JSON: {doubtful}.")
    except ValueError:
        return _problem(400, "validation_failed", "The body is not valid JSON.")
    return None


def _problem(status: int, code: str, detail: str) -> JSONResponse:
    return JSONResponse(problem_body(status, code, detail), status, media_type=PROBLEM_TYPE)
