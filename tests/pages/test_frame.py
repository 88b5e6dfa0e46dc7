import pytest
from nicegui import Client

from nova_ui.auth.build import NICEGUI_STATIC
from tests.pages.conftest import Visitor


@pytest.mark.parametrize("path", ["/", "/chats", "/monitoring/audit-log", "/administration/assistants", "/me"])
async def test_every_page_opens_for_an_administrator(visitor: Visitor, path: str) -> None:
    mara = await visitor("mara.koenig")

    await mara.open(path)

    await mara.should_see("Mara König")
    await mara.should_see("Audit log")


async def test_the_side_bar_shows_what_one_may_open(visitor: Visitor) -> None:
    paul, tim = await visitor("paul.adler"), await visitor("tim.vogt")

    await paul.open("/me")
    await paul.should_see("Audit log")
    await paul.should_not_see("AI assistants")

    await tim.open("/me")
    await tim.should_see("Chat history")
    await tim.should_not_see("Audit log")


@pytest.mark.parametrize("path", ["/administration/assistants", "/monitoring/audit-log", "/no-such-page"])
async def test_a_page_one_may_not_open_answers_like_one_that_does_not_exist(visitor: Visitor, path: str) -> None:
    tim = await visitor("tim.vogt")

    answer = await tim.http_client.get(path)

    assert answer.status_code == 404
    assert "There is no such page, or it is not open to you." in answer.text


async def test_a_stranger_gets_no_page_of_nicegui(visitor: Visitor) -> None:
    tim = await visitor("tim.vogt")
    tim.http_client.cookies.clear()

    answer = await tim.http_client.get("/")

    assert (answer.status_code, answer.headers["location"].split("?")[0]) == (303, "/sign-in")


@pytest.mark.parametrize("path", ["nope", "esm/x", "static/../x", "../nope"])
async def test_a_stranger_who_asks_for_a_file_that_is_not_there_gets_no_page_either(
    visitor: Visitor, path: str
) -> None:
    tim = await visitor("tim.vogt")
    tim.http_client.cookies.clear()
    before = len(Client.instances)

    answer = await tim.http_client.get(f"{NICEGUI_STATIC}{path}")

    assert answer.status_code in {401, 404}
    assert b"<html" not in answer.content
    assert len(Client.instances) == before


@pytest.mark.parametrize("path", ["/api/v1/groups/", "/api/v1/me/", "/assets", "/chats/"])
async def test_no_answer_leads_to_the_host_that_a_request_named(visitor: Visitor, path: str) -> None:
    """Abuse case 65."""
    tim = await visitor("tim.vogt")

    answer = await tim.http_client.get(path, headers={"host": "evil.example"})

    assert "location" not in answer.headers
    assert answer.status_code == 404


async def test_the_way_out_is_a_form_with_a_token(visitor: Visitor) -> None:
    tim = await visitor("tim.vogt")

    answer = await tim.http_client.get("/me")

    token = (await tim.http_client.get("/api/v1/session")).json()["csrf_token"]
    assert token in answer.text
    out = await tim.http_client.post(
        "/sign-out", data={"csrf_token": token}, headers={"origin": "http://127.0.0.1:8080"}
    )
    assert out.status_code == 303
    assert (await tim.http_client.get("/me")).status_code == 303


async def test_nothing_answers_to_methods_that_repeat_or_list(visitor: Visitor) -> None:
    tim = await visitor("tim.vogt")
    paths = ("/", "/sign-in", "/healthz", "/assets/nova.css", "/api/v1/session", "/assets/")

    traced = [(await tim.http_client.request("TRACE", path)).status_code for path in paths]
    listed = await tim.http_client.get("/assets/")

    assert set(traced) == {405}
    assert listed.status_code == 404
