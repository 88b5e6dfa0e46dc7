"""Unique values that stand for secrets, found again in whatever form they got out; and a system that repeats all."""

import base64
import binascii
import html
import json
import secrets
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Final, Self
from urllib.parse import quote, quote_plus

_CUT_CHARS: Final = 14
"""So much of a canary is enough to know it by: what was cut in the middle is found as well."""


def a_canary(*, plain: bool = False) -> str:
    """Return a new one; unless `plain` it holds signs that every encoding writes otherwise."""
    return f"Zq{secrets.token_hex(11)}" + ("" if plain else '+/="ü&<\\%')


def forms_of(canary: str) -> frozenset[bytes]:
    """Return every way in which a canary, or a long part of it, could stand in bytes."""
    parts = {canary, canary[:_CUT_CHARS], canary[len(canary) - _CUT_CHARS :], canary[4 : 4 + _CUT_CHARS]}
    return frozenset(form for part in parts for form in _forms_of(part))


def _forms_of(text: str) -> Iterator[bytes]:
    raw = text.encode()
    yield raw
    yield text.swapcase().encode()
    yield text[::-1].encode()
    yield text.encode("utf-16-le")
    yield binascii.hexlify(raw)
    yield binascii.hexlify(raw).upper()
    for quoted in (quote(text), quote(text, safe=""), quote_plus(text), quote(quote(text, safe=""), safe="")):
        yield quoted.encode()
    escaped = json.dumps(text)[1:-1]
    yield escaped.encode()
    yield json.dumps(escaped)[1:-1].encode()
    yield json.dumps(text, ensure_ascii=False)[1:-1].encode()
    yield html.escape(text).encode()
    yield repr(text)[1:-1].encode()
    for offset in range(3):  # base64 of a longer text that holds it, at each of the three places
        inner = base64.b64encode(b"\0" * offset + raw).rstrip(b"=")
        kept = inner[(0, 2, 3)[offset] : len(inner) - 1]
        yield kept
        yield kept.translate(bytes.maketrans(b"+/", b"-_"))


@dataclass
class Canaries:
    """The planted ones by name."""

    planted: dict[str, str] = field(default_factory=dict)

    def plant(self, name: str, *, plain: bool = False) -> str:
        return self.know(name, a_canary(plain=plain))

    def know(self, name: str, value: str) -> str:
        """Take a secret that Nova made itself for a canary."""
        self.planted[name] = value
        return value

    def found_in(self, places: Mapping[str, bytes], *, but: Iterable[str] = ()) -> list[str]:
        """Say which canary stands where."""
        forms = {name: forms_of(value) for name, value in self.planted.items() if name not in set(but)}
        return [
            f"{name} in {place}"
            for place, content in places.items()
            for name, written in forms.items()
            if any(form in content for form in written)
        ]


class _Repeats(BaseHTTPRequestHandler):
    """Answers with everything that it was sent; the path says with which status."""

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0)).decode(errors="replace")
        status = int(self.path.strip("/").split("/", 1)[0]) if self.path[1:4].isdigit() else 200
        told = json.dumps({"error": {"message": f"{self.headers} {body}", "headers": dict(self.headers.items())}})
        self.send_response(status, "Said " + (self.headers.get("authorization") or "")[:200])
        self.send_header("content-type", "application/json")
        self.send_header("x-repeated", quote(self.headers.get("authorization") or ""))
        if status // 100 == 3:
            self.send_header("location", f"/200/?key={quote(self.headers.get('authorization') or '')}")
        self.send_header("content-length", str(len(told)))
        self.end_headers()
        self.wfile.write(told.encode())
        self.server.heard.append(str(self.headers))  # type: ignore[attr-defined]  # set by Echo

    do_GET = do_POST = do_PUT = _answer  # noqa: N815 - the names that the library wants

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class Echo:
    """A system outside that repeats the secrets it was sent, on loopback; `heard` are the headers that came."""

    def __init__(self) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Repeats)
        self.heard: list[str] = []
        self._server.heard = self.heard  # type: ignore[attr-defined]  # read by the handler
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)
