"""Which addresses Nova may call: a whole one, safe in transit, and no way into the network that the server stands in.

The text is checked here; what a name resolves to is checked again, by the same rules, in `resolving`.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final
from urllib.parse import urlsplit

from nova_ui.domain.text import mark
from nova_ui.errors import NovaUiError

IpAddress = IPv4Address | IPv6Address

WEB: Final = frozenset({"https", "http"})
LDAP: Final = frozenset({"ldaps", "ldap"})
MAX_ADDRESS_CHARS: Final = 2_000

_PORTS: Final = {"https": 443, "http": 80, "ldaps": 636, "ldap": 389}
_LABEL: Final = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_MAX_HOST_CHARS: Final = 253
_NUMERIC_LABEL: Final = re.compile(r"\d+|0x[0-9a-f]*")
_LOCAL_NAME: Final = "localhost"
# Never called, whatever is allowed: there instances read the credentials that their provider gives them.
_METADATA: Final = frozenset(
    ip_address(one)
    for one in (
        "fd00:ec2::254",
        "fd20:ce::254",
        "fd00:c1::a9fe:a9fe",
        "100.100.100.200",
        "192.0.0.192",
        "168.63.129.16",  # looks like any public one, and leads to the host's own agent
    )
)
_NAT64: Final = IPv6Network("64:ff9b::/96")
_COMPATIBLE: Final = IPv6Network("::/96")
_THIS_NETWORK: Final = IPv4Network("0.0.0.0/8")
# Not global, yet not what the standard library calls private.
_SHARED: Final[tuple[IPv4Network | IPv6Network, ...]] = (ip_network("100.64.0.0/10"), ip_network("fec0::/10"))


class Fault(StrEnum):
    """What is wrong with an address."""

    NOT_AN_ADDRESS = "not_an_address"
    SCHEME = "scheme"
    HOST = "host"
    PORT = "port"
    CREDENTIALS = "credentials"
    QUERY = "query"
    PLAIN_HTTP = "plain_http"
    PRIVATE = "private"
    FORBIDDEN = "forbidden"


# What a person or a model is told; never with the address in it, which may hold a secret.
SENTENCES: Final = {
    Fault.NOT_AN_ADDRESS: mark("This is not a whole address, such as https://host.example/path."),
    Fault.SCHEME: mark("The address begins with a scheme that can't be used here."),
    Fault.HOST: mark("The address names no host, or one in a form that can't be used."),
    Fault.PORT: mark("The address names a port that does not exist."),
    Fault.CREDENTIALS: mark("The address must not hold a name or a password."),
    Fault.QUERY: mark("The address must hold neither a query nor a fragment."),
    Fault.PLAIN_HTTP: mark("The address must begin with https://; plain http is for this computer only."),
    Fault.PRIVATE: mark("The address lies in a private network, which this installation does not allow."),
    Fault.FORBIDDEN: mark("The address lies in a network that Nova never calls."),
}


class AddressRefused(NovaUiError):
    """Nova does not call this address; `fault` says why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault=fault.value)
        self.fault = fault

    @property
    def sentence(self) -> str:
        """The English sentence, which is also its message id."""
        return SENTENCES[self.fault]

    def __str__(self) -> str:
        return f"address refused: {self.fault}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """An address whose text may be called; `ip` is set where the host is one."""

    scheme: str
    host: str
    port: int
    path: str
    ip: IpAddress | None = None

    @property
    def place(self) -> tuple[str, str, int]:
        """Whom a secret would be sent to: the same scheme, host and port."""
        return (self.scheme, self.host, self.port)

    @property
    def is_local(self) -> bool:
        """Whether it names this computer itself."""
        return self.ip.is_loopback if self.ip else self.host == _LOCAL_NAME or self.host.endswith(f".{_LOCAL_NAME}")

    @property
    def authority(self) -> str:
        """Host and, where it is not the scheme's own, port."""
        host = f"[{self.host}]" if isinstance(self.ip, IPv6Address) else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        """The address in its one spelling."""
        return f"{self.scheme}://{self.authority}{self.path}"


def check_address(url: str, *, allow_private: bool, schemes: frozenset[str] = WEB) -> Address:
    """Return `url` taken apart, if it may be called.

    Raises:
        AddressRefused: it may not; names that resolve to a forbidden place are found by `resolving` only.

    """
    address = parse_address(url, schemes=schemes)
    if address.is_local and not allow_private:
        raise AddressRefused(Fault.PRIVATE)
    if address.ip is not None:
        check_ip(address.ip, allow_private=allow_private)
    return address


def check_proxy_address(url: str, *, allow_private: bool) -> Address:
    """Return the address of a proxy taken apart; one in the own network may be spoken to over plain http.

    What goes through it is encrypted all the same; its own name and password are not.

    Raises:
        AddressRefused: it may not be called, or is more than scheme, host and port.

    """
    address = parse_address(url, may_be_plain=allow_private)
    if address.path.strip("/"):
        raise AddressRefused(Fault.NOT_AN_ADDRESS)
    if address.is_local and not allow_private:
        raise AddressRefused(Fault.PRIVATE)
    if address.ip is not None:
        check_ip(address.ip, allow_private=allow_private)
    return address


def parse_address(url: str, *, schemes: frozenset[str] = WEB, may_be_plain: bool = False) -> Address:
    """Return `url` taken apart: a scheme out of `schemes`, a host, no credentials, no query.

    Plain http is for loopback only, unless it `may_be_plain`.

    Raises:
        AddressRefused: it is something else.

    """
    if len(url) > MAX_ADDRESS_CHARS or not url.isascii() or not url.isprintable() or set(url) & set(' \\<>"{}|^`'):
        raise AddressRefused(Fault.NOT_AN_ADDRESS)
    try:
        parts = urlsplit(url)
    except ValueError:
        raise AddressRefused(Fault.NOT_AN_ADDRESS) from None
    if not parts.scheme or "://" not in url:
        raise AddressRefused(Fault.NOT_AN_ADDRESS)
    if parts.scheme not in schemes:
        raise AddressRefused(Fault.SCHEME)
    if "@" in parts.netloc:
        raise AddressRefused(Fault.CREDENTIALS)
    if "?" in url or "#" in url:
        raise AddressRefused(Fault.QUERY)
    host, ip = _host_of(parts.hostname or "", is_bracketed=parts.netloc.startswith("["))
    try:
        port = _PORTS[parts.scheme] if parts.port is None else parts.port
    except ValueError:
        raise AddressRefused(Fault.PORT) from None
    if not port:
        raise AddressRefused(Fault.PORT)
    address = Address(scheme=parts.scheme, host=host, port=port, path=parts.path, ip=ip)
    if address.scheme == "http" and not address.is_local and not may_be_plain:
        raise AddressRefused(Fault.PLAIN_HTTP)
    return address


def check_ip(ip: IpAddress, *, allow_private: bool) -> None:
    """Refuse addresses that lead elsewhere than the public network.

    With `allow_private` private networks and this computer are allowed, but still neither the places where a host
    hands out its credentials nor anything that is no single machine.

    Raises:
        AddressRefused: it may not be called.

    """
    inner = _inner(ip)
    if inner is not None:
        check_ip(inner, allow_private=allow_private)
        return
    if ip in _METADATA or ip.is_link_local or ip.is_multicast or ip.is_unspecified or ip in _THIS_NETWORK:
        raise AddressRefused(Fault.FORBIDDEN)
    if ip.is_loopback or any(ip in network for network in _SHARED):
        if not allow_private:
            raise AddressRefused(Fault.PRIVATE)
        return
    if ip.is_reserved:
        raise AddressRefused(Fault.FORBIDDEN)
    if not ip.is_global and not allow_private:
        raise AddressRefused(Fault.PRIVATE)


def _inner(ip: IpAddress) -> IPv4Address | None:
    """Return the IPv4 address that an IPv6 one stands for: mapped, translated or tunnelled."""
    if isinstance(ip, IPv4Address):
        return None
    if ip.ipv4_mapped is not None:
        return ip.ipv4_mapped
    if ip.sixtofour is not None:
        return ip.sixtofour
    if ip.teredo is not None:
        return ip.teredo[1]
    is_special = ip.is_loopback or ip.is_unspecified
    if ip in _NAT64 or (ip in _COMPATIBLE and not is_special):
        return IPv4Address(int(ip) & 0xFFFF_FFFF)
    return None


def _host_of(host: str, *, is_bracketed: bool) -> tuple[str, IpAddress | None]:
    """Return the host in its one spelling; forms that resolvers read as numbers in their own ways are refused."""
    if is_bracketed:
        return _bracketed(host)
    name = host.removesuffix(".")
    labels = name.split(".")
    if len(name) > _MAX_HOST_CHARS or not all(_LABEL.fullmatch(label) for label in labels):
        raise AddressRefused(Fault.HOST)
    if not _NUMERIC_LABEL.fullmatch(labels[-1]):
        return name, None
    try:
        ip = IPv4Address(name)  # four decimal numbers without leading zeros, and nothing else
    except ValueError:
        raise AddressRefused(Fault.HOST) from None
    return str(ip), ip


def _bracketed(host: str) -> tuple[str, IpAddress]:
    try:
        ip = IPv6Address(host)
    except ValueError:
        raise AddressRefused(Fault.HOST) from None
    if ip.scope_id is not None:
        raise AddressRefused(Fault.HOST)
    return str(ip), ip
