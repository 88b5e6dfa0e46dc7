"""A call to another system: to the address that was checked, bounded, following nothing."""

import asyncio
import ssl
from collections.abc import Sequence
from pathlib import Path

import pytest

from nova_ui.outgoing.address import AddressRefused
from nova_ui.outgoing.client import Outgoing, OutgoingLimits
from nova_ui.outgoing.failing import CallFailed, Failure
from nova_ui.outgoing.ldap import START_TLS
from tests.fakes.outside import answering, certificates, http, listening

QUICK = OutgoingLimits(total_s=0.5, connect_s=0.5, max_bytes=1_000)
# LDAPMessage { messageID 1, extendedResp { resultCode success, matchedDN "", diagnosticMessage "" } }
AGREED = b"\x30\x0c\x02\x01\x01\x78\x07\x0a\x01\x00\x04\x00\x04\x00"
DECLINED = AGREED.replace(b"\x0a\x01\x00", b"\x0a\x01\x34")


def an_outgoing(*, allow_private: bool = True, trusted: ssl.SSLContext | None = None) -> Outgoing:
    async def resolver(_host: str, _port: int) -> Sequence[str]:
        return ["127.0.0.1"]

    return Outgoing(allow_private=allow_private, limits=QUICK, resolver=resolver, trusted=trusted)


async def failure_of(url: str, outgoing: Outgoing | None = None) -> Failure:
    with pytest.raises(CallFailed) as failed:
        await (outgoing or an_outgoing()).fetch(url)
    return failed.value.failure


async def test_an_answer_is_read_with_the_headers_given() -> None:
    async with answering(http(b'{"a": 1}')) as outside:
        fetched = await an_outgoing().fetch(f"http://localhost:{outside.port}/x", headers={"authorization": "Bearer b"})

    assert (fetched.status, fetched.json_object()) == (200, {"a": 1})
    assert outside.heads[0].startswith("GET /x HTTP/1.1")
    assert f"host: localhost:{outside.port}" in outside.heads[0].lower()
    assert "authorization: Bearer b" in outside.heads[0]


async def test_the_call_goes_to_the_address_that_was_checked_and_looks_up_once(tmp_path: Path) -> None:
    asked = []

    async def resolver(host: str, _port: int) -> Sequence[str]:
        asked.append(host)
        return ["127.0.0.1"] if len(asked) == 1 else ["8.8.8.8"]

    server, trusted = certificates(tmp_path, "idp.example")
    async with answering(http(b"{}"), server) as outside:
        outgoing = Outgoing(allow_private=True, limits=QUICK, resolver=resolver, trusted=trusted)
        fetched = await outgoing.fetch(f"https://idp.example:{outside.port}/")

    assert fetched.status == 200
    assert asked == ["idp.example"]


async def test_a_certificate_of_another_name_is_not_trusted(tmp_path: Path) -> None:
    server, trusted = certificates(tmp_path, "idp.example")
    async with answering(http(b"{}"), server) as outside:
        url = f"https://other.example:{outside.port}/"
        unverified = await an_outgoing().fetch(url, verify_tls=False)

        assert await failure_of(url, an_outgoing(trusted=trusted)) is Failure.TLS
        assert await failure_of(url) is Failure.TLS
        assert unverified.status == 200


async def test_nothing_is_sent_to_a_private_address_that_is_not_allowed() -> None:
    async with answering(http(b"{}")) as outside:
        with pytest.raises(AddressRefused):
            await an_outgoing(allow_private=False).fetch(f"https://idp.example:{outside.port}/")

    assert outside.heads == []


@pytest.mark.parametrize(
    ("answer", "failure"),
    [
        (http(b"", "302 Found", Location="https://evil.example/"), Failure.REDIRECT),
        (http(b"x" * 1_001), Failure.TOO_MUCH),
        (http(b"x", Content_Encoding="gzip"), Failure.PROTOCOL),
        (b"SSH-2.0-OpenSSH_9\r\n\r\n", Failure.PROTOCOL),
        (b"", Failure.PROTOCOL),
    ],
)
async def test_whatever_else_comes_back_is_a_failure(answer: bytes, failure: Failure) -> None:
    async with answering(answer) as outside:
        assert await failure_of(f"http://127.0.0.1:{outside.port}/") is failure


async def test_a_slow_host_is_not_waited_for() -> None:
    async with answering(http(b"{}"), wait_s=5.0) as outside:
        assert await failure_of(f"http://127.0.0.1:{outside.port}/") is Failure.TIMEOUT


async def test_a_closed_port_is_a_failed_connection() -> None:
    async with answering(b"") as outside:
        port = outside.port

    assert await failure_of(f"http://127.0.0.1:{port}/") is Failure.CONNECTION


@pytest.mark.parametrize("body", [b"[]", b"no", b"[" * 900, b"\xff"])
async def test_a_body_that_is_no_json_object_is_a_failure(body: bytes) -> None:
    async with answering(http(body)) as outside:
        fetched = await an_outgoing().fetch(f"http://127.0.0.1:{outside.port}/")

    with pytest.raises(CallFailed):
        fetched.json_object()


async def test_a_directory_is_reached_with_tls_from_the_start(tmp_path: Path) -> None:
    server, trusted = certificates(tmp_path, "dir.example")

    async def handle(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        await reader.read()

    async with listening(handle, server) as port:
        await an_outgoing(trusted=trusted).reach(f"ldaps://dir.example:{port}", starting_tls=False)
        with pytest.raises(CallFailed, match="tls"):
            await an_outgoing().reach(f"ldaps://dir.example:{port}", starting_tls=False)


@pytest.mark.parametrize(
    ("answer", "failure"),
    [
        (AGREED, None),
        (DECLINED, Failure.PROTOCOL),
        (AGREED.replace(b"\x78", b"\x61"), Failure.PROTOCOL),
        (b"\x30\x84\xff\xff\xff\xff", Failure.PROTOCOL),
        (b"\x30\x82\xff\xff", Failure.TOO_MUCH),
        (b"HTTP/1.1 400 Bad Request", Failure.PROTOCOL),
    ],
)
async def test_a_directory_is_asked_to_encrypt(tmp_path: Path, answer: bytes, failure: Failure | None) -> None:
    server, trusted = certificates(tmp_path, "dir.example")
    asked = []

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readexactly(len(START_TLS)))
        writer.write(answer)
        await writer.drain()
        if failure is None:
            await writer.start_tls(server)
        await reader.read()

    reached = None
    async with listening(handle) as port:
        try:
            await an_outgoing(trusted=trusted).reach(f"ldap://dir.example:{port}", starting_tls=True)
        except CallFailed as failed:
            reached = failed.failure

    assert asked == [START_TLS]
    assert reached is failure
