"""How a route is added: its marks, its refusal of chats, its entity tag, and one answer per `Idempotency-Key`."""

import functools
import inspect
from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Header, Request, Response
from fastapi.responses import JSONResponse
from pydantic import BaseModel

from nova_ui.api.caller import refuse_chats
from nova_ui.api.chosen_fields import chosen_fields, names_of, with_only
from nova_ui.api.marks import INTERFACE_ONLY
from nova_ui.domain.json_value import JsonValue
from nova_ui.errors import NovaConflict, NovaForbidden, NovaInvalid, NovaProblem
from nova_ui.nova.context import RequestContext
from nova_ui.nova.services import NovaServices
from nova_ui.nova.views import MembersAdded, Page
from nova_ui.nova.writing import etag_of
from storage.nova.idempotency import IN_WORK

IfMatch = Annotated[
    str | None, Header(alias="If-Match", max_length=200, description="entity tag that the object must still have")
]
Endpoint = Callable[..., Awaitable[object]]

_KEY_HEADER: Final = "idempotency-key"
_MAX_KEY_CHARS: Final = 200


class NovaRoutes:
    """Collects the routes of one area."""

    def __init__(self, nova: NovaServices, tag: str) -> None:
        self._nova = nova
        self.router = APIRouter(tags=[tag])

    def add(
        self,
        endpoint: str,
        call: Endpoint,
        operation_id: str,
        marks: dict[str, Any],
        *,
        status: int = 200,
        files: Sequence[str] = (),
        is_kept: bool = True,
    ) -> None:
        """Add the route `endpoint`, such as `"GET /groups/{group_id}"`; `call` takes the keyword `context`.

        `files` are the media types of what it hands out, where that is no JSON. With `is_kept` false an
        `Idempotency-Key` is refused: neither a digest of the request nor the answer may be stored, since they hold
        secrets.
        """
        method, _, path = endpoint.partition(" ")
        self.router.add_api_route(
            path,
            self._answering(call, method, is_kept=is_kept),
            methods=[method],
            operation_id=operation_id,
            status_code=status,
            openapi_extra=marks,
            summary=(call.__doc__ or operation_id).partition("\n")[0],
            dependencies=[Depends(refuse_chats)] if marks[INTERFACE_ONLY] else [],
            **_handing_out(files, status),
        )

    def _answering(self, call: Endpoint, method: str, *, is_kept: bool) -> Endpoint:
        """Wrap an endpoint: FastAPI sees its parameters and, besides them, request and response."""
        known = names_of(call)

        @functools.wraps(call)
        async def answered(*, nova_request: Request, nova_response: Response, **values: Any) -> object:  # noqa: ANN401 - FastAPI's
            key = nova_request.headers.get(_KEY_HEADER) if method == "POST" else None
            if key is not None and not is_kept:
                raise NovaInvalid("This request holds a secret, of which nothing is kept.", field="Idempotency-Key")
            fields = chosen_fields(values.get("query"), known)
            if key is None:
                result = await call(**values)
            else:
                result = await self._once(key, call, nova_request, values)
            if fields is not None and isinstance(result, Page):
                return with_only(result, fields)
            version = version_of(result)
            if version is not None:
                nova_response.headers["ETag"] = etag_of(version)
            return result

        signature = inspect.signature(call)
        own = [
            inspect.Parameter("nova_request", inspect.Parameter.KEYWORD_ONLY, annotation=Request),
            inspect.Parameter("nova_response", inspect.Parameter.KEYWORD_ONLY, annotation=Response),
        ]
        given = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in signature.parameters.values()]
        answered.__signature__ = signature.replace(parameters=[*given, *own])  # type: ignore[attr-defined] # functools' own
        return answered

    async def _once(self, key: str, call: Endpoint, request: Request, values: dict[str, Any]) -> object:
        """Answer the same request under the same key with the same answer."""
        if not key.isascii() or not key.isprintable() or len(key) > _MAX_KEY_CHARS:
            raise NovaInvalid("Idempotency-Key must be printable and at most 200 characters.", field="Idempotency-Key")
        context: RequestContext = values["context"]
        keys, owner = self._nova.idempotency, context.identity.id
        head = f"{request.method} {request.url.path}?{request.url.query}\n".encode()
        digest = keys.digest(head + await request.body())
        rights = keys.digest(" ".join(sorted(context.identity.roles)).encode())
        kept = await keys.take(owner, key, f"{digest}.{rights}", self._nova.core.clock.now())
        if kept is not None:
            if kept.request_digest.partition(".")[0] != digest:
                raise NovaConflict("This Idempotency-Key was used for another request.", code="idempotency_key_used")
            if kept.status == IN_WORK:
                raise NovaConflict(
                    "This request is being worked on, or its outcome is unknown. Look before trying again.",
                    code="idempotency_in_work",
                )
            if kept.request_digest.partition(".")[2] != rights:  # what it shows was for somebody with other rights
                raise NovaForbidden("Your rights have changed since this was answered. Nothing was done again.")
            return _replayed(kept.status, kept.body)
        try:
            result = await call(**values)
        except NovaProblem:
            await keys.release(owner, key)
            raise
        if isinstance(result, BaseModel):
            status = request.scope["route"].status_code or 200
            await keys.keep(owner, key, status, result.model_dump(mode="json", by_alias=True))
        return result


def _handing_out(files: Sequence[str], status: int) -> dict[str, Any]:
    if not files:
        return {}
    return {"response_class": Response, "responses": {status: {"content": {one: {} for one in files}}}}


def version_of(result: object) -> int | None:
    """Return the version of the object that an answer shows, if it shows one."""
    shown = result.group if isinstance(result, MembersAdded) else result
    version = getattr(shown, "version", None)
    return version if isinstance(version, int) else None


def _replayed(status: int, body: JsonValue) -> JSONResponse:
    headers = {"Idempotent-Replayed": "true"}
    version = body.get("version") if isinstance(body, dict) else None
    if isinstance(version, int):
        headers["ETag"] = etag_of(version)
    return JSONResponse(body, status, headers=headers)
