"""Anthropic's Messages API: writes its requests, reads its events."""

import json
from collections.abc import Iterator, Mapping
from typing import Final, assert_never
from urllib.parse import quote

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import ToolOffer
from nova_ui.errors import ModelError
from nova_ui.llm import windows
from nova_ui.llm.answer import PartialAnswer, member, objects, parse_object, string
from nova_ui.llm.failures import failure_of_error_event
from nova_ui.llm.limits import Limits
from nova_ui.llm.port import FinishReason, ModelEvent, ModelRequest
from nova_ui.llm.raw_json import RawObject, parse_raw, written
from nova_ui.llm.request_parts import Answered, Called, Said, sides, system_text
from nova_ui.llm.wire import NewId, Profile, Wire

_MAX_TOKENS: Final = 8_192  # the field is required; most models of today answer that much
_REASONS: Final[Mapping[str, FinishReason]] = {
    "max_tokens": FinishReason.LENGTH,
    "model_context_window_exceeded": FinishReason.LENGTH,
    "refusal": FinishReason.FILTERED,
}


def body_of(request: ModelRequest, profile: Profile) -> bytes:
    """Return the request as JSON; with `words_only` the tools stay, with tool choice *none*."""
    body: JsonObject = {
        "model": profile.model,
        "max_tokens": profile.max_tokens or _MAX_TOKENS,
        "stream": True,
        "messages": [
            {"role": side.role, "content": [_block(part) for part in side.parts]} for side in sides(request.messages)
        ],
    }
    if system := system_text(request.messages):
        body["system"] = system
    if profile.temperature is not None:
        body["temperature"] = profile.temperature
    if profile.top_p is not None:
        body["top_p"] = profile.top_p
    if request.tools:
        body["tools"] = [_tool(offer) for offer in request.tools]
        if request.words_only:
            body["tool_choice"] = {"type": "none"}
    return json.dumps(body).encode()


def _tool(offer: ToolOffer) -> JsonValue:
    return {"name": offer.tool.name, "description": offer.description, "input_schema": offer.schema}


def _block(part: Said | Called | Answered) -> JsonValue:
    match part:
        case Said(text=text):
            return {"type": "text", "text": text}
        case Called(id=call_id, call=call, arguments=arguments):
            return {"type": "tool_use", "id": call_id, "name": call.name, "input": arguments}
        case Answered(id=call_id, content=content):
            return {"type": "tool_result", "tool_use_id": call_id, "content": content}
        case _:
            assert_never(part)


class AnthropicReader:
    """Turns events into text deltas, and at the proper end into calls, usage and the finish; thinking is dropped."""

    def __init__(self, limits: Limits, new_id: NewId) -> None:
        self._answer = PartialAnswer(limits, new_id)

    @property
    def has_end_mark(self) -> bool:
        """Whether `message_stop` has come."""
        return self._answer.has_end_mark

    @property
    def has_content(self) -> bool:
        """Whether a part of the answer has come."""
        return self._answer.has_content

    @property
    def has_finish_reason(self) -> bool:
        """Whether the model has said why it stopped."""
        return self._answer.reason is not None

    def feed(self, data: bytes) -> Iterator[ModelEvent]:
        """Yield the text of one event; see `nova_ui.llm.wire.AnswerReader`."""
        event = parse_object(data)
        match event.get("type"):
            case "message_start":
                self._count(member(member(event, "message"), "usage"))
            case "content_block_start":
                yield from self._begin(event)
            case "content_block_delta":
                yield from self._continue(event)
            case "message_delta":
                self._count(member(event, "usage"))
                self._stop(member(event, "delta").get("stop_reason"))
            case "message_stop":
                self._answer.has_end_mark = True
            case "error":
                raise _failure(event)
            case _:
                pass  # pings, and whatever comes to be

    def read_whole(self, body: bytes) -> Iterator[ModelEvent]:
        """Yield the text of one whole message."""
        message = parse_object(body)
        if message.get("type") == "error":
            raise _failure(message)
        content = parse_raw(body).get("content")
        for place, block in enumerate(content if isinstance(content, list) else []):
            if not isinstance(block, RawObject):
                continue
            if block.get("type") == "text":
                yield from self._answer.say(str(block.get("text") or ""))
            elif block.get("type") == "tool_use":
                self._call(place, block.get("id"), block.get("name"), written(block.get("input")))
        self._count(member(message, "usage"))
        self._stop(message.get("stop_reason"))

    def finish(self) -> Iterator[ModelEvent]:
        """Yield what only a proper end lets out."""
        yield from self._answer.finish()

    def _begin(self, event: JsonObject) -> Iterator[ModelEvent]:
        block = member(event, "content_block")
        if block.get("type") == "tool_use":
            # Always empty here, and told in pieces afterwards; whatever else it is must not get lost.
            self._call(event.get("index"), block.get("id"), block.get("name"), block.get("input") or "")
        elif block.get("type") == "text":
            yield from self._answer.say(string(block.get("text")))

    def _continue(self, event: JsonObject) -> Iterator[ModelEvent]:
        delta = member(event, "delta")
        if delta.get("type") == "text_delta":
            yield from self._answer.say(string(delta.get("text")))
        elif delta.get("type") == "input_json_delta":
            self._call(event.get("index"), None, None, delta.get("partial_json"))

    def _call(self, index: object, call_id: object, name: object, arguments: object) -> None:
        self._answer.slots.put(index=index, call_id=call_id, name=name, arguments=arguments)

    def _count(self, usage: JsonObject) -> None:
        cached = [usage.get("cache_creation_input_tokens"), usage.get("cache_read_input_tokens")]
        given = usage.get("input_tokens")
        if isinstance(given, int):
            given += sum(one for one in cached if isinstance(one, int))
        self._answer.count(given=given, made=usage.get("output_tokens"))

    def _stop(self, reason: JsonValue) -> None:
        if isinstance(reason, str) and reason:
            self._answer.reason = _REASONS.get(reason, FinishReason.STOP)


def _failure(event: JsonObject) -> ModelError:
    return failure_of_error_event(next(iter(objects([event.get("error")])), {}))


ANTHROPIC: Final = Wire(
    name="anthropic",
    path_of=lambda _profile: "/v1/messages",
    body_of=body_of,
    reader=AnthropicReader,
    key_headers=lambda key: {"x-api-key": key},
    headers={"anthropic-version": "2023-06-01"},
    window_path_of=lambda profile: f"/v1/models/{quote(profile.model, safe='')}",
    window_of=windows.of_one,
)
