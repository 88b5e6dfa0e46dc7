"""Google's Generative Language API: writes its requests, reads its events."""

import json
from collections.abc import Iterator, Mapping
from typing import Final, assert_never
from urllib.parse import quote

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import ToolOffer
from nova_ui.errors import FailureKind, ModelError
from nova_ui.llm import windows
from nova_ui.llm.answer import PartialAnswer, member, objects, parse_object, string
from nova_ui.llm.failures import failure_of_error_event
from nova_ui.llm.limits import Limits
from nova_ui.llm.port import FinishReason, ModelEvent, ModelRequest
from nova_ui.llm.raw_json import RawObject, parse_raw, written
from nova_ui.llm.request_parts import Answered, Called, Said, sides, system_text
from nova_ui.llm.wire import NewId, Profile, Wire, maker_of

_REASONS: Final[Mapping[str, FinishReason]] = {
    "MAX_TOKENS": FinishReason.LENGTH,
    **dict.fromkeys(
        ("SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY"),
        FinishReason.FILTERED,
    ),
}
# The model wrote a call that Google itself could not read; nothing of it arrives.
_BROKEN: Final = frozenset({"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "MALFORMED_RESPONSE"})
_NAME: Final = "google"
_CALL_MARK: Final = b'"functionCall"'


def path_of(profile: Profile) -> str:
    """Return the path that streams this model's answer as server-sent events."""
    return f"/models/{_name_of(profile)}:streamGenerateContent?alt=sse"


def _name_of(profile: Profile) -> str:
    return quote(profile.model.removeprefix("models/"), safe="")


def body_of(request: ModelRequest, profile: Profile) -> bytes:
    """Return the request as JSON; with `words_only` the tools stay, with the mode *none*.

    Calls and results bear no ids: not every server of this wire takes them, and all match them by name and order.
    """
    body: JsonObject = {
        "contents": [
            {
                "role": "model" if side.role == "assistant" else "user",
                "parts": [_part(part, profile) for part in side.parts],
            }
            for side in sides(request.messages)
        ]
    }
    if system := system_text(request.messages):
        body["systemInstruction"] = {"parts": [{"text": system}]}
    settings: JsonObject = {}
    if profile.max_tokens is not None:
        settings["maxOutputTokens"] = profile.max_tokens
    if profile.temperature is not None:
        settings["temperature"] = profile.temperature
    if profile.top_p is not None:
        settings["topP"] = profile.top_p
    if settings:
        body["generationConfig"] = settings
    if request.tools:
        body["tools"] = [{"functionDeclarations": [_tool(offer) for offer in request.tools]}]
        if request.words_only:
            body["toolConfig"] = {"functionCallingConfig": {"mode": "NONE"}}
    return json.dumps(body).encode()


def _tool(offer: ToolOffer) -> JsonValue:
    return {"name": offer.tool.name, "description": offer.description, "parametersJsonSchema": offer.schema}


def _part(part: Said | Called | Answered, profile: Profile) -> JsonValue:
    match part:
        case Said(text=text):
            return {"text": text}
        case Called(call=call, arguments=arguments):
            written_call: JsonObject = {"functionCall": {"name": call.name, "args": arguments}}
            if call.signature is not None and call.made_by == maker_of(_NAME, profile):
                written_call["thoughtSignature"] = call.signature
            return written_call
        case Answered(tool_name=tool_name, content=content):
            return {"functionResponse": {"name": tool_name, "response": {"result": content}}}
        case _:
            assert_never(part)


class GoogleReader:
    """Turns events into text deltas, and at the proper end into calls, usage and the finish; thoughts are dropped."""

    has_end_mark = False  # this wire has none: the connection ends

    def __init__(self, limits: Limits, new_id: NewId) -> None:
        self._answer = PartialAnswer(limits, new_id)
        self._calls = 0
        self._model = ""

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
        error = event.get("error")
        if error:
            raise failure_of_error_event(error)
        candidate = next(iter(objects(event.get("candidates"))), {})
        for part in objects(member(candidate, "content").get("parts")):
            if part.get("thought") is not True:
                yield from self._answer.say(string(part.get("text")))
        if _CALL_MARK in data:
            self._take_calls(parse_raw(data))
        self._count(member(event, "usageMetadata"))
        self._stop(candidate.get("finishReason"))
        if member(event, "promptFeedback").get("blockReason"):
            self._answer.reason = FinishReason.FILTERED

    def read_whole(self, body: bytes) -> Iterator[ModelEvent]:
        """Yield the text of one whole answer; it has the shape of an event."""
        yield from self.feed(body)

    def finish(self) -> Iterator[ModelEvent]:
        """Yield what only a proper end lets out."""
        yield from self._answer.finish()

    def _take_calls(self, event: RawObject) -> None:
        candidates = event.get("candidates")
        first = candidates[0] if isinstance(candidates, list) and candidates else None
        content = first.get("content") if isinstance(first, RawObject) else None
        parts = content.get("parts") if isinstance(content, RawObject) else None
        for part in parts if isinstance(parts, list) else []:
            call = part.get("functionCall") if isinstance(part, RawObject) else None
            if not isinstance(call, RawObject):
                continue
            arguments = call.get("args")
            self._answer.slots.put(
                index=self._calls,
                call_id=call.get("id"),
                name=call.get("name"),
                arguments="" if arguments is None else written(arguments),
                signature=part.get("thoughtSignature"),
            )
            self._calls += 1

    def _count(self, usage: JsonObject) -> None:
        made = [usage.get("candidatesTokenCount"), usage.get("thoughtsTokenCount")]
        counted = [one for one in made if isinstance(one, int)]
        self._answer.count(given=usage.get("promptTokenCount"), made=sum(counted) if counted else None)

    def _stop(self, reason: JsonValue) -> None:
        if not isinstance(reason, str) or not reason:
            return
        if reason in _BROKEN:
            raise ModelError(FailureKind.PROTOCOL)
        self._answer.reason = _REASONS.get(reason, FinishReason.STOP)


GOOGLE: Final = Wire(
    name=_NAME,
    path_of=path_of,
    body_of=body_of,
    reader=GoogleReader,
    key_headers=lambda key: {"x-goog-api-key": key},
    headers={},
    window_path_of=lambda profile: f"/models/{_name_of(profile)}",
    window_of=windows.of_one,
)
