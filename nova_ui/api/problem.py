"""Every refusal and failure as a problem object (RFC 9457); never a stack trace, never the values sent."""

import logging
import re
import secrets
import traceback
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from nova_ui.domain.json_value import JsonObject
from nova_ui.domain.validation_words import plain
from nova_ui.errors import NovaInvalid, NovaProblem, NovaTooMany, NovaUnavailable
from nova_ui.nova_client.origin import ASGIApp, Receive, Scope, Send

PROBLEM_TYPE: Final = "application/problem+json"
UNAVAILABLE_FOR_S: Final = 10  # a guess: the next try costs nothing
_LOG: Final = logging.getLogger(__name__)
_BODY_STATUS: Final = 422
_MAX_REASONS: Final = 5
_PLAIN_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_CODES: Final[Mapping[int, str]] = {
    400: "validation_failed",
    401: "session_ended",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    406: "not_acceptable",
    413: "too_large",
    415: "unsupported_media_type",
    429: "too_many_attempts",
    503: "unavailable",
}


def problem_body(
    status: int, code: str, detail: str, *, field: str | None = None, extra: JsonObject | None = None
) -> JsonObject:
    """Return a problem object; `extra` can't overwrite its standard members."""
    body: JsonObject = {
        **(extra or {}),
        "type": f"urn:nova:problem:{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "code": code,
        "detail": detail,
    }
    return body if field is None else {**body, "field": field}


def problem_response(problem: NovaProblem, *, status: int | None = None) -> JSONResponse:
    """Return `problem` as a response."""
    body = problem_body(
        status or problem.status, problem.code, problem.detail, field=problem.field, extra=problem.extra
    )
    retry_after = problem.extra.get("retry_after") if isinstance(problem, NovaTooMany) else None
    if isinstance(problem, NovaUnavailable):
        retry_after = UNAVAILABLE_FOR_S
    headers = {"Retry-After": str(retry_after)} if retry_after is not None else None
    return JSONResponse(body, status or problem.status, headers=headers, media_type=PROBLEM_TYPE)


def install_problem_handlers(app: FastAPI) -> None:
    """Make `app` answer with problem objects only."""
    app.add_exception_handler(NovaProblem, _on_problem)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http)
    app.add_middleware(UnexpectedErrors)


class UnexpectedErrors:
    """Answers an exception nobody expected with a reference; of the exception only its type and place are logged."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def watched_send(message: Any) -> None:  # noqa: ANN401 - an ASGI message is foreign
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, watched_send)
        except Exception as error:  # noqa: BLE001 - the border: whatever it is, no text of it may leave
            reference = secrets.token_hex(6)
            frames = traceback.format_tb(error.__traceback__)
            _LOG.error(
                "api.failed %s %s\n%s", reference, type(error).__name__, "".join(frames), extra={"reference": reference}
            )
            if started:
                return  # the body breaks off, which the client sees
            detail = f"Nova failed. Tell an administrator the reference {reference}."
            body = problem_body(500, "internal", detail, extra={"reference": reference})
            await JSONResponse(body, 500, media_type=PROBLEM_TYPE)(scope, receive, send)


async def _on_problem(_request: Request, error: Exception) -> Response:
    if not isinstance(error, NovaProblem):
        raise error
    return problem_response(error)


async def _on_http(_request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    status = error.status_code
    code = _CODES.get(status, "http_error")
    detail = {404: "There is no such endpoint.", 405: "The endpoint does not know this method."}.get(
        status, HTTPStatus(status).description or HTTPStatus(status).phrase
    )
    return JSONResponse(problem_body(status, code, detail), status, headers=error.headers, media_type=PROBLEM_TYPE)


async def _on_invalid(_request: Request, error: Exception) -> Response:
    if not isinstance(error, RequestValidationError):
        raise error
    problem, status = invalid_from(error.errors())
    return problem_response(problem, status=status)


def invalid_from(errors: Sequence[Any]) -> tuple[NovaInvalid, int]:
    """Return one problem for a list of validation errors; it names fields and reasons, never values."""
    first_place = str(errors[0]["loc"][0]) if errors else "body"
    broken = bool(errors) and errors[0]["type"] == "json_invalid"
    fields = [_field(error["loc"]) for error in errors]
    reasons = [f"{field}: {_reason(error)}" for field, error in zip(fields, errors, strict=True)]
    problem = NovaInvalid(
        "The body is not valid JSON." if broken else "; ".join(reasons[:_MAX_REASONS]),
        field=None if broken or not fields else fields[0],
    )
    return problem, _BODY_STATUS if first_place == "body" and not broken else NovaInvalid.status


def _field(place: Sequence[str | int]) -> str:
    """Name a place; a key that the caller made up is repeated only if it is a plain name."""
    parts = [str(part) for part in place[1:]] or [str(place[0])]
    return ".".join(part if _PLAIN_NAME.fullmatch(part) else "(unreadable name)" for part in parts)


def _reason(error: Mapping[str, Any]) -> str:
    kind = str(error["type"])
    if kind == "extra_forbidden":
        return "is not known here"
    if kind == "missing":
        return "is missing"
    return plain(str(error["msg"]))
