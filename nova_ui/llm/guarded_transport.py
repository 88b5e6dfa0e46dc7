"""Connections to providers that administrators enter: what a name resolves to is checked before it is called."""

import socket
from ipaddress import ip_address
from typing import Final

import aiohttp
import httpx
from aiohttp.abc import AbstractResolver, ResolveResult
from httpx_aiohttp import AiohttpTransport

from nova_ui.outgoing.address import AddressRefused, check_ip

_KEPT_CONNECTIONS: Final = 20
_KEEPALIVE_S: Final = 15.0


class GuardedResolver(AbstractResolver):
    """Resolves names and refuses those with an address that Nova may not call.

    The connection goes to the very addresses that were checked, so a second look-up can't lead elsewhere.
    """

    def __init__(self, *, allow_private: bool, resolver: AbstractResolver | None = None) -> None:
        self._allow_private = allow_private
        self._resolver = resolver or aiohttp.ThreadedResolver()

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return the addresses of `host`.

        Raises:
            OSError: it has none, or one of them may not be called.

        """
        found = await self._resolver.resolve(host, port, family)
        for one in found:
            try:
                check_ip(ip_address(one["host"]), allow_private=self._allow_private)
            except (AddressRefused, ValueError):
                raise OSError("the name leads where Nova does not call") from None
        return found

    async def close(self) -> None:
        """Let the resolver go."""
        await self._resolver.close()


def guarded_transport(*, allow_private: bool, resolver: AbstractResolver | None = None) -> httpx.AsyncBaseTransport:
    """Return a transport whose connections go only where Nova may call."""
    tls = httpx.create_ssl_context(trust_env=False)

    def new_session() -> aiohttp.ClientSession:
        connector = aiohttp.TCPConnector(
            ssl=tls,
            limit=_KEPT_CONNECTIONS * 5,
            keepalive_timeout=_KEEPALIVE_S,
            resolver=GuardedResolver(allow_private=allow_private, resolver=resolver),
        )
        return aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())

    return AiohttpTransport(verify=tls, client=new_session)
