"""What a request answers that nothing behind the door could answer: a problem object, or a plain page."""

import logging
import secrets
import traceback
from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from nova_ui.auth.door import Door
from nova_ui.auth.markup import tag
from nova_ui.auth.plain_page import alert, plain_page
from nova_ui.auth.refusals import PROBLEM_TYPE
from nova_ui.domain.text import mark
from nova_ui.errors import NovaUnavailable, NovaUnsaved

RETRY_AFTER_S: Final = 10
_LOG: Final = logging.getLogger(__name__)
_FETCHED: Final = ("/api/", "/_nicegui")
_TITLE: Final = mark("Nova can't answer at the moment")
_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "database_busy": mark("Nova's database is busy at the moment."),
        "database_full": mark("Nova's database has no room left. An administrator has to make room."),
        "database_unavailable": mark("Nova's database can't be used at the moment."),
    }
)
_OTHER: Final = mark("Something went wrong. Tell an administrator the reference {reference}.")
_NEXT: Final = mark("Nothing was changed. Please go back and try again in a moment.")
_LOOK: Final = mark("Whether something was changed is not known: look before trying again.")


class Failures:
    """Answers what fails outside of the API and the pages: while the session is looked up, or at sign-in.

    What a database's failure means is said in words; of anything else only a reference, which is in the log.
    """

    def __init__(self, app: ASGIApp, *, door: Door) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the application."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def watched_send(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, receive, watched_send)
        except Exception as error:
            if started:
                raise
            response = self._answer(Request(scope), error)
            await response(scope, receive, send)

    def _answer(self, request: Request, error: Exception) -> Response:
        reference = "" if isinstance(error, NovaUnavailable) else secrets.token_hex(6)
        if reference:
            frames = "".join(traceback.format_tb(error.__traceback__))
            _LOG.error("door.failed %s %s\n%s", reference, type(error).__name__, frames)
        status = 500 if reference else NovaUnavailable.status
        path = request.url.path.removeprefix(request.scope.get("root_path", ""))
        response = (
            _problem(error, status, reference)
            if path.startswith(_FETCHED)
            else self._page(request, error, status, reference)
        )
        if not reference:
            response.headers["Retry-After"] = str(RETRY_AFTER_S)
        return response

    def _page(self, request: Request, error: Exception, status: int, reference: str) -> Response:
        look = self._door.look_of(request)
        code = error.code if isinstance(error, NovaUnavailable) else ""
        words = look.tr(_WORDS.get(code, _OTHER), reference=reference)
        next_step = look.tr(_NEXT if isinstance(error, NovaUnsaved) else _LOOK)
        return plain_page(look, look.tr(_TITLE), alert(words), tag("p", next_step), status=status)


def _problem(error: Exception, status: int, reference: str) -> JSONResponse:
    if isinstance(error, NovaUnavailable):
        code, detail = error.code, error.detail
    else:
        code, detail = "internal", f"Nova failed. Tell an administrator the reference {reference}."
    body = {
        "type": f"urn:nova:problem:{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "code": code,
        "detail": detail,
        **({"reference": reference} if reference else {}),
    }
    return JSONResponse(body, status, media_type=PROBLEM_TYPE)
