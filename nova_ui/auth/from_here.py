"""Whether a request comes from a page of ours, and over TLS: what the browser says that no page can forge."""

from typing import Final
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from nova_ui.auth.session import Whence

_SAME_ORIGIN: Final = "same-origin"
_OF_ITS_OWN: Final = "none"  # typed, bookmarked, opened by another program
_DEFAULT_PORTS: Final = {"http": ":80", "https": ":443"}


def is_tls(connection: HTTPConnection) -> bool:
    """Whether the request came by TLS, to us or to a proxy that we believe."""
    return connection.url.scheme in {"https", "wss"}


def is_seen_over_tls(connection: HTTPConnection) -> bool:
    """Whether the browser has TLS, as itself or a proxy says; enough to ask it for more care, and for nothing else."""
    forwarded = connection.headers.get("x-forwarded-proto", "").strip().lower()
    return is_tls(connection) or forwarded == "https" or connection.headers.get("origin", "").startswith("https://")


def comes_from_us(connection: HTTPConnection, *, needs_proof: bool = False) -> bool:
    """Whether the request comes from a page of ours or from no page at all; with `needs_proof` only the former.

    Browsers always say where a websocket or a form comes from; scripts outside browsers need not.
    """
    site = connection.headers.get("sec-fetch-site")
    if site == _SAME_ORIGIN:
        return True
    if site is not None and site != _OF_ITS_OWN:
        return False
    origin = connection.headers.get("origin")
    if origin is None:
        return not needs_proof
    return _is_ours(origin, connection)


def whence_of(connection: HTTPConnection) -> Whence:
    """Return where the request came from, for sessions and the audit log."""
    client = connection.client
    request_id = getattr(connection.state, "request_id", None)
    return Whence(
        ip=client.host if client else None,
        user_agent=connection.headers.get("user-agent"),
        request_id=request_id if isinstance(request_id, str) else None,
    )


def _is_ours(origin: str, connection: HTTPConnection) -> bool:
    parts = urlsplit(origin)
    if parts.scheme not in _DEFAULT_PORTS or (is_tls(connection) and parts.scheme != "https"):
        return False
    port = _DEFAULT_PORTS[parts.scheme]
    host = connection.headers.get("host", "").lower().removesuffix(port)
    return bool(host) and parts.netloc.lower().removesuffix(port) == host
