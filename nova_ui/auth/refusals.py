"""How the door says no before any endpoint is asked: a problem object, a way to sign in, a closed socket."""

from typing import Final

from starlette.responses import JSONResponse

from nova_ui.domain.json_value import JsonObject

PROBLEM_TYPE: Final = "application/problem+json"
POLICY_VIOLATION: Final = 1008
_TITLES: Final = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    408: "Request Timeout",
    413: "Content Too Large",
}


def problem(status: int, code: str, detail: str) -> JSONResponse:
    """Return a problem object (RFC 9457)."""
    body: JsonObject = {
        "type": f"urn:nova:problem:{code}",
        "title": _TITLES[status],
        "status": status,
        "code": code,
        "detail": detail,
    }
    return JSONResponse(body, status, media_type=PROBLEM_TYPE)
