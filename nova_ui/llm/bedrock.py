"""Amazon Bedrock's Converse API with an API key: writes its requests, reads its binary events."""

import json
from collections.abc import Iterator, Mapping
from typing import Final, assert_never
from urllib.parse import quote

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import ToolOffer
from nova_ui.errors import FailureKind, ModelError
from nova_ui.llm.answer import PartialAnswer, member, parse_object, string
from nova_ui.llm.failures import failure_of_error_event
from nova_ui.llm.limits import Limits
from nova_ui.llm.message_frames import read_frame
from nova_ui.llm.port import FinishReason, ModelEvent, ModelRequest
from nova_ui.llm.raw_json import RawObject, parse_raw, written
from nova_ui.llm.request_parts import Answered, Called, Said, sides, system_text
from nova_ui.llm.wire import NewId, Profile, Wire

_REASONS: Final[Mapping[str, FinishReason]] = {
    "max_tokens": FinishReason.LENGTH,
    "model_context_window_exceeded": FinishReason.LENGTH,
    "content_filtered": FinishReason.FILTERED,
    "guardrail_intervened": FinishReason.FILTERED,
}
_FAILURES: Final[Mapping[str, FailureKind]] = {
    "throttlingException": FailureKind.RATE_LIMIT,
    "serviceUnavailableException": FailureKind.UNAVAILABLE,
    "modelTimeoutException": FailureKind.UNAVAILABLE,
    "accessDeniedException": FailureKind.CREDENTIALS,
    "validationException": FailureKind.REJECTED,
}


def path_of(profile: Profile) -> str:
    """Return the path that streams this model's answer."""
    return f"/model/{quote(profile.model, safe='')}/converse-stream"


def body_of(request: ModelRequest, profile: Profile) -> bytes:
    """Return the request as JSON. This wire has no tool choice *none*: with `words_only` the gate refuses calls."""
    body: JsonObject = {
        "messages": [
            {"role": side.role, "content": [_block(part) for part in side.parts]} for side in sides(request.messages)
        ]
    }
    if system := system_text(request.messages):
        body["system"] = [{"text": system}]
    settings: JsonObject = {}
    if profile.max_tokens is not None:
        settings["maxTokens"] = profile.max_tokens
    if profile.temperature is not None:
        settings["temperature"] = profile.temperature
    if profile.top_p is not None:
        settings["topP"] = profile.top_p
    if settings:
        body["inferenceConfig"] = settings
    if request.tools:
        body["toolConfig"] = {"tools": [_tool(offer) for offer in request.tools]}
    return json.dumps(body).encode()


def _tool(offer: ToolOffer) -> JsonValue:
    spec: JsonObject = {
        "name": offer.tool.name,
        "description": offer.description,
        "inputSchema": {"json": offer.schema},
    }
    return {"toolSpec": spec}


def _block(part: Said | Called | Answered) -> JsonValue:
    match part:
        case Said(text=text):
            return {"text": text}
        case Called(id=call_id, call=call, arguments=arguments):
            return {"toolUse": {"toolUseId": call_id, "name": call.name, "input": arguments}}
        case Answered(id=call_id, content=content):
            return {"toolResult": {"toolUseId": call_id, "content": [{"text": content}]}}
        case _:
            assert_never(part)


class BedrockReader:
    """Turns messages into text deltas, and at the end into calls, usage and the finish; reasoning is dropped."""

    has_end_mark = False  # the usage is the last message, but not every server sends it

    def __init__(self, limits: Limits, new_id: NewId) -> None:
        self._answer = PartialAnswer(limits, new_id)

    @property
    def has_content(self) -> bool:
        """Whether a part of the answer has come."""
        return self._answer.has_content

    @property
    def has_finish_reason(self) -> bool:
        """Whether the model has said why it stopped."""
        return self._answer.reason is not None

    def feed(self, data: bytes) -> Iterator[ModelEvent]:
        """Yield the text of one message; see `nova_ui.llm.wire.AnswerReader`."""
        frame = read_frame(data)
        if frame.headers.get(":message-type") != "event":
            raise _failure(frame.headers.get(":exception-type", ""), frame.payload)
        event = parse_object(frame.payload)
        match frame.headers.get(":event-type"):
            case "contentBlockStart":
                use = member(member(event, "start"), "toolUse")
                if use:
                    self._call(event, use.get("toolUseId"), use.get("name"), "")
            case "contentBlockDelta":
                delta = member(event, "delta")
                yield from self._answer.say(string(delta.get("text")))
                if "toolUse" in delta:
                    self._call(event, None, None, member(delta, "toolUse").get("input"))
            case "messageStop":
                self._stop(event.get("stopReason"))
            case "metadata":
                self._count(member(event, "usage"))
            case _:
                pass

    def read_whole(self, body: bytes) -> Iterator[ModelEvent]:
        """Yield the text of one whole answer."""
        answer = parse_object(body)
        output = parse_raw(body).get("output")
        message = output.get("message") if isinstance(output, RawObject) else None
        content = message.get("content") if isinstance(message, RawObject) else None
        for place, block in enumerate(content if isinstance(content, list) else []):
            if not isinstance(block, RawObject):
                continue
            yield from self._answer.say(str(block.get("text") or ""))
            use = block.get("toolUse")
            if isinstance(use, RawObject):
                self._call(
                    {"contentBlockIndex": place}, use.get("toolUseId"), use.get("name"), written(use.get("input"))
                )
        self._count(member(answer, "usage"))
        self._stop(answer.get("stopReason"))

    def finish(self) -> Iterator[ModelEvent]:
        """Yield what only a proper end lets out."""
        yield from self._answer.finish()

    def _call(self, event: JsonObject, call_id: object, name: object, arguments: object) -> None:
        self._answer.slots.put(index=event.get("contentBlockIndex"), call_id=call_id, name=name, arguments=arguments)

    def _count(self, usage: JsonObject) -> None:
        self._answer.count(given=usage.get("inputTokens"), made=usage.get("outputTokens"))

    def _stop(self, reason: JsonValue) -> None:
        if isinstance(reason, str) and reason:
            self._answer.reason = _REASONS.get(reason, FinishReason.STOP)


def _failure(kind: str, payload: bytes) -> ModelError:
    if kind in _FAILURES:
        failure = failure_of_error_event(payload.decode("utf-8", "replace"))
        is_refined = kind == "validationException" and failure.kind is FailureKind.TOO_LONG
        return failure if is_refined else ModelError(_FAILURES[kind])
    return ModelError(FailureKind.SERVER)


BEDROCK: Final = Wire(
    name="bedrock",
    path_of=path_of,
    body_of=body_of,
    reader=BedrockReader,
    key_headers=lambda key: {"authorization": f"Bearer {key}"},
    headers={"accept": "application/vnd.amazon.eventstream, application/json"},
    framing="messages",
)
