"""Which addresses may be called: whole ones, safe in transit, and none within the server's own network."""

from ipaddress import ip_address

import pytest

from nova_ui.outgoing.address import LDAP, AddressRefused, Fault, check_address, check_ip, parse_address
from nova_ui.outgoing.failing import CallFailed
from nova_ui.outgoing.resolving import resolve


def fault_of(url: str, *, allow_private: bool = False, schemes: frozenset[str] | None = None) -> Fault | None:
    try:
        check_address(url, allow_private=allow_private, **({} if schemes is None else {"schemes": schemes}))
    except AddressRefused as refused:
        return refused.fault
    return None


@pytest.mark.parametrize(
    ("url", "spelled"),
    [
        ("https://idp.example", "https://idp.example"),
        ("https://IDP.Example:443/a/b/", "https://idp.example/a/b/"),
        ("https://idp.example.:8443/x", "https://idp.example:8443/x"),
        ("https://8.8.8.8/dns", "https://8.8.8.8/dns"),
        ("https://[2606:4700::1111]:8443/", "https://[2606:4700::1111]:8443/"),
    ],
)
def test_a_public_address_is_taken_in_one_spelling(url: str, spelled: str) -> None:
    assert check_address(url, allow_private=False).url == spelled


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("", Fault.NOT_AN_ADDRESS),
        ("idp.example", Fault.NOT_AN_ADDRESS),
        ("https:idp.example", Fault.NOT_AN_ADDRESS),
        ("//idp.example", Fault.NOT_AN_ADDRESS),
        ("https://idp.example/a b", Fault.NOT_AN_ADDRESS),
        ("https://idp.example\\@evil.example", Fault.NOT_AN_ADDRESS),
        ("https://idp.example\n.evil.example", Fault.NOT_AN_ADDRESS),
        ("https://bücher.example", Fault.NOT_AN_ADDRESS),
        ("https://" + "a" * 2_000 + ".example", Fault.NOT_AN_ADDRESS),
        ("ftp://idp.example", Fault.SCHEME),
        ("file://idp.example/etc/passwd", Fault.SCHEME),
        ("ldaps://dir.example", Fault.SCHEME),
        ("https://", Fault.HOST),
        ("https:///path", Fault.HOST),
        ("https://a..b", Fault.HOST),
        ("https://-a.example", Fault.HOST),
        ("https://idp.example%2fevil", Fault.HOST),
        ("https://2130706433/", Fault.HOST),
        ("https://0x7f000001/", Fault.HOST),
        ("https://0177.0.0.1/", Fault.HOST),
        ("https://127.1/", Fault.HOST),
        ("https://[fe80::1%25eth0]/", Fault.HOST),
        ("https://idp.example:0/", Fault.PORT),
        ("https://idp.example:65536/", Fault.PORT),
        ("https://idp.example:x/", Fault.PORT),
        ("https://user:word@idp.example/", Fault.CREDENTIALS),
        ("https://@idp.example/", Fault.CREDENTIALS),
        ("https://idp.example/?a=b", Fault.QUERY),
        ("https://idp.example/#a", Fault.QUERY),
        ("https://idp.example?", Fault.QUERY),
        ("http://idp.example", Fault.PLAIN_HTTP),
        ("http://10.0.0.1", Fault.PLAIN_HTTP),
    ],
)
def test_anything_else_is_refused_and_said_why(url: str, fault: Fault) -> None:
    assert fault_of(url, allow_private=True) is fault


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "idp.localhost",
        "127.0.0.1",
        "127.8.8.8",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "100.64.0.1",
        "[::1]",
        "[fd12::1]",
        "[::ffff:10.0.0.1]",
        "[64:ff9b::a00:1]",
        "[2002:a00:1::]",
    ],
)
def test_a_private_address_is_called_only_where_the_installation_allows_it(host: str) -> None:
    assert fault_of(f"https://{host}/") is Fault.PRIVATE
    assert fault_of(f"https://{host}/", allow_private=True) is None


@pytest.mark.parametrize(
    "host",
    [
        "0.0.0.0",  # noqa: S104 - not listened on
        "0.1.2.3",
        "169.254.169.254",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "100.100.100.200",
        "[::]",
        "[fe80::1]",
        "[ff02::1]",
        "[fd00:ec2::254]",
        "[fd20:ce::254]",
        "[fd00:c1::a9fe:a9fe]",
        "168.63.129.16",
        "[64:ff9b:1::a9fe:a9fe]",
        "[::ffff:169.254.169.254]",
        "[64:ff9b::a9fe:a9fe]",
        "[2002:a9fe:a9fe::]",
    ],
)
def test_some_places_are_never_called(host: str) -> None:
    assert fault_of(f"https://{host}/", allow_private=True) is Fault.FORBIDDEN


def test_plain_http_is_for_this_computer_only() -> None:
    assert fault_of("http://localhost:11434/v1", allow_private=True) is None
    assert fault_of("http://127.0.0.1:11434/v1", allow_private=True) is None
    assert fault_of("http://localhost:11434/v1") is Fault.PRIVATE


def test_a_directory_has_its_own_schemes_and_ports() -> None:
    assert check_address("ldaps://dir.example", allow_private=False, schemes=LDAP).port == 636
    assert check_address("ldap://dir.example", allow_private=False, schemes=LDAP).port == 389
    assert fault_of("https://dir.example", schemes=LDAP) is Fault.SCHEME


def test_a_refusal_repeats_nothing_of_the_address() -> None:
    with pytest.raises(AddressRefused) as refused:
        parse_address("https://someone:hunter2@idp.example/")

    assert "hunter2" not in f"{refused.value} {refused.value.sentence} {refused.value.params}"


async def test_a_name_that_leads_into_the_network_is_refused_even_if_only_once() -> None:
    async def resolver(_host: str, _port: int) -> list[str]:
        return ["8.8.8.8", "10.0.0.7"]

    with pytest.raises(AddressRefused) as refused:
        await resolve(parse_address("https://idp.example"), allow_private=False, resolver=resolver)

    assert refused.value.fault is Fault.PRIVATE


async def test_localhost_that_leads_elsewhere_gets_no_plain_http() -> None:
    async def resolver(_host: str, _port: int) -> list[str]:
        return ["8.8.8.8"]

    with pytest.raises(AddressRefused) as refused:
        await resolve(parse_address("http://localhost"), allow_private=True, resolver=resolver)

    assert refused.value.fault is Fault.PLAIN_HTTP


@pytest.mark.parametrize("answer", [[], ["no address"]])
async def test_an_unknown_name_is_a_failure(answer: list[str]) -> None:
    async def resolver(_host: str, _port: int) -> list[str]:
        return answer

    with pytest.raises(CallFailed, match="name"):
        await resolve(parse_address("https://idp.example"), allow_private=False, resolver=resolver)


def test_a_public_address_of_either_kind_passes() -> None:
    check_ip(ip_address("8.8.8.8"), allow_private=False)
    check_ip(ip_address("2606:4700::1111"), allow_private=False)
