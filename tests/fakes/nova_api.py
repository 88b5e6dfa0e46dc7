"""A small Nova at the border: answers as a test says and keeps what reached it."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from nova_ui.domain.json_value import JsonValue
from nova_ui.nova_client.origin import Delegation, Receive, Scope, Send, delegation_of

Answering = Callable[["Reached", Send], Awaitable[None]]


@dataclass(frozen=True, kw_only=True)
class Reached:
    """A request as it arrived."""

    method: str
    path: str
    query: str
    headers: dict[str, str]
    body: bytes
    delegation: Delegation | None


@dataclass
class FakeNova:
    """An ASGI application that answers by `answering` and records every request."""

    answering: Answering
    reached: list[Reached] = field(default_factory=list)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body", False):
                break
        request = Reached(
            method=scope["method"],
            path=scope["path"],
            query=scope["query_string"].decode(),
            headers={name.decode(): value.decode() for name, value in scope["headers"]},
            body=body,
            delegation=delegation_of(scope),
        )
        self.reached.append(request)
        await self.answering(request, send)


async def respond(
    send: Send, status: int, content: bytes, content_type: str = "application/json", **headers: str
) -> None:
    """Send one whole answer."""
    named = {"content-type": content_type, **{name.replace("_", "-"): value for name, value in headers.items()}}
    raw: list[Any] = [(name.encode(), value.encode()) for name, value in named.items()]
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": content})


def always(status: int, value: JsonValue = None, **headers: str) -> Answering:
    """Answer every request alike; a value of None is an empty body."""
    content = b"" if value is None else json.dumps(value).encode()

    async def answering(_request: Reached, send: Send) -> None:
        await respond(send, status, content, **headers)

    return answering
