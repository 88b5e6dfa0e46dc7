"""`/ai` over HTTP: bodies, streams, problems, and that no chat can be driven by a tool."""

import hashlib
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime

import httpx
import pytest
from fastapi import Depends, FastAPI

from nova_ui.api import sent_requests
from nova_ui.api.ai import AiParts, router_for
from nova_ui.api.caller import check_endpoint
from nova_ui.api.marks import check_marks
from nova_ui.api.problem import install_problem_handlers
from nova_ui.api.strict import StrictBodies, refuse_unknown
from nova_ui.auth.session import SignedIn
from nova_ui.chat import sent_log
from nova_ui.chat.assistants import Assistants
from nova_ui.domain.assistant import AudienceKind
from nova_ui.domain.identity import Caller, SessionId
from nova_ui.domain.json_value import JsonObject
from nova_ui.llm.port import Mode
from nova_ui.nova_client.origin import Delegation, Origin, marked
from storage.chat.message_rates import MessageRate
from tests.builders import an_assistant
from tests.chat.wired import a_wired, answer
from tests.chat.world import ADA, BEN, HELPDESK, ROOT, World
from tests.fakes.guarded import API_URL, behind_guard
from tests.fakes.scripted_model import ScriptedModel, call, calls, says
from tests.llm.wire_bytes import SPEAKERS, Sent

DELETE = call("delete_group", group_id="grp_1")
MESSAGES = "/ai/assistants/helpdesk/messages"
_KINDS = {
    "delete_group": "destructive",
    "disable_group": "destructive",
    "list_groups": "read",
    "update_group": "write",
    "archive_group": "write",
}


def _signed_in(caller: Caller) -> SignedIn:
    expires_at = datetime(2100, 1, 1, tzinfo=UTC)
    return SignedIn(session_id=caller.session_id, identity=caller.identity, csrf_token="csrf", expires_at=expires_at)


class SessionsByName:
    async def by_token(self, token: str, *, ip: str | None = None) -> SignedIn | None:
        del ip
        return next((_signed_in(one) for one in (ROOT, ADA, BEN) if one.session_id == token), None)

    async def by_id(self, session_id: SessionId) -> SignedIn | None:
        return await self.by_token(session_id)


@pytest.fixture
def api(world: World) -> FastAPI:
    made = FastAPI(dependencies=[Depends(check_endpoint), Depends(refuse_unknown)])
    made.state.sessions = SessionsByName()
    parts = AiParts(
        live_turns=world.live,
        history=world.history,
        assistants=Assistants(world.database, world.groups_among),
        engine=world.engine,
    )
    made.include_router(router_for(parts))
    made.include_router(sent_requests.router_for(world.sent))
    made.add_middleware(StrictBodies)
    install_problem_handlers(made)
    return made


def _client(api: FastAPI, caller: Caller) -> httpx.AsyncClient:
    headers = {"Authorization": f"Bearer {caller.session_id}"}
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(behind_guard(api, SessionsByName())), base_url=API_URL, headers=headers
    )


@pytest.fixture
async def root(api: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    async with _client(api, ROOT) as client:
        yield client


@pytest.fixture
async def ada(api: FastAPI) -> AsyncIterator[httpx.AsyncClient]:
    async with _client(api, ADA) as client:
        yield client


def _events(answer: httpx.Response) -> list[tuple[int, str, JsonObject]]:
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/event-stream")
    events = []
    for block in answer.text.strip().split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":"))
        events.append((int(fields["id"]), fields["event"], json.loads(fields["data"])))
    return events


def _data(answer: httpx.Response, name: str) -> JsonObject:
    (found,) = [data for _, event, data in _events(answer) if event == name]
    return found


async def test_too_many_messages_say_when_to_come_back(ada: httpx.AsyncClient, world: World) -> None:
    world.live._acceptance._rate = MessageRate(per_minute=1)
    world.model.queue(says("Yes."))
    first = await ada.post(MESSAGES, json={"text": "Hello"})

    early = await ada.post(MESSAGES, json={"text": "Hello again"})

    assert first.status_code == 200
    assert (early.status_code, early.json()["code"], early.headers["retry-after"]) == (429, "too_many_messages", "60")
    assert early.json()["detail"] == "Too many messages. Send it again in 60 seconds."


async def test_a_message_is_answered_with_a_stream_that_begins_with_its_turn(
    root: httpx.AsyncClient, world: World
) -> None:
    world.model.queue(calls(call("list_groups", group_id="grp_1")), says("One – ünïcödé."))

    answer = await root.post(MESSAGES, json={"text": "What is there?"})

    names = [name for _, name, _ in _events(answer)]
    assert names == ["turn", "tool_call", "tool_result", "text", "done"]
    assert [number for number, _, _ in _events(answer)] == [1, 2, 3, 4, 5]
    assert set(_data(answer, "turn")) == {"turn_id", "chat_id", "assistant", "message_id"}
    assert _data(answer, "text") == {"delta": "One – ünïcödé."}
    assert set(_data(answer, "tool_call")) == {"call_id", "name", "kind", "arguments", "title"}
    assert set(_data(answer, "tool_result")) == {
        "call_id", "status", "code", "content", "truncated", "characters", "duration_ms",
    }  # fmt: skip
    assert set(_data(answer, "done")) == {
        "model_calls", "tool_calls", "destructive_actions", "tool_result_characters", "usage", "model",
    }  # fmt: skip


@pytest.mark.parametrize("by_header", [True, False])
async def test_the_stream_can_be_taken_up_again(root: httpx.AsyncClient, by_header: bool) -> None:  # noqa: FBT001
    first = await root.post(MESSAGES, json={"text": "Hello"})
    path = f"/ai/turns/{_data(first, 'turn')['turn_id']}/events"

    again = await (root.get(path, headers={"Last-Event-ID": "1"}) if by_header else root.get(path, params={"after": 1}))

    assert _events(again) == _events(first)[1:]


async def test_card_press_and_cancel_go_over_http(root: httpx.AsyncClient, world: World) -> None:
    world.model.queue(calls(DELETE), says("Please confirm."))
    shown = _data(await root.post(MESSAGES, json={"text": "Delete it"}), "preview")

    pressed = await root.post(MESSAGES, json={"confirm": shown["preview_id"]})
    again = await root.post(MESSAGES, json={"confirm": shown["preview_id"]})
    cancelled = await root.delete(f"/ai/previews/{shown['preview_id']}")

    assert set(shown) == {
        "preview_id", "call_id", "action", "sentence", "subject", "arguments", "current_state", "changes",
        "consequences", "button_only", "name_to_type", "expires_at",
    }  # fmt: skip
    assert _data(pressed, "preview_closed") == {"preview_id": shown["preview_id"], "reason": "executed"}
    assert (again.status_code, again.json()["code"], again.json()["reason"]) == (
        409,
        "confirmation_invalid",
        "executed",
    )
    assert cancelled.status_code == 204
    assert world.deeds.names == ["delete_group"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"text": ""},
        {"text": None},
        {"text": "x" * 32_001},
        {"text": "a", "confirm": "prv_1"},
        {"text": "a", "tool": {"name": "list_groups", "arguments": {}}},
        {"confirm": "prv_1", "tool_name": "delete_group"},
        {"confirm": "prv_1", "chat_id": "cht_1"},
        {"confirm": "prv_1", "arguments": {}},
        {"tool": {"name": "list_groups", "arguments": [], "extra": 1}},
        {"text": 7},
        ["text"],
    ],
)
async def test_c8_and_i3_a_body_that_is_not_exactly_one_message_is_refused(
    root: httpx.AsyncClient, world: World, body: object
) -> None:
    """Abuse case 32."""
    answer = await root.post(MESSAGES, json=body)

    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    assert "Value error" not in answer.text
    assert world.model.requests == []


async def test_b6_a_request_that_comes_from_a_chat_is_refused(api: FastAPI, world: World) -> None:
    delegation = Delegation(session_id=ROOT.session_id, origin=Origin(assistant_key=HELPDESK))
    transport = httpx.ASGITransport(marked(api, delegation))

    async with httpx.AsyncClient(transport=transport, base_url="http://nova") as client:
        answers = [
            await client.post(MESSAGES, json={"text": "Hello"}),
            await client.get("/ai/chats"),
            await client.delete("/ai/chats"),
        ]

    assert [(one.status_code, one.json()["code"]) for one in answers] == [(403, "interface_only")] * 3
    assert world.model.requests == []


async def test_b5_the_admin_chat_is_in_no_answer_to_others(root: httpx.AsyncClient, ada: httpx.AsyncClient) -> None:
    """Abuse case 13."""
    admin, nothing = [
        await ada.post(f"/ai/assistants/{key}/messages", json={"text": "Hello"}) for key in ("admin", "nothing")
    ]

    assert [one["key"] for one in (await ada.get("/ai/assistants")).json()] == ["desk", "helpdesk"]
    assert [one["key"] for one in (await root.get("/ai/assistants")).json()] == ["admin", "desk", "helpdesk"]
    assert (await ada.get("/ai/assistants/admin/tools")).status_code == 404
    assert admin.json() == nothing.json()
    assert admin.status_code == 404


async def test_an_assistants_tools_are_told_with_their_schemas(root: httpx.AsyncClient, ada: httpx.AsyncClient) -> None:
    tools = (await root.get("/ai/assistants/helpdesk/tools")).json()
    hers = (await ada.get("/ai/assistants/helpdesk/tools")).json()

    assert {one["name"]: one["kind"] for one in tools} == _KINDS
    assert {one["name"] for one in hers} == _KINDS.keys() - {"archive_group"}
    assert "group_id" in tools[0]["parameters"]["properties"]


async def test_chats_are_listed_opened_renamed_exported_and_deleted(root: httpx.AsyncClient) -> None:
    chat_id = _data(await root.post(MESSAGES, json={"text": "Hello there"}), "turn")["chat_id"]

    listed = (await root.get("/ai/chats", params={"q": "HELLO", "assistant": "helpdesk"})).json()
    opened = (await root.get(f"/ai/chats/{chat_id}")).json()
    renamed = (await root.patch(f"/ai/chats/{chat_id}", json={"title": "Ünïcödé / ../x"})).json()
    exported = await root.get(f"/ai/chats/{chat_id}/export", params={"format": "json"})
    deleted = await root.delete(f"/ai/chats/{chat_id}")

    assert ([one["id"] for one in listed["items"]], listed["total"]) == ([chat_id], 1)
    assert opened["turns"][0]["message"] == {"kind": "text", "text": "Hello there"}
    assert renamed["title"] == "Ünïcödé / ../x"
    assert exported.headers["content-disposition"] == 'attachment; filename="unicode-x.json"'
    assert exported.json()["id"] == chat_id
    assert deleted.status_code == 204
    assert (await root.get(f"/ai/chats/{chat_id}")).status_code == 404


@pytest.mark.parametrize(
    ("path", "params"),
    [
        ("/ai/chats", {"asistant": "helpdesk"}),
        ("/ai/chats", {"limit": "0"}),
        ("/ai/chats", {"cursor": "nonsense"}),
        ("/ai/turns/trn_1/events", {"after": "-1"}),
        ("/ai/chats/cht_1/export", {"format": "exe"}),
    ],
)
async def test_a_doubtful_query_is_a_problem(root: httpx.AsyncClient, path: str, params: dict[str, str]) -> None:
    answer = await root.get(path, params=params)

    assert answer.status_code == 400
    assert answer.json()["code"] == "validation_failed"


async def test_g2_nothing_of_another_identity_is_found(root: httpx.AsyncClient, ada: httpx.AsyncClient) -> None:
    """Abuse case 58: administrators included."""
    turn = _data(await ada.post(MESSAGES, json={"text": "Hello"}), "turn")
    chat, turn_id = f"/ai/chats/{turn['chat_id']}", turn["turn_id"]

    answers = [
        await root.get(chat),
        await root.patch(chat, json={"title": "Mine"}),
        await root.get(f"{chat}/export"),
        await root.delete(chat),
        await root.get(f"/ai/turns/{turn_id}/events"),
        await root.post(f"/ai/turns/{turn_id}/stop"),
        await root.post(MESSAGES, json={"chat_id": turn["chat_id"], "text": "Go on"}),
    ]

    assert {one.status_code for one in answers} == {404}
    assert (await root.get("/ai/chats")).json()["items"] == []
    assert (await ada.get(chat)).status_code == 200


async def test_g4_a_turn_is_not_read_again_once_its_assistant_is_lost(ada: httpx.AsyncClient, world: World) -> None:
    turn = _data(await ada.post(MESSAGES, json={"text": "Hello"}), "turn")
    path = f"/ai/turns/{turn['turn_id']}/events"
    before = await ada.get(path)
    await world.add(an_assistant(key="helpdesk", audience=AudienceKind.ADMINISTRATORS))

    after = await ada.get(path)

    assert (before.status_code, after.status_code) == (200, 404)
    assert after.json()["detail"] == (await ada.get("/ai/turns/trn_1/events")).json()["detail"]


async def test_every_operation_bears_its_marks_and_is_for_the_interface_only(api: FastAPI) -> None:
    document = api.openapi()

    check_marks(document)
    operations = [one for path in document["paths"].values() for one in path.values()]
    assert all(one["x-nova-interface-only"] for one in operations)
    assert len(operations) == 16


async def test_g2_what_the_model_saw_is_there_for_its_owner_and_for_nobody_else(
    world: World, api: FastAPI, root: httpx.AsyncClient
) -> None:
    """Abuse case 58."""
    async with a_wired(world, SPEAKERS[0], [answer(SPEAKERS[0], Sent(text="Hello."))]) as peer:
        heard = await world.say("Hello")
    at = f"/ai/turns/{heard.started.turn_id}/requests"

    (listed,) = (await root.get(at)).json()
    read = (await root.get(f"{at}/1")).json()
    body = await root.get(f"{at}/1/body")

    assert (listed["outcome"], listed["host"], listed["profile"]) == ("answered", peer.url[7:-3], "house")
    assert [part["text"] for message in read["messages"] for part in message["parts"]] == ["Hello"]
    assert read["system"].endswith("Help.")
    assert len(read["tools"]) == len(world.tools)
    assert body.content == peer.bodies[0]
    assert hashlib.sha256(body.content).hexdigest() == listed["sha256"]
    async with _client(api, BEN) as ben:
        for path in (at, f"{at}/1", f"{at}/1/body"):
            assert (await ben.get(path)).status_code == 404
    for path in (f"{at}/2", f"{at}/2/body", "/ai/turns/trn_none/requests"):
        assert (await root.get(path)).status_code == 404
    assert (await root.get(f"{at}/0")).status_code in {400, 422}


async def test_a_body_that_was_not_kept_is_not_there(
    world: World, root: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sent_log, "MAX_TURN_BYTES", 10)
    async with a_wired(world, SPEAKERS[0], [answer(SPEAKERS[0], Sent(text="Hello."))]):
        heard = await world.say("Hello")
    at = f"/ai/turns/{heard.started.turn_id}/requests/1"

    read = (await root.get(at)).json()

    assert (read["is_kept"], read["messages"], read["system"]) == (False, [], "")
    assert (await root.get(f"{at}/body")).status_code == 404


async def test_everybody_sees_where_the_data_of_an_assistant_goes(world: World, root: httpx.AsyncClient) -> None:
    world.stand_ins.append(ScriptedModel(name="spare", mode=Mode.EXTERNAL))

    places = (await root.get("/ai/assistants/helpdesk/places")).json()
    mode = next(one["mode"] for one in (await root.get("/ai/assistants")).json() if one["key"] == "helpdesk")

    assert [(one["model"], one["mode"]) for one in places] == [("scripted", "local"), ("spare", "external")]
    assert mode == "external"  # the furthest that data may go, not only where it goes first
    assert (await root.get("/ai/assistants/none/places")).status_code == 404
