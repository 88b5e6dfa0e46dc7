"""The one door to Nova: every request carries one session and one origin, and reaches one declared endpoint.

Chats and pages come through here alike (rules A1, A2, A5). Nothing is kept between calls: no cookie, no header, no
connection of one identity can be seen by another (rule I2). Redirects are answers, and no success (rule I1).
"""

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

import httpx

from nova_ui.domain.identity import Caller, Identity
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import AnyTool, Nova, NovaAnswer
from nova_ui.errors import NovaUnavailable
from nova_ui.nova_client.origin import ASGIApp, Delegation, Origin, Receive, Scope, Send, marked
from nova_ui.nova_client.problems import problem_from
from nova_ui.nova_client.requests import (
    QueryValue,
    build_path,
    check_header_value,
    encode_body,
    encode_query,
    parse_endpoint,
)

CALL_SECONDS: Final = 30.0
MAX_ANSWER_BYTES: Final = 10 * 1024 * 1024

_BASE: Final = httpx.URL("http://nova")  # never resolved: requests stay inside the process
_LOG: Final = logging.getLogger(__name__)
_SUCCESS: Final = range(200, 300)
_REDIRECT: Final = range(300, 400)

RunTool = Callable[[str, JsonObject], Awaitable[JsonValue]]


class NovaDoor:
    """Opens Nova for a caller; one for the process."""

    def __init__(
        self, api: ASGIApp, *, call_seconds: float = CALL_SECONDS, max_answer_bytes: int = MAX_ANSWER_BYTES
    ) -> None:
        self._api = api
        self._call_seconds = call_seconds
        self._max_answer_bytes = max_answer_bytes

    def open(self, caller: Caller, origin: Origin) -> "NovaClient":
        """Return a client whose every request acts in the caller's session and carries `origin`."""
        return NovaClient(
            self._api, caller, origin, call_seconds=self._call_seconds, max_answer_bytes=self._max_answer_bytes
        )


class NovaClient:
    """Nova for one call chain, bound to one session and one origin."""

    def __init__(
        self, api: ASGIApp, caller: Caller, origin: Origin, *, call_seconds: float, max_answer_bytes: int
    ) -> None:
        self._api = api
        self._caller = caller
        self._origin = origin
        self._call_seconds = call_seconds
        self._max_answer_bytes = max_answer_bytes

    @property
    def identity(self) -> Identity:
        """The identity in whose session every request acts."""
        return self._caller.identity

    async def call(
        self,
        endpoint: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, QueryValue] | None = None,
        body: JsonObject | None = None,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> NovaAnswer:
        """Call an endpoint such as `"DELETE /groups/{group_id}"` and return its answer of at most 10 MB.

        Raises:
            NovaProblem: the endpoint refused (its `code` and words are kept), failed, or did not answer in 30 s;
                a value that fits no request is refused as `NovaInvalid` before any request is made.
            ValueError: the endpoint or the names of its parameters are wrong.

        """
        parsed = parse_endpoint(endpoint)
        request = httpx.Request(
            parsed.method,
            _BASE.copy_with(path=build_path(parsed, path or {}), query=encode_query(query or {}) or None),
            headers=_headers(body, if_match, idempotency_key),
            content=b"" if body is None else encode_body(body),
        )
        return await self._send(request, endpoint)

    def for_tool(self, tool: AnyTool, *, if_match: str | None, run_tool: RunTool) -> Nova:
        """Return Nova as one call of `tool` may see it: the endpoints that it declares and no others."""
        return ToolNova(self, tool, if_match=if_match, run_tool=run_tool)

    async def _send(self, request: httpx.Request, endpoint: str) -> NovaAnswer:
        delegation = Delegation(session_id=self._caller.session_id, origin=self._origin, endpoint=endpoint)
        bounded = _Bounded(marked(self._api, delegation), self._max_answer_bytes)
        # The transport without a client around it: there is no cookie jar, no redirect, no state at all.
        transport = httpx.ASGITransport(bounded, raise_app_exceptions=False)
        try:
            async with asyncio.timeout(self._call_seconds):
                response = await transport.handle_async_request(request)
                content = await response.aread()
        except TimeoutError:
            _LOG.warning("nova.timed_out", extra={"endpoint": endpoint})
            raise NovaUnavailable(
                f"Nova did not answer within {self._call_seconds:.0f} seconds. Whether a change was made is not known."
            ) from None
        if bounded.is_exceeded:
            _LOG.warning("nova.answer_too_large", extra={"endpoint": endpoint})
            raise NovaUnavailable("The answer is too large. Ask for less, by a filter or a smaller limit.")
        if not bounded.is_complete:
            _LOG.error("nova.answer_broken_off", extra={"endpoint": endpoint})
            raise NovaUnavailable("Nova failed. Whether a change was made is not known; look before trying again.")
        if response.status_code in _REDIRECT:
            _LOG.warning("nova.redirected", extra={"endpoint": endpoint})
            raise NovaUnavailable("Nova answered with a redirect, which is not followed.")
        if response.status_code not in _SUCCESS:
            raise problem_from(response.status_code, content)
        return NovaAnswer(
            status=response.status_code,
            body=_parse(content, response.headers.get("content-type", "")),
            etag=response.headers.get("etag"),
        )


class ToolNova:
    """Nova as one tool call sees it; satisfies the protocol `Nova`."""

    def __init__(self, client: NovaClient, tool: AnyTool, *, if_match: str | None, run_tool: RunTool) -> None:
        self._client = client
        self._endpoints = frozenset(tool.endpoints)
        self._tool_name = tool.name
        self._if_match = if_match
        self._run_tool = run_tool

    @property
    def identity(self) -> Identity:
        """The identity on whose behalf the call runs."""
        return self._client.identity

    @property
    def if_match(self) -> str | None:
        """The entity tag that the confirmed preview showed."""
        return self._if_match

    async def call(
        self,
        endpoint: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, QueryValue] | None = None,
        body: JsonObject | None = None,
        if_match: str | None = None,
    ) -> NovaAnswer:
        """Call one of the tool's declared endpoints.

        Raises:
            NovaProblem: the endpoint refused or failed.
            ValueError: the tool does not declare the endpoint.

        """
        if endpoint not in self._endpoints:
            raise ValueError(f"{self._tool_name} does not declare the endpoint {endpoint}")
        return await self._client.call(endpoint, path=path, query=query, body=body, if_match=if_match)

    async def run_tool(self, name: str, arguments: JsonObject) -> JsonValue:
        """Run an inner call of a flow through the whole gate (rule B2)."""
        return await self._run_tool(name, arguments)


class _AnswerTooLarge(Exception):
    """Ends the endpoint's answering; never leaves this file."""


class _AnswerBrokenOff(Exception):
    """Ends an answer that stopped in the middle; never leaves this file."""


class _Bounded:
    """Passes an answer on up to a size, counted while it is sent, so that memory stays bounded."""

    def __init__(self, app: ASGIApp, max_bytes: int) -> None:
        self._app = app
        self._max_bytes = max_bytes
        self._sent_bytes = 0
        self.is_complete = False  # an endpoint that raises in the middle leaves a success without its end

    @property
    def is_exceeded(self) -> bool:
        """Whether the answer was longer than allowed."""
        return self._sent_bytes > self._max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def bounded_send(message: Scope) -> None:
            self._sent_bytes += len(message.get("body", b""))
            if self.is_exceeded:
                raise _AnswerTooLarge
            await send(message)
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                self.is_complete = True

        await self._app(scope, receive, bounded_send)
        if not self.is_complete:
            raise _AnswerBrokenOff  # the API itself ends quietly then; the transport takes that for a fault of its own


def _headers(body: JsonObject | None, if_match: str | None, idempotency_key: str | None) -> dict[str, str]:
    headers = {"Accept": "application/json"}
    if body is not None:
        headers["Content-Type"] = "application/json"
    if if_match is not None:
        headers["If-Match"] = check_header_value("if_match", if_match)
    if idempotency_key is not None:
        headers["Idempotency-Key"] = check_header_value("idempotency_key", idempotency_key)
    return headers


def _parse(content: bytes, content_type: str) -> JsonValue:
    if not content:
        return None
    try:
        if content_type.startswith("text/"):
            return content.decode("utf-8")
        body: JsonValue = json.loads(content)
    except (ValueError, RecursionError):
        raise NovaUnavailable("Nova's answer is not JSON. Whether a change was made is not known.") from None
    return body
