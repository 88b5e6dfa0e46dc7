"""Why a request did not reach its peer, told from what a transport raises."""

import ssl
from collections.abc import Iterator
from http import HTTPStatus

import aiohttp

from nova_ui.errors import FailureKind


def kind_of_break(error: BaseException) -> FailureKind:
    """Return `PROXY`, `TLS` or, for everything else, `CONNECTION`."""
    for one in _causes(error):
        if isinstance(one, aiohttp.ClientHttpProxyError):
            # A proxy that found nobody behind it says so with a 5xx; what else it refuses is its own no.
            is_behind = one.status >= HTTPStatus.INTERNAL_SERVER_ERROR
            return FailureKind.CONNECTION if is_behind else FailureKind.PROXY
        if isinstance(one, aiohttp.ClientProxyConnectionError):
            return FailureKind.PROXY
        if isinstance(one, (ssl.SSLError, aiohttp.ClientSSLError)):
            return FailureKind.TLS
    return FailureKind.CONNECTION


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    seen = 0
    while error is not None and seen < 10:  # noqa: PLR2004 - no chain of ours is longer
        yield error
        error = error.__cause__ or error.__context__
        seen += 1
