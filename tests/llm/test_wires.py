"""Every wire gives the same events for the same answer, and the same kind of failure for the same fault."""

import asyncio
import json

import pytest

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.errors import FailureKind, ModelError
from nova_ui.llm.limits import Limits
from nova_ui.llm.port import CallMade, Finished, FinishReason, ModelEvent, Usage
from tests.llm.peer import Answering, a_model, a_peer, ask, event, head, text_of
from tests.llm.requests import a_request
from tests.llm.wire_bytes import SPEAKERS, Anthropic, Bedrock, Google, Sent, Speaker, frame

CALLS = (("list_groups", '{"q":"Zürich","limit":3}'), ("list_roles", '{"q":"a\\u2028b"}'))

every_wire = pytest.mark.parametrize("speaker", SPEAKERS, ids=lambda one: one.wire.name)


async def answer_to(
    speaker: Speaker, sent: bytes | Answering, limits: Limits | None = None
) -> tuple[list[ModelEvent], ModelError | None]:
    whole = head(content_type=speaker.content_type) + sent if isinstance(sent, bytes) else sent
    async with a_peer(whole) as peer, a_model(peer, limits, wire=speaker.wire) as model:
        return await ask(model, a_request())


def calls_of(events: list[ModelEvent]) -> list[tuple[str, object]]:
    return [(made.call.name, json.loads(made.call.arguments_text)) for made in events if isinstance(made, CallMade)]


def reason_of(events: list[ModelEvent]) -> FinishReason | None:
    return next((made.reason for made in events if isinstance(made, Finished)), None)


@every_wire
async def test_text_calls_usage_and_the_finish_come_in_this_order(speaker: Speaker) -> None:
    sent = Sent(text="Zwei Grüße: 🙂.", thought="secret thought", calls=CALLS)

    events, failure = await answer_to(speaker, speaker.stream(sent))

    assert failure is None
    assert text_of(events) == sent.text
    assert calls_of(events) == [(name, json.loads(arguments)) for name, arguments in CALLS]
    assert events[-2:] == [Usage(input_tokens=7, output_tokens=3), Finished(FinishReason.STOP)]


@every_wire
@pytest.mark.parametrize("size", [1, 7, 1000])
async def test_bytes_may_be_cut_anywhere(speaker: Speaker, size: int) -> None:
    stream = speaker.stream(Sent(text="Grüße 🙂", calls=CALLS))

    async def drip(writer: asyncio.StreamWriter) -> None:
        writer.write(head(content_type=speaker.content_type))
        for start in range(0, len(stream), size):
            writer.write(stream[start : start + size])
            await asyncio.sleep(0)

    events, failure = await answer_to(speaker, drip)

    assert failure is None
    assert text_of(events) == "Grüße 🙂"
    assert len(calls_of(events)) == 2


@every_wire
async def test_an_answer_that_is_not_streamed_is_read_whole(speaker: Speaker) -> None:
    sent = Sent(text="Two.", thought="secret thought", calls=CALLS)
    whole = head(content_type="application/json") + json.dumps(speaker.whole(sent)).encode()

    async with a_peer(whole) as peer, a_model(peer, wire=speaker.wire) as model:
        events, failure = await ask(model, a_request())

    assert failure is None
    assert text_of(events) == "Two."
    assert calls_of(events) == [(name, json.loads(arguments)) for name, arguments in CALLS]
    assert reason_of(events) is FinishReason.STOP


@every_wire
@pytest.mark.parametrize("reason", list(FinishReason))
async def test_why_the_model_stopped(speaker: Speaker, reason: FinishReason) -> None:
    events, _ = await answer_to(speaker, speaker.stream(Sent(text="No.", reason=reason)))

    assert reason_of(events) is reason


@every_wire
async def test_no_call_gets_out_of_a_stream_that_just_ends(speaker: Speaker) -> None:
    """Abuse case 63."""
    events, failure = await answer_to(speaker, speaker.body(Sent(calls=CALLS)))

    assert events == []
    assert failure is not None
    assert failure.kind is FailureKind.CUT_OFF


@every_wire
async def test_a_stream_cut_within_a_piece_lets_no_call_out(speaker: Speaker) -> None:
    """Abuse case 63."""
    stream = speaker.body(Sent(text="Well. ", calls=CALLS))

    events, failure = await answer_to(speaker, stream[:-9])

    assert calls_of(events) == []
    assert failure is not None


@every_wire
async def test_an_error_in_the_middle_is_a_failure_and_says_that_something_came(speaker: Speaker) -> None:
    events, failure = await answer_to(speaker, speaker.body(Sent(text="Well. ")) + speaker.error())

    assert text_of(events) == "Well. "
    assert failure is not None
    assert (failure.kind, failure.arrived) == (FailureKind.SERVER, True)


@every_wire
@pytest.mark.parametrize("garbage", [b"data: {no json\n\n", b"data: [1]\n\n", b"\x00" * 40])
async def test_what_is_no_piece_of_the_format_is_a_failure(speaker: Speaker, garbage: bytes) -> None:
    """Abuse case 63."""
    events, failure = await answer_to(speaker, speaker.body(Sent(calls=CALLS)) + garbage)

    assert calls_of(events) == []
    assert failure is not None
    assert failure.kind in {FailureKind.PROTOCOL, FailureKind.CUT_OFF}


@every_wire
@pytest.mark.parametrize(
    ("sent", "limits"),
    [
        (Sent(text="x" * 400), Limits(max_text_chars=300)),
        (Sent(calls=[("list_groups", '{"q":"' + "x" * 400 + '"}')], size=50), Limits(max_argument_bytes=300)),
        (Sent(calls=[("list_groups", '{"q":"' + "x" * 40 + '"}')] * 9, size=50), Limits(max_arguments_bytes=300)),
        (Sent(calls=[("list_groups", "{}")] * 9), Limits(max_calls=8)),
        (Sent(text="x" * 4000, size=4000), Limits(max_line_bytes=2000)),
        (Sent(text="x" * 400, size=4), Limits(max_body_bytes=1000)),
    ],
    ids=["text", "arguments", "all arguments", "calls", "one piece", "body"],
)
async def test_every_size_is_bounded(speaker: Speaker, sent: Sent, limits: Limits) -> None:
    """Abuse case 62."""
    events, failure = await answer_to(speaker, speaker.stream(sent), limits)

    assert calls_of(events) == []
    assert failure is not None
    assert failure.kind is FailureKind.TOO_MUCH


@every_wire
async def test_a_model_that_falls_silent_is_given_up(speaker: Speaker) -> None:
    async def stall(writer: asyncio.StreamWriter) -> None:
        writer.write(head(content_type=speaker.content_type) + speaker.body(Sent(text="Well. ")))
        await writer.drain()
        await asyncio.sleep(5)

    _, failure = await answer_to(speaker, stall, Limits(event_gap_s=0.2, first_event_s=0.5))

    assert failure is not None
    assert failure.kind is FailureKind.TIMEOUT


@every_wire
@pytest.mark.parametrize(
    "text", ['{"q": 1, "q": 2}', '{"limit": NaN}', '{"limit": 1e999}', f'{{"limit": {"9" * 5000}}}']
)
async def test_i3_what_the_gate_must_refuse_reaches_it_as_it_came(speaker: Speaker, text: str) -> None:
    events, failure = await answer_to(speaker, speaker.stream(Sent(calls=[("list_groups", text)])))

    arguments = [made.call.arguments_text for made in events if isinstance(made, CallMade)]
    assert failure is None
    assert [one.replace(" ", "") for one in arguments] == [text.replace(" ", "")]


def _anthropic(block_input: JsonValue, *pieces: JsonValue) -> bytes:
    block: JsonObject = {"type": "tool_use", "id": "id_0", "name": "list_groups", "input": block_input}
    deltas: list[JsonObject] = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
    begun = event({"type": "content_block_start", "index": 0, "content_block": block})
    return begun + b"".join(event({"type": "content_block_delta", "index": 0, "delta": one}) for one in deltas)


_GIVEN: JsonObject = {"group_id": "grp_1"}
_BEDROCK = frame(
    "contentBlockStart",
    {"contentBlockIndex": 0, "start": {"toolUse": {"toolUseId": "id_0", "name": "list_groups"}}},
) + frame("contentBlockDelta", {"contentBlockIndex": 0, "delta": {"toolUse": {"input": _GIVEN}}})


@pytest.mark.parametrize(
    ("speaker", "sent"),
    [(Anthropic(), _anthropic(_GIVEN)), (Anthropic(), _anthropic({}, _GIVEN)), (Bedrock(), _BEDROCK)],
    ids=["in the beginning", "in a piece", "bedrock"],
)
async def test_i3_arguments_in_an_unexpected_place_or_shape_are_not_taken_for_none(
    speaker: Speaker, sent: bytes
) -> None:
    """Abuse case 63."""
    events, failure = await answer_to(speaker, sent + speaker.end(FinishReason.STOP))

    assert failure is not None
    assert failure.kind is FailureKind.PROTOCOL
    assert calls_of(events) == []


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("throttlingException", FailureKind.RATE_LIMIT),
        ("serviceUnavailableException", FailureKind.UNAVAILABLE),
        ("internalServerException", FailureKind.SERVER),
        ("somethingNewException", FailureKind.SERVER),
    ],
)
async def test_bedrock_says_by_name_what_failed(name: str, kind: FailureKind) -> None:
    _, failure = await answer_to(Bedrock(), frame(name, {"message": "no"}, kind="exception"))

    assert failure is not None
    assert failure.kind is kind


async def test_a_message_whose_checksum_is_wrong_is_not_read() -> None:
    sent = bytearray(Bedrock().stream(Sent(text="Well.")))
    sent[60] ^= 1

    _, failure = await answer_to(Bedrock(), bytes(sent))

    assert failure is not None
    assert failure.kind is FailureKind.PROTOCOL


@pytest.mark.parametrize("reason", ["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"])
async def test_a_call_that_google_itself_could_not_read_is_no_answer(reason: str) -> None:
    speaker = Google()
    end = speaker.end(FinishReason.STOP).replace(b"STOP", reason.encode())

    _, failure = await answer_to(speaker, end)

    assert failure is not None
    assert failure.kind is FailureKind.PROTOCOL


async def test_a_prompt_that_google_blocks_is_filtered() -> None:
    events, _ = await answer_to(Google(), b'data: {"promptFeedback": {"blockReason": "SAFETY"}}\n\n')

    assert reason_of(events) is FinishReason.FILTERED
