"""The bytes that a provider of each wire sends for the same answer."""

import json
import struct
import zlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.llm.port import FinishReason
from nova_ui.llm.wire import Wire
from nova_ui.llm.wires import AZURE, OPENAI, WIRES
from tests.llm.peer import DONE, call_piece, chunk, event

Call = tuple[str, str]  # a tool's name and the text of its arguments


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """What a model answers, in pieces of `size` characters."""

    text: str = ""
    thought: str = ""
    calls: Sequence[Call] = ()
    reason: FinishReason = FinishReason.STOP
    size: int = 5

    def pieces(self, text: str) -> list[str]:
        return [text[start : start + self.size] for start in range(0, len(text), self.size)]


class Speaker(ABC):
    """Writes answers in one wire format. Each usage says 7 tokens in, 3 out."""

    wire: Wire
    content_type: str = "text/event-stream"
    reasons: ClassVar[Mapping[FinishReason, str]]

    @abstractmethod
    def body(self, sent: Sent) -> bytes:
        """Return the stream without what ends it."""

    @abstractmethod
    def end(self, reason: FinishReason) -> bytes:
        """Return the finish reason and all that follows it."""

    @abstractmethod
    def error(self) -> bytes:
        """Return what says in the middle of a stream that the model failed."""

    @abstractmethod
    def whole(self, sent: Sent) -> JsonObject:
        """Return the answer of a server that does not stream."""

    def stream(self, sent: Sent) -> bytes:
        return self.body(sent) + self.end(sent.reason)


class OpenAi(Speaker):
    wire = OPENAI
    reasons: ClassVar = {
        FinishReason.STOP: "stop",
        FinishReason.LENGTH: "length",
        FinishReason.FILTERED: "content_filter",
    }

    def body(self, sent: Sent) -> bytes:
        made = [chunk(reasoning_content=piece) for piece in sent.pieces(sent.thought)]
        made += [chunk(content=piece) for piece in sent.pieces(sent.text)]
        for place, (name, arguments) in enumerate(sent.calls):
            made.append(chunk(tool_calls=[call_piece(place, f"id_{place}", name)]))
            made += [chunk(tool_calls=[call_piece(place, arguments=piece)]) for piece in sent.pieces(arguments)]
        return b"".join(made)

    def end(self, reason: FinishReason) -> bytes:
        usage: JsonObject = {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 3}}
        return chunk(self.reasons[reason]) + event(usage) + DONE

    def error(self) -> bytes:
        return event({"error": {"type": "server_error", "message": "failed"}})

    def whole(self, sent: Sent) -> JsonObject:
        calls: list[JsonValue] = [
            {"id": f"id_{place}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for place, (name, arguments) in enumerate(sent.calls)
        ]
        message: JsonObject = {"content": sent.text, "reasoning_content": sent.thought, "tool_calls": calls}
        return {
            "choices": [{"index": 0, "message": message, "finish_reason": self.reasons[sent.reason]}],
            "usage": {"prompt_tokens": 7, "completion_tokens": 3},
        }


class Azure(OpenAi):
    wire = AZURE


class Anthropic(Speaker):
    wire = next(wire for wire in WIRES.values() if wire.name == "anthropic")
    reasons: ClassVar = {
        FinishReason.STOP: "end_turn",
        FinishReason.LENGTH: "max_tokens",
        FinishReason.FILTERED: "refusal",
    }

    def body(self, sent: Sent) -> bytes:
        start: JsonObject = {"type": "message_start", "message": {"usage": {"input_tokens": 7, "output_tokens": 1}}}
        made = [event(start), event({"type": "ping"})]
        blocks: list[tuple[JsonObject, list[JsonObject]]] = []
        if sent.thought:
            thoughts: list[JsonObject] = [
                {"type": "thinking_delta", "thinking": piece} for piece in sent.pieces(sent.thought)
            ]
            blocks.append(({"type": "thinking", "thinking": ""}, thoughts))
        if sent.text:
            texts: list[JsonObject] = [{"type": "text_delta", "text": piece} for piece in sent.pieces(sent.text)]
            blocks.append(({"type": "text", "text": ""}, texts))
        for place, (name, arguments) in enumerate(sent.calls):
            pieces: list[JsonObject] = [
                {"type": "input_json_delta", "partial_json": piece} for piece in sent.pieces(arguments)
            ]
            blocks.append(({"type": "tool_use", "id": f"id_{place}", "name": name, "input": {}}, pieces))
        for index, (block, deltas) in enumerate(blocks):
            made.append(event({"type": "content_block_start", "index": index, "content_block": block}))
            made += [event({"type": "content_block_delta", "index": index, "delta": delta}) for delta in deltas]
            made.append(event({"type": "content_block_stop", "index": index}))
        return b"".join(made)

    def end(self, reason: FinishReason) -> bytes:
        delta: JsonObject = {"type": "message_delta", "delta": {"stop_reason": self.reasons[reason]}}
        return event(delta | {"usage": {"output_tokens": 3}}) + event({"type": "message_stop"})

    def error(self) -> bytes:
        return event({"type": "error", "error": {"type": "api_error", "message": "failed"}})

    def whole(self, sent: Sent) -> JsonObject:
        content: list[JsonValue] = [{"type": "thinking", "thinking": sent.thought}, {"type": "text", "text": sent.text}]
        content += [
            {"type": "tool_use", "id": f"id_{place}", "name": name, "input": json.loads(arguments)}
            for place, (name, arguments) in enumerate(sent.calls)
        ]
        usage: JsonObject = {"input_tokens": 7, "output_tokens": 3}
        return {"type": "message", "content": content, "stop_reason": self.reasons[sent.reason], "usage": usage}


class Google(Speaker):
    wire = next(wire for wire in WIRES.values() if wire.name == "google")
    reasons: ClassVar = {FinishReason.STOP: "STOP", FinishReason.LENGTH: "MAX_TOKENS", FinishReason.FILTERED: "SAFETY"}

    def body(self, sent: Sent) -> bytes:
        parts: list[JsonObject] = [{"text": piece, "thought": True} for piece in sent.pieces(sent.thought)]
        parts += [{"text": piece} for piece in sent.pieces(sent.text)]
        made = [event(self._candidate([part])) for part in parts]
        for place, (name, arguments) in enumerate(sent.calls):
            # The text is put in as it is: this wire carries an object, and what it holds must not be tidied here.
            call = f'{{"id": "id_{place}", "name": {json.dumps(name)}, "args": {arguments}}}'
            text = json.dumps(self._candidate([{"functionCall": "CALL"}])).replace('"CALL"', call)
            made.append(b"data: " + text.encode() + b"\n\n")
        return b"".join(made)

    def end(self, reason: FinishReason) -> bytes:
        return event(self._candidate([{"text": ""}], self.reasons[reason]))

    def error(self) -> bytes:
        return event({"error": {"code": 500, "status": "INTERNAL", "message": "failed"}})

    def whole(self, sent: Sent) -> JsonObject:
        parts: list[JsonObject] = [{"text": sent.thought, "thought": True}, {"text": sent.text}]
        parts += [{"functionCall": {"name": name, "args": json.loads(arguments)}} for name, arguments in sent.calls]
        return self._candidate(parts, self.reasons[sent.reason])

    @staticmethod
    def _candidate(parts: list[JsonObject], reason: str | None = None) -> JsonObject:
        candidate: JsonObject = {"index": 0, "content": {"role": "model", "parts": list(parts)}}
        if reason is not None:
            candidate["finishReason"] = reason
        return {"candidates": [candidate], "usageMetadata": {"promptTokenCount": 7, "candidatesTokenCount": 3}}


class Bedrock(Speaker):
    wire = next(wire for wire in WIRES.values() if wire.name == "bedrock")
    content_type = "application/vnd.amazon.eventstream"
    reasons: ClassVar = {
        FinishReason.STOP: "end_turn",
        FinishReason.LENGTH: "max_tokens",
        FinishReason.FILTERED: "guardrail_intervened",
    }

    def body(self, sent: Sent) -> bytes:
        made = [frame("messageStart", {"role": "assistant"})]
        made += [self._delta(0, {"reasoningContent": {"text": piece}}) for piece in sent.pieces(sent.thought)]
        made += [self._delta(1, {"text": piece}) for piece in sent.pieces(sent.text)]
        for place, (name, arguments) in enumerate(sent.calls, start=2):
            use: JsonObject = {"toolUse": {"toolUseId": f"id_{place}", "name": name}}
            made.append(frame("contentBlockStart", {"contentBlockIndex": place, "start": use}))
            made += [self._delta(place, {"toolUse": {"input": piece}}) for piece in sent.pieces(arguments)]
            made.append(frame("contentBlockStop", {"contentBlockIndex": place}))
        return b"".join(made)

    def end(self, reason: FinishReason) -> bytes:
        usage: JsonObject = {"usage": {"inputTokens": 7, "outputTokens": 3}}
        return frame("messageStop", {"stopReason": self.reasons[reason]}) + frame("metadata", usage)

    def error(self) -> bytes:
        return frame("modelStreamErrorException", {"message": "failed"}, kind="exception")

    def whole(self, sent: Sent) -> JsonObject:
        content: list[JsonValue] = [{"reasoningContent": {"reasoningText": {"text": sent.thought}}}]
        content.append({"text": sent.text})
        content += [
            {"toolUse": {"toolUseId": f"id_{place}", "name": name, "input": json.loads(arguments)}}
            for place, (name, arguments) in enumerate(sent.calls)
        ]
        return {
            "output": {"message": {"role": "assistant", "content": content}},
            "stopReason": self.reasons[sent.reason],
            "usage": {"inputTokens": 7, "outputTokens": 3},
        }

    @staticmethod
    def _delta(index: int, delta: JsonObject) -> bytes:
        return frame("contentBlockDelta", {"contentBlockIndex": index, "delta": delta})


def frame(name: str, payload: JsonObject, kind: str = "event") -> bytes:
    """Return one message of the binary event stream."""
    headers = b"".join(
        bytes([len(key)]) + key.encode() + b"\x07" + struct.pack(">H", len(value)) + value.encode()
        for key, value in ((f":{kind}-type", name), (":message-type", kind))
    )
    data = json.dumps(payload).encode()
    prelude = struct.pack(">II", 16 + len(headers) + len(data), len(headers))
    message = prelude + struct.pack(">I", zlib.crc32(prelude)) + headers + data
    return message + struct.pack(">I", zlib.crc32(message))


SPEAKERS: Final[tuple[Speaker, ...]] = (OpenAi(), Azure(), Anthropic(), Google(), Bedrock())
