"""What a name resolves to, checked before anything is sent: the addresses found are the ones that are called."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from ipaddress import ip_address
from typing import Final

from nova_ui.outgoing.address import Address, AddressRefused, Fault, IpAddress, check_ip
from nova_ui.outgoing.failing import CallFailed, Failure

Resolver = Callable[[str, int], Awaitable[Sequence[str]]]

_MAX_ADDRESSES: Final = 16


async def resolve_by_system(host: str, port: int) -> Sequence[str]:
    """Ask the system's resolver for the addresses of a host.

    Raises:
        OSError: it has none.

    """
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(sockaddr[0]) for *_, sockaddr in found]


async def resolve(
    address: Address, *, allow_private: bool, resolver: Resolver = resolve_by_system
) -> tuple[IpAddress, ...]:
    """Return the addresses of the host, all of which may be called.

    One forbidden address among them refuses the name: whoever can answer so wants to be called there.

    Raises:
        AddressRefused: it leads where Nova does not call.
        CallFailed: the name is not known.

    """
    if address.ip is not None:
        found: tuple[IpAddress, ...] = (address.ip,)
    else:
        try:
            texts = await resolver(address.host, address.port)
            found = tuple(dict.fromkeys(ip_address(text) for text in texts))[:_MAX_ADDRESSES]
        except (OSError, ValueError):
            raise CallFailed(Failure.NAME) from None
    if not found:
        raise CallFailed(Failure.NAME)
    for ip in found:
        check_ip(ip, allow_private=allow_private)
        if address.scheme == "http" and not ip.is_loopback:
            raise AddressRefused(Fault.PLAIN_HTTP)  # a name such as localhost that leads elsewhere
    return found
