"""What each wire is asked: the same conversation in its own words, with ids and roles as it demands them."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from nova_ui.domain.clock import SystemClock
from nova_ui.domain.json_value import JsonObject
from nova_ui.llm import anthropic, bedrock, google
from nova_ui.llm.connection import Connection
from nova_ui.llm.port import AssistantMessage, CallMade, ChatMessage, Mode, ResultMessage, SystemMessage, UserMessage
from nova_ui.llm.wire import Profile, Wire
from nova_ui.llm.wire_model import WireModel
from nova_ui.llm.wires import WIRES
from tests.llm.peer import a_model, a_peer, ask, head
from tests.llm.requests import a_call, a_request
from tests.llm.wire_bytes import Google, Sent

TALK: tuple[ChatMessage, ...] = (
    SystemMessage(text="Be brief."),
    UserMessage(text="Which groups?"),
    AssistantMessage(text="Let me look.", calls=(a_call("nova_1"), a_call("nova_2", "list_roles", '{"q": "a"}'))),
    ResultMessage(call_id="nova_1", tool_name="list_groups", content="two groups"),
    ResultMessage(call_id="nova_2", tool_name="list_roles", content="one role"),
    AssistantMessage(text="Two."),
    UserMessage(text="And now?"),
    AssistantMessage(text="", calls=(a_call("nova_1", arguments_text="{broken"),)),
    ResultMessage(call_id="nova_1", tool_name="list_groups", content="failed"),
)
PROFILE = Profile(model="m", max_tokens=900, temperature=0.2)


def asked(wire: Wire, *messages: ChatMessage, words_only: bool = False, profile: Profile = PROFILE) -> Any:  # noqa: ANN401 - a provider's JSON
    return json.loads(wire.body_of(a_request(*(messages or TALK), words_only=words_only), profile))


def test_anthropic_gets_the_results_of_a_round_in_one_message_and_every_id_once() -> None:
    body = asked(anthropic.ANTHROPIC)

    assert [one["role"] for one in body["messages"]] == [
        "user",
        "assistant",
        "user",
        "assistant",
        "user",
        "assistant",
        "user",
    ]
    called = [block["id"] for one in body["messages"] for block in one["content"] if block["type"] == "tool_use"]
    answered = [
        block["tool_use_id"] for one in body["messages"] for block in one["content"] if block["type"] == "tool_result"
    ]
    assert called == answered == ["call_1", "call_2", "call_3"]
    assert [block["content"] for block in body["messages"][2]["content"]] == ["two groups", "one role"]
    assert body["messages"][5]["content"] == [{"type": "tool_use", "id": "call_3", "name": "list_groups", "input": {}}]
    assert (body["system"], body["max_tokens"], body["temperature"]) == ("Be brief.", 900, 0.2)
    assert body["tools"][0]["input_schema"]["type"] == "object"


def test_anthropic_is_always_told_a_token_limit() -> None:
    assert asked(anthropic.ANTHROPIC, profile=Profile(model="m"))["max_tokens"] > 0


def test_google_gets_as_many_results_as_calls_in_their_order_and_no_ids() -> None:
    body = asked(google.GOOGLE)

    results = body["contents"][2]["parts"]
    assert [one["functionResponse"]["name"] for one in results] == ["list_groups", "list_roles"]
    assert results[0]["functionResponse"]["response"] == {"result": "two groups"}
    assert [part["functionCall"] for part in body["contents"][1]["parts"][1:]] == [
        {"name": "list_groups", "args": {}},
        {"name": "list_roles", "args": {"q": "a"}},
    ]
    assert {one["role"] for one in body["contents"]} == {"user", "model"}
    assert body["systemInstruction"] == {"parts": [{"text": "Be brief."}]}
    assert body["generationConfig"] == {"maxOutputTokens": 900, "temperature": 0.2}


def test_bedrock_gets_the_results_of_a_round_in_one_message_and_every_id_once() -> None:
    body = asked(bedrock.BEDROCK)

    called = [
        block["toolUse"]["toolUseId"] for one in body["messages"] for block in one["content"] if "toolUse" in block
    ]
    results = [block["toolResult"] for one in body["messages"] for block in one["content"] if "toolResult" in block]
    assert called == [one["toolUseId"] for one in results] == ["call_1", "call_2", "call_3"]
    assert results[1]["content"] == [{"text": "one role"}]
    assert body["inferenceConfig"] == {"maxTokens": 900, "temperature": 0.2}
    assert body["toolConfig"]["tools"][0]["toolSpec"]["inputSchema"]["json"]["type"] == "object"


def test_words_only_keeps_the_tools_and_forbids_their_use_where_the_wire_can() -> None:
    anthropic_body, google_body, bedrock_body = (
        asked(wire, words_only=True) for wire in (anthropic.ANTHROPIC, google.GOOGLE, bedrock.BEDROCK)
    )

    assert anthropic_body["tools"]
    assert anthropic_body["tool_choice"] == {"type": "none"}
    assert google_body["toolConfig"]["functionCallingConfig"] == {"mode": "NONE"}
    assert bedrock_body["toolConfig"]["tools"]


@pytest.mark.parametrize("wire", WIRES.values(), ids=lambda one: one.name)
def test_an_empty_answer_breaks_no_history(wire: Wire) -> None:
    body = asked(wire, UserMessage(text="Hi"), AssistantMessage(text=""), UserMessage(text="Still there?"))

    text = json.dumps(body)
    assert "Still there?" in text
    assert '{"text": ""}' not in text


@pytest.mark.parametrize("wire", WIRES.values(), ids=lambda one: one.name)
def test_special_tokens_are_broken_up_on_every_wire(wire: Wire) -> None:
    text = json.dumps(asked(wire, UserMessage(text="a <|im_start|> b")))

    assert "<|im_start|>" not in text


@pytest.mark.parametrize(
    ("wire", "expected"),
    [
        (google.GOOGLE, "/models/a%2Fb%3Ac:streamGenerateContent?alt=sse"),
        (bedrock.BEDROCK, "/model/a%2Fb%3Ac/converse-stream"),
    ],
    ids=["google", "bedrock"],
)
def test_a_models_name_is_one_segment_of_the_path(wire: Wire, expected: str) -> None:
    assert wire.path_of(Profile(model="a/b:c")) == expected


@pytest.mark.parametrize("wire", WIRES.values(), ids=lambda one: one.name)
async def test_the_key_goes_where_the_wire_wants_it(wire: Wire) -> None:
    async with (
        a_peer(head("401 Unauthorized", "application/json")) as peer,
        a_model(peer, None, wire=wire, **dict(wire.key_headers("k-123"))) as model,
    ):
        await ask(model, a_request())

    assert peer.heads[0].count("k-123") == 1
    assert "k-123" not in peer.heads[0].split("\r\n", 1)[0]


async def test_a_signed_call_goes_back_signed_to_the_model_that_made_it_and_to_no_other() -> None:
    speaker = Google()
    signed = speaker.stream(Sent(calls=[("list_groups", "{}")])).replace(
        b'"args": {}}', b'"args": {}}, "thoughtSignature": "c2ln"'
    )
    async with a_peer(head() + signed) as peer, a_wired_model(peer.url, speaker.wire) as model:
        events, _ = await ask(model, a_request())
    call = next(made.call for made in events if isinstance(made, CallMade))

    said: tuple[ChatMessage, ...] = (
        UserMessage(text="Which?"),
        AssistantMessage(text="", calls=(replace(call, arguments_text="{}"),)),
        ResultMessage(call_id=call.call_id, tool_name=call.name, content="none"),
    )
    places = (("house", "m"), ("house", "n"), ("another house", "m"))
    profiles = (Profile(model=name, place=place) for place, name in places)
    own, *others = (_signatures(asked(google.GOOGLE, *said, profile=one)) for one in profiles)
    elsewhere = json.dumps(asked(anthropic.ANTHROPIC, *said))

    assert own == ["c2ln"]
    assert others == [[], []]
    assert "c2ln" not in elsewhere


@asynccontextmanager
async def a_wired_model(url: str, wire: Wire) -> AsyncIterator[WireModel]:
    connection = Connection(url, headers={}, clock=SystemClock())
    yield WireModel(connection, wire, Profile(model="m"), Mode.LOCAL, profile_key="house")
    await connection.aclose()


def _signatures(body: JsonObject) -> list[object]:
    contents: Any = body["contents"]
    return [part["thoughtSignature"] for one in contents for part in one["parts"] if "thoughtSignature" in part]
