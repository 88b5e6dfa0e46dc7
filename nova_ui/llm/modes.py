"""Where data goes that is sent to an address: judged by the address, and by what an administrator declares of it."""

import ipaddress

import httpx

from nova_ui.domain.ai_profile import DeclaredMode
from nova_ui.llm.port import Mode


def mode_of(base_url: str, proxy_url: str | None = None) -> Mode:
    """Return whether data sent to `base_url` stays in the house; a name that is no address counts as outside.

    Behind a proxy outside it does not, whatever the address: it is the proxy's computer and network that it names.
    """
    if proxy_url and mode_of(proxy_url) is Mode.EXTERNAL:
        return Mode.EXTERNAL
    host = httpx.URL(base_url).host
    if host == "localhost" or host.endswith(".localhost"):
        return Mode.LOCAL
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return Mode.EXTERNAL
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    is_inside = address.is_loopback or address.is_private or address.is_link_local
    return Mode.LOCAL if is_inside and not address.is_unspecified else Mode.EXTERNAL


def effective_mode(base_url: str, declared: DeclaredMode | None, proxy_url: str | None = None) -> Mode:
    """Return where data counts as going: a declaration can only make it further than the address says.

    An address of the house may belong to a proxy that passes everything on; only people know. No declaration makes an
    address outside count as inside.
    """
    return Mode.EXTERNAL if declared == "external" else mode_of(base_url, proxy_url)


def host_of(base_url: str) -> str:
    """Return the host that an address names, with its port where it is not the scheme's own."""
    return httpx.URL(base_url).netloc.decode()
