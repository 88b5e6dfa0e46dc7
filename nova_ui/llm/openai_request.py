"""Writes the body of an OpenAI-compatible chat completion request; pure."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import assert_never

from nova_ui.domain.json_value import JsonObject, JsonValue
from nova_ui.domain.tool import RawCall, ToolOffer
from nova_ui.llm.port import (
    AssistantMessage,
    ChatMessage,
    ModelRequest,
    ResultMessage,
    SystemMessage,
    UserMessage,
)
from nova_ui.llm.request_parts import clean
from nova_ui.llm.wire import Profile


def body_of(request: ModelRequest, profile: Profile) -> bytes:
    """Return the request as JSON.

    With `words_only` the tools stay, with tool choice *none*: a history with calls but without tools is refused by
    some servers. No `strict` is sent, since not every server knows it.
    """
    body: JsonObject = {
        "model": profile.model,
        "messages": list(_messages(request.messages)),
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    if profile.max_tokens is not None:
        body[profile.max_tokens_field] = profile.max_tokens
    if profile.temperature is not None:
        body["temperature"] = profile.temperature
    if profile.top_p is not None:
        body["top_p"] = profile.top_p
    if profile.reasoning_effort is not None:
        body["reasoning_effort"] = profile.reasoning_effort
    if request.tools:
        body["tools"] = [_tool(offer) for offer in request.tools]
        if request.words_only:
            body["tool_choice"] = "none"
    return json.dumps(body).encode()


def _tool(offer: ToolOffer) -> JsonValue:
    function: JsonObject = {
        "name": offer.tool.name,
        "description": offer.description,
        "parameters": offer.schema,
    }
    return {"type": "function", "function": function}


def _messages(messages: Sequence[ChatMessage]) -> list[JsonValue]:
    ids = _DistinctIds()
    return [_message(message, ids) for message in messages]


def _message(message: ChatMessage, ids: "_DistinctIds") -> JsonValue:
    match message:
        case SystemMessage(text=text):
            return {"role": "system", "content": clean(text)}
        case UserMessage(text=text):
            return {"role": "user", "content": clean(text)}
        case AssistantMessage(text=text, calls=calls):
            return _assistant_message(clean(text), calls, ids)
        case ResultMessage(call_id=call_id, content=content):
            return {"role": "tool", "tool_call_id": ids.of_result(call_id), "content": clean(content)}
        case _:
            assert_never(message)


def _assistant_message(text: str, calls: Sequence[RawCall], ids: "_DistinctIds") -> JsonValue:
    if not calls:
        return {"role": "assistant", "content": text}
    ids.begin_step()
    written: list[JsonValue] = [
        {
            "id": ids.of_call(call.call_id),
            "type": "function",
            "function": {"name": call.name, "arguments": _replayed(call.arguments_text)},
        }
        for call in calls
    ]
    # With calls, an empty content is null: some servers take "" for an answer that has been given.
    return {"role": "assistant", "content": text or None, "tool_calls": written}


def _replayed(arguments_text: str) -> str:
    """Return the arguments as they came, or `{}` where they are no JSON object: some servers refuse the history."""
    try:
        arguments = json.loads(arguments_text)
        text = json.dumps(arguments, allow_nan=False)
        text.encode()
    except (ValueError, RecursionError):
        return "{}"
    return clean(arguments_text) if isinstance(arguments, dict) else "{}"


class _DistinctIds:
    """Tells calls of one id apart, as servers demand; the results follow in the order of the calls."""

    def __init__(self) -> None:
        self._calls: Counter[str] = Counter()
        self._results: Counter[str] = Counter()

    def begin_step(self) -> None:
        self._calls.clear()
        self._results.clear()

    def of_call(self, call_id: str) -> str:
        return self._next(self._calls, call_id)

    def of_result(self, call_id: str) -> str:
        return self._next(self._results, call_id)

    @staticmethod
    def _next(seen: Counter[str], call_id: str) -> str:
        seen[call_id] += 1
        return call_id if seen[call_id] == 1 else f"{call_id}_{seen[call_id]}"
