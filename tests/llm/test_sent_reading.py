"""What was sent reads back as it was meant, whatever the wire; and nothing of it is left out."""

import json

import pytest

from nova_ui.llm.plain_request import NAME as PLAIN
from nova_ui.llm.plain_request import PlainRequests
from nova_ui.llm.port import AssistantMessage, ChatMessage, ResultMessage, SystemMessage, UserMessage
from nova_ui.llm.sent_reading import ReadTool, read_body
from nova_ui.llm.wire import Profile
from nova_ui.llm.wires import WIRES
from tests.llm.requests import a_call, a_request, an_offer

TALK: tuple[ChatMessage, ...] = (
    SystemMessage(text="Be brief."),
    UserMessage(text="Which groups?"),
    AssistantMessage(text="Let me look.", calls=(a_call("a", arguments_text='{"q": "ä"}'),)),
    ResultMessage(call_id="a", tool_name="list_groups", content="two groups"),
    AssistantMessage(text="Two."),
    UserMessage(text="And now?"),
)
PROFILE = Profile(model="m", max_tokens=100, temperature=0.5)
REQUEST = a_request(*TALK, tools=[an_offer("list_groups"), an_offer("list_roles")], words_only=True)
BODIES = {wire.name: wire.body_of(REQUEST, PROFILE) for wire in WIRES.values()} | {
    PLAIN: PlainRequests().body_of(REQUEST)
}


@pytest.mark.parametrize("wire", BODIES)
def test_a_body_reads_back_as_system_messages_and_tools(wire: str) -> None:
    read = read_body(wire, BODIES[wire])

    said = [(message.role, part.kind, part.text) for message in read.messages for part in message.parts]
    assert read.system == "Be brief."
    assert [one for one in said if one[1] != "call"] == [
        ("user", "text", "Which groups?"),
        ("assistant", "text", "Let me look."),
        ("tool", "result", "two groups"),
        ("assistant", "text", "Two."),
        ("user", "text", "And now?"),
    ]
    (call,) = [part for message in read.messages for part in message.parts if part.kind == "call"]
    assert (call.name, json.loads(call.text)) == ("list_groups", {"q": "ä"})
    assert read.tools == tuple(
        ReadTool(name=offer.tool.name, description=offer.description, parameters=offer.schema)
        for offer in REQUEST.tools
    )


@pytest.mark.parametrize("wire", BODIES)
def test_what_is_neither_message_nor_tool_is_a_setting(wire: str) -> None:
    settings = json.dumps(read_body(wire, BODIES[wire]).settings)

    for said in ("Be brief", "Which groups", "two groups", "About list_groups"):
        assert said not in settings
    if wire != PLAIN:
        assert "100" in settings
        assert "0.5" in settings
    if wire != "bedrock":  # this wire has no tool choice none
        assert "none" in settings.lower()


def test_a_part_of_unknown_form_is_shown_as_it_is() -> None:
    body = b'{"messages": [{"role": "user", "content": [{"type": "image", "source": "x"}]}]}'

    read = read_body("anthropic", body)

    assert json.loads(read.messages[0].parts[0].text) == {"type": "image", "source": "x"}


def test_a_wire_that_is_not_known_any_more_is_shown_as_settings() -> None:
    assert read_body("gone", b'{"a": [1]}').settings == {"a": [1]}


def test_tools_are_written_once_and_anew_when_they_change() -> None:
    requests, tool = PlainRequests(), an_offer()
    first = requests.body_of(a_request(tools=[tool]))
    again = requests.body_of(a_request(tools=[tool]))
    other = requests.body_of(a_request(tools=[an_offer()]))

    assert first == again == other
    assert json.loads(first)["tools"] == [
        {"name": tool.tool.name, "description": tool.description, "parameters": tool.schema}
    ]
