"""What an OpenAI-compatible server may send, and what of it gets out."""

import json

import pytest

from nova_ui.domain.json_value import JsonValue
from nova_ui.errors import RETRYABLE, FailureKind
from nova_ui.llm.limits import Limits
from nova_ui.llm.port import CallMade, Finished, FinishReason, ModelEvent, TextDelta, Usage
from tests.llm.peer import DONE, a_model, a_peer, answer_to, ask, call_piece, chunk, event, head, text_of
from tests.llm.requests import a_request

END = chunk("tool_calls") + DONE


def _calls(events: list[ModelEvent]) -> list[tuple[str, str, str]]:
    made = [made.call for made in events if isinstance(made, CallMade)]
    return [(call.call_id, call.name, call.arguments_text) for call in made]


def _pieces(*pieces: JsonValue) -> bytes:
    return b"".join(chunk(tool_calls=[piece]) for piece in pieces)


async def test_text_arrives_piece_by_piece_with_usage_and_finish_last() -> None:
    sent = head() + chunk(role="assistant", content="") + chunk(content="Hel") + chunk(content="lo") + chunk("stop")
    usage = event({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 2}})

    events, failure = await answer_to(sent + usage + DONE, a_request())

    assert failure is None
    assert events == [
        TextDelta("Hel"),
        TextDelta("lo"),
        Usage(input_tokens=7, output_tokens=2),
        Finished(FinishReason.STOP),
    ]


async def test_arguments_are_put_together_and_stay_text() -> None:
    odd = '{"limit": NaN, "limit": 1e999, "a": "\u2028"}'
    sent = _pieces(
        call_piece(0, "c1", "first", ""), *(call_piece(0, arguments=letter) for letter in odd), call_piece(1, "c2", "b")
    )

    events, _ = await answer_to(head() + sent + END, a_request())

    assert _calls(events) == [("c1", "first", odd), ("c2", "b", "")]


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        (
            [call_piece(0, "a", "x", "{"), call_piece(0, arguments="}"), call_piece(0, "b", "y", "{}")],
            [("a", "x", "{}"), ("b", "y", "{}")],
        ),
        (
            [call_piece(0, None, "x", "{}"), call_piece(0, None, "x", "[]")],
            [("made_0", "x", "{}"), ("made_1", "x", "[]")],
        ),
        (
            [call_piece(0, "same", "x", "{}"), call_piece(1, "same", "x", "{}")],
            [("same", "x", "{}"), ("same", "x", "{}")],
        ),
        (
            [call_piece(0, "same", "x", "{}"), call_piece(0, "same", "y", "{}")],
            [("same", "x", "{}"), ("same", "y", "{}")],
        ),
        (
            [call_piece(None, None, "x", "{}"), call_piece(None, None, "y", "{"), call_piece(None, arguments="}")],
            [("made_0", "x", "{}"), ("made_1", "y", "{}")],
        ),
        ([call_piece(0, "a"), call_piece(0, None, "x"), call_piece(0, arguments="{}")], [("a", "x", "{}")]),
        ([call_piece(0, "a", "x", "{"), call_piece(0, "a", "x", "}")], [("a", "x", "{}")]),
        (
            [
                call_piece(0, "a", "x", "{"),
                call_piece(1, "b", "y", "["),
                call_piece(0, arguments="}"),
                call_piece(1, arguments="]"),
            ],
            [("a", "x", "{}"), ("b", "y", "[]")],
        ),
        ([call_piece(0, "", "x", "{}")], [("made_0", "x", "{}")]),
        ([call_piece(0, "ä\n", "x", "{}")], [("made_0", "x", "{}")]),
    ],
    ids=[
        "a new name with another id at the same index",
        "a name without an id on a used slot",
        "two calls with one id",
        "two calls with one id at one index",
        "no index, no id",
        "the id before the name",
        "id and name repeated with each piece",
        "pieces of two calls in turn",
        "an empty id",
        "an unusable id",
    ],
)
async def test_call_slots(pieces: list[JsonValue], expected: list[tuple[str, str, str]]) -> None:
    events, failure = await answer_to(head() + _pieces(*pieces) + END, a_request())

    assert (_calls(events), failure) == (expected, None)


async def test_several_whole_calls_in_one_chunk() -> None:
    sent = chunk(tool_calls=[call_piece(0, "a", "x", "{}"), call_piece(0, "b", "y", "{}")])

    events, _ = await answer_to(head() + sent + END, a_request())

    assert _calls(events) == [("a", "x", "{}"), ("b", "y", "{}")]


@pytest.mark.parametrize("piece", [call_piece(0, arguments="{}"), call_piece(0, "a"), {"index": 0, "id": "a"}])
async def test_a_call_without_a_name_is_no_protocol(piece: JsonValue) -> None:
    _, failure = await answer_to(head() + _pieces(piece) + END, a_request())

    assert failure is not None
    assert failure.kind is FailureKind.PROTOCOL


async def test_a_name_that_cannot_be_stored_becomes_one_that_no_tool_has() -> None:
    events, _ = await answer_to(head() + _pieces(call_piece(0, "a", "list\x00", "{}")) + END, a_request())

    assert _calls(events) == [("a", "list\ufffd", "{}")]


@pytest.mark.parametrize(
    "pieces",
    [
        [call_piece(number, f"c{number}", "x", "") for number in range(4)],
        [call_piece(0, "a", "x", "ä" * 6)],
        [call_piece(0, "a", "x", "12345"), call_piece(0, arguments="123456")],
    ],
    ids=["calls", "arguments in bytes", "arguments in pieces"],
)
async def test_calls_and_their_arguments_are_capped(pieces: list[JsonValue]) -> None:
    """Abuse case 62."""
    limits = Limits(max_calls=3, max_argument_bytes=10)

    events, failure = await answer_to(head() + _pieces(*pieces) + END, a_request(), limits)

    assert failure is not None
    assert (_calls(events), failure.kind) == ([], FailureKind.TOO_MUCH)


@pytest.mark.parametrize(
    ("rest", "kind"),
    [
        (b"", FailureKind.CUT_OFF),
        (b"data: [DONE]", FailureKind.CUT_OFF),
        (b"data: {broken\n\n", FailureKind.PROTOCOL),
        (b'data: ["list"]\n\n', FailureKind.PROTOCOL),
        (b"data: " + b"[" * 200_000 + b"\n\n", FailureKind.PROTOCOL),
        (event({"error": {"message": "sk-live-1234 failed", "type": "server_error"}}), FailureKind.SERVER),
        (event({"error": {"code": "rate_limit_exceeded"}}), FailureKind.RATE_LIMIT),
        (chunk("error"), FailureKind.SERVER),
    ],
)
async def test_no_call_gets_out_before_the_proper_end(rest: bytes, kind: FailureKind) -> None:
    """Abuse case 63."""
    sent = head() + chunk(content="Hi") + _pieces(call_piece(0, "a", "x", "{}"))

    events, failure = await answer_to(sent + rest, a_request())

    assert failure is not None
    assert (events, failure.kind, failure.arrived) == ([TextDelta("Hi")], kind, True)
    assert "1234" not in repr(failure) + str(failure) + repr(failure.params)


@pytest.mark.parametrize("rest", [DONE, chunk("stop"), chunk("stop") + DONE])
async def test_an_end_mark_or_a_finish_reason_is_a_proper_end(rest: bytes) -> None:
    sent = head() + _pieces(call_piece(0, "a", "x", "{}"))

    events, failure = await answer_to(sent + rest, a_request())

    assert (_calls(events), failure) == ([("a", "x", "{}")], None)
    assert isinstance(events[-1], Finished)


async def test_a_break_within_a_chunked_body_before_anything_was_shown_may_be_retried() -> None:
    body = chunk(role="assistant", content="")
    sent = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n" % len(body) + body + b"\r\n"

    events, failure = await answer_to(sent, a_request())

    assert failure is not None
    assert (events, failure.arrived, failure.kind in RETRYABLE) == ([], False, True)


async def test_a_break_after_something_was_shown_is_cut_off() -> None:
    body = chunk(content="One")
    sent = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n" % len(body) + body + b"\r\n"

    events, failure = await answer_to(sent, a_request())

    assert failure is not None
    assert (text_of(events), failure.arrived, failure.kind) == ("One", True, FailureKind.CUT_OFF)


async def test_a_break_after_the_finish_reason_does_no_harm() -> None:
    body = chunk("stop", content="One")
    sent = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n" % len(body) + body + b"\r\n"

    events, failure = await answer_to(sent, a_request())

    assert (text_of(events), failure) == ("One", None)


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("stop", FinishReason.STOP),
        ("tool_calls", FinishReason.STOP),
        ("something_new", FinishReason.STOP),
        ("length", FinishReason.LENGTH),
        ("content_filter", FinishReason.FILTERED),
    ],
)
async def test_finish_reasons(said: str, reason: FinishReason) -> None:
    events, _ = await answer_to(head() + _pieces(call_piece(0, "a", "x", '{"n')) + chunk(said) + DONE, a_request())

    assert _calls(events) == [("a", "x", '{"n')]
    assert events[-1] == Finished(reason)


@pytest.mark.parametrize(
    ("deltas", "shown"),
    [
        ([{"reasoning_content": "secret thought"}, {"reasoning": "more"}, {"content": "Two."}], "Two."),
        (
            [{"content": "<thi"}, {"content": "nk>secret"}, {"content": " thought</th"}, {"content": "ink>\nTwo."}],
            "Two.",
        ),
        ([{"content": "<think>never closed"}], ""),
        ([{"content": "<"}, {"content": "b> is not a mark"}], "<b> is not a mark"),
        ([{"content": "<th"}], "<th"),
        ([{"content": "Say <think> in words</think>"}], "Say <think> in words</think>"),
        ([{"content": [{"type": "thinking", "text": "hm"}, {"type": "text", "text": "Two."}]}], "Two."),
        ([{"refusal": "I can't."}], "I can't."),
        ([{"content": "a\x00b\ud800c"}], "a\ufffdb\ufffdc"),
        ([{"content": 7}, {"tool_calls": "none"}], ""),
    ],
)
async def test_only_the_answer_is_shown(deltas: list[dict[str, JsonValue]], shown: str) -> None:
    sent = b"".join(
        b"data: " + json.dumps({"choices": [{"index": 0, "delta": delta}]}).encode() + b"\n\n" for delta in deltas
    )

    events, failure = await answer_to(head() + sent + chunk("stop") + DONE, a_request())

    assert (text_of(events), failure) == (shown, None)


async def test_a_second_choice_is_not_ours() -> None:
    other = event({"choices": [{"index": 1, "delta": {"content": "other"}, "finish_reason": None}]})

    events, _ = await answer_to(head() + other + chunk(content="mine") + chunk("stop"), a_request())

    assert text_of(events) == "mine"


async def test_an_answer_that_is_not_streamed_is_read_whole() -> None:
    message: JsonValue = {"role": "assistant", "content": "Hi", "tool_calls": [call_piece(None, "a", "x", "{}")]}
    body = json.dumps({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}).encode()

    events, failure = await answer_to(head(content_type="application/json; charset=utf-8") + body, a_request())

    assert (text_of(events), _calls(events), failure) == ("Hi", [("a", "x", "{}")], None)


@pytest.mark.parametrize(
    ("sent", "kind"),
    [
        (head(content_type="text/html") + b"<html>Sign in</html>", FailureKind.PROTOCOL),
        (head(content_type="application/octet-stream") + b"<html>\n\n</html>", FailureKind.CUT_OFF),
        (head(), FailureKind.CUT_OFF),
        (head(content_type="application/json"), FailureKind.PROTOCOL),
        (head(content_type="application/json") + b'{"error": "no tools here"}', FailureKind.SERVER),
        (head(content_type="application/json") + b'{"choices": []}', FailureKind.CUT_OFF),
        (head("204 No Content"), FailureKind.PROTOCOL),
    ],
)
async def test_what_is_no_answer(sent: bytes, kind: FailureKind) -> None:
    """Abuse case 63."""
    events, failure = await answer_to(sent, a_request())

    assert failure is not None
    assert (events, failure.kind, failure.arrived) == ([], kind, False)


@pytest.mark.parametrize(
    "usage",
    [
        None,
        3,
        {},
        {"prompt_tokens": "7"},
        {"prompt_tokens": -1, "completion_tokens": 2},
        {"prompt_tokens": 2**31, "completion_tokens": 2},
    ],
)
async def test_a_usage_that_makes_no_sense_is_left_out(usage: JsonValue) -> None:
    sent = chunk("stop") + event({"choices": [], "usage": usage}) + DONE

    events, failure = await answer_to(head() + sent, a_request())

    assert (events, failure) == ([Finished(FinishReason.STOP)], None)


async def test_one_model_answers_again_and_again_over_one_connection() -> None:
    async with a_peer(head() + chunk(content="Hi") + chunk("stop") + DONE) as peer, a_model(peer) as model:
        answers = [await ask(model, a_request()) for _ in range(3)]

    assert [(text_of(events), failure) for events, failure in answers] == [("Hi", None)] * 3


@pytest.mark.parametrize("arguments", [{"group_id": "grp_1"}, ["grp_1"], 7, True, {}, []])
async def test_i3_arguments_that_are_no_text_are_not_taken_for_none(arguments: JsonValue) -> None:
    """Abuse case 63."""
    piece: JsonValue = {"index": 0, "id": "c1", "function": {"name": "list_groups", "arguments": arguments}}

    events, failure = await answer_to(head() + _pieces(piece) + END, a_request())

    assert failure is not None
    assert failure.kind is FailureKind.PROTOCOL
    assert _calls(events) == []
