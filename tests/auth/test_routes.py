"""Signing in, signing out and setting up, as a browser does it."""

import re

import httpx
import pytest

from nova_ui.settings import SecureCookies, Settings
from storage.database import Database
from tests.auth.people import HOME, MAX_PER_NAME, PASSWORD, AddPerson, SetClock
from tests.auth.plain_forms import ELSEWHERE, FROM_US, live_session, submit, token_in
from tests.auth.site import Site

ADMINISTRATOR = {
    "choice": "administrator",
    "display_name": "Ada  Lovelace",
    "user_name": "Ada",
    "password": PASSWORD,
    "repeated": PASSWORD,
}


async def test_signing_in_leads_to_where_one_wanted_to_go(site: Site, add_person: AddPerson) -> None:
    await add_person("ada", nova_roles=["administrator"])
    visitor = site.visitor()

    refused = await visitor.get("/chats?q=x")
    form = await visitor.get(refused.headers["location"])
    assert 'name="next" value="/chats?q=x"' in form.text
    entered = await submit(visitor, "/sign-in", {"login": "ada", "password": PASSWORD, "next": "/chats?q=x"})

    cookie = entered.headers["set-cookie"]
    assert (entered.status_code, entered.headers["location"]) == (303, "/chats?q=x")
    assert re.fullmatch(r"nova_session=nvs_[\w-]{43}; HttpOnly; Path=/; SameSite=lax", cookie)
    assert (await visitor.get("/chats?q=x")).status_code == 200
    assert (await visitor.get("/sign-in")).headers["location"] == "/"


@pytest.mark.parametrize("target", ["//evil.example", "https://evil.example/", "/\\evil.example", "\t//evil.example"])
async def test_signing_in_never_leads_to_another_site(site: Site, add_person: AddPerson, target: str) -> None:
    """Abuse case 65."""
    await add_person("ada", nova_roles=["administrator"])

    entered = await submit(site.visitor(), "/sign-in", {"login": "ada", "password": PASSWORD, "next": target})

    assert (entered.status_code, entered.headers["location"]) == (303, "/")


async def test_a_wrong_password_says_so_in_words_and_keeps_the_name(site: Site, add_person: AddPerson) -> None:
    await add_person("ada", nova_roles=["administrator"])
    visitor = site.visitor()

    wrong = await submit(visitor, "/sign-in", {"login": 'ada"><script>', "password": "wrong"})
    known = await submit(visitor, "/sign-in", {"login": "ada", "password": "wrong"})

    assert wrong.status_code == known.status_code == 401
    assert 'role="alert"' in wrong.text
    assert "Name or password is not correct." in wrong.text
    assert 'value="ada&quot;&gt;&lt;script&gt;"' in wrong.text
    assert "<script" not in wrong.text
    assert "wrong" not in re.sub(r'form_token" value="[^"]*"', "", known.text)
    assert await live_session(site, visitor) is None


async def test_too_many_attempts_say_how_long_to_wait(site: Site, add_person: AddPerson, clock: SetClock) -> None:
    await add_person("ada", nova_roles=["administrator"])
    visitor = site.visitor()
    for _ in range(MAX_PER_NAME):
        await submit(visitor, "/sign-in", {"login": "ada", "password": "wrong"})

    throttled = await submit(visitor, "/sign-in", {"login": "ada", "password": PASSWORD})
    clock.advance(minutes=15)
    entered = await submit(visitor, "/sign-in", {"login": "ada", "password": PASSWORD})

    assert (throttled.status_code, throttled.headers["retry-after"]) == (429, "900")
    assert "Please wait 15 minutes" in throttled.text
    assert entered.status_code == 303


@pytest.mark.parametrize(
    "case", ["no token", "no cookie", "other cookie", "foreign origin", "foreign site", "json", "plain"]
)
async def test_a_form_from_elsewhere_signs_nobody_in(site: Site, add_person: AddPerson, case: str) -> None:
    await add_person("ada", nova_roles=["administrator"])
    visitor = site.visitor()
    fields = {"login": "ada", "password": PASSWORD, "form_token": token_in(await visitor.get("/sign-in"))}
    headers = dict(FROM_US)
    match case:
        case "no token":
            del fields["form_token"]
        case "no cookie":
            visitor.cookies.clear()
        case "other cookie":
            await (other := site.visitor()).get("/sign-in")
            visitor.cookies = other.cookies
        case "foreign origin":
            headers = {"origin": "http://evil.example"}
        case "foreign site":
            headers = {"sec-fetch-site": "same-site"}
        case "plain":
            headers["content-type"] = "text/plain"
        case _:
            pass
    sent = {"json": fields} if case == "json" else {"data": fields}

    refused = await visitor.post("/sign-in", headers=headers, **sent)  # type: ignore[arg-type] # one of both

    assert refused.status_code == 403
    assert "This form has expired. Please try again." in refused.text
    assert await live_session(site, visitor) is None
    assert (await submit(visitor, "/sign-in", {"login": "ada", "password": PASSWORD})).status_code == 303


async def test_a_planted_session_does_not_survive_signing_in(site: Site, add_person: AddPerson) -> None:
    """Abuse case 65."""
    await add_person("ada", nova_roles=["administrator"])
    await add_person("ben")
    planted, bens = await site.auth.password_sign_in.sign_in("ben", PASSWORD, HOME)
    visitor = site.visitor()
    form_token = token_in(await visitor.get("/sign-in"))
    visitor.cookies.set("nova_session", planted)

    await visitor.post(
        "/sign-in", data={"login": "ada", "password": PASSWORD, "form_token": form_token}, headers=FROM_US
    )

    issued = [cookie.value for cookie in visitor.cookies.jar if cookie.name == "nova_session"]
    assert issued != [planted]
    assert await site.auth.sessions.by_id(bens.session_id) is None
    assert await site.auth.sessions.by_token(planted) is None


async def test_signing_out_needs_the_token_of_the_own_session(site: Site, add_person: AddPerson) -> None:
    await add_person("ada", nova_roles=["administrator"])
    _, other = await site.auth.password_sign_in.sign_in("ada", PASSWORD, HOME)
    visitor = site.visitor()
    await submit(visitor, "/sign-in", {"login": "ada", "password": PASSWORD})
    live = await live_session(site, visitor)
    assert live is not None

    async def sign_out(token: str | None, headers: dict[str, str] = FROM_US) -> httpx.Response:
        fields = {} if token is None else {"csrf_token": token}
        return await visitor.post("/sign-out", data=fields, headers=headers)

    for refused in (
        await sign_out(None),
        await sign_out("wrong"),
        await sign_out(other.csrf_token),
        await sign_out(live.csrf_token, ELSEWHERE),
    ):
        assert refused.status_code == 403
    assert await live_session(site, visitor) is not None
    done = await sign_out(live.csrf_token)

    assert (done.status_code, done.headers["location"]) == (303, "/sign-in")
    assert done.headers["clear-site-data"] == '"storage"'
    assert await site.auth.sessions.by_id(live.session_id) is None
    assert await site.auth.sessions.by_id(other.session_id) is not None
    assert "nova_session" not in visitor.cookies


async def test_a_link_to_sign_out_asks_first_in_ones_own_language(site: Site, add_person: AddPerson) -> None:
    await add_person("ada", nova_roles=["administrator"], preferred_language="de")
    visitor = site.visitor()
    await submit(visitor, "/sign-in", {"login": "ada", "password": PASSWORD})

    asked = await visitor.get("/sign-out", headers={"accept-language": "en"})
    assert "Abmelden" in asked.text
    token = re.search(r'name="csrf_token" value="([^"]+)"', asked.text)
    assert token is not None
    assert await live_session(site, visitor) is not None
    await visitor.post("/sign-out", data={"csrf_token": token[1]}, headers=FROM_US)

    assert await live_session(site, visitor) is None
    assert (await visitor.get("/sign-out")).headers["location"] == "/sign-in"


async def test_what_no_database_can_hold_is_no_form(site: Site, add_person: AddPerson) -> None:
    created = await submit(site.visitor(), "/setup", {**ADMINISTRATOR, "display_name": "Ada\0"})
    assert created.status_code == 403
    assert await site.auth.setup.is_open()
    await add_person("ada", nova_roles=["administrator"])

    refused = await submit(site.visitor(), "/sign-in", {"login": "ada\0", "password": PASSWORD})

    assert refused.status_code == 403


@pytest.mark.parametrize(
    ("wish", "base_url", "is_secure"),
    [
        (SecureCookies.AUTO, "http://127.0.0.1", False),
        (SecureCookies.AUTO, "https://nova.example", True),
        (SecureCookies.ALWAYS, "http://127.0.0.1", True),
        (SecureCookies.NEVER, "https://nova.example", False),
    ],
)
async def test_behind_tls_cookies_go_over_tls_only(
    site: Site, add_person: AddPerson, wish: SecureCookies, base_url: str, *, is_secure: bool
) -> None:
    await add_person("ada", nova_roles=["administrator"])
    site.auth.cookies.__init__(Settings(secure_cookies=wish))  # type: ignore[misc] # the site is built already
    visitor = site.visitor(base_url=base_url)
    page = await visitor.get("/sign-in")
    cookies = {"cookie": page.headers["set-cookie"].partition(";")[0]}

    entered = await visitor.post(
        "/sign-in",
        data={"login": "ada", "password": PASSWORD, "form_token": token_in(page)},
        headers={"origin": base_url, **cookies},
    )

    assert ("Secure" in page.headers["set-cookie"]) is is_secure
    assert ("Secure" in entered.headers["set-cookie"]) is is_secure


@pytest.mark.parametrize(
    "said", [{"x-forwarded-proto": "https", "origin": "http://127.0.0.1"}, {"origin": "https://127.0.0.1"}]
)
async def test_behind_a_tls_proxy_that_nobody_named_cookies_go_over_tls_only_as_well(
    site: Site, add_person: AddPerson, said: dict[str, str]
) -> None:
    await add_person("ada", nova_roles=["administrator"])
    visitor = site.visitor()
    page = await visitor.get("/sign-in", headers=said)
    cookies = {"cookie": page.headers["set-cookie"].partition(";")[0]}

    entered = await visitor.post(
        "/sign-in",
        data={"login": "ada", "password": PASSWORD, "form_token": token_in(page)},
        headers={**said, **cookies},
    )

    assert entered.status_code == 303
    assert "Secure" in page.headers["set-cookie"]
    assert "Secure" in entered.headers["set-cookie"]


async def test_both_languages_are_spoken(site: Site, add_person: AddPerson) -> None:
    await add_person("ada", nova_roles=["administrator"])
    visitor = site.visitor(headers={"accept-language": "fr;q=0.9, de-AT;q=0.8, en;q=0.1"})

    german = await visitor.get("/sign-in?next=/chats")
    chosen = await visitor.get("/sign-in?next=/chats&lang=en")
    remembered = await visitor.get("/sign-in")
    wrong = await submit(site.visitor(headers={"accept-language": "de"}), "/sign-in", {"login": "x", "password": "x"})

    assert '<html lang="de">' in german.text
    assert "Anmelden" in german.text
    assert 'href="/sign-in?next=%2Fchats&amp;lang=en"' in german.text
    assert '<html lang="en">' in chosen.text
    assert '<html lang="en">' in remembered.text
    assert "Name oder Passwort ist nicht richtig." in wrong.text


async def test_the_pages_for_strangers_run_no_script_and_label_every_field(site: Site) -> None:
    page = await site.visitor().get("/setup")

    inputs = re.findall(r'<input id="([^"]+)"', page.text)
    assert "script-src" not in page.headers["content-security-policy"]
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert len(inputs) == len(set(inputs)) == 5
    assert set(re.findall(r'<label for="([^"]+)"', page.text)) == set(inputs)


async def test_health_is_plain_json_and_readiness_tells_what_is_missing(site: Site, database: Database) -> None:
    visitor = site.visitor()

    live, ready = await visitor.get("/healthz"), await visitor.get("/readyz")
    database.check = _broken  # type: ignore[method-assign] # a database that is away
    unready = await visitor.get("/readyz")

    assert (live.status_code, live.json()) == (200, {"status": "ok"})
    assert (ready.status_code, ready.json()["checks"]) == (200, {"database": "ok", "keys": "ok"})
    assert (unready.status_code, unready.json()["checks"]) == (503, {"database": "unusable", "keys": "ok"})


async def _broken() -> None:
    raise OSError("no such file: a secret path")
