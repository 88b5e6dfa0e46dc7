"""What somebody tries at the door: doubled headers, slow bodies, a token that should be gone."""

import asyncio
import re
from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI

import app
from nova_ui.auth import body_limit
from nova_ui.auth.blocklist import is_guessable
from nova_ui.auth.body_limit import BodyLimit
from nova_ui.auth.totp import RECOVERY_CODES, new_recovery_codes, normal_recovery_code
from nova_ui.settings import Settings
from tests.auth.people import HOME, MAX_PER_NAME, PASSWORD, AddPerson, ReadLog
from tests.auth.site import BASE, Site
from tests.auth.test_guard import signed_in_visitor

SESSION = "/api/v1/session"


@pytest.mark.parametrize(
    "name", ["Host", "Authorization", "Content-Type", "Origin", "Sec-Fetch-Site", "X-CSRF-Token", "If-Match"]
)
async def test_a_header_that_readers_take_differently_may_come_once_only(
    site: Site, add_person: AddPerson, name: str
) -> None:
    await add_person("ada", nova_roles=["administrator"])
    token, _ = await site.auth.password_sign_in.sign_in("ada", PASSWORD, HOME)
    values = {"Host": "127.0.0.1", "Authorization": f"Bearer {token}", "Origin": BASE, "Sec-Fetch-Site": "same-origin"}
    one = [(key, value) for key, value in values.items() if key != name]
    twice = (name, values.get(name, "x"))

    once = await site.visitor().get(SESSION, headers=[*one, twice] if name != "Host" else one)
    doubled = await site.visitor().get(SESSION, headers=[*one, twice, twice])

    assert once.status_code == 200
    assert (doubled.status_code, doubled.json()["code"]) == (400, "validation_failed")


async def test_a_body_that_drips_in_is_not_waited_for(
    site: Site, add_person: AddPerson, monkeypatch: pytest.MonkeyPatch
) -> None:
    await add_person("ada", nova_roles=["administrator"])
    monkeypatch.setattr(body_limit, "BODY_WITHIN_S", 0.01)
    monkeypatch.setattr(body_limit, "SLOWEST_BYTES_PER_S", 10**9)
    visitor, _ = await signed_in_visitor(site)
    never = asyncio.Event()

    async def dripping() -> AsyncIterator[bytes]:
        yield b"x"
        await never.wait()

    async with asyncio.timeout(5):
        answer = await visitor.post("/chats", content=dripping())

    assert (answer.status_code, answer.json()["code"], answer.headers["connection"]) == (408, "too_slow", "close")
    assert site.seen == []


def test_a_large_body_has_the_time_that_its_size_takes() -> None:
    async def nothing(*_given: object) -> None:
        return

    assert BodyLimit(nothing, max_bytes=65_536)._within_s == body_limit.BODY_WITHIN_S
    assert BodyLimit(nothing, max_bytes=104_857_600)._within_s == 6_400


async def test_signing_in_again_ends_the_session_that_the_browser_had(
    site: Site, add_person: AddPerson, audit_log: ReadLog
) -> None:
    """Abuse case 65."""
    await add_person("ada", nova_roles=["administrator"])
    visitor = site.visitor()
    credentials = {"login": "ada", "password": PASSWORD}
    await visitor.post(SESSION, json=credentials)
    before = visitor.cookies["nova_session"]

    wrong = await visitor.post(SESSION, json={**credentials, "password": "wrong"})
    still = await site.auth.sessions.by_token(before)
    again = await visitor.post(SESSION, json=credentials)

    assert (wrong.status_code, again.status_code) == (401, 200)
    assert still is not None
    assert visitor.cookies["nova_session"] != before
    assert await site.auth.sessions.by_token(before) is None
    entries = await audit_log()
    (ended,) = [entry for entry in entries if entry.action == "session.ended"]
    (cause,) = [entry for entry in entries if entry.id == ended.caused_by]
    assert ended.details == {"reason": "signed_in_again"}
    assert cause.action == "session.started"
    assert cause.target_id != ended.target_id


async def test_a_script_that_signs_in_once_more_keeps_its_other_session(site: Site, add_person: AddPerson) -> None:
    await add_person("ada", nova_roles=["administrator"])
    token, _ = await site.auth.password_sign_in.sign_in("ada", PASSWORD, HOME)
    script = site.visitor(headers={"authorization": f"Bearer {token}"})

    again = await script.post(f"{SESSION}?token=true", json={"login": "ada", "password": PASSWORD})

    assert again.json()["token"] != token
    assert "set-cookie" not in again.headers  # what a page can read is never what a cookie holds
    assert await site.auth.sessions.by_token(token) is not None


def test_a_small_frame_of_a_socket_can_not_unpack_into_a_large_one() -> None:
    # Unpacking comes before `ws_max_size` is looked at.
    assert app.server_for(FastAPI(), Settings()).config.ws_per_message_deflate is False


async def test_a_page_never_reads_what_its_cookie_holds(site: Site, add_person: AddPerson) -> None:
    await add_person("ada", nova_roles=["administrator"])
    visitor = site.visitor()

    answer = await visitor.post(SESSION, json={"login": "ada", "password": PASSWORD})

    assert visitor.cookies["nova_session"] not in answer.text


async def test_what_is_tried_at_the_door_leaves_a_line_in_the_log(
    site: Site, add_person: AddPerson, caplog: pytest.LogCaptureFixture
) -> None:
    await add_person("ada", nova_roles=["administrator"])
    visitor, _ = await signed_in_visitor(site)
    await visitor.patch("/api/v1/me", headers={"X-CSRF-Token": "wrong"})
    for _ in range(MAX_PER_NAME + 1):
        await site.visitor().post(SESSION, json={"login": "ben", "password": "wrong"})

    told = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]

    assert told == ["csrf.refused", "sign_in.throttled"]
    assert "ben" not in caplog.text


@pytest.mark.parametrize("common", ["SonyEricsson", "minecraft123", "q1w2e3r4t5y6", "010203040506", "whosyourdaddy"])
def test_a_long_password_that_many_people_have_is_guessed(common: str) -> None:
    assert is_guessable(common)
    assert not is_guessable(f"{common}-Kranich-7")


def test_a_recovery_code_needs_no_slow_hash_and_earlier_ones_still_count() -> None:
    (code, *others) = new_recovery_codes()

    assert len(others) == RECOVERY_CODES - 1
    assert re.fullmatch(r"([A-Z2-7]{4}-){5}[A-Z2-7]{4}", code)  # 120 bits; below 112 a hash would have to be slow
    assert normal_recovery_code(code.lower()) == code.replace("-", "")
    assert normal_recovery_code("abcd-efgh-2345-ijkl") == "ABCDEFGH2345IJKL"
    assert normal_recovery_code(code[:-5]) is None
