"""The guarded call: to checked addresses only, bounded in time and bytes, following nothing, keeping nothing."""

import asyncio
import json
import ssl
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv6Address
from typing import Final

import httpx

from nova_ui.domain.json_value import JsonObject
from nova_ui.outgoing.address import LDAP, WEB, Address, IpAddress, check_address
from nova_ui.outgoing.failing import CallFailed, Failure
from nova_ui.outgoing.ldap import start_tls
from nova_ui.outgoing.resolving import Resolver, resolve, resolve_by_system

_HEADERS: Final = {"accept": "application/json", "accept-encoding": "identity", "user-agent": "nova-ai"}
_REDIRECTS: Final = range(300, 400)


@dataclass(frozen=True, slots=True, kw_only=True)
class OutgoingLimits:
    """Bounds of one call, name look-up included."""

    total_s: float = 10.0
    connect_s: float = 5.0
    max_bytes: int = 262_144


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """An answer, whatever its status but a redirect."""

    status: int
    body: bytes

    def json_object(self) -> JsonObject:
        """Return the body as a JSON object.

        Raises:
            CallFailed: it is none.

        """
        try:
            value = json.loads(self.body)
        except (ValueError, RecursionError):
            raise CallFailed(Failure.PROTOCOL) from None
        if not isinstance(value, dict):
            raise CallFailed(Failure.PROTOCOL)
        return value


class Outgoing:
    """Calls systems that administrators named; each call opens a connection of its own and closes it."""

    def __init__(
        self,
        *,
        allow_private: bool,
        limits: OutgoingLimits | None = None,
        resolver: Resolver = resolve_by_system,
        trusted: ssl.SSLContext | None = None,
    ) -> None:
        self.allow_private = allow_private
        self._limits = limits or OutgoingLimits()
        self._resolver = resolver
        self._trusted = trusted

    async def fetch(self, url: str, *, headers: Mapping[str, str] | None = None, verify_tls: bool = True) -> Fetched:
        """Read `url`.

        Raises:
            AddressRefused: it may not be called.
            CallFailed: no usable answer came, or it was a redirect.

        """
        try:
            async with asyncio.timeout(self._limits.total_s):
                address, ips = await self._resolved(url, WEB)
                return await self._fetch(address, ips[0], dict(headers or {}), self._tls(verify=verify_tls))
        except TimeoutError:
            raise CallFailed(Failure.TIMEOUT) from None

    async def reach(self, url: str, *, starting_tls: bool) -> None:
        """Open a connection to a directory and close it: encrypted for ldaps, or after StartTLS.

        Raises:
            AddressRefused: it may not be called.
            CallFailed: no such connection came about.

        """
        try:
            async with asyncio.timeout(self._limits.total_s):
                address, ips = await self._resolved(url, LDAP)
                await self._reach(address, ips[0], starting_tls=starting_tls)
        except TimeoutError:
            raise CallFailed(Failure.TIMEOUT) from None
        except ssl.SSLError:
            raise CallFailed(Failure.TLS) from None
        except OSError:
            raise CallFailed(Failure.CONNECTION) from None

    async def _resolved(self, url: str, schemes: frozenset[str]) -> tuple[Address, tuple[IpAddress, ...]]:
        address = check_address(url, allow_private=self.allow_private, schemes=schemes)
        return address, await resolve(address, allow_private=self.allow_private, resolver=self._resolver)

    async def _fetch(self, address: Address, ip: IpAddress, headers: dict[str, str], tls: ssl.SSLContext) -> Fetched:
        # The connection goes to the address that was checked, so a second look-up can't lead elsewhere; the
        # certificate still has to be that of the name. Straight to the transport: a client above it would follow
        # redirects, keep cookies and read proxies.
        host = f"[{ip}]" if isinstance(ip, IPv6Address) else str(ip)
        request = httpx.Request(
            "GET",
            f"{address.scheme}://{host}:{address.port}{address.path or '/'}",
            headers={**_HEADERS, **headers, "host": address.authority},
            extensions={
                "sni_hostname": address.host,
                "timeout": {"connect": self._limits.connect_s, "read": None, "write": None, "pool": None},
            },
        )
        transport = httpx.AsyncHTTPTransport(verify=tls, trust_env=False)
        try:
            response = await transport.handle_async_request(request)
            try:
                return await self._read(response)
            finally:
                await response.aclose()
        except httpx.TimeoutException:
            raise CallFailed(Failure.TIMEOUT) from None
        except httpx.ConnectError as error:
            raise CallFailed(Failure.TLS if _is_tls(error) else Failure.CONNECTION) from None
        except httpx.HTTPError:
            raise CallFailed(Failure.PROTOCOL) from None
        finally:
            await transport.aclose()

    async def _read(self, response: httpx.Response) -> Fetched:
        if response.status_code in _REDIRECTS:
            raise CallFailed(Failure.REDIRECT)
        if response.headers.get("content-encoding", "identity") != "identity":
            raise CallFailed(Failure.PROTOCOL)  # not asked for, and a small body could unpack into a huge one
        body = bytearray()
        async for piece in response.aiter_raw():
            body += piece
            if len(body) > self._limits.max_bytes:
                raise CallFailed(Failure.TOO_MUCH)
        return Fetched(status=response.status_code, body=bytes(body))

    async def _reach(self, address: Address, ip: IpAddress, *, starting_tls: bool) -> None:
        tls = self._tls(verify=True)
        is_direct = address.scheme == "ldaps"
        async with asyncio.timeout(self._limits.connect_s):
            reader, writer = await asyncio.open_connection(
                str(ip),
                address.port,
                ssl=tls if is_direct else None,
                server_hostname=address.host if is_direct else None,
            )
        try:
            if starting_tls and not is_direct:
                await start_tls(reader, writer, tls, address.host)
        finally:
            writer.transport.abort()
            with suppress(OSError):
                await writer.wait_closed()

    def _tls(self, *, verify: bool) -> ssl.SSLContext:
        if not verify:
            unverified = ssl.create_default_context()
            unverified.check_hostname = False
            unverified.verify_mode = ssl.CERT_NONE
            return unverified
        return self._trusted or httpx.create_ssl_context(trust_env=False)


def _is_tls(error: BaseException | None) -> bool:
    while error is not None:
        if isinstance(error, ssl.SSLError):
            return True
        error = error.__cause__ or error.__context__
    return False
