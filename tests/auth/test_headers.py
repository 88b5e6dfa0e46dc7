"""What browsers may do with our answers: which scripts run, whether over TLS only, what is kept."""

import re

import pytest

from nova_ui.auth.password import Passwords
from nova_ui.settings import SecureCookies, Settings
from storage.database import Database
from tests.auth.people import AddPerson, SetClock
from tests.auth.site import Site, a_site
from tests.auth.test_guard import signed_in_visitor


async def test_a_page_gets_a_nonce_that_no_other_text_has(site: Site, add_person: AddPerson) -> None:
    """Abuse case 59."""
    await add_person("ada", nova_roles=["administrator"])
    visitor, _ = await signed_in_visitor(site)

    first, second = await visitor.get("/"), await visitor.get("/")

    policy = first.headers["content-security-policy"]
    nonce = re.search(r"'nonce-([^']+)'", policy)
    assert nonce is not None
    assert first.text.count(f'<script nonce="{nonce[1]}"') == 2
    assert first.text.count(f'<style nonce="{nonce[1]}"') == 1
    assert "<scripted>" in first.text
    assert "frame-ancestors 'none'" in policy
    rules = dict(rule.strip().partition(" ")[::2] for rule in policy.split(";"))
    assert rules["script-src"] == f"'nonce-{nonce[1]}' 'strict-dynamic' 'unsafe-eval'"
    assert rules["style-src-elem"] == f"'self' 'nonce-{nonce[1]}'"
    assert {rules[name] for name in ("default-src", "base-uri", "frame-ancestors")} == {"'none'"}
    assert {rules[name] for name in ("connect-src", "font-src", "form-action")} == {"'self'"}
    assert not any(other in policy for other in ("http:", "https:", "blob:", "*"))
    assert nonce[1] not in second.text


async def test_what_is_no_page_does_nothing_when_it_is_opened_as_one(site: Site, add_person: AddPerson) -> None:
    """Abuse case 59."""
    await add_person("ada", nova_roles=["administrator"])
    visitor, _ = await signed_in_visitor(site)

    for path in ("/api/v1/session", "/api/v1/nowhere"):
        policy = (await visitor.get(path)).headers["content-security-policy"]
        assert policy == (
            "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; "
            "frame-ancestors 'none'; sandbox"
        )


@pytest.mark.parametrize(
    ("wish", "base_url", "said"),
    [
        (SecureCookies.AUTO, "http://nova.example", None),
        (SecureCookies.AUTO, "https://nova.example", "max-age=31536000"),
        (SecureCookies.ALWAYS, "http://nova.example", "max-age=31536000; includeSubDomains"),
        (SecureCookies.NEVER, "https://nova.example", None),
    ],
)
async def test_browsers_are_told_to_keep_to_tls_where_it_is_certain(
    wish: SecureCookies, base_url: str, said: str | None, database: Database, passwords: Passwords
) -> None:
    site = a_site(database, SetClock(), passwords, Settings(secure_cookies=wish), _load_nothing)
    headers = {"x-forwarded-proto": "https"}  # which anybody can send

    for path in ("/sign-in", "/api/v1/me", "/nowhere"):
        answer = await site.visitor(base_url=base_url, headers=headers).get(path)
        assert answer.headers.get("strict-transport-security") == said


async def _load_nothing(_password: str) -> None:
    return


async def test_every_answer_carries_the_headers(site: Site, add_person: AddPerson) -> None:
    """Abuse case 59."""
    await add_person("ada", nova_roles=["administrator"])
    visitor, _ = await signed_in_visitor(site)
    answers = [
        await visitor.get("/"),
        await site.visitor().get("/"),
        await site.visitor().get("/sign-in"),
        await site.visitor().get("/api/v1/me"),
        await site.visitor().post("/sign-in", content=b"x" * 70_000),
    ]

    assert [answer.status_code for answer in answers] == [200, 303, 200, 401, 413]
    for answer in answers:
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["referrer-policy"] == "same-origin"
        policy = answer.headers["content-security-policy"]
        assert {"frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'"} <= set(policy.split("; "))
        assert "camera=()" in answer.headers["permissions-policy"]
