"""Whatever is cut is put together again, and equal requests have equal parts."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nova_ui.domain.json_value import JsonValue
from nova_ui.llm.port import AssistantMessage, ChatMessage, ResultMessage, SystemMessage, UserMessage
from nova_ui.llm.wire import Profile, Wire
from nova_ui.llm.wires import WIRES
from storage.chat.sent_pieces import cut, deflated, digest_of, inflated, join, read_ranges, write_ranges
from tests.llm.requests import a_call, a_request, an_offer

PROFILE = Profile(model="m", max_tokens=100)
FIRST: tuple[ChatMessage, ...] = (SystemMessage(text="Be brief."), UserMessage(text='{"role": "user"}], "tools": ['))
NEXT: tuple[ChatMessage, ...] = (
    AssistantMessage(text="Let me look.", calls=(a_call(),)),
    ResultMessage(call_id="c1", tool_name="list_groups", content='{"items": [{"role": "x"}]}'),
)
by_wire = pytest.mark.parametrize("wire", WIRES.values(), ids=lambda wire: wire.name)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(["role", "tools", "stream", "a"]) | st.text(), inner)
    ),
)


@given(values)
def test_any_document_is_put_together_again(value: JsonValue) -> None:
    body = json.dumps(value).encode()

    assert join(cut(body)) == body


@given(st.binary())
def test_any_bytes_are_put_together_again(body: bytes) -> None:
    assert join(cut(body)) == body
    content, is_deflated = deflated(body)
    assert inflated(content, is_deflated=is_deflated) == body


@given(st.lists(st.integers(0, 50)))
def test_numbers_are_read_as_they_were_written(numbers: list[int]) -> None:
    assert list(read_ranges(write_ranges(numbers))) == numbers


def test_a_whole_conversation_is_written_as_few_ranges() -> None:
    assert write_ranges([*range(41), 45, 46, 47, 3]) == "0-40,45-47,3"


@by_wire
@pytest.mark.parametrize("words_only", [False, True])
def test_the_next_request_of_a_turn_needs_only_what_is_new_in_it(wire: Wire, *, words_only: bool) -> None:
    tools = [an_offer(f"tool_{place}") for place in range(30)]
    before = cut(wire.body_of(a_request(*FIRST, tools=tools), PROFILE))

    after = cut(wire.body_of(a_request(*FIRST, *NEXT, tools=tools, words_only=words_only), PROFILE))

    known = {digest_of(part) for part in before}
    new = [part for part in after if digest_of(part) not in known]
    assert sum(map(len, new)) < 500
    assert len(new) <= 3
