"""`/api/v1/session`, as a script and as a browser use it."""

import httpx
import pytest

from nova_ui.domain.assistant import AssistantKey
from nova_ui.nova_client.origin import Delegation, Origin, marked
from tests.auth.people import HOME, MAX_PER_NAME, PASSWORD, AddPerson, ReadLog
from tests.auth.site import BASE, Site

SESSION = "/api/v1/session"
CREDENTIALS = {"login": "ada", "password": PASSWORD}


async def test_signing_in_says_who_one_is_and_sets_the_cookie(site: Site, add_person: AddPerson) -> None:
    ada = await add_person("ada", nova_roles=["administrator"], preferred_language="de")
    visitor = site.visitor()

    entered = await visitor.post(SESSION, json=CREDENTIALS)
    asked = await visitor.get(SESSION)

    assert entered.status_code == 200
    assert entered.json()["identity"] == {
        "id": ada,
        "user_name": "ada",
        "display_name": "Ada",
        "roles": ["administrator", "user"],
        "language": "de",
    }
    assert "HttpOnly" in entered.headers["set-cookie"]
    assert "token" not in entered.json()
    assert asked.json() == entered.json()


async def test_a_script_gets_its_token_and_needs_no_csrf_token(site: Site, add_person: AddPerson) -> None:
    await add_person("ada", nova_roles=["administrator"])
    token = (await site.visitor().post(f"{SESSION}?token=true", json=CREDENTIALS)).json()["token"]
    script = site.visitor(headers={"authorization": f"Bearer {token}"})

    assert (await script.get(SESSION)).json()["identity"]["user_name"] == "ada"
    assert (await script.delete(SESSION)).status_code == 204
    assert (await script.get(SESSION)).json()["code"] == "session_ended"


async def test_signing_out_with_the_cookie_needs_the_csrf_token(
    site: Site, add_person: AddPerson, audit_log: ReadLog
) -> None:
    await add_person("ada", nova_roles=["administrator"])
    visitor = site.visitor()
    csrf_token = (await visitor.post(SESSION, json=CREDENTIALS)).json()["csrf_token"]

    refused = await visitor.delete(SESSION)
    still = await visitor.get(SESSION)
    done = await visitor.delete(SESSION, headers={"X-CSRF-Token": csrf_token})

    assert (refused.status_code, refused.json()["code"], still.status_code) == (403, "csrf_failed", 200)
    assert done.status_code == 204
    assert "nova_session" not in visitor.cookies
    assert [entry.action for entry in await audit_log()] == ["session.started", "session.ended"]


async def test_a_wrong_password_and_too_many_of_them_are_problems(site: Site, add_person: AddPerson) -> None:
    await add_person("ada", nova_roles=["administrator"])
    visitor = site.visitor()

    wrong = [await visitor.post(SESSION, json={**CREDENTIALS, "password": "wrong"}) for _ in range(MAX_PER_NAME)]
    throttled = await visitor.post(SESSION, json=CREDENTIALS)

    assert {(answer.status_code, answer.json()["code"]) for answer in wrong} == {(401, "sign_in_failed")}
    assert (throttled.status_code, throttled.json()["code"]) == (429, "too_many_attempts")
    assert throttled.headers["retry-after"] == str(throttled.json()["retry_after"]) == "900"


@pytest.mark.parametrize(
    "body", [{}, {"login": "ada"}, {**CREDENTIALS, "role": "administrator"}, {**CREDENTIALS, "password": 7}, [], "x"]
)
async def test_a_malformed_body_is_a_problem_that_repeats_no_value(
    site: Site, add_person: AddPerson, body: object
) -> None:
    await add_person("ada", nova_roles=["administrator"])

    refused = await site.visitor().post(SESSION, json=body)

    assert refused.status_code == 422
    assert refused.headers["content-type"] == "application/problem+json"
    assert PASSWORD not in refused.text


async def test_a_page_of_another_site_signs_nobody_in(site: Site, add_person: AddPerson) -> None:
    await add_person("ada", nova_roles=["administrator"])
    visitor = site.visitor()

    foreign = await visitor.post(SESSION, json=CREDENTIALS, headers={"origin": "http://evil.example"})
    as_form = await visitor.post(
        SESSION, content=b'{"login":"ada","password":"x"}', headers={"content-type": "text/plain"}
    )
    own = await visitor.post(SESSION, json=CREDENTIALS, headers={"origin": BASE})

    assert (foreign.status_code, foreign.json()["code"]) == (403, "csrf_failed")
    assert as_form.status_code == 422
    assert own.status_code == 200


async def test_b6_no_chat_signs_in_or_out(site: Site, add_person: AddPerson) -> None:
    await add_person("ada", nova_roles=["administrator"])
    _, signed_in = await site.auth.password_sign_in.sign_in("ada", PASSWORD, HOME)
    api = next(route.app for route in site.app.routes if getattr(route, "path", "") == "/api/v1")  # type: ignore[attr-defined] # the mount

    def inside(origin: Origin) -> httpx.AsyncClient:
        delegation = Delegation(session_id=signed_in.session_id, origin=origin)
        return httpx.AsyncClient(transport=httpx.ASGITransport(marked(api, delegation)), base_url=BASE)

    chat = inside(Origin(assistant_key=AssistantKey("admin")))
    assert (await chat.post("/session", json=CREDENTIALS)).json()["code"] == "interface_only"
    assert (await chat.delete("/session")).json()["code"] == "interface_only"
    assert (await chat.get("/session")).json()["identity"]["user_name"] == "ada"
    assert (await inside(Origin()).delete("/session")).status_code == 204
