"""Nobody comes past the guard: not as a stranger, not with an ended session, not to another's page."""

from collections.abc import AsyncIterator

import httpx
import pytest
from starlette.types import Message, Receive, Scope, Send

from nova_ui.auth.build import NICEGUI_STATIC
from nova_ui.auth.guard import LivePage, SessionGuard, Verdict, Visitor, decide, safe_next
from nova_ui.auth.session import SignedIn
from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.identity import SessionId
from nova_ui.domain.sign_in_policy import SignInPolicy
from nova_ui.nova_client.origin import Delegation, Origin
from storage.database import Database
from tests.auth.people import HOME, PASSWORD, AddPerson, Change, SetClock, store_policy
from tests.auth.site import BASE, Site, forged

MINE, THEIRS = SessionId("ses_mine"), SessionId("ses_theirs")


async def signed_in_visitor(site: Site, name: str = "ada") -> tuple[httpx.AsyncClient, SignedIn]:
    token, signed_in = await site.auth.password_sign_in.sign_in(name, PASSWORD, HOME)
    visitor = site.visitor()
    visitor.cookies.set("nova_session", token)
    return visitor, signed_in


async def test_a_stranger_is_led_to_sign_in_and_back(site: Site, add_person: AddPerson) -> None:
    await add_person("ada", nova_roles=["administrator"])

    refused = await site.visitor().get("/monitoring/audit-log?origin=ai_chat&q=a%26b")
    posted = await site.visitor().post("/chats")
    visitor, _ = await signed_in_visitor(site)
    allowed = await visitor.get("/monitoring/audit-log")

    assert refused.status_code == posted.status_code == 303
    assert refused.headers["location"] == "/sign-in?next=%2Fmonitoring%2Faudit-log%3Forigin%3Dai_chat%26q%3Da%2526b"
    assert posted.headers["location"] == "/sign-in"
    assert allowed.status_code == 200
    assert len(site.seen) == 1


@pytest.mark.parametrize("path", ["/api/v1/me", "/_nicegui/auto/x.js", "/_nicegui/client/c1/upload/3"])
async def test_a_program_without_session_gets_a_problem(site: Site, path: str) -> None:
    stranger = await site.visitor().patch(path)
    ended = await site.visitor(headers={"cookie": "nova_session=nvs_gone"}).patch(path)

    assert (stranger.status_code, stranger.json()["code"]) == (401, "not_signed_in")
    assert (ended.status_code, ended.json()["code"]) == (401, "session_ended")
    assert stranger.headers["content-type"] == "application/problem+json"


async def test_an_ended_session_is_refused_at_the_next_call(site: Site, add_person: AddPerson) -> None:
    await add_person("ada", nova_roles=["administrator"])
    visitor, signed_in = await signed_in_visitor(site)
    csrf = {"X-CSRF-Token": signed_in.csrf_token}
    assert (await visitor.patch("/api/v1/me", headers=csrf)).status_code == 200
    assert (await visitor.get("/")).status_code == 200

    await site.auth.sessions.end(signed_in, HOME)

    assert (await visitor.patch("/api/v1/me", headers=csrf)).json()["code"] == "session_ended"
    assert (await visitor.get("/")).headers["location"] == "/sign-in"


async def test_a_disabled_identity_is_refused_at_the_next_call(
    site: Site, add_person: AddPerson, change: Change
) -> None:
    ada = await add_person("ada", nova_roles=["administrator"])
    visitor, signed_in = await signed_in_visitor(site)
    csrf = {"X-CSRF-Token": signed_in.csrf_token}
    assert (await visitor.patch("/api/v1/me", headers=csrf)).status_code == 200

    await change(ada, status="disabled")

    assert (await visitor.patch("/api/v1/me", headers=csrf)).status_code == 401
    assert (await visitor.get("/")).status_code == 303


async def test_a_changing_call_needs_the_csrf_token_of_its_own_session(site: Site, add_person: AddPerson) -> None:
    await add_person("ada", nova_roles=["administrator"])
    await add_person("ben")
    visitor, ada = await signed_in_visitor(site)
    _, other = await signed_in_visitor(site)
    _, ben = await signed_in_visitor(site, "ben")

    async def status(token: str | None) -> int:
        headers = {} if token is None else {"X-CSRF-Token": token}
        return (await visitor.patch("/api/v1/me", headers=headers)).status_code

    assert await status(None) == await status("") == await status("wrong") == 403
    assert await status(other.csrf_token) == await status(ben.csrf_token) == 403
    assert await status(ada.csrf_token) == 200


async def test_a_script_may_use_the_token_as_bearer_for_the_api_only(site: Site, add_person: AddPerson) -> None:
    await add_person("ada", nova_roles=["administrator"])
    token, _ = await site.auth.password_sign_in.sign_in("ada", PASSWORD, HOME)
    script = site.visitor(headers={"authorization": f"Bearer {token}"})

    assert (await script.patch("/api/v1/me")).status_code == 200
    assert (await script.get("/")).status_code == 303
    for wrong in ("Bearer nvs_wrong", "Basic YTpi", token, "Bearer "):
        refused = await site.visitor(headers={"authorization": wrong}).patch("/api/v1/me")
        assert refused.status_code == 401


async def test_f4_a_delegation_from_outside_is_taken_off(site: Site, add_person: AddPerson) -> None:
    """Abuse case 57."""
    await add_person("ada", nova_roles=["administrator"])
    ben = await add_person("ben")
    _, ada = await signed_in_visitor(site)
    bens_visitor, bens = await signed_in_visitor(site, "ben")
    stolen = Delegation(session_id=ada.session_id, origin=Origin(assistant_key=AssistantKey("admin")))
    outside = httpx.AsyncClient(transport=httpx.ASGITransport(forged(site.app, stolen)), base_url=BASE)

    stranger = await outside.patch("/api/v1/me")
    outside.cookies = bens_visitor.cookies
    forging = await outside.patch("/api/v1/me", headers={"X-CSRF-Token": bens.csrf_token})

    assert stranger.status_code == 401
    assert forging.json() == {"id": ben, "origin": "interface"}


@pytest.mark.parametrize(
    "path", ["/healthz", "/sign-in", "/setup", "/sign-out", "/readyz", "/api/v1/openapi.json", "/assets/nova.css"]
)
async def test_strangers_may_ask_for_what_is_the_same_for_everybody(site: Site, path: str) -> None:
    answer = await site.visitor().get(path)

    assert answer.status_code != 401
    assert "next=" not in answer.headers.get("location", "")


@pytest.mark.parametrize(
    "path", ["//api/v1/me", "/assets", "/sign-in/x", "/healthz/", "/API/v1/me", "/setup.json", "/_nicegui", "/docs"]
)
async def test_what_only_looks_public_is_not(site: Site, add_person: AddPerson, path: str) -> None:
    await add_person("ada", nova_roles=["administrator"])

    answer = await site.visitor().get(path)

    assert answer.status_code in {303, 401}
    assert site.seen == []


@pytest.mark.parametrize(
    ("prefix", "sent", "arrives"),
    [("", "//evil.example", []), ("", "/gui", []), ("/gui", "/gui", [b"/gui"]), ("/gui", "//evil.example", [])],
)
async def test_a_forwarded_prefix_is_dropped_unless_it_is_the_configured_one(
    site: Site, prefix: str, sent: str, arrives: list[bytes]
) -> None:
    _, inner = await _connect(site, "", {"x-forwarded-prefix": sent, "origin": BASE}, prefix=prefix)

    headers: list[tuple[bytes, bytes]] = inner[0]["headers"]
    assert [value for name, value in headers if name == b"x-forwarded-prefix"] == arrives


def _socket(**changes: object) -> Visitor:
    values = {
        "method": "GET",
        "path": "/_nicegui_ws/socket.io/",
        "is_from_us": True,
        "session_id": MINE,
        "client_id": "c1",
        "page": LivePage(MINE),
        **changes,
    }
    return Visitor(**values)  # type: ignore[arg-type] # each test changes one


def test_a_socket_is_for_the_session_that_its_page_was_drawn_for() -> None:
    assert decide(_socket()) is Verdict.PASS
    assert decide(_socket(page=None)) is Verdict.PASS
    assert decide(_socket(session_id=None)) is Verdict.RELOAD
    assert decide(_socket(session_id=None, page=None)) is Verdict.RELOAD
    assert decide(_socket(page=LivePage(THEIRS))) is Verdict.RELOAD
    assert decide(_socket(page=LivePage(None))) is Verdict.RELOAD
    assert decide(_socket(client_id=None, page=None)) is Verdict.RELOAD
    assert decide(_socket(is_from_us=False)) is Verdict.REFUSE
    assert decide(_socket(is_from_us=False, session_id=None)) is Verdict.REFUSE


def test_an_upload_is_for_the_own_page_and_from_a_page_of_ours() -> None:
    upload = "/_nicegui/client/c1/upload/3"

    assert decide(_socket(path=upload)) is Verdict.PASS
    assert decide(_socket(path=upload, page=LivePage(THEIRS))) is Verdict.REFUSE
    assert decide(_socket(path=upload, session_id=None)) is Verdict.REFUSE
    assert decide(_socket(path=upload, is_from_us=False)) is Verdict.REFUSE


async def _connect(
    site: Site, query: str, headers: dict[str, str], *, prefix: str = ""
) -> tuple[list[Message], list[Scope]]:
    """Open a websocket as a server would; return what came back and what got through."""
    inner: list[Scope] = []
    sent: list[Message] = []

    async def app(scope: Scope, _receive: Receive, _send: Send) -> None:
        inner.append(scope)

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        sent.append(message)

    guard = SessionGuard(
        app,
        sessions=site.auth.sessions,
        find_page=lambda _client_id: None,
        is_setup_open=site.auth.setup.is_open,
        static_path=NICEGUI_STATIC,
        path_prefix=prefix,
    )
    scope = {
        "type": "websocket",
        "scheme": "ws",
        "path": "/_nicegui_ws/socket.io/",
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in {"host": "127.0.0.1", **headers}.items()],
    }
    await guard(scope, receive, send)
    return sent, inner


async def test_a_websocket_needs_session_origin_and_page(site: Site, add_person: AddPerson) -> None:
    """Abuse case 64."""
    await add_person("ada", nova_roles=["administrator"])
    token, _ = await site.auth.password_sign_in.sign_in("ada", PASSWORD, HOME)
    query = "EIO=4&transport=websocket&client_id=c1&implicit_handshake=true"
    cookie = {"cookie": f"nova_session={token}"}

    _, own = await _connect(site, query, {**cookie, "origin": BASE})
    closed, foreign = await _connect(site, query, {**cookie, "origin": "http://evil.example"})
    _, silent = await _connect(site, query, cookie)
    _, stranger = await _connect(site, query, {"origin": BASE})
    ended, with_engine = await _connect(site, query + "&sid=s1", {"origin": BASE})

    assert own[0]["query_string"] == query.encode()
    assert closed == ended == [{"type": "websocket.close", "code": 1008}]
    assert foreign == silent == with_engine == []
    assert stranger[0]["query_string"] == b"client_id=unknown&implicit_handshake=true&EIO=4&transport=websocket&t="


@pytest.mark.parametrize(
    "target",
    ["//evil.example", "/\\evil.example", "https://evil.example", "evil.example", "", "javascript:alert(1)", "/a\\b",
     "/\t/evil.example", "/\n/evil.example", "\\/evil.example", "/sign-in", "/sign-in?next=/x", "/setup", None,
     "///evil.example", " //evil.example", "\t//evil.example", "//evil.example\\@nova.example", "/\r//evil.example",
     "http:evil.example", "HTTPS://evil.example", "data:text/html,x", "//evil.example%2f@nova.example", "?x", "#x",
     "@x", "\u200b//evil.example", "\uff0f\uff0fevil.example", "/\x0b/evil.example", "/\x0c/evil.example",
     "/\x7f/evil.example", "/\u2028/evil.example", "/\u202e/evil.example", "/\ud800"],
)  # fmt: skip
def test_after_signing_in_only_places_on_this_site_are_gone_to(target: str | None) -> None:
    """Abuse case 65."""
    assert safe_next(target) == "/"
    assert safe_next("/chats?q=//x") == "/chats?q=//x"


async def test_a_body_that_is_too_large_is_refused_whether_it_says_so_or_not(site: Site, add_person: AddPerson) -> None:
    await add_person("ada", nova_roles=["administrator"])
    visitor, _ = await signed_in_visitor(site)

    async def streamed(chunks: int) -> httpx.Response:
        async def body() -> AsyncIterator[bytes]:
            for _ in range(chunks):
                yield b"x" * 4096

        return await visitor.post("/chats", content=body())

    declared = await visitor.post("/chats", content=b"x" * 65_537)
    fits = await visitor.post("/chats", content=b"x" * 65_536)
    site.seen.clear()
    too_long = await streamed(17)

    assert (declared.status_code, declared.json()["code"]) == (413, "too_large")
    assert (too_long.status_code, too_long.json()["code"]) == (413, "too_large")
    assert site.seen == []
    assert (await streamed(16)).status_code == fits.status_code == 200


async def test_a2_a_session_that_ends_while_a_body_arrives_changes_nothing(site: Site, add_person: AddPerson) -> None:
    await add_person("ada", nova_roles=["administrator"])
    visitor, signed_in = await signed_in_visitor(site)

    async def slow_body() -> AsyncIterator[bytes]:
        yield b"{"
        await site.auth.sessions.end(signed_in, HOME)
        yield b"}"

    answer = await visitor.patch("/api/v1/me", content=slow_body(), headers={"X-CSRF-Token": signed_in.csrf_token})

    assert (answer.status_code, answer.json()["code"]) == (401, "session_ended")


async def test_request_ids_are_ours_and_new_each_time(site: Site, add_person: AddPerson) -> None:
    await add_person("ada", nova_roles=["administrator"])
    visitor, _ = await signed_in_visitor(site)

    for _ in range(2):
        await visitor.get("/", headers={"x-request-id": "chosen"})

    ids = [request.state.request_id for request in site.seen]
    assert len(set(ids)) == 2
    assert all(request_id.startswith("rid_") for request_id in ids)


async def test_a_stolen_session_is_of_no_use_outside_the_networks_of_the_policy(
    site: Site, add_person: AddPerson, database: Database, clock: SetClock
) -> None:
    await add_person("ada", nova_roles=["administrator"])
    token, signed_in = await site.auth.password_sign_in.sign_in("ada", PASSWORD, HOME)
    await store_policy(database, SignInPolicy(networks=("192.0.2.0/24",)), clock)
    cookie = {"cookie": f"nova_session={token}"}
    csrf = {"X-CSRF-Token": signed_in.csrf_token}

    home, thief = (site.visitor(ip=ip, headers={**cookie, **csrf}) for ip in ("192.0.2.77", "198.51.100.1"))

    assert (await home.get("/")).status_code == 200
    assert (await thief.get("/")).headers["location"] == "/sign-in"
    assert (await thief.patch("/api/v1/me")).json()["code"] == "session_ended"
    assert (await home.patch("/api/v1/me")).status_code == 200
