"""What is sent to an OpenAI-compatible server."""

import json

import pytest

from nova_ui.domain.json_value import JsonObject
from nova_ui.llm.openai_request import body_of
from nova_ui.llm.port import AssistantMessage, ModelRequest, ResultMessage, SystemMessage, UserMessage
from nova_ui.llm.wire import Profile
from tests.llm.peer import DONE, a_model, a_peer, ask, chunk, head
from tests.llm.requests import a_call, a_request, an_offer, offered_names


def _body(request: ModelRequest, profile: Profile | None = None) -> JsonObject:
    body: JsonObject = json.loads(body_of(request, profile or Profile(model="m")))
    return body


async def test_the_request_goes_to_the_endpoint_with_the_key() -> None:
    async with a_peer(head() + chunk("stop") + DONE) as peer, a_model(peer, authorization="Bearer key") as model:
        await ask(model, a_request(SystemMessage(text="Be brief."), UserMessage(text="Grüße")))

    assert peer.heads[0].startswith("POST /v1/chat/completions HTTP/1.1\r\n")
    assert "authorization: bearer key" in peer.heads[0].lower()
    assert peer.body["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Grüße"},
    ]
    assert (peer.body["model"], peer.body["stream"]) == ("m", True)
    assert peer.body["stream_options"] == {"include_usage": True}


def test_a_tool_is_offered_with_its_schema_and_without_strict() -> None:
    body = _body(a_request(tools=[an_offer("list_groups")]))

    function = {
        "name": "list_groups",
        "description": "About list_groups.",
        "parameters": {"type": "object", "properties": {}},
    }
    assert body["tools"] == [{"type": "function", "function": function}]
    assert "tool_choice" not in body


def test_words_only_keeps_the_tools_and_forbids_their_use() -> None:
    body = _body(a_request(words_only=True))

    assert (offered_names(body), body["tool_choice"]) == (["list_groups"], "none")


def test_without_tools_nothing_is_said_about_them() -> None:
    body = _body(a_request(tools=[], words_only=True))

    assert not {"tools", "tool_choice"} & set(body)


@pytest.mark.parametrize("field", ["max_tokens", "max_completion_tokens"])
def test_the_token_limit_has_the_name_that_the_profile_says(field: str) -> None:
    profile = Profile(model="m", max_tokens=100, max_tokens_field=field)  # type: ignore[arg-type] # two literals

    assert _body(a_request(), profile)[field] == 100


def test_calls_are_replayed_with_their_results() -> None:
    call = a_call("c1", "list_groups", '{"limit": 3}')
    body = _body(
        a_request(
            UserMessage(text="hi"),
            AssistantMessage(text="", calls=(call,)),
            ResultMessage(call_id="c1", tool_name="list_groups", content="two"),
            AssistantMessage(text="Two."),
        )
    )

    function = {"name": "list_groups", "arguments": '{"limit": 3}'}
    assert body["messages"] == [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": "c1", "content": "two"},
        {"role": "assistant", "content": "Two."},
    ]


@pytest.mark.parametrize("text", ["", '{"a": ', "[1]", '{"a": NaN}', '{"a": "\\ud800"}x', "[" * 100_000, "null"])
def test_broken_arguments_are_replayed_as_an_empty_object(text: str) -> None:
    body = _body(a_request(AssistantMessage(text="", calls=(a_call(arguments_text=text),))))

    assert '"arguments": "{}"' in json.dumps(body)


def test_an_empty_answer_without_calls_is_an_empty_text_and_not_null() -> None:
    assert _body(a_request(AssistantMessage(text="")))["messages"] == [{"role": "assistant", "content": ""}]


def test_two_calls_with_one_id_are_told_apart_together_with_their_results() -> None:
    body = _body(
        a_request(
            AssistantMessage(text="", calls=(a_call("same"), a_call("same"))),
            ResultMessage(call_id="same", tool_name="x", content="first"),
            ResultMessage(call_id="same", tool_name="x", content="second"),
            AssistantMessage(text="", calls=(a_call("same"),)),
            ResultMessage(call_id="same", tool_name="x", content="third"),
        )
    )

    messages = body["messages"]
    assert isinstance(messages, list)
    ids = [m["tool_call_id"] for m in messages if isinstance(m, dict) and m["role"] == "tool"]
    assert ids == ["same", "same_2", "same"]
    assert json.dumps(messages).count('"id": "same_2"') == 1


@pytest.mark.parametrize(
    "token", ["<|im_start|>", "<|eot_id|>", "[INST]", "[/INST]", "<<SYS>>", "</s>", "<tool_call>", "<\uff5cend\uff5c>"]
)
def test_special_tokens_of_chat_templates_are_broken_up_in_data(token: str) -> None:
    result = ResultMessage(call_id="c1", tool_name="x", content=f"a {token} b")
    call = a_call(arguments_text=json.dumps({"q": token}, ensure_ascii=False))

    body = _body(a_request(UserMessage(text=token), AssistantMessage(text=token, calls=(call,)), result))

    assert token not in json.dumps(body, ensure_ascii=False)


@pytest.mark.parametrize("text", ["a < b | c", "list[INSTANCE]", "<strong>", "x <- y", "<email@example.org>"])
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert _body(a_request(UserMessage(text=text)))["messages"] == [{"role": "user", "content": text}]


def test_what_utf8_cannot_hold_is_replaced() -> None:
    body = _body(a_request(UserMessage(text="a\ud800b\x00c")))

    assert body["messages"] == [{"role": "user", "content": "a\ufffdb\ufffdc"}]
