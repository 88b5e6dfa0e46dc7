"""Connections to providers that administrators enter: what a name resolves to is checked before it is called.

Behind a proxy the proxy looks the name up, so its answer can't be checked here. What is checked then: the proxy's own
address, like any other; the text of the target's address; and what its name leads to here, if it leads anywhere here.
"""

import socket
import ssl
from base64 import b64encode
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Final

import aiohttp
import httpx
from aiohttp.abc import AbstractResolver, ResolveResult
from httpx_aiohttp import AiohttpTransport
from pydantic import SecretStr

from nova_ui.outgoing.address import AddressRefused, check_ip

_KEPT_CONNECTIONS: Final = 20
_KEEPALIVE_S: Final = 15.0
_REFUSED: Final = "the name leads where Nova does not call"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProxyRoute:
    """A proxy that tunnels to the target; name and password go to it and to nobody else."""

    url: str
    allow_private: bool = False
    user: str = ""
    password: SecretStr | None = None


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
            _check(one["host"], allow_private=self._allow_private)
        return found

    async def close(self) -> None:
        """Let the resolver go."""
        await self._resolver.close()


class ProxiedTransport(httpx.AsyncBaseTransport):
    """Sends requests through a proxy, unless what is known here of their target speaks against it."""

    def __init__(self, inner: httpx.AsyncBaseTransport, *, allow_private: bool, resolver: AbstractResolver) -> None:
        self._inner = inner
        self._allow_private = allow_private
        self._resolver = resolver

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request through the tunnel.

        Raises:
            OSError: the target may not be called.

        """
        if request.url.scheme != "https":
            raise OSError("a proxy would read what is not encrypted")
        for address in await self._known_addresses(request.url.host):
            _check(address, allow_private=self._allow_private)
        return await self._inner.handle_async_request(request)

    async def aclose(self) -> None:
        """Close every connection."""
        await self._inner.aclose()
        await self._resolver.close()

    async def _known_addresses(self, host: str) -> list[str]:
        try:
            ip_address(host)
        except ValueError:
            pass
        else:
            return [host]
        try:
            return [one["host"] for one in await self._resolver.resolve(host, 443, socket.AF_UNSPEC)]
        except OSError:
            return []  # a name that only the proxy knows, which is what many proxies are for


def guarded_transport(
    *,
    allow_private: bool,
    resolver: AbstractResolver | None = None,
    trusted: ssl.SSLContext | None = None,
    proxy: ProxyRoute | None = None,
) -> httpx.AsyncBaseTransport:
    """Return a transport whose connections go only where Nova may call.

    `trusted` replaces the public certificates, for the proxy as well.
    """
    tls = trusted or httpx.create_ssl_context(trust_env=False)
    called_privately = allow_private if proxy is None else proxy.allow_private

    def new_session() -> aiohttp.ClientSession:
        connector = aiohttp.TCPConnector(
            ssl=tls,
            limit=_KEPT_CONNECTIONS * 5,
            keepalive_timeout=_KEEPALIVE_S,
            resolver=GuardedResolver(allow_private=called_privately, resolver=resolver),
        )
        return aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())

    if proxy is None:
        return AiohttpTransport(verify=tls, client=new_session)
    tunnel = AiohttpTransport(verify=tls, client=new_session, proxy=httpx.Proxy(proxy.url, headers=_login(proxy)))
    return ProxiedTransport(tunnel, allow_private=allow_private, resolver=resolver or aiohttp.ThreadedResolver())


def _login(proxy: ProxyRoute) -> dict[str, str]:
    """Return the header that asks for the tunnel with name and password; it is part of no other request."""
    if not proxy.user:
        return {}
    password = proxy.password.get_secret_value() if proxy.password else ""
    return {"proxy-authorization": f"Basic {b64encode(f'{proxy.user}:{password}'.encode()).decode()}"}


def _check(address: str, *, allow_private: bool) -> None:
    try:
        check_ip(ip_address(address), allow_private=allow_private)
    except (AddressRefused, ValueError):
        raise OSError(_REFUSED) from None
