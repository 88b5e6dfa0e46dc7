"""Nova is reached through one door: session and origin bound in, nothing kept, nothing unbounded."""

import asyncio
import json
import random

import pytest

from nova_ui.domain.assistant import AssistantKey
from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.errors import NovaInvalid, NovaTooLarge, NovaUnavailable
from nova_ui.nova_client.client import NovaClient, NovaDoor
from nova_ui.nova_client.origin import INTERFACE, Delegation, Origin, Receive, Scope, Send
from tests.builders import a_caller, a_tool, an_identity
from tests.fakes.nova_api import FakeNova, Reached, always, respond

CHAT = Origin(assistant_key=AssistantKey("helpdesk"))
GROUP = "grp_0123456789abcdefghjk"


def a_client(nova: FakeNova, **limits: float) -> NovaClient:
    door = NovaDoor(
        nova,
        call_seconds=limits.get("call_seconds", 5.0),
        max_answer_bytes=int(limits.get("max_answer_bytes", 1_000)),
    )
    return door.open(a_caller(session_id="ses_ada"), CHAT)


async def run_no_tool(_name: str, _arguments: JsonObject) -> JsonValue:
    return None


async def test_a2_every_request_carries_session_origin_and_route() -> None:
    nova = FakeNova(always(200, {"id": GROUP}, etag='"3"'))

    answer = await a_client(nova).call("GET /groups/{group_id}", path={"group_id": GROUP}, query={"q": "a b&c"})

    assert answer.object == {"id": GROUP}
    assert answer.etag == '"3"'
    assert nova.reached[0].delegation == Delegation(
        session_id=a_caller(session_id="ses_ada").session_id, origin=CHAT, endpoint="GET /groups/{group_id}"
    )
    assert (nova.reached[0].method, nova.reached[0].path) == ("GET", f"/groups/{GROUP}")
    assert nova.reached[0].query == "q=a+b%26c"


async def test_f4_no_value_of_a_request_becomes_its_origin() -> None:
    nova = FakeNova(always(200, {}))
    body: JsonObject = {"via": "interface", "origin": "interface", "nova.delegation": "interface"}

    await a_client(nova).call("POST /groups", query={"nova.delegation": "x", "via": "interface"}, body=body)

    reached = nova.reached[0]
    assert reached.delegation is not None
    assert reached.delegation.origin == CHAT
    assert set(reached.headers) == {"host", "accept", "content-type", "content-length"}


async def test_i2_fifty_callers_at_once_never_see_one_another() -> None:
    """Abuse case 3."""

    async def who_am_i(request: Reached, send: Send) -> None:
        await asyncio.sleep(random.random() / 100)  # noqa: S311 - mixes the order, guards nothing
        assert request.delegation is not None
        session = request.delegation.session_id
        content = json.dumps({"session": session, "cookie": request.headers.get("cookie")}).encode()
        await respond(send, 200, content, set_cookie=f"nova_session={session}; Path=/")

    nova = FakeNova(who_am_i)
    door = NovaDoor(nova)

    async def ask_ten_times(number: int) -> list[JsonObject]:
        client = door.open(a_caller(an_identity(identity_id=f"idn_{number}"), session_id=f"ses_{number}"), INTERFACE)
        return [(await client.call("GET /me")).object for _ in range(10)]

    answers = await asyncio.gather(*(ask_ten_times(number) for number in range(50)))

    for number, own in enumerate(answers):
        assert own == [{"session": f"ses_{number}", "cookie": None}] * 10


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_i1_a_redirect_is_not_followed(status: int) -> None:
    nova = FakeNova(always(status, {}, location="http://elsewhere/identities"))

    with pytest.raises(NovaUnavailable, match="redirect"):
        await a_client(nova).call("GET /groups")

    assert len(nova.reached) == 1


async def test_i3_an_answer_that_is_too_large_is_cut_off_while_it_is_sent() -> None:
    sent = 0

    async def endless(_request: Reached, send: Send) -> None:
        nonlocal sent
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(1_000):
            sent += 1
            await send({"type": "http.response.body", "body": b"x" * 300, "more_body": True})

    with pytest.raises(NovaUnavailable, match="too large"):
        await a_client(FakeNova(endless)).call("GET /groups")

    assert sent == 4


async def test_i3_an_answer_of_exactly_the_limit_passes() -> None:
    text = json.dumps("x" * 998)

    async def answering(_request: Reached, send: Send) -> None:
        await respond(send, 200, text.encode())

    answer = await a_client(FakeNova(answering)).call("GET /groups")

    assert answer.body == "x" * 998


async def test_i3_an_endpoint_that_never_answers_is_given_up() -> None:
    async def silent(_request: Reached, _send: Send) -> None:
        await asyncio.Event().wait()

    with pytest.raises(NovaUnavailable, match="not known"):
        await a_client(FakeNova(silent), call_seconds=0.01).call("GET /groups")


async def test_an_endpoint_that_raises_tells_nothing_of_itself() -> None:
    async def failing(_request: Reached, _send: Send) -> None:
        raise RuntimeError("the secret is hunter2")

    with pytest.raises(NovaUnavailable) as failure:
        await a_client(FakeNova(failing)).call("GET /groups")

    assert "hunter2" not in str(failure.value)
    assert failure.value.__cause__ is None


async def test_an_answer_that_breaks_off_is_no_success() -> None:
    async def breaking_off(_request: Reached, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise RuntimeError

    with pytest.raises(NovaUnavailable, match="not known"):
        await a_client(FakeNova(breaking_off)).call("GET /groups")


async def test_an_answer_that_stops_in_the_middle_without_a_word_is_no_success() -> None:
    """As the API itself does when an endpoint fails after its answer has begun."""

    async def stop(_request: Reached, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"[1, 2", "more_body": True})

    with pytest.raises(NovaUnavailable, match="not known"):
        await a_client(FakeNova(stop)).call("GET /groups")


async def test_an_answer_that_is_not_json_is_no_success() -> None:
    async def html(_request: Reached, send: Send) -> None:
        await respond(send, 200, b"<html>", "application/octet-stream")

    with pytest.raises(NovaUnavailable, match="not JSON"):
        await a_client(FakeNova(html)).call("GET /groups")


async def test_the_content_of_an_export_is_text() -> None:
    async def csv(_request: Reached, send: Send) -> None:
        await respond(send, 200, "id,name\n1,Müller\n".encode(), "text/csv; charset=utf-8")

    answer = await a_client(FakeNova(csv)).call(
        "GET /exports/{export_id}/content", path={"export_id": GROUP.replace("grp", "exp")}
    )

    assert answer.body == "id,name\n1,Müller\n"


async def test_c14_the_version_that_was_shown_goes_along() -> None:
    nova = FakeNova(always(204))

    await a_client(nova).call("DELETE /groups/{group_id}", path={"group_id": GROUP}, if_match='"3"')

    assert nova.reached[0].headers["if-match"] == '"3"'


@pytest.mark.parametrize("value", ['"3"\r\nX-Evil: 1', "", "ä", "a b", "x" * 201])
async def test_i1_a_header_value_that_is_none_is_refused(value: str) -> None:
    nova = FakeNova(always(204))

    with pytest.raises(NovaInvalid):
        await a_client(nova).call("DELETE /groups/{group_id}", path={"group_id": GROUP}, if_match=value)

    assert nova.reached == []


async def test_i3_a_body_of_more_than_256_kb_is_refused_before_any_request() -> None:
    nova = FakeNova(always(200, {}))

    with pytest.raises(NovaTooLarge):
        await a_client(nova).call("POST /groups", body={"description": "x" * 256 * 1024})

    assert nova.reached == []


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800"])
async def test_i3_a_body_that_is_no_json_is_refused_before_any_request(value: JsonValue) -> None:
    nova = FakeNova(always(200, {}))

    with pytest.raises(NovaInvalid):
        await a_client(nova).call("POST /groups", body={"description": value})

    assert nova.reached == []


@pytest.mark.parametrize("value", ["\x00", "\ud800", "x" * 8_001, 1.5, ["a"], {"a": 1}])
async def test_i3_a_query_value_that_is_none_is_refused_before_any_request(value: object) -> None:
    nova = FakeNova(always(200, {}))

    with pytest.raises(NovaInvalid):
        await a_client(nova).call("GET /groups", query={"q": value})  # type: ignore[dict-item]  # what is tested

    assert nova.reached == []


async def test_query_values_are_typed_and_none_is_left_out() -> None:
    nova = FakeNova(always(200, {}))

    await a_client(nova).call("GET /groups", query={"mine": True, "other": False, "limit": 5, "q": None})

    assert nova.reached[0].query == "mine=true&other=false&limit=5"


async def test_b2_a_tool_reaches_only_the_endpoints_it_declares() -> None:
    nova = FakeNova(always(200, {}))
    tool = a_tool(endpoints=("GET /groups",))
    seen = a_client(nova).for_tool(tool, if_match='"7"', run_tool=run_no_tool)

    await seen.call("GET /groups")
    with pytest.raises(ValueError, match="does not declare"):
        await seen.call("GET /identities")

    assert [request.path for request in nova.reached] == ["/groups"]
    assert seen.if_match == '"7"'
    assert seen.identity == a_caller().identity


async def test_an_outside_request_gets_no_delegation_from_the_client() -> None:
    seen: list[object] = []

    async def inner(scope: Scope, _receive: Receive, send: Send) -> None:
        seen.append(scope.get("nova.delegation"))
        await respond(send, 200, b"{}")

    scope: Scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"", "headers": []}
    outside = dict(scope)

    await NovaDoor(inner).open(a_caller(), CHAT).call("GET /me")

    assert "nova.delegation" not in outside
    assert isinstance(seen[0], Delegation)
