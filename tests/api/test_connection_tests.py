"""Testing a connection: what the other end says is checked, nothing is changed there, and nothing of it is repeated."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import pytest

from nova_ui.outgoing.client import Outgoing, OutgoingLimits
from storage.nova.application_tables import ConnectionRow, secret_place
from tests.api.site import Site, a_connection, an_application
from tests.fakes.outside import Outside, answering, http, listening

TOKEN = "hunter2-never-shown"
SCIM_CONFIG = {"schemas": ["urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"], "patch": {"supported": True}}


async def connected(site: Site, kind: str, settings: dict[str, object], **fields: object) -> str:
    application = an_application()
    key = application.id
    await site.add(application)
    await site.add(a_connection(key, kind=kind, settings=settings, **fields))
    return key


async def the_test_of(site: Site, key: str) -> dict[str, object]:
    answer = await site.call("mara", f"POST /applications/{key}/test")
    assert answer.status_code == 200, answer.text
    shown: dict[str, object] = answer.json()
    row = await site.get(ConnectionRow, key)
    assert row.test_state == shown["state"]
    assert row.version == 1, "a test changes nothing that somebody edits"
    return shown


@asynccontextmanager
async def a_provider(**changed: object) -> AsyncIterator[Outside]:
    """An OIDC provider; `{port}` in its words stands for its own."""
    outside = Outside()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        outside.heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
        base = f"http://localhost:{outside.port}/realm"
        said = {"issuer": base, "authorization_endpoint": f"{base}/a", "token_endpoint": f"{base}/t", **changed}
        writer.write(http(json.dumps(said).encode()))
        await writer.drain()

    async with listening(handle) as port:
        outside.port = port
        yield outside


async def test_an_issuer_that_answers_as_itself_is_ok(site: Site) -> None:
    async with a_provider() as outside:
        key = await connected(site, "oidc", {"issuer": f"http://localhost:{outside.port}/realm"})
        shown = await the_test_of(site, key)

    assert (shown["state"], shown["code"]) == ("ok", "ok")
    assert outside.heads[0].startswith("GET /realm/.well-known/openid-configuration HTTP/1.1")
    assert await site.entries() == []
    seen = (await site.call("paul", f"GET /applications/{key}")).json()
    assert (seen["connection_state"], seen["connection_tested_at"]) == ("ok", "2026-03-02T09:00:00Z")


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"issuer": "https://another.example"}, "issuer"),
        ({"token_endpoint": None}, "no_provider"),
        ({"authorization_endpoint": "javascript:alert(1)"}, "no_provider"),
    ],
)
async def test_a_provider_that_says_something_else_fails(site: Site, changed: dict[str, object], code: str) -> None:
    async with a_provider(**changed) as outside:
        key = await connected(site, "oidc", {"issuer": f"http://localhost:{outside.port}/realm"})
        shown = await the_test_of(site, key)

    assert (shown["state"], shown["code"]) == ("failing", code)
    assert "another.example" not in json.dumps(shown)


async def test_a_service_is_asked_with_its_token_and_the_token_is_nowhere_else(site: Site) -> None:
    async with answering(http(json.dumps(SCIM_CONFIG).encode())) as outside:
        settings: dict[str, object] = {"base_url": f"http://localhost:{outside.port}/v2/", "verify_tls": True}
        key = await connected(site, "scim", settings)
        sealed = site.encryption.seal(TOKEN, secret_place("bearer_token", key))
        async with site.database.transaction() as session:
            (await session.get_one(ConnectionRow, key)).bearer_token = sealed
        shown = await the_test_of(site, key)

    assert shown["code"] == "ok"
    assert outside.heads[0].startswith("GET /v2/ServiceProviderConfig HTTP/1.1")
    assert f"authorization: Bearer {TOKEN}" in outside.heads[0]
    assert TOKEN not in json.dumps(shown)


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (http(TOKEN.encode(), "401 Unauthorized"), "credentials"),
        (http(b"", "403 Forbidden"), "credentials"),
        (http(b"", "404 Not Found"), "status"),
        (http(TOKEN.encode(), "500 Internal Server Error"), "status"),
        (http(b"{}"), "no_scim"),
        (http(b"<html>"), "no_scim"),
        (http(b"", "307 Temporary Redirect", Location="https://evil.example"), "redirect"),
        (http(b"x" * 300_000), "too_much"),
    ],
)
async def test_a_service_that_answers_otherwise_fails_in_our_words(site: Site, answer: bytes, code: str) -> None:
    async with answering(answer) as outside:
        key = await connected(site, "scim", {"base_url": f"http://localhost:{outside.port}"})
        shown = await the_test_of(site, key)

    assert (shown["state"], shown["code"]) == ("failing", code)
    assert shown["detail"]
    assert TOKEN not in json.dumps(shown)


async def test_a_secret_that_does_not_open_is_said_and_not_sent(site: Site) -> None:
    async with answering(http(b"{}")) as outside:
        key = await connected(site, "scim", {"base_url": f"http://localhost:{outside.port}"}, bearer_token="enc:moved")
        shown = await the_test_of(site, key)

    assert shown["code"] == "secret"
    assert outside.heads == []


async def test_a_directory_on_this_computer_is_reached(site: Site) -> None:
    async def handle(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        await reader.read()

    async with listening(handle) as port:
        key = await connected(site, "ldap", {"url": f"ldap://localhost:{port}", "start_tls": False})
        shown = await the_test_of(site, key)

    assert shown["state"] == "ok"


async def test_settings_taken_over_without_an_issuer_are_incomplete(site: Site) -> None:
    key = await connected(site, "oidc", {"issuer": None, "client_id": "crm"})

    assert (await the_test_of(site, key))["code"] == "incomplete"


async def test_nothing_is_called_within_a_network_that_is_not_allowed(site: Site) -> None:
    async def resolver(_host: str, _port: int) -> Sequence[str]:
        return ["127.0.0.1"]

    guarded = Outgoing(allow_private=False, limits=OutgoingLimits(total_s=2.0), resolver=resolver)
    before = site.nova.connection_tests._outgoing
    async with answering(http(b"{}")) as outside:
        key = await connected(site, "scim", {"base_url": f"https://scim.partner.example:{outside.port}"})
        site.nova.connection_tests._outgoing = guarded
        try:
            shown = await the_test_of(site, key)
        finally:
            site.nova.connection_tests._outgoing = before

    assert shown["code"] == "address_private"
    assert outside.heads == []


async def test_a_connection_changed_during_its_test_stays_untested(site: Site) -> None:
    body = {"kind": "scim", "base_url": "https://scim.partner.example"}

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        assert (await site.call("otto", f"PUT /applications/{key}/connection", body=body)).status_code == 200
        writer.write(http(json.dumps(SCIM_CONFIG).encode()))
        await writer.drain()

    async with listening(handle) as port:
        key = await connected(site, "scim", {"base_url": f"http://localhost:{port}"})
        answer = await site.call("mara", f"POST /applications/{key}/test")

    assert answer.json()["state"] == "ok"
    assert (await site.get(ConnectionRow, key)).test_state == "untested"


async def test_an_application_without_a_connection_has_nothing_to_test(site: Site) -> None:
    application = an_application()
    key = application.id
    await site.add(application)

    answer = await site.call("mara", f"POST /applications/{key}/test")

    assert (answer.status_code, answer.json()["code"]) == (409, "state_conflict")
