"""What reaches Nova's API on the stage: seen, counted, and refused as long as the door is held shut."""

import json
from dataclasses import dataclass, field
from typing import Final

from nova_ui.nova_client.origin import ASGIApp, Receive, Scope, Send, delegation_of

_SHUT: Final = json.dumps(
    {
        "type": "about:blank",
        "title": "Unavailable",
        "status": 503,
        "detail": "Nova is not there.",
        "code": "unavailable",
    }
).encode()


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A request that a tool call made: `endpoint` is the declared one, `path` where it really went."""

    method: str
    path: str
    endpoint: str
    session_id: str
    via: str


@dataclass(slots=True)
class Watcher:
    """Keeps what came in by way of a chat; what the interface asks is none of its business."""

    seen: list[Seen] = field(default_factory=list)
    is_shut: bool = False

    def forget(self) -> None:
        """Begin anew, with the door open."""
        self.seen.clear()
        self.is_shut = False

    def around(self, app: ASGIApp) -> ASGIApp:
        """Return `app` with this watcher before it."""

        async def watched(scope: Scope, receive: Receive, send: Send) -> None:
            delegation = delegation_of(scope)
            if delegation is None or delegation.origin.via is None:
                await app(scope, receive, send)
                return
            self.seen.append(
                Seen(
                    method=str(scope["method"]),
                    path=str(scope["path"]),
                    endpoint=delegation.endpoint or "",
                    session_id=delegation.session_id,
                    via=delegation.origin.via,
                )
            )
            if not self.is_shut:
                await app(scope, receive, send)
                return
            headers = [(b"content-type", b"application/problem+json")]
            await send({"type": "http.response.start", "status": 503, "headers": headers})
            await send({"type": "http.response.body", "body": _SHUT})

        return watched
