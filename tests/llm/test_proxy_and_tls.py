"""A profile's own certificates, proxy and headers, against real TLS servers and a real proxy on loopback."""

import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import SecretStr

from nova_ui.domain.ai_profile import ModelProfile
from nova_ui.domain.clock import SystemClock
from nova_ui.errors import FailureKind
from nova_ui.llm.guarded_transport import ProxyRoute, guarded_transport
from nova_ui.llm.port import ModelEvent
from nova_ui.llm.profiles import KeyedProfile, Provider
from nova_ui.outgoing.certificates import trusting_only
from tests.llm.peer import Peer, a_peer, ask, text_of
from tests.llm.requests import a_request
from tests.llm.test_profiles import HI, Names, a_profile
from tests.llm.tls import Authority, Proxy, a_proxy

CA = Authority()
OTHER = Authority("Another CA")
KEY = SecretStr("sk-house-key")


@asynccontextmanager
async def a_tls_peer(folder: Path, *names: str, authority: Authority = CA) -> AsyncIterator[Peer]:
    async with a_peer(HI, tls=authority.server_context(folder, *names)) as peer:
        yield peer


async def answer(profile: ModelProfile, **keyed: object) -> tuple[list[ModelEvent], FailureKind | None]:
    provider = Provider(KeyedProfile(profile=profile, api_key=KEY, **keyed), SystemClock())  # type: ignore[arg-type]  # the tests name its fields
    events, failure = await ask(provider.model(), a_request())
    await provider.aclose()
    return events, None if failure is None else failure.kind


def at(peer: Peer, *, trusts: Authority | None = CA, **fields: object) -> ModelProfile:
    pem = "" if trusts is None else trusts.pem
    return replace(a_profile(peer.url), ca_certificates=pem, **fields)  # type: ignore[arg-type]  # as above


async def test_a_server_with_a_certificate_of_the_own_authority_answers(tmp_path: Path) -> None:
    async with a_tls_peer(tmp_path) as peer:
        events, failure = await answer(at(peer))

    assert (text_of(events), failure) == ("Hi", None)
    assert "authorization: bearer sk-house-key" in peer.heads[0].lower()


@pytest.mark.parametrize("trusts", [None, OTHER], ids=["the public ones", "another one"])
async def test_a_certificate_of_anybody_else_gets_nothing(tmp_path: Path, trusts: Authority | None) -> None:
    async with a_tls_peer(tmp_path) as peer:
        _, failure = await answer(at(peer, trusts=trusts))

    assert failure is FailureKind.TLS
    assert peer.heads == []


async def test_a_certificate_for_another_name_gets_nothing(tmp_path: Path) -> None:
    async with a_tls_peer(tmp_path, "elsewhere.example") as peer:
        _, failure = await answer(at(peer))

    assert failure is FailureKind.TLS
    assert peer.heads == []


async def test_with_own_certificates_the_public_ones_are_trusted_no_more() -> None:
    context = trusting_only(CA.pem)

    assert [dict(one["subject"][0])["commonName"] for one in context.get_ca_certs()] == ["House CA"]  # type: ignore[arg-type]  # as ssl gives them


async def test_stored_certificates_that_can_not_be_read_trust_nobody(tmp_path: Path) -> None:
    async with a_tls_peer(tmp_path) as peer:
        _, failure = await answer(replace(at(peer), ca_certificates="edited"))

    assert failure is FailureKind.TLS
    assert peer.heads == []


def through(proxy: Proxy, peer: Peer, **fields: object) -> ModelProfile:
    return replace(at(peer), proxy_url=proxy.url, proxy_allow_private=True, **fields)  # type: ignore[arg-type]  # as above


async def test_a_proxy_is_asked_for_the_tunnel_and_reads_nothing_that_goes_through_it(tmp_path: Path) -> None:
    async with a_tls_peer(tmp_path) as peer, a_proxy(peer.port) as proxy:
        events, failure = await answer(
            through(proxy, peer, proxy_user="nova"), proxy_password=SecretStr("pass-word"), headers={"x-team": KEY}
        )

    assert (text_of(events), failure) == ("Hi", None)
    (head,) = proxy.heads
    assert head.startswith(f"CONNECT 127.0.0.1:{peer.port} HTTP/1.1")
    assert f"proxy-authorization: basic {base64.b64encode(b'nova:pass-word').decode()}".lower() in head.lower()
    assert "sk-house-key" not in head
    assert "proxy-authorization" not in peer.heads[0].lower()
    assert "x-team: sk-house-key" in peer.heads[0].lower()


async def test_a_proxy_over_tls_with_the_own_certificate_is_used_as_well(tmp_path: Path) -> None:
    async with a_tls_peer(tmp_path) as peer, a_proxy(peer.port, tls=CA.server_context(tmp_path)) as proxy:
        profile = through(proxy, peer, proxy_user="")
        events, failure = await answer(replace(profile, proxy_url=proxy.url.replace("http:", "https:")))

    assert (text_of(events), failure) == ("Hi", None)


async def test_a_certificate_is_checked_through_a_proxy_too(tmp_path: Path) -> None:
    async with a_tls_peer(tmp_path) as peer, a_proxy(peer.port) as proxy:
        _, failure = await answer(replace(through(proxy, peer), ca_certificates=OTHER.pem))

    assert failure is FailureKind.TLS
    assert peer.heads == []


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        ("407 Proxy Authentication Required", FailureKind.PROXY),
        ("403 Forbidden", FailureKind.PROXY),
        ("502 Bad Gateway", FailureKind.CONNECTION),
        ("503 Service Unavailable", FailureKind.CONNECTION),
    ],
)
async def test_what_a_proxy_refuses_is_told_apart_from_who_is_not_there(
    tmp_path: Path, status: str, kind: FailureKind
) -> None:
    async with a_tls_peer(tmp_path) as peer, a_proxy(peer.port, status=status) as proxy:
        _, failure = await answer(through(proxy, peer))

    assert failure is kind
    assert peer.heads == []


async def test_a_proxy_that_is_not_there_is_said_to_be_the_fault(tmp_path: Path) -> None:
    async with a_tls_peer(tmp_path) as peer:
        async with a_proxy(peer.port) as proxy:
            gone = through(proxy, peer)
        _, failure = await answer(gone)

    assert failure is FailureKind.PROXY
    assert peer.heads == []


async def test_a_proxy_in_the_house_is_called_only_where_that_is_allowed(tmp_path: Path) -> None:
    async with a_tls_peer(tmp_path) as peer, a_proxy(peer.port) as proxy:
        _, failure = await answer(replace(through(proxy, peer), proxy_allow_private=False))

    assert failure is FailureKind.CONNECTION
    assert proxy.heads == []


async def test_the_name_of_a_proxy_is_checked_where_it_leads(tmp_path: Path) -> None:
    async with a_tls_peer(tmp_path) as peer, a_proxy(peer.port) as proxy:
        route = ProxyRoute(url=f"http://proxy.example:{proxy.port}", allow_private=False)
        transport = guarded_transport(
            allow_private=True, resolver=Names("127.0.0.1"), trusted=trusting_only(CA.pem), proxy=route
        )
        provider = Provider(KeyedProfile(profile=at(peer)), SystemClock(), transport=transport)
        _, failure = await ask(provider.model(), a_request())
        await provider.aclose()

    assert failure is not None
    assert failure.kind is FailureKind.CONNECTION
    assert proxy.heads == []


@pytest.mark.parametrize(
    ("leads_to", "is_asked"),
    [("93.184.216.34", True), (None, True), ("169.254.169.254", False), ("10.0.0.5", False), ("127.0.0.1", False)],
)
async def test_a_target_behind_a_proxy_is_refused_where_its_name_is_known_to_lead_into_the_house(
    tmp_path: Path, leads_to: str | None, *, is_asked: bool
) -> None:
    """The proxy looks names up; what they lead to here is checked all the same, and unknown ones are the proxy's."""
    async with a_tls_peer(tmp_path, "models.example") as peer, a_proxy(peer.port) as proxy:
        transport = guarded_transport(
            allow_private=False,
            resolver=Names(leads_to) if leads_to else Unknown(),
            trusted=trusting_only(CA.pem),
            proxy=ProxyRoute(url=proxy.url, allow_private=True),
        )
        profile = replace(at(peer), base_url=f"https://models.example:{peer.port}/v1", allow_private=False)
        provider = Provider(KeyedProfile(profile=profile), SystemClock(), transport=transport)
        events, _ = await ask(provider.model(), a_request())
        await provider.aclose()

    assert bool(proxy.heads) is is_asked
    assert text_of(events) == ("Hi" if is_asked else "")


class Unknown(Names):
    """Knows no name."""

    def __init__(self) -> None:
        super().__init__("")

    async def resolve(self, *_: object) -> list[object]:  # type: ignore[override]  # it never gives any
        raise OSError("no such name")


async def test_nothing_unencrypted_goes_through_a_proxy() -> None:
    async with a_peer(HI) as peer, a_proxy(peer.port) as proxy:
        _, failure = await answer(through(proxy, peer))

    assert failure is FailureKind.CONNECTION
    assert (proxy.heads, peer.heads) == ([], [])


async def test_a_lost_header_value_or_password_sends_nothing(tmp_path: Path) -> None:
    async with a_tls_peer(tmp_path) as peer:
        _, failure = await answer(at(peer), key_is_lost=True)

    assert failure is FailureKind.CREDENTIALS
    assert peer.heads == []


async def test_an_added_header_never_takes_the_place_of_ours(tmp_path: Path) -> None:
    evil = {"authorization": SecretStr("Basic x"), "Host": SecretStr("else"), "content-type": SecretStr("text/plain")}
    async with a_tls_peer(tmp_path) as peer:
        await answer(at(peer), headers=evil)

    sent = peer.heads[0].lower()
    assert "authorization: bearer sk-house-key" in sent
    assert "basic x" not in sent
    assert "host: else" not in sent
    assert "content-type: application/json" in sent
